// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the rows about arrays in memory: packed sub-byte elements, PJRT's transposes, padded layouts of 2017.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <regex>
#include <string>
#include <vector>
#include "layoutcheck/core/base/index_stepper.h"
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/padded_layout.h"
#include "layoutcheck/core/relayout/bit_packing.h"
#include "layoutcheck/core/relayout/relayout.h"
#include "layoutcheck/core/testing/conformance.h"
#include "layoutcheck/core/testing/share.h"
#include "layoutcheck/core/tiling/pad_reshape_transpose.h"

namespace layoutcheck {
namespace {

using Verdict = RowResult::Verdict;
using Bytes = std::vector<std::byte>;

RowResult Fail(std::string detail) { return {Verdict::kFail, std::move(detail)}; }

Json ToJson(const Bytes& bytes) {
  Json values = Json::array();
  for (const std::byte byte : bytes) values.push_back(std::to_integer<int>(byte));
  return values;
}

Bytes ToBytes(const Json& values) {
  Bytes bytes;
  for (const auto& value : values) bytes.push_back(static_cast<std::byte>(value.get<int>()));
  return bytes;
}

// Checks a row of the text "bits=4", the input bytes and the output bytes.
RowResult CheckPackingRow(const Json& row, bool pack) {
  const int64_t bits = std::stoll(row.at("text").text().substr(std::strlen("bits=")));
  const Bytes input = ToBytes(row.at("args").at(0));
  Bytes output(row.at("expect").size());
  const Expected<void> done = pack ? PackIntN(bits, input, output) : UnpackIntN(bits, input, output);
  if (!done) return Fail(done.error().message);
  return Compare(row.at("expect"), ToJson(output));
}

// Checks a row of the text "f32[10,20] padded_dimensions [15,21]" and a byte size.
RowResult CheckPaddedSizeRow(const Json& row) {
  const auto text = std::regex_replace(row.at("text").text(), std::regex(" padded_dimensions "), "pad");
  const auto layout = PaddedLayout::Parse(text);
  if (!layout) return Fail(layout.error().ToString());
  return Compare(row.at("expect"), layout->bytes());
}

// Checks a row such as "[[a,b,c],[d,e,f]] dims [2,3] minor_to_major {0,1} padded_dimensions [3,5] padding_value 0".
RowResult CheckMemoryPictureRow(const Json& row) {
  const auto text = row.at("text").text();
  std::smatch parts;
  static const std::regex kPattern(
      R"(\[(.*)\] dims (\[.*\]) minor_to_major (\{.*\}) padded_dimensions (\[.*\]) padding_value (\w+))");
  if (!std::regex_match(text, parts, kPattern)) return Fail("the row's text is not understood");
  const auto layout =
      PaddedLayout::Parse(StrCat("f32", parts[2].str(), parts[3].str(), "pad", parts[4].str(), "=", parts[5].str()));
  if (!layout) return Fail(layout.error().ToString());
  std::string names = parts[1];
  std::erase_if(names, [](char c) { return c == '[' || c == ']' || c == ','; });
  const auto picture = layout->MemoryPicture();
  if (!picture) return Fail(picture.error().message);
  std::vector<std::string> cells;
  for (const std::optional<int64_t>& cell : *picture) {
    cells.push_back(cell ? std::string(1, names.at(static_cast<size_t>(*cell))) : parts[5].str());
  }
  return Compare(row.at("expect"), StrJoin(cells, " "));
}

// A transposition as PJRT describes it: dimension k of the output is dimension permutation[k] of the input.
struct Transposition {
  std::vector<int64_t> dimensions;
  std::vector<int64_t> permutation;
  std::vector<int64_t> input_tiling;
  std::vector<int64_t> output_tiling;
  std::vector<int64_t> input_striding;  // in bytes, between elements, or between tiles of a tiled input

