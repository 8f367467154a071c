// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/subjects/transport/library_subject.h"
#include <algorithm>
#include <cstddef>
#include <exception>
#include <iterator>
#include <optional>
#include <utility>
#include <variant>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/tiling/offset_table.h"
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/properties/sharding/sharding_reference.h"
#include "layoutcheck/subjects/protocol/operations.h"
#include "layoutcheck/subjects/transport/guarded_room.h"
#include "layoutcheck/subjects/transport/shard_room.h"

namespace layoutcheck {
namespace {

constexpr size_t kMostTextRoom = size_t{64} << 20;
constexpr const char* kTooManyElements = "an array of more than 2^20 elements";

// Returns why an array of `count` integers is not asked for, or nothing.
std::optional<Declined> TooLarge(int64_t count) {
  if (count <= OffsetTable::kMaxEntries) return std::nullopt;
  return Declined{StrCat("an array of more than ", OffsetTable::kMaxEntries, " integers")};
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

// Returns the text of a question that is noted before the library gets it. `layout` is that of the question.
template <class Question>
std::string TextOf(const Question& q, const std::string& layout) {
  if constexpr (requires { q.text; }) return std::string(q.text);
  if constexpr (requires { q.tag; }) return std::string(q.tag);
  if constexpr (requires { q.layout; }) return std::string(q.layout);
  if constexpr (std::is_same_v<Question, ApplyQuestion>) return StrCat(q.function, " ", StrJoin(q.arguments, "; "));
  return layout;
}

}  // namespace

bool LibrarySubject::Handed::Set(const Notations& notations, const Shape& shape) {
  static constexpr layoutcheck_tile kNoTile{};
  if (layout_.text != nullptr && shape_ == shape) return true;
  auto text = LayoutText(notations, shape);
  if (!text) return false;
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
  return true;
}

template <class Question>
std::optional<Declined> LibrarySubject::HandOver(const Question& q) {
  if (NeedsHlo(OperationOf(q)) && !notations_.hlo) return NotInHlo();
  bool taken = true;
  if constexpr (requires { q.shape; }) taken = layout_.Set(notations_, q.shape);
  if constexpr (requires { q.from; }) taken = layout_.Set(notations_, q.from) && to_.Set(notations_, q.to);
  if constexpr (requires { q.b; }) taken = layout_.Set(notations_, q.a) && to_.Set(notations_, q.b);
  return taken ? std::nullopt : std::optional(OtherNotation());
}

template <class Question, class Function, class Read>
Answer<typename Question::Result> LibrarySubject::Call(const Question& q, bool has_function,
                                                       std::initializer_list<int> expected, Function ask, Read read) {
  constexpr std::string_view kOperation = Question::kOperation;
  if (!has_function) return NotImplemented(q);
  if (auto declined = HandOver(q)) return *std::move(declined);
  layoutcheck_text why{text_.data(), text_.size(), 0};
  int status = LAYOUTCHECK_ERROR;
  std::string_view kind;
  if constexpr (requires { q.text; }) kind = q.kind;
  const NotedCall noted(record_, kOperation, kind, record_ == nullptr ? "" : TextOf(q, layout_.text()));
  try {
    status = ask(&why);
  } catch (const std::exception& exception) {
    return Failed{Failed::Kind::kCrash, StrCat(kOperation, " threw an exception: ", exception.what())};
  } catch (...) {
    return Failed{Failed::Kind::kCrash, StrCat(kOperation, " threw an exception")};
  }
  if (std::ranges::find(expected, status) != expected.end()) return read(status);
  std::string reason(why.data, std::min(why.size, text_.size()));
  if (status == LAYOUTCHECK_UNSUPPORTED) return Declined{reason.empty() ? "unsupported" : std::move(reason)};
  if (status == LAYOUTCHECK_ERROR) return Failed{Failed::Kind::kError, StrCat("error: ", reason)};
  return Failed{Failed::Kind::kProtocol, StrCat(kOperation, " returned ", status, ", which is no answer to it")};
}

template <class Question, class Function>
Answer<bool> LibrarySubject::CallForFlag(const Question& q, bool has_function, Function ask) {
  int flag = -1;
  return Call(
      q, has_function, {LAYOUTCHECK_OK}, [&](layoutcheck_text* why) { return ask(&flag, why); },
      [&](int) -> Answer<bool> {
        if (flag == 0 || flag == 1) return flag == 1;
        return Failed{Failed::Kind::kProtocol, StrCat(Question::kOperation, " answered ", flag, ": expected 1 or 0")};
      });
}

template <class Question, class Function, class Read>
Answer<typename Question::Result> LibrarySubject::CallForText(const Question& q, bool has_function,
                                                              std::initializer_list<int> expected, Function ask,
                                                              Read read) {
  for (;;) {
    size_t size = 0;
    bool cut_off = false;
    auto answer = Call(
        q, has_function, expected,
        [&](layoutcheck_text* written) {
          const int status = ask(written);
          size = written->size;
          return status;
        },
        [&](int status) -> Answer<typename Question::Result> {
          if (status == LAYOUTCHECK_OK && size > kMostTextRoom) {
            return Failed{Failed::Kind::kProtocol, StrCat(Question::kOperation, " answers a text of ", size, " bytes")};
          }
          cut_off = status == LAYOUTCHECK_OK && size > text_.size();
          return read(status, std::string(text_.data(), std::min(size, text_.size())));
        });
    if (!cut_off) return answer;
    text_.resize(size);
  }
}

Answer<ParseAnswer> LibrarySubject::Ask(const ParseQuestion& q) {
  const std::string kind(q.kind);
  const std::string text(q.text);
  return CallForText(
      q, operations_.parse != nullptr, {LAYOUTCHECK_OK, LAYOUTCHECK_REJECTED},
      [&](layoutcheck_text* written) { return operations_.parse(kind.c_str(), text.c_str(), text.size(), written); },
      [](int status, std::string words) {
        return status == LAYOUTCHECK_OK ? ParseAnswer{true, std::move(words), ""}
                                        : ParseAnswer{false, "", std::move(words)};
      });
}

Answer<int64_t> LibrarySubject::Ask(const OffsetQuestion& q) {
  int64_t offset = kUnwritten;
  return Call(
      q, operations_.offset != nullptr, {LAYOUTCHECK_OK},
      [&](layoutcheck_text* why) { return operations_.offset(layout_.get(), DataOf(q.coordinate), &offset, why); },
      [&](int) { return offset; });
}

Answer<std::vector<int64_t>> LibrarySubject::Ask(const TableQuestion& q) {
  if (operations_.table == nullptr) return NotImplemented(q);
  const auto elements = ElementsIn(q.shape);
  if (!elements) return Declined{elements.error().message};
  if (auto declined = TooLarge(*elements)) return std::move(*declined);
  const auto count = static_cast<size_t>(*elements);
  std::vector<int64_t> offsets = GuardedRoom(count);
  return Call(
      q, true, {LAYOUTCHECK_OK},
      [&](layoutcheck_text* why) { return operations_.table(layout_.get(), offsets.data(), count, why); },
      [&](int) { return WithoutGuards(offsets, "table"); });
}

Answer<std::optional<Subject::Coordinate>> LibrarySubject::Ask(const CoordinateQuestion& q) {
  using FoundCoordinate = std::optional<Coordinate>;
  std::vector<int64_t> room = GuardedRoom(q.shape.dimensions.size());
  return Call(
      q, operations_.coordinate != nullptr, {LAYOUTCHECK_OK, LAYOUTCHECK_PADDING},
      [&](layoutcheck_text* why) { return operations_.coordinate(layout_.get(), q.offset, room.data(), why); },
      [&](int status) {
        return IfAnswered(WithoutGuards(room, "coordinate"), [&](Coordinate coordinate) -> Answer<FoundCoordinate> {
          return status == LAYOUTCHECK_PADDING ? FoundCoordinate() : FoundCoordinate(std::move(coordinate));
        });
      });
}

Answer<SizeAnswer> LibrarySubject::Ask(const SizeQuestion& q) {
  layoutcheck_sizes sizes{LAYOUTCHECK_NO_SIZE, LAYOUTCHECK_NO_SIZE, LAYOUTCHECK_NO_SIZE, LAYOUTCHECK_NO_SIZE};
  const auto given = [](int64_t size) {
    return size == LAYOUTCHECK_NO_SIZE ? std::optional<int64_t>() : std::optional(size);
  };
  return Call(
      q, operations_.size != nullptr, {LAYOUTCHECK_OK},
      [&](layoutcheck_text* why) { return operations_.size(layout_.get(), &sizes, why); },
      [&](int) {
        return SizeAnswer{given(sizes.elements), given(sizes.padded_elements), given(sizes.bytes), given(sizes.extent)};
      });
}

Answer<std::vector<int64_t>> LibrarySubject::Ask(const RelayoutQuestion& q) {
  if (operations_.relayout == nullptr) return NotImplemented(q);
  const auto sizes = SizesOf(q.to);
  if (!sizes) return Declined{sizes.error().message};
  if (auto declined = TooLarge(sizes->padded_elements)) return std::move(*declined);
  const auto count = static_cast<size_t>(sizes->padded_elements);
  std::vector<int64_t> moved = GuardedRoom(count);
  return Call(
      q, true, {LAYOUTCHECK_OK},
      [&](layoutcheck_text* why) {
        return operations_.relayout(layout_.get(), to_.get(), DataOf(q.data), q.data.size(), moved.data(), count, why);
      },
      [&](int) { return WithoutGuards(moved, "relayout"); });
}

Answer<std::string> LibrarySubject::Ask(const MakeQuestion& q) {
  const bool is_tensor = q.sizes.size() != 2;
  const std::string tag(q.tag);
  return CallForText(
      q, is_tensor ? operations_.make_tensor != nullptr : operations_.make != nullptr, {LAYOUTCHECK_OK},
      [&](layoutcheck_text* layout) {
        return is_tensor ? operations_.make_tensor(tag.c_str(), q.element_bits, DataOf(q.sizes), q.sizes.size(), layout)
                         : operations_.make(tag.c_str(), q.element_bits, q.sizes[0], q.sizes[1], layout);
      },
      [](int, std::string words) { return words; });
}

Answer<bool> LibrarySubject::Ask(const BitcastQuestion& q) {
  const int64_t* const permutation = q.transpose ? DataOf(*q.transpose) : nullptr;
  return CallForFlag(q, operations_.bitcast != nullptr, [&](int* flag, layoutcheck_text* why) {
    return operations_.bitcast(layout_.get(), to_.get(), permutation, flag, why);
  });
}

Answer<bool> LibrarySubject::Ask(const EqualQuestion& q) {
  const std::vector<const char*> parts = TextsOf(q.ignored_parts);
  return CallForFlag(q, operations_.equal != nullptr, [&](int* flag, layoutcheck_text* why) {
    return operations_.equal(layout_.get(), to_.get(), parts.data(), q.ignored_parts.size(), flag, why);
  });
}

Answer<EditAnswer> LibrarySubject::Ask(const EditQuestion& q) {
  const std::string name(q.function);
  return CallForText(
      q, operations_.edit != nullptr, {LAYOUTCHECK_OK, LAYOUTCHECK_REJECTED},
      [&](layoutcheck_text* answer) {
        return operations_.edit(name.c_str(), layout_.get(), DataOf(q.arguments), q.arguments.size(), answer);
      },
      [](int status, std::string words) {
        return status == LAYOUTCHECK_OK ? EditAnswer{std::move(words), {}} : EditAnswer{{}, std::move(words)};
      });
}

Answer<ApplyAnswer> LibrarySubject::Ask(const ApplyQuestion& q) {
  const std::string name(q.function);
  const std::vector<const char*> texts = TextsOf(q.arguments);
  int64_t value = kUnwritten;
  return CallForText(
      q, operations_.apply != nullptr, {LAYOUTCHECK_OK, LAYOUTCHECK_VALUE, LAYOUTCHECK_REJECTED},
      [&](layoutcheck_text* answer) {
        return operations_.apply(name.c_str(), texts.data(), q.arguments.size(), &value, answer);
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

Answer<ViewAnswer> LibrarySubject::Ask(const ViewQuestion& q) {
  const size_t kept = q.KeptModes();
  std::vector<int64_t> at;
  for (const auto& number : q.at) at.push_back(number.value_or(LAYOUTCHECK_KEEP));
  std::vector<int64_t> coordinates;
  for (const auto& coordinate : q.coordinates) {
    coordinates.insert(coordinates.end(), coordinate.begin(), coordinate.end());
  }
  const bool is_slice = q.kind == ViewQuestion::Kind::kSlice;
  const layoutcheck_view view{.kind = static_cast<int>(q.kind),
                              .layout = q.layout.c_str(),
                              .rank = static_cast<int64_t>(q.extents.size()),
                              .extents = DataOf(q.extents),
                              .at = DataOf(at),
                              .tile = is_slice ? nullptr : DataOf(q.tile),
                              .outer_origin = q.of ? DataOf(q.of->origin) : nullptr,
                              .outer_tile = q.of ? DataOf(q.of->tile) : nullptr,
                              .kept_rank = static_cast<int64_t>(kept),
                              .coordinate_count = q.coordinates.size(),
                              .coordinates = DataOf(coordinates)};
  std::vector<int64_t> offsets;
  std::vector<int64_t> valid;
  int64_t offset = kUnwritten;
  return CallForText(
      q, operations_.view != nullptr, {LAYOUTCHECK_OK, LAYOUTCHECK_OFFSETS, LAYOUTCHECK_REJECTED},
      [&](layoutcheck_text* layout) {
        offsets = GuardedRoom(q.coordinates.size());
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

Answer<ShardAnswer> LibrarySubject::Ask(const ShardQuestion& q) {
  if (operations_.shard == nullptr) return NotImplemented(q);
  const auto array = ShardedArgument::Read(q.layout, q.device);
  if (!array) return FailedWith(array.error());
  if (array->count() > kMostListedElements) return Declined{kTooManyElements};
  const layoutcheck_shard asked = array->Shard();
  ShardRoom room(array->rank(), static_cast<size_t>(array->count()), "shard");
  return Call(
      q, true, {LAYOUTCHECK_OK, LAYOUTCHECK_ELEMENTS, LAYOUTCHECK_NO_PART},
      [&](layoutcheck_text* why) { return operations_.shard(&asked, room.answer(), why); },
      [&](int status) { return room.Take(status); });
}

Answer<std::vector<int64_t>> LibrarySubject::Ask(const ReshardQuestion& q) {
  if (operations_.reshard == nullptr) return NotImplemented(q);
  const auto before = ShardedArgument::Read(q.from_layout, q.device);
  if (!before) return FailedWith(before.error());
  const auto after = ShardedArgument::Read(q.to_layout, q.device);
  if (!after) return FailedWith(after.error());
  if (before->count() > kMostListedElements) return Declined{kTooManyElements};
  const layoutcheck_shard from = before->Shard();
  const layoutcheck_shard to = after->Shard();
  ShardRoom room(before->rank(), static_cast<size_t>(before->count()), "reshard");
  return Call(
      q, true, {LAYOUTCHECK_ELEMENTS},
      [&](layoutcheck_text* why) { return operations_.reshard(&from, &to, room.answer(), why); },
      [&](int) { return room.TakeElements(); });
}

}  // namespace layoutcheck
