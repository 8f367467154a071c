// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libc++'s layout mappings as a process for the subject protocol. The process shares no code with the rest of the
// project, which is not built with libc++.
#include <array>
#include <charconv>
#include <cstdint>
#include <iostream>
#include <mdspan>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using nlohmann::json;

constexpr size_t kMaxRank = 8;
constexpr int64_t kMaxElements = int64_t{1} << 20;

struct Untiled {
  std::vector<int64_t> dimensions;
  std::vector<size_t> minor_to_major;
};

// Reads a list such as "[2,3]" and moves `position` past its closing bracket. Returns nothing if there is none.
std::optional<std::vector<int64_t>> ReadList(std::string_view text, size_t& position, char open, char close) {
  if (position >= text.size() || text[position] != open) return std::nullopt;
  std::vector<int64_t> list;
  for (++position; position < text.size() && text[position] != close;) {
    if (!list.empty() && text[position++] != ',') return std::nullopt;
    int64_t value = 0;
    const auto read = std::from_chars(text.data() + position, text.data() + text.size(), value);
    if (read.ec != std::errc()) return std::nullopt;
    position = static_cast<size_t>(read.ptr - text.data());
    list.push_back(value);
  }
  if (position++ >= text.size()) return std::nullopt;
  return list;
}

// Reads canonical HLO text such as f32[2,3]{0,1}. Returns nothing for tiles, attributes or dynamic dimensions.
std::optional<Untiled> ReadUntiled(std::string_view text) {
  size_t position = text.find('[');
  if (position == std::string_view::npos) return std::nullopt;
  auto dimensions = ReadList(text, position, '[', ']');
  if (!dimensions || dimensions->size() > kMaxRank) return std::nullopt;
  Untiled shape{*std::move(dimensions), {}};
  const size_t rank = shape.dimensions.size();
  if (rank == 0 && position == text.size()) return shape;
  const auto order = ReadList(text, position, '{', '}');
  if (!order || position != text.size() || order->size() != rank) return std::nullopt;
  for (const int64_t dimension : *order) shape.minor_to_major.push_back(static_cast<size_t>(dimension));
  return shape;
}

json Unsupported(std::string_view why) { return {{"unsupported", why}}; }

template <size_t... kDimension>
int64_t At(const auto& mapping, const std::vector<int64_t>& index, std::index_sequence<kDimension...>) {
  return mapping(index[kDimension]...);
}

template <size_t kRank>
json AnswerWith(const auto& mapping, const Untiled& shape, const json& request) {
  constexpr auto kDimensions = std::make_index_sequence<kRank>();
  const std::string op = request.at("op");
  if (op == "offset") {
    const auto index = request.at("coordinate").get<std::vector<int64_t>>();
    if (index.size() != kRank) return {{"error", "a coordinate of another rank"}};
    return {{"offset", At(mapping, index, kDimensions)}};
  }
  int64_t elements = 1;
  for (const int64_t size : shape.dimensions) {
    if (__builtin_mul_overflow(elements, size, &elements)) return Unsupported("outside the precondition: too large");
  }
  if (op == "size") {
    json answer{{"elements", elements}, {"extent", mapping.required_span_size()}};
    if (mapping.is_exhaustive()) answer["padded_elements"] = mapping.required_span_size();
    return answer;
  }
  if (elements > kMaxElements) return Unsupported("too large for a table");
  std::vector<int64_t> offsets;
  offsets.reserve(static_cast<size_t>(elements));
  std::vector<int64_t> index(kRank);
  for (int64_t element = 0; element < elements; ++element) {
    offsets.push_back(At(mapping, index, kDimensions));
    for (size_t d = kRank; d-- > 0 && ++index[d] == shape.dimensions[d];) index[d] = 0;
  }
  return {{"offsets", offsets}};
}

template <size_t kRank>
json Answer(const Untiled& shape, const json& request) {
  using Extents = std::dextents<int64_t, kRank>;
  std::array<int64_t, kRank> sizes{};
  std::array<int64_t, kRank> strides{};
  bool is_left = true;
  bool is_right = true;
  int64_t stride = 1;
  for (size_t k = 0; k < kRank; ++k) {
    const size_t d = shape.minor_to_major[k];
    if (d >= kRank) return {{"error", "no permutation"}};
    sizes[k] = shape.dimensions[k];
    is_left &= d == k;
    is_right &= d == kRank - 1 - k;
    strides[d] = stride;
    // layout_stride requires positive strides; any is right in an array without elements.
    if (shape.dimensions[d] > 0 && __builtin_mul_overflow(stride, shape.dimensions[d], &stride)) {
      return Unsupported("outside the precondition: too large");
    }
  }
  const Extents extents(sizes);
  if (is_right) return AnswerWith<kRank>(std::layout_right::mapping<Extents>(extents), shape, request);
  if (is_left) return AnswerWith<kRank>(std::layout_left::mapping<Extents>(extents), shape, request);
  return AnswerWith<kRank>(std::layout_stride::mapping<Extents>(extents, strides), shape, request);
}

template <size_t... kRank>
json AnswerOfRank(const Untiled& shape, const json& request, std::index_sequence<kRank...>) {
  json answer;
  ((shape.dimensions.size() == kRank ? void(answer = Answer<kRank>(shape, request)) : void()), ...);
  return answer;
}

json AnswerLine(const std::string& line) {
  const json request = json::parse(line);
  const std::string op = request.at("op");
  if (op == "hello") {
    return {{"name", "mdspan"},
            {"version", "libc++ " + std::to_string(_LIBCPP_VERSION)},
            {"ops", {"offset", "size", "table"}},
            {"notations", {"hlo"}},
            {"limits", {{"max_rank", kMaxRank}, {"max_tiles", 0}, {"max_table_elements", kMaxElements}}}};
  }
  if (op != "offset" && op != "size" && op != "table") return Unsupported("no operation " + op);
  const auto shape = ReadUntiled(request.at("layout").get_ref<const std::string&>());
  if (!shape) return Unsupported("only arrays of up to 8 dimensions without tiles and attributes");
  return AnswerOfRank(*shape, request, std::make_index_sequence<kMaxRank + 1>());
}

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  for (std::string line; std::getline(std::cin, line);) {
    json answer;
    try {
      answer = AnswerLine(line);
    } catch (const json::exception& error) {
      answer = {{"error", error.what()}};
    }
    std::cout << answer.dump() << '\n' << std::flush;
  }
  return 0;
}
