// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/subjects/transport/library_subject.h"
#include <algorithm>
#include <cstddef>
#include <exception>
#include <limits>
#include <optional>
#include <utility>
#include <variant>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/tiling/offset_table.h"
#include "layoutcheck/core/tiling/sizes.h"

namespace layoutcheck {
namespace {

constexpr size_t kMostTextRoom = size_t{64} << 20;

// Fills room for answers. It is not a valid offset, element number or padding, so it reveals unwritten integers.
constexpr int64_t kUnwritten = std::numeric_limits<int64_t>::min();

// Number of integers after every array for the library, which it must not change.
constexpr size_t kGuards = 8;
constexpr int64_t kGuard = 0x6c61796f75746368;

// Returns why an array of `count` integers is not asked for, or nothing.
std::optional<Declined> TooLarge(int64_t count) {
  if (count <= OffsetTable::kMaxEntries) return std::nullopt;
  return Declined{StrCat("an array of more than ", OffsetTable::kMaxEntries, " integers")};
}

// Returns an array of `count` integers for the library to fill, with guards behind it.
std::vector<int64_t> GuardedRoom(size_t count) {
  std::vector<int64_t> room;
  room.reserve(count + kGuards);
  room.resize(count, kUnwritten);
  room.resize(count + kGuards, kGuard);
  return room;
}

// Returns the filled array without its guards, or a failure if a guard was overwritten.
Answer<std::vector<int64_t>> WithoutGuards(std::vector<int64_t>& room, std::string_view operation) {
  const size_t count = room.size() - kGuards;
  const bool kept = std::all_of(room.end() - static_cast<ptrdiff_t>(kGuards), room.end(),
                                [](int64_t word) { return word == kGuard; });
  if (!kept) {
    return Failed{Failed::Kind::kProtocol,
                  StrCat(operation, " wrote behind the ", count, " integers that it was given room for")};
  }
  room.resize(count);
  return std::move(room);
}

const int64_t* DataOf(std::span<const int64_t> integers) {
  static constexpr int64_t kNone = 0;  // arrays are never null
  return integers.empty() ? &kNone : integers.data();
}

std::vector<const char*> TextsOf(std::span<const std::string> texts) {
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  pointers.push_back(nullptr);  // arrays are never null
  return pointers;
}

}  // namespace

const layoutcheck_layout* LibrarySubject::Handed::Set(const Notations& notations, const Shape& shape) {
  static constexpr layoutcheck_tile kNoTile{};
  if (layout_.text != nullptr && shape_ == shape) return &layout_;
  auto text = LayoutText(notations, shape);
  if (!text) return nullptr;
  shape_ = shape;
  if (!shape_.layout) shape_.layout = MakeDescendingLayout(shape_.rank());
  const Layout& layout = *shape_.layout;
  text_ = *std::move(text);
  tiles_.clear();
  for (const Tile& tile : layout.tiles) {
    tiles_.push_back({static_cast<int64_t>(tile.dimensions.size()), DataOf(tile.dimensions)});
  }
  layout_ = {.text = text_.c_str(),
             .element_type = ElementTypeName(shape_.element_type).data(),  // a literal
             .element_bits = ElementSizeInBits(shape_),
             .rank = shape_.rank(),
             .dimensions = DataOf(shape_.dimensions),
             .minor_to_major = DataOf(layout.minor_to_major),
             .tile_count = static_cast<int64_t>(tiles_.size()),
             .tiles = tiles_.empty() ? &kNoTile : tiles_.data(),
             .tail_alignment = layout.tail_padding_alignment_in_elements,
             .memory_space = layout.memory_space};
  return &layout_;
}

template <class T, class Ask, class Read>
Answer<T> LibrarySubject::Call(const Question& question, std::initializer_list<int> expected, Ask ask, Read read) {
  const std::string_view operation = question.operation;
  layoutcheck_text why{text_.data(), text_.size(), 0};
  int status = LAYOUTCHECK_ERROR;
  const NotedCall noted(record_, operation, question.kind, question.text);
  try {
    status = ask(&why);
  } catch (const std::exception& exception) {
    return Failed{Failed::Kind::kCrash, StrCat(operation, " threw an exception: ", exception.what())};
  } catch (...) {
    return Failed{Failed::Kind::kCrash, StrCat(operation, " threw an exception")};
  }
  if (std::ranges::find(expected, status) != expected.end()) return read(status);
  std::string reason(why.data, std::min(why.size, text_.size()));
  if (status == LAYOUTCHECK_UNSUPPORTED) return Declined{reason.empty() ? "unsupported" : std::move(reason)};
  if (status == LAYOUTCHECK_ERROR) return Failed{Failed::Kind::kError, StrCat("error: ", reason)};
  return Failed{Failed::Kind::kProtocol, StrCat(operation, " returned ", status, ", which is no answer to it")};
}

template <class Ask>
Answer<bool> LibrarySubject::CallForFlag(const Question& question, Ask ask) {
  int flag = -1;
  return Call<bool>(
      question, {LAYOUTCHECK_OK}, [&](layoutcheck_text* why) { return ask(&flag, why); },
      [&](int) -> Answer<bool> {
        if (flag == 0 || flag == 1) return flag == 1;
        return Failed{Failed::Kind::kProtocol, StrCat(question.operation, " answered ", flag, ": expected 1 or 0")};
      });
}

template <class T, class Ask, class Read>
Answer<T> LibrarySubject::CallForText(const Question& question, std::initializer_list<int> expected, Ask ask,
                                      Read read) {
  for (;;) {
    size_t size = 0;
    bool cut_off = false;
    Answer<T> answer = Call<T>(
        question, expected,
        [&](layoutcheck_text* written) {
          const int status = ask(written);
          size = written->size;
          return status;
        },
        [&](int status) -> Answer<T> {
          if (status == LAYOUTCHECK_OK && size > kMostTextRoom) {
            return Failed{Failed::Kind::kProtocol, StrCat(question.operation, " answers a text of ", size, " bytes")};
          }
          cut_off = status == LAYOUTCHECK_OK && size > text_.size();
          return read(status, std::string(text_.data(), std::min(size, text_.size())));
        });
    if (!cut_off) return answer;
    text_.resize(size);
  }
}

Answer<ParseAnswer> LibrarySubject::Parse(std::string_view kind, std::string_view text) {
  if (operations_.parse == nullptr) return Subject::Parse(kind, text);
  if (!notations_.hlo) return NotInHlo();
  const std::string kind_text(kind);
  const std::string terminated(text);
  return CallForText<ParseAnswer>(
      {"parse", text, kind}, {LAYOUTCHECK_OK, LAYOUTCHECK_REJECTED},
      [&](layoutcheck_text* written) {
        return operations_.parse(kind_text.c_str(), terminated.c_str(), terminated.size(), written);
      },
      [](int status, std::string words) {
        return status == LAYOUTCHECK_OK ? ParseAnswer{true, std::move(words), ""}
                                        : ParseAnswer{false, "", std::move(words)};
      });
}

Answer<int64_t> LibrarySubject::Offset(const Shape& shape, std::span<const int64_t> coordinate) {
  if (operations_.offset == nullptr) return Subject::Offset(shape, coordinate);
  const layoutcheck_layout* const layout = layout_.Set(notations_, shape);
  if (layout == nullptr) return OtherNotation();
  int64_t offset = kUnwritten;
  return Call<int64_t>(
      {"offset", layout_.text()}, {LAYOUTCHECK_OK},
      [&](layoutcheck_text* why) { return operations_.offset(layout, DataOf(coordinate), &offset, why); },
      [&](int) { return offset; });
}

Answer<std::vector<int64_t>> LibrarySubject::Table(const Shape& shape) {
  if (operations_.table == nullptr) return Subject::Table(shape);
  const auto elements = ElementsIn(shape);
  if (!elements) return Declined{elements.error().message};
  if (auto declined = TooLarge(*elements)) return std::move(*declined);
  const layoutcheck_layout* const layout = layout_.Set(notations_, shape);
  if (layout == nullptr) return OtherNotation();
  const auto count = static_cast<size_t>(*elements);
  std::vector<int64_t> offsets = GuardedRoom(count);
  return Call<std::vector<int64_t>>(
      {"table", layout_.text()}, {LAYOUTCHECK_OK},
      [&](layoutcheck_text* why) { return operations_.table(layout, offsets.data(), count, why); },
      [&](int) { return WithoutGuards(offsets, "table"); });
}

Answer<std::optional<Subject::Coordinate>> LibrarySubject::CoordinateAt(const Shape& shape, int64_t offset) {
  using FoundCoordinate = std::optional<Coordinate>;
  if (operations_.coordinate == nullptr) return Subject::CoordinateAt(shape, offset);
  const layoutcheck_layout* const layout = layout_.Set(notations_, shape);
  if (layout == nullptr) return OtherNotation();
  std::vector<int64_t> room = GuardedRoom(shape.dimensions.size());
  return Call<FoundCoordinate>(
      {"coordinate", layout_.text()}, {LAYOUTCHECK_OK, LAYOUTCHECK_PADDING},
      [&](layoutcheck_text* why) { return operations_.coordinate(layout, offset, room.data(), why); },
      [&](int status) -> Answer<FoundCoordinate> {
        auto coordinate = WithoutGuards(room, "coordinate");
        if (auto* failed = std::get_if<Failed>(&coordinate)) return std::move(*failed);
        if (status == LAYOUTCHECK_PADDING) return FoundCoordinate();
        return FoundCoordinate(std::get<std::vector<int64_t>>(std::move(coordinate)));
      });
}

Answer<SizeAnswer> LibrarySubject::Size(const Shape& shape) {
  if (operations_.size == nullptr) return Subject::Size(shape);
  const layoutcheck_layout* const layout = layout_.Set(notations_, shape);
  if (layout == nullptr) return OtherNotation();
  layoutcheck_sizes sizes{LAYOUTCHECK_NO_SIZE, LAYOUTCHECK_NO_SIZE, LAYOUTCHECK_NO_SIZE, LAYOUTCHECK_NO_SIZE};
  const auto given = [](int64_t size) {
    return size == LAYOUTCHECK_NO_SIZE ? std::optional<int64_t>() : std::optional(size);
  };
  return Call<SizeAnswer>(
      {"size", layout_.text()}, {LAYOUTCHECK_OK},
      [&](layoutcheck_text* why) { return operations_.size(layout, &sizes, why); },
      [&](int) {
        return SizeAnswer{given(sizes.elements), given(sizes.padded_elements), given(sizes.bytes), given(sizes.extent)};
      });
}

Answer<std::vector<int64_t>> LibrarySubject::Relayout(const Shape& from, const Shape& to,
                                                      std::span<const int64_t> data) {
  if (operations_.relayout == nullptr) return Subject::Relayout(from, to, data);
  const auto sizes = SizesOf(to);
  if (!sizes) return Declined{sizes.error().message};
  if (auto declined = TooLarge(sizes->padded_elements)) return std::move(*declined);
  const layoutcheck_layout* const from_layout = layout_.Set(notations_, from);
  const layoutcheck_layout* const to_layout = to_.Set(notations_, to);
  if (from_layout == nullptr || to_layout == nullptr) return OtherNotation();
  const auto count = static_cast<size_t>(sizes->padded_elements);
  std::vector<int64_t> moved = GuardedRoom(count);
  return Call<std::vector<int64_t>>(
      {"relayout", layout_.text()}, {LAYOUTCHECK_OK},
      [&](layoutcheck_text* why) {
        return operations_.relayout(from_layout, to_layout, DataOf(data), data.size(), moved.data(), count, why);
      },
      [&](int) { return WithoutGuards(moved, "relayout"); });
}

Answer<std::string> LibrarySubject::Make(std::string_view tag, int64_t element_bits, std::span<const int64_t> sizes) {
  const bool is_tensor = sizes.size() != 2;
  if (is_tensor ? operations_.make_tensor == nullptr : operations_.make == nullptr) {
    return Subject::Make(tag, element_bits, sizes);
  }
  const std::string tag_text(tag);
  return CallForText<std::string>(
      {"make", tag}, {LAYOUTCHECK_OK},
      [&](layoutcheck_text* layout) {
        return is_tensor ? operations_.make_tensor(tag_text.c_str(), element_bits, DataOf(sizes), sizes.size(), layout)
                         : operations_.make(tag_text.c_str(), element_bits, sizes[0], sizes[1], layout);
      },
      [](int, std::string words) { return words; });
}

Answer<bool> LibrarySubject::Bitcast(const Shape& from, const Shape& to,
                                     std::optional<std::span<const int64_t>> transpose) {
  if (operations_.bitcast == nullptr) return Subject::Bitcast(from, to, transpose);
  if (!notations_.hlo) return NotInHlo();
  const layoutcheck_layout* const from_layout = layout_.Set(notations_, from);
  const layoutcheck_layout* const to_layout = to_.Set(notations_, to);
  const int64_t* const permutation = transpose ? DataOf(*transpose) : nullptr;
  return CallForFlag({"bitcast", layout_.text()}, [&](int* flag, layoutcheck_text* why) {
    return operations_.bitcast(from_layout, to_layout, permutation, flag, why);
  });
}

Answer<bool> LibrarySubject::AreEqual(const Shape& a, const Shape& b, std::span<const std::string> ignored_parts) {
  if (operations_.equal == nullptr) return Subject::AreEqual(a, b, ignored_parts);
  if (!notations_.hlo) return NotInHlo();
  const layoutcheck_layout* const layout_a = layout_.Set(notations_, a);
  const layoutcheck_layout* const layout_b = to_.Set(notations_, b);
  const std::vector<const char*> parts = TextsOf(ignored_parts);
  return CallForFlag({"equal", layout_.text()}, [&](int* flag, layoutcheck_text* why) {
    return operations_.equal(layout_a, layout_b, parts.data(), ignored_parts.size(), flag, why);
  });
}

Answer<EditAnswer> LibrarySubject::Edit(std::string_view function, const Shape& shape,
                                        std::span<const int64_t> arguments) {
  if (operations_.edit == nullptr) return Subject::Edit(function, shape, arguments);
  if (!notations_.hlo) return NotInHlo();
  const std::string name(function);
  const layoutcheck_layout* const layout = layout_.Set(notations_, shape);
  return CallForText<EditAnswer>(
      {"edit", layout_.text()}, {LAYOUTCHECK_OK, LAYOUTCHECK_REJECTED},
      [&](layoutcheck_text* answer) {
        return operations_.edit(name.c_str(), layout, DataOf(arguments), arguments.size(), answer);
      },
      [](int status, std::string words) {
        return status == LAYOUTCHECK_OK ? EditAnswer{std::move(words), {}} : EditAnswer{{}, std::move(words)};
      });
}

Answer<ApplyAnswer> LibrarySubject::Apply(std::string_view function, std::span<const std::string> arguments) {
  if (operations_.apply == nullptr) return Subject::Apply(function, arguments);
  const std::string name(function);
  const std::vector<const char*> texts = TextsOf(arguments);
  int64_t value = kUnwritten;
  return CallForText<ApplyAnswer>(
      {"apply", record_ == nullptr ? std::string() : StrCat(function, " ", StrJoin(arguments, "; "))},
      {LAYOUTCHECK_OK, LAYOUTCHECK_VALUE, LAYOUTCHECK_REJECTED},
      [&](layoutcheck_text* answer) {
        return operations_.apply(name.c_str(), texts.data(), arguments.size(), &value, answer);
      },
      [&](int status, std::string words) {
        ApplyAnswer answer;
        if (status == LAYOUTCHECK_VALUE) {
          answer.value = value;
        } else {
          (status == LAYOUTCHECK_OK ? answer.layout : answer.rejected) = std::move(words);
        }
        return answer;
      });
}

Answer<ViewAnswer> LibrarySubject::ViewOf(const ViewQuestion& question) {
  if (operations_.view == nullptr) return Subject::ViewOf(question);
  const size_t kept = question.KeptModes();
  std::vector<int64_t> at;
  for (const auto& number : question.at) at.push_back(number.value_or(LAYOUTCHECK_KEEP));
  std::vector<int64_t> coordinates;
  for (const auto& coordinate : question.coordinates) {
    coordinates.insert(coordinates.end(), coordinate.begin(), coordinate.end());
  }
  const bool is_slice = question.kind == ViewQuestion::Kind::kSlice;
  const layoutcheck_view view{.kind = static_cast<int>(question.kind),
                              .layout = question.layout.c_str(),
                              .rank = static_cast<int64_t>(question.extents.size()),
                              .extents = DataOf(question.extents),
                              .at = DataOf(at),
                              .tile = is_slice ? nullptr : DataOf(question.tile),
                              .outer_origin = question.of ? DataOf(question.of->origin) : nullptr,
                              .outer_tile = question.of ? DataOf(question.of->tile) : nullptr,
                              .kept_rank = static_cast<int64_t>(kept),
                              .coordinate_count = question.coordinates.size(),
                              .coordinates = DataOf(coordinates)};
  std::vector<int64_t> offsets;
  std::vector<int64_t> valid;
  int64_t offset = kUnwritten;
  return CallForText<ViewAnswer>(
      {"view", question.layout}, {LAYOUTCHECK_OK, LAYOUTCHECK_OFFSETS, LAYOUTCHECK_REJECTED},
      [&](layoutcheck_text* layout) {
        offsets = GuardedRoom(question.coordinates.size());
        valid = GuardedRoom(kept);
        std::fill_n(valid.begin(), kept, LAYOUTCHECK_NO_SIZE);
        layoutcheck_view_answer answer{layout, kUnwritten, offsets.data(), valid.data()};
        const int status = operations_.view(&view, &answer);
        offset = answer.offset;
        return status;
      },
      [&](int status, std::string words) -> Answer<ViewAnswer> {
        auto written = WithoutGuards(offsets, "view");
        if (auto* failed = std::get_if<Failed>(&written)) return std::move(*failed);
        auto extents = WithoutGuards(valid, "view");
        if (auto* failed = std::get_if<Failed>(&extents)) return std::move(*failed);
        ViewAnswer answer;
        if (status == LAYOUTCHECK_OFFSETS) {
          answer.offsets = std::get<std::vector<int64_t>>(std::move(written));
        } else {
          (status == LAYOUTCHECK_OK ? answer.layout : answer.rejected) = std::move(words);
        }
        if (status == LAYOUTCHECK_OK) answer.offset = offset;
        auto& sizes = std::get<std::vector<int64_t>>(extents);
        if (std::ranges::find(sizes, LAYOUTCHECK_NO_SIZE) == sizes.end()) answer.valid = std::move(sizes);
        return answer;
      });
}

}  // namespace layoutcheck
