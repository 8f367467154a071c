// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/cxx/mapping.h"
#include <algorithm>
#include <string>
#include "layoutcheck/core/base/index_stepper.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/process/crash_notice.h"

namespace layoutcheck {
namespace {

constexpr int64_t kMostElements = int64_t{1} << 22;
constexpr int64_t kMostSlots = int64_t{1} << 26;  // offsets that can be marked as taken
constexpr int64_t kMostShown = 16;                // rows or columns of a table in a message

constexpr std::string_view kNoExceptionLaw = "no-exception";
constexpr std::string_view kNoExceptionStatement = "no member throws for an index within the extents";

// Sets `result` to compute() and returns an empty text, or returns the words of an exception.
template <class Compute, class T>
std::string ExceptionOf(Compute compute, T& result) {
  try {
    result = compute();
    return {};
  } catch (const std::exception& error) {
    return StrCat("exception: ", error.what());
  } catch (...) {
    return "an exception";
  }
}

std::string IndexText(std::span<const int64_t> index) { return StrCat("(", StrJoin(index, ","), ")"); }

// Returns the number of elements, or nothing if it does not fit int64.
std::optional<int64_t> ElementCount(std::span<const int64_t> extents) {
  if (std::ranges::find(extents, 0) != extents.end()) return 0;
  int64_t count = 1;
  for (const int64_t extent : extents) {
    if (__builtin_mul_overflow(count, extent, &count)) return std::nullopt;
  }
  return count;
}

// Calls visit(index) for some indices of an array until it returns false: indices near 0, near the end and near powers
// of two in each dimension, with all other dimensions at their first or at their last index.
template <class Visit>
void ForSomeIndices(std::span<const int64_t> extents, Visit visit) {
  for (const bool at_end : {false, true}) {
    std::vector<int64_t> base;
    for (const int64_t extent : extents) base.push_back(at_end ? extent - 1 : 0);
    for (size_t d = 0; d < extents.size(); ++d) {
      std::vector<int64_t> index = base;
      for (int64_t power = 1; power<extents[d]; power = power> extents[d] / 2 ? extents[d] : 2 * power) {
        for (const int64_t near : {power - 1, power, power + 1, extents[d] - power}) {
          index[d] = std::clamp<int64_t>(near, 0, extents[d] - 1);
          if (!visit(std::span<const int64_t>(index))) return;
        }
      }
    }
  }
}

// Checks a mapping up to the first error.
class MappingCheck {
 public:
  MappingCheck(const MappingView& mapping, const ExpectedMapping* expected) : mapping_(mapping), reference_(expected) {}

  CheckResult Run() {
    if (const auto negative = std::ranges::find_if(mapping_.extents, [](int64_t extent) { return extent < 0; });
        negative != mapping_.extents.end()) {
      return Found("extents", "extents are not negative", std::nullopt, "at least 0", std::to_string(*negative));
    }
    for (const auto& [claim, name] :
         {std::pair{mapping_.unique, "unique"}, {mapping_.exhaustive, "exhaustive"}, {mapping_.strided, "strided"}}) {
      if (claim.always.value_or(false) && !claim.now.value_or(true)) {
        return Found(StrCat("is_always_", name), StrCat("a type that is always ", name, " is ", name, " now"),
                     std::nullopt, StrCat("is_", name, "()"), StrCat("is_always_", name, "() and not is_", name, "()"));
      }
    }
    if (reference_ != nullptr && reference_->dimensions != mapping_.extents) {
      return Found("extents", "the mapping has the dimensions of the layout", std::nullopt,
                   IndexText(reference_->dimensions), IndexText(mapping_.extents));
    }
    const auto count = ElementCount(mapping_.extents);
    whole_ = count && *count <= kMostElements;
    const auto visit = [this](std::span<const int64_t> index) { return Visit(index); };
    if (whole_) {
      ForEachIndex(mapping_.extents, visit);
    } else {
      ForSomeIndices(mapping_.extents, visit);
    }
    if (found_) return *found_;
    if (whole_) CheckSpan();
    return found_ ? *found_ : CheckResult::Passed(evaluations_);
  }

 private:
  // Checks one element. Returns false if it found an error.
  bool Visit(std::span<const int64_t> index) {
    const std::string exception = ExceptionOf([&] { return VisitUnguarded(index); }, goes_on_);
    if (exception.empty()) return goes_on_;
    return Fail(kNoExceptionLaw, kNoExceptionStatement, index, "an answer", exception);
  }