  std::vector<int64_t> OutputDimensions() const {
    std::vector<int64_t> result;
    for (const int64_t d : permutation) result.push_back(dimensions[static_cast<size_t>(d)]);
    return result;
  }
};

// Returns the elements of the output in row-major order.
template <class T>
std::vector<T> ReferenceTranspose(const Transposition& transposition, const std::vector<T>& input) {
  const size_t rank = transposition.dimensions.size();
  std::vector<size_t> strides(rank, 1);
  for (size_t d = rank; d > 1; --d) {
    strides[d - 2] = strides[d - 1] * static_cast<size_t>(transposition.dimensions[d - 1]);
  }
  const std::vector<int64_t> output_dimensions = transposition.OutputDimensions();
  std::vector<T> output;
  output.reserve(input.size());
  std::vector<int64_t> index(rank, 0);
  do {
    size_t from = 0;
    for (size_t k = 0; k < rank; ++k) {
      from += static_cast<size_t>(index[k]) * strides[static_cast<size_t>(transposition.permutation[k])];
    }
    output.push_back(input[from]);
  } while (NextIndex(index, output_dimensions));
  return output;
}

// Returns the elements of a strided input in row-major order. The input holds arbitrary bytes and is as small as its
// strides, which may be 0 or negative, allow.
std::vector<uint32_t> GatherStrided(const Transposition& transposition) {
  const size_t rank = transposition.dimensions.size();
  std::vector<int64_t> tile(rank, 1);
  std::ranges::copy_backward(transposition.input_tiling, tile.end());
  std::vector<int64_t> inner(rank, static_cast<int64_t>(sizeof(uint32_t)));
  for (size_t d = rank; d > 1; --d) inner[d - 2] = inner[d - 1] * tile[d - 1];
  std::vector<int64_t> offsets;
  std::vector<int64_t> index(rank, 0);
  do {
    int64_t offset = 0;
    for (size_t d = 0; d < rank; ++d) {
      offset += index[d] / tile[d] * transposition.input_striding[d] + index[d] % tile[d] * inner[d];
    }
    offsets.push_back(offset);
  } while (NextIndex(index, transposition.dimensions));
  const auto [lowest, highest] = std::ranges::minmax(offsets);
  Bytes memory(static_cast<size_t>(highest - lowest) + sizeof(uint32_t));
  for (size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<std::byte>(i * 167 + i / 251);
  std::vector<uint32_t> elements(offsets.size());
  for (size_t i = 0; i < offsets.size(); ++i) {
    std::memcpy(&elements[i], memory.data() + (offsets[i] - lowest), sizeof(uint32_t));
  }
  return elements;
}

// Lays the elements out as the input says, moves them with Relayout, and compares the result with the reference, which
// definition (b) lays out as the output says. To Relayout, the output is the same array in another dimension order.
template <class T>
RowResult CheckTransposition(const Transposition& transposition, ElementType type, const std::vector<T>& elements) {
  const auto layout_of = [](std::vector<int64_t> minor_to_major, const std::vector<int64_t>& tiling) {
    Layout layout(std::move(minor_to_major));
    if (!tiling.empty()) layout.tiles.push_back(Tile{tiling});
    return layout;
  };
  const auto rank = static_cast<int64_t>(transposition.dimensions.size());
  const std::vector<int64_t> descending = MakeDescendingLayout(rank).minor_to_major;
  const std::vector<int64_t> permuted(transposition.permutation.rbegin(), transposition.permutation.rend());
  const Shape from =
      Shape::Array(type, transposition.dimensions,
                   layout_of(descending, transposition.input_striding.empty() ? transposition.input_tiling
                                                                              : std::vector<int64_t>()));
  const Shape to = Shape::Array(type, transposition.dimensions, layout_of(permuted, transposition.output_tiling));
  const Shape output =
      Shape::Array(type, transposition.OutputDimensions(), layout_of(descending, transposition.output_tiling));

  const auto plan = Relayout::Create(from, to);
  if (!plan) return Fail(plan.error().message);
  const T padding = static_cast<T>(0xA5A5A5A5);
  const auto source = PadReshapeTranspose<T>(TiledLayoutOf(from).value(), elements, padding);
  if (!source) return Fail(source.error().message);
  const auto expected =
      PadReshapeTranspose<T>(TiledLayoutOf(output).value(), ReferenceTranspose(transposition, elements), padding);
  if (!expected) return Fail(expected.error().message);
  std::vector<T> actual(expected->size());
  const Expected<void> moved = plan->Run(std::as_bytes(std::span(*source)), std::as_writable_bytes(std::span(actual)),
                                         std::as_bytes(std::span(&padding, 1)));
  if (!moved) return Fail(moved.error().message);
  const auto [at, wanted] = std::ranges::mismatch(actual, *expected);
  if (at == actual.end()) return {Verdict::kPass, ""};
  return Fail(StrCat("memory differs at element ", at - actual.begin(), ": expected ", *wanted, ", actual ", *at));
}

template <class T>
std::vector<T> DistinctElements(const std::vector<int64_t>& dimensions) {
  size_t count = 1;
  for (const int64_t size : dimensions) count *= static_cast<size_t>(size);
  std::vector<T> elements(count);
  // The elements are distinct in 32 bits. In 8 bits, neighbors along any dimension of a real array still differ.
  for (size_t i = 0; i < count; ++i) elements[i] = static_cast<T>((i * 2654435761U) >> (8 * (4 - sizeof(T))));
  return elements;
}

RowResult CheckTranspositionRow(const Json& row) {
  const auto& args = row.at("args");
  const auto list = [&args](const char* name) { return args.value(name, std::vector<int64_t>()); };
  Transposition transposition = {list("dims"), list("permutation"), list("input_tiling"), list("output_tiling"),
                                 list("input_striding")};
  if (!transposition.input_striding.empty()) {
    return CheckTransposition<uint32_t>(transposition, ElementType::kU32, GatherStrided(transposition));
  }
  constexpr size_t kManyElements = size_t{1} << 25;
  CheckedInt64 count = 1;
  for (const int64_t size : transposition.dimensions) count = count * size;
  if (static_cast<size_t>(count.value) >= kManyElements) {  // bytes take a quarter of the memory
    // With sanitizers it takes 8 s. By day, an array with a part of the largest dimension stands for it there.
    int64_t& largest = *std::ranges::max_element(transposition.dimensions);
    largest = (largest - 1) / static_cast<int64_t>(EveryNth(1, 64)) + 1;
    return CheckTransposition<uint8_t>(transposition, ElementType::kU8,
                                       DistinctElements<uint8_t>(transposition.dimensions));
  }
  return CheckTransposition<uint32_t>(transposition, ElementType::kU32,
                                      DistinctElements<uint32_t>(transposition.dimensions));
}

// Runs the transposition of a row such as "dims=[6,98,9] perm=[0,1,2] output_tiling=[1,4] elem 1 byte".
RowResult CheckTranspositionTextRow(const Json& row) {
  const auto text = row.at("text").text();
  std::smatch parts;
  static const std::regex kPattern(R"(dims=(\[.*\]) perm=(\[.*\]) output_tiling=(\[.*\]) elem 1 byte)");
  if (!std::regex_match(text, parts, kPattern)) return Fail("the row's text is not understood");
  const auto list = [&parts](size_t k) { return Json::Parse(parts[k].str()).value().get<std::vector<int64_t>>(); };
  const Transposition transposition = {list(1), list(2), {}, list(3), {}};
  return CheckTransposition<uint8_t>(transposition, ElementType::kU8,
                                     DistinctElements<uint8_t>(transposition.dimensions));
}

}  // namespace

std::optional<RowResult> CheckArrayRow(const Json& row) {
  const std::string function = row.value("fn", "");
  if (row.value("kind", "") == "legacy") {
    return function == "ShapeUtil::ByteSizeOf" ? CheckPaddedSizeRow(row) : CheckMemoryPictureRow(row);
  }
  if (function == "PackIntN") return CheckPackingRow(row, true);
  if (function == "UnpackIntN") return CheckPackingRow(row, false);
  if (function == "TransposePlan::Create+Execute") return CheckTranspositionRow(row);
  if (function == "TransposePlan::Create") return CheckTranspositionTextRow(row);
  return std::nullopt;
}

}  // namespace layoutcheck
