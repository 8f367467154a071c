// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Laws about MLIR's memref types: their text, and the strides of views. The types are derived from a drawn layout.
#include <algorithm>
#include <limits>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/properties/mlir/memref_type.h"
#include "layoutcheck/properties/model/law.h"
#include "layoutcheck/properties/model/laws_internal.h"

namespace layoutcheck {
namespace {

constexpr uint64_t kTypes = 4;  // drawn types per layout
constexpr size_t kMaxRank = 4;
constexpr int64_t kLargest = std::numeric_limits<int64_t>::max();

// Draws one of the values, most often the first.
template <size_t kCount>
std::string_view Pick(Choices& choices, const std::string_view (&values)[kCount]) {
  const uint64_t choice = choices.Choose(2 * kCount);
  return values[choice < kCount ? choice : 0];
}

// Returns the first kMaxRank sizes of the case, with 1 in place of 0.
std::vector<MemRefInteger> SizesOfCase(const LayoutCase& layout_case) {
  std::vector<MemRefInteger> sizes;
  for (const int64_t size : layout_case.layout.dimensions) {
    if (sizes.size() < kMaxRank) sizes.push_back(std::max<int64_t>(size, 1));
  }
  return sizes;
}

// Splits the text into tokens, between which MLIR's lexer ignores blanks.
std::vector<std::string> Tokens(std::string_view text) {
  const auto is_word = [](char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  std::vector<std::string> tokens;
  for (size_t begin = 0, end = 0; begin < text.size(); begin = end) {
    end = begin + 1;
    if (text[begin] == ' ') continue;
    while (is_word(text[begin]) && end < text.size() && is_word(text[end])) ++end;
    if (text.substr(begin).starts_with("->")) end = begin + 2;
    tokens.emplace_back(text.substr(begin, end - begin));
  }
  return tokens;
}

// Draws the text of a type with a strided layout; most are well-formed.
std::string DrawStrided(Choices& choices, MemRefType type) {
  const auto row_major = type.Strides();
  for (MemRefInteger& size : type.dimensions) {
    if (choices.Choose(6) == 5) size.reset();
  }
  std::vector<std::string> strides;
  for (size_t d = 0; d < type.dimensions.size(); ++d) {
    const std::string dense = row_major && row_major->strides[d] ? StrCat(*row_major->strides[d]) : "1";
    const std::string_view values[] = {
        dense, "?", "7", "1", "9223372036854775807", "0", "-1", "0x10", "9223372036854775808"};
    strides.emplace_back(Pick(choices, values));
  }
  if (choices.Choose(16) == 15) strides.emplace_back("1");
  constexpr std::string_view kOffsets[] = {
      "", ", offset: 3", ", offset: 0", ", offset: ?", ", offset: 9223372036854775807", ", offset: -3"};
  const std::string layout = StrCat(", strided<[", StrJoin(strides, ", "), "]", Pick(choices, kOffsets), ">");
  const std::string plain = type.ToString();
  return StrCat(plain.substr(0, plain.size() - 1), layout, choices.Choose(16) == 15 ? layout : "", ">");
}

std::string DrawMap(Choices& choices, MemRefType type) {
  AffineMap map{type.dimensions.size(), choices.Choose(2), {}};
  for (uint64_t left = 1 + choices.Choose(3); left > 0; --left)
    map.results.push_back(AffineExpression::Draw(choices, 2));
  type.layout = std::move(map);
  return type.ToString();
}

// Removes, doubles or replaces one token, or none, and changes the blanks.
std::string Mutate(Choices& choices, const std::string& text, bool is_map) {
  constexpr std::string_view kForMaps[] = {"-", "(", ")", ",", "0", "9223372036854775807", "d0", "s0"};
  constexpr std::string_view kForStrides[] = {"-", "?", "[", "]", ",", "0", "+", ":"};
  std::vector<std::string> tokens = Tokens(text);
  const uint64_t change = choices.Choose(6);
  if (change >= 3) {
    const auto token = tokens.begin() + static_cast<std::ptrdiff_t>(choices.Choose(tokens.size()));
    if (change == 3) {
      tokens.erase(token);
    } else if (change == 4) {
      tokens.insert(token, std::string(*token));
    } else if (token - tokens.begin() > 2) {  // the first tokens belong to the shape
      *token = is_map ? Pick(choices, kForMaps) : Pick(choices, kForStrides);
    }
  }
  return change == 0 ? text : StrJoin(tokens, choices.Choose(2) == 0 ? " " : "  ");
}

LawResult NotApplied(const Answer<ApplyAnswer>& answer, const std::string& text) {
  LawResult result = *Unanswered(answer);
  return result.verdict == LawResult::Verdict::kDisagree ? std::move(result).On(text) : result;
}

LawResult DisagreeOn(const std::string& text, std::string expected, std::string actual) {
  return LawResult::Disagree(std::move(expected), std::move(actual)).On(text);
}

class MemRefText {
 public:
  static LawResult Check(Subject& subject, const LayoutCase& layout_case) {
    const MemRefType plain{SizesOfCase(layout_case), "f32", {}};
    for (uint64_t k = 0; k < kTypes; ++k) {
      RandomChoices choices(HashValue(layout_case.shape), k);
      const bool is_map = choices.Choose(2) == 1;
      const std::string text = Mutate(choices, is_map ? DrawMap(choices, plain) : DrawStrided(choices, plain), is_map);
      LawResult result = Ask(subject, text, choices);
      if (result.verdict != LawResult::Verdict::kAgree) return result;
    }
    return LawResult::Agree();
  }

 private:
  static LawResult Ask(Subject& subject, const std::string& text, Choices& choices) {
    const auto expected = MemRefType::Parse(text);
    const auto answer = subject.Apply("memref-type", std::span(&text, 1));
    const auto* applied = std::get_if<ApplyAnswer>(&answer);
    if (applied == nullptr) return NotApplied(answer, text);
    const std::string actual = applied->layout ? "accepted as " + *applied->layout : "rejected";
    if (!expected) {
      // Omits the message's column, which would make it a different cause.
      if (applied->rejected) return LawResult::Agree();
      return DisagreeOn(text, "rejected: " + expected.error().message, actual);
    }
    if (!applied->layout) return DisagreeOn(text, "accepted", "rejected: " + applied->rejected.value_or("a number"));
    if (!std::holds_alternative<AffineMap>(expected->layout)) {
      if (*applied->layout == expected->ToString()) return LawResult::Agree();
      return DisagreeOn(text, expected->ToString(), *applied->layout);
    }
    const auto printed = MemRefType::Parse(*applied->layout);
    if (!printed) return DisagreeOn(text, "a type", *applied->layout);
    return CompareMaps(text, *expected, *printed, choices);
  }

  // Compares the values of the maps, because their expressions may be simplified.
  static LawResult CompareMaps(const std::string& text, const MemRefType& expected, const MemRefType& printed,
                               Choices& choices) {
    const AffineMap left = std::get<AffineMap>(expected.layout);
    const AffineMap right = MapOf(printed, left.symbols);
    if (printed.dimensions != expected.dimensions || right.results.size() != left.results.size() ||
        right.symbols != left.symbols) {
      return DisagreeOn(text, expected.ToString(), printed.ToString());
    }
    for (int k = 0; k < 3; ++k) {
      AffinePoint point;
      for (size_t d = 0; d < left.dimensions; ++d) point.dimensions.push_back(static_cast<int64_t>(choices.Choose(20)));
      for (size_t s = 0; s < left.symbols; ++s) point.symbols.push_back(1 + static_cast<int64_t>(choices.Choose(9)));
      for (size_t r = 0; r < left.results.size(); ++r) {
        const auto value = left.results[r].Evaluate(point);
        const auto actual = right.results[r].Evaluate(point);
        if (!value || (actual && *actual == *value)) continue;
        return DisagreeOn(StrCat(text, " at ", StrJoin(point.ToStrings(), ", ")), StrCat(*value),
                          StrCat(actual ? StrCat(*actual) : "no value", " of ", right.results[r].ToString()));
      }
    }
    return LawResult::Agree();
  }

  // Returns the map of a type, or the identity, which the text omits.
  static AffineMap MapOf(const MemRefType& type, size_t symbols) {
    if (const auto* map = std::get_if<AffineMap>(&type.layout)) return *map;
    AffineMap identity{type.dimensions.size(), symbols, {}};
    for (size_t d = 0; d < type.dimensions.size(); ++d) {
      identity.results.push_back({AffineExpression::Kind::kDimension, static_cast<int64_t>(d), {}});
    }
    return identity;
  }
};

class MemRefView {
 public:
  static LawResult Check(Subject& subject, const LayoutCase& layout_case) {
    if (layout_case.layout.dimensions.empty()) return LawResult::OutsideDomain();
    for (uint64_t k = 0; k < kTypes; ++k) {
      RandomChoices choices(HashValue(layout_case.shape), k);
      MemRefType type{SizesOfCase(layout_case), "f32", {}};
      DrawLayout(choices, type);
      std::vector<std::string> arguments = DrawView(choices, type);
      LawResult result = Ask(subject, type, arguments);
      if (result.verdict != LawResult::Verdict::kAgree) return result;
    }
    return LawResult::Agree();
  }

 private:
  // Draws a strided layout: row-major order, perhaps with gaps, an offset, or strides near the end of int64.
  static void DrawLayout(Choices& choices, MemRefType& type) {
    auto layout = type.Strides();
    if (!layout || choices.Choose(4) == 0) return;
    const int64_t gap = 1 + static_cast<int64_t>(choices.Choose(3));
    for (MemRefInteger& stride : layout->strides) {
      const uint64_t kind = choices.Choose(8);
      if (kind == 7) stride = int64_t{1} << (30 + choices.Choose(33));
      if (kind == 6) stride.reset();
      if (kind < 6 && stride && *stride <= kLargest / gap) *stride *= gap;
    }
    const uint64_t offset = choices.Choose(4);
    if (offset == 1) layout->offset = 5;
    if (offset == 2) layout->offset.reset();
    if (offset == 3) layout->offset = kLargest - static_cast<int64_t>(choices.Choose(8));
    type.layout = *std::move(layout);
  }

  static std::vector<std::string> DrawView(Choices& choices, const MemRefType& type) {
    const size_t rank = type.dimensions.size();
    std::vector<int64_t> lists[3];
    const uint64_t kind = choices.Choose(3);
    if (kind == 0) {
      for (const MemRefInteger& size : type.dimensions) {
        const auto begin = static_cast<int64_t>(choices.Choose(static_cast<uint64_t>(*size)));
        const auto step = 1 + static_cast<int64_t>(choices.Choose(3));
        const int64_t most = (*size - begin + step - 1) / step;
        lists[0].push_back(begin);
        lists[1].push_back(1 + static_cast<int64_t>(choices.Choose(static_cast<uint64_t>(most))));
        lists[2].push_back(step);
      }
      return {"subview", StrJoin(lists[0], ","), StrJoin(lists[1], ","), StrJoin(lists[2], ",")};
    }
    if (kind == 1) {
      for (size_t d = 0; d < rank; ++d) {
        const auto place = static_cast<std::ptrdiff_t>(choices.Choose(d + 1));
        lists[0].insert(lists[0].begin() + place, static_cast<int64_t>(d));
      }
      return {"transpose", StrJoin(lists[0], ",")};
    }
    for (size_t left = rank; left > 0;) {
      const size_t count = 1 + choices.Choose(left);
      lists[0].push_back(static_cast<int64_t>(count));
      left -= count;
    }
    return {"collapse_shape", StrJoin(lists[0], ",")};
  }

  static LawResult Ask(Subject& subject, const MemRefType& type, std::vector<std::string> arguments) {
    const auto expected = ViewOf(type, arguments);
    arguments.insert(arguments.begin(), type.ToString());
    const std::string text = StrJoin(arguments, " ");
    const auto answer = subject.Apply("memref-view", arguments);
    const auto* applied = std::get_if<ApplyAnswer>(&answer);
    if (applied == nullptr) return NotApplied(answer, text);
    if (applied->rejected) {
      // The subject need not see that dimensions are contiguous.
      if (!expected || arguments[1] == "collapse_shape") return LawResult::Agree();
      return DisagreeOn(text, expected->ToString(), "rejected: " + *applied->rejected);
    }
    const std::string actual = applied->layout.value_or("a number");
    if (!expected) return DisagreeOn(text, "rejected: " + expected.error().message, actual);
    const auto printed = MemRefType::Parse(actual);
    if (!printed || !SameElements(*expected, *printed)) return DisagreeOn(text, expected->ToString(), actual);
    return LawResult::Agree();
  }

  // Compares strided layouts except for strides of dimensions of size 1, which address nothing.
  static bool SameElements(const MemRefType& left, const MemRefType& right) {
    const auto a = left.Strides();
    const auto b = right.Strides();
    if (!a || !b || left.dimensions != right.dimensions || a->offset != b->offset) return false;
    for (size_t d = 0; d < left.dimensions.size(); ++d) {
      if (left.dimensions[d] != MemRefInteger(1) && a->strides[d] != b->strides[d]) return false;
    }
    return true;
  }
};

}  // namespace

std::span<const Law> MemRefLaws() {
  static constexpr Law kLaws[] = {
      {"memref-text",
       "A memref type with a strided or an affine-map layout is accepted where MLIR's grammar and rules allow it, and "
       "printed so that it means the same.",
       "types of the array's sizes, well-formed and not, drawn for each layout", MemRefText::Check},
      {"memref-view",
       "A subview, a transpose or a collapse of a strided memref addresses the elements that it names, and one whose "
       "strides or offset leave int64 is refused.",
       "views of an array of these sizes, drawn for each layout", MemRefView::Check},
  };
  return kLaws;
}

}  // namespace layoutcheck