  bool VisitUnguarded(std::span<const int64_t> index) {
    const int64_t offset = mapping_.offset(index);
    ++evaluations_;
    if (reference_ != nullptr) {
      if (const int64_t expected = reference_->offset(index); offset != expected) {
        return Fail("linear-index", "every element is at the linear index that the layout gives it", index,
                    std::to_string(expected), std::to_string(offset));
      }
    }
    if (offset < 0 || (mapping_.required_span_size && offset >= *mapping_.required_span_size)) {
      return Fail("in-bounds", "every offset is at least 0 and less than required_span_size()", index,
                  mapping_.required_span_size ? StrCat("0 to ", *mapping_.required_span_size - 1) : "at least 0",
                  std::to_string(offset));
    }
    largest_ = std::max(largest_, offset);
    if (whole_ && !CheckTaken(index, offset)) return false;
    return CheckStrides(index, offset);
  }

  // Marks the offset as taken. Returns false if it was taken already and the mapping claims to be unique.
  bool CheckTaken(std::span<const int64_t> index, int64_t offset) {
    if (offset >= kMostSlots) return true;
    const auto slot = static_cast<size_t>(offset);
    if (slot >= taken_.size()) taken_.resize(std::max(slot + 1, taken_.size() * 2));
    if (taken_[slot] && mapping_.unique.now.value_or(false)) {
      std::string other;
      ForEachIndex(mapping_.extents, [&](std::span<const int64_t> candidate) {
        other = IndexText(candidate);
        return mapping_.offset(candidate) != offset;
      });
      return Fail("unique", "a mapping that says is_unique() has no two elements at one offset", index,
                  StrCat("an offset of its own: ", other, " is at ", offset), std::to_string(offset));
    }
    taken_[slot] = true;
    return true;
  }

  bool CheckStrides(std::span<const int64_t> index, int64_t offset) {
    if (!mapping_.strided.now.value_or(false) || !mapping_.stride) return true;
    std::vector<int64_t> before(index.begin(), index.end());
    for (size_t d = 0; d < before.size(); ++d) {
      if (before[d] == 0) continue;
      --before[d];
      const int64_t expected = mapping_.stride(d);
      int64_t distance = 0;
      if (__builtin_sub_overflow(offset, mapping_.offset(before), &distance) || distance != expected) {
        return Fail("strided", "in a mapping that says is_strided(), neighbors are stride(r) apart", index,
                    StrCat("stride(", d, ") = ", expected, " from ", IndexText(before)), std::to_string(distance));
      }
      ++before[d];
    }
    return true;
  }

  // Checks the span size and exhaustiveness after all elements were visited.
  void CheckSpan() {
    if (mapping_.required_span_size && reference_ == nullptr && *mapping_.required_span_size != largest_ + 1) {
      Fail("required-span-size", "required_span_size() is 1 + the largest offset, 0 where there is no element", {},
           std::to_string(largest_ + 1), std::to_string(*mapping_.required_span_size));
      return;
    }
    if (mapping_.required_span_size && reference_ != nullptr) {
      const int64_t padded = reference_->padded_elements;
      if (*mapping_.required_span_size != largest_ + 1 && *mapping_.required_span_size != padded) {
        Fail("required-span-size", "required_span_size() is the extent of the layout, or its allocation with padding",
             {}, StrCat(largest_ + 1, " or ", padded), std::to_string(*mapping_.required_span_size));
        return;
      }
    }
    if (!mapping_.exhaustive.now.value_or(false) || largest_ >= kMostSlots) return;
    const int64_t span = mapping_.required_span_size.value_or(largest_ + 1);
    for (int64_t offset = 0; offset < span; ++offset) {
      if (static_cast<size_t>(offset) < taken_.size() && taken_[static_cast<size_t>(offset)]) continue;
      Fail("exhaustive", "a mapping that says is_exhaustive() has an element at every offset below the span size", {},
           StrCat("an element at offset ", offset), "none");
      return;
    }
  }

  bool Fail(std::string_view law, std::string_view statement, std::optional<std::span<const int64_t>> index,
            std::string_view expected, std::string_view actual) {
    found_ = Found(law, statement, index, expected, actual);
    return false;
  }

  CheckResult Found(std::string_view law, std::string_view statement, std::optional<std::span<const int64_t>> index,
                    std::string_view expected, std::string_view actual) const {
    std::string message = StrCat("FOUND: the mapping breaks ", law, "\n  law        ", statement, "\n  extents    ",
                                 IndexText(mapping_.extents), "\n");
    if (index && !index->empty()) StrAppend(message, "  at element ", IndexText(*index), "\n");
    StrAppend(message, "  expected   ", expected, "\n  actual     ", actual, "\n");
    AppendTable(message, index);
    return CheckResult::Found(std::move(message), evaluations_);
  }

  // Appends the offsets of a small mapping of one or two dimensions as a table with the wrong place in brackets, and
  // "-" where there is an exception.
  void AppendTable(std::string& message, std::optional<std::span<const int64_t>> wrong) const {
    const size_t rank = mapping_.extents.size();
    if (rank == 0 || rank > 2 || ElementCount(mapping_.extents).value_or(0) == 0) return;
    const int64_t rows = rank == 2 ? mapping_.extents[0] : 1;
    const int64_t columns = mapping_.extents[rank - 1];
    if (rows > kMostShown || columns > kMostShown) return;
    std::vector<std::string> cells;
    size_t width = 0;
    ForEachIndex(mapping_.extents, [&](std::span<const int64_t> index) {
      const bool here = wrong && std::ranges::equal(*wrong, index);
      int64_t offset = 0;
      const bool has_offset = ExceptionOf([&] { return mapping_.offset(index); }, offset).empty();
      cells.push_back(StrCat(here ? "[" : " ", has_offset ? std::to_string(offset) : "-", here ? "]" : " "));
      width = std::max(width, cells.back().size());
      return true;
    });
    StrAppend(message, "\n  offsets, the last dimension from left to right\n\n");
    for (size_t k = 0; k < cells.size(); ++k) {
      if (k % static_cast<size_t>(columns) == 0) StrAppend(message, k == 0 ? "  " : "\n  ");
      StrAppend(message, std::string(width - cells[k].size(), ' '), cells[k]);
    }
    StrAppend(message, "\n");
  }

  const MappingView& mapping_;
  const ExpectedMapping* reference_;  // null if the mapping is checked on its own
  bool whole_ = false;
  bool goes_on_ = true;  // no error was found in the element at hand
  int64_t evaluations_ = 0;
  int64_t largest_ = -1;
  std::vector<bool> taken_;
  std::optional<CheckResult> found_;
};

// Checks the mapping. If one of its members ends the process by a signal, stderr says at which index.
CheckResult CheckWithNotice(const MappingView& mapping, const ExpectedMapping* expected) {
  const CrashNotice notice;
  const std::string question = StrCat("  extents    ", IndexText(mapping.extents), "\n");
  MappingView noted = mapping;
  noted.offset = [&](std::span<const int64_t> index) {
    const CrashNotice::Call call({.subject = "mapping",
                                  .question = question,
                                  .repeat = "mapping(",
                                  .at_name = "at element",
                                  .at = index,
                                  .after_at = ")"});
    return mapping.offset(index);
  };
  if (mapping.stride) {
    noted.stride = [&](size_t dimension) {
      const std::string repeat = StrCat("mapping.stride(", dimension, ")");
      const CrashNotice::Call call({.subject = "mapping", .question = question, .repeat = repeat});
      return mapping.stride(dimension);
    };
  }
  return MappingCheck(noted, expected).Run();
}

}  // namespace

CheckResult FoundInMapping(const std::exception_ptr& exception) {
  bool none = false;
  const std::string words = ExceptionOf([&]() -> bool { std::rethrow_exception(exception); }, none);
  return CheckResult::Found(StrCat("FOUND: the mapping breaks ", kNoExceptionLaw, "\n  law        ",
                                   kNoExceptionStatement, "\n  expected   an answer\n  actual     ", words, "\n"),
                            0);
}

CheckResult CheckMapping(const MappingView& mapping) { return CheckWithNotice(mapping, nullptr); }

CheckResult CheckMapping(const MappingView& mapping, const ExpectedMapping& expected) {
  return CheckWithNotice(mapping, &expected);
}

}  // namespace layoutcheck
