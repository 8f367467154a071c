// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel/source_map.h"
#include <algorithm>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/text_cursor.h"
#include "layoutcheck/core/base/trim.h"
#include "layoutcheck/llvm/kernel/array_numbers.h"
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {
namespace {

constexpr std::string_view kOption = "--source";

constexpr std::string_view kLookup = "lookup_";
std::string LookupName(size_t number) { return StrCat(kLookup, number); }

class SourceReader {
 public:
  SourceReader(const std::string& text, std::span<const std::string> arrays, std::span<const ArrayLayout> layouts,
               std::span<const std::string> names)
      : text_(text), arrays_(arrays), layouts_(layouts), names_(names.begin(), names.end()) {}

  Expected<SourceMap> Read() {
    const size_t equals = text_.find('=');
    if (text_.contains(kLookup)) return Invalid(StrCat("expected no name with '", kLookup, "'"));
    if (equals == std::string::npos) return Invalid("expected NAME[INDEX,...]=NAME[FORMULA,...]");
    LAYOUTCHECK_TRY(const auto left, Element(Trimmed(std::string_view(text_).substr(0, equals))));
    map_.to = left.array;
    for (const std::string& name : left.index) {
      const bool is_name =
          !name.empty() && std::ranges::all_of(name, TextCursor::IsWordByte) && !TextCursor::IsDigit(name[0]);
      if (!is_name || std::ranges::find(names_, name) != names_.end()) {
        return Invalid(StrCat("expected a new name for each index of ", arrays_[left.array], ", found '", name, "'"));
      }
      names_.push_back(name);
      map_.index.push_back(name);
    }
    LAYOUTCHECK_TRY(map_.from, Formulas(Trimmed(std::string_view(text_).substr(equals + 1)), 0));
    const int64_t bits = layouts_[map_.to].value_bits;
    if (layouts_[map_.from.array].value_bits != bits) {
      return Invalid(StrCat("expected elements of ", bits, " bits in ", arrays_[map_.from.array], ", too"));
    }
    return std::move(map_);
  }

 private:
  struct Indexed {
    size_t array = 0;
    std::vector<std::string> index;
  };

  std::unexpected<Error> Invalid(std::string_view what) const {
    return MakeError(ErrorKind::kInvalidArgument, StrCat(kOption, " '", text_, "': ", what));
  }

  // Reads "NAME[TEXT,...]".
  Expected<Indexed> Element(std::string_view text) const {
    const size_t bracket = text.find('[');
    if (bracket == std::string::npos || !text.ends_with(']')) {
      return Invalid(StrCat("expected NAME[...], found '", text, "'"));
    }
    const std::string_view name = Trimmed(text.substr(0, bracket));
    const auto found = std::ranges::find(arrays_, name);
    if (found == arrays_.end()) return Invalid(StrCat("expected the name of an --array, found '", name, "'"));
    Indexed element{.array = static_cast<size_t>(found - arrays_.begin()), .index = {}};
    int depth = 0;
    std::string part;
    for (const char c : text.substr(bracket + 1, text.size() - bracket - 2)) {
      depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
      if (depth < 0) return Invalid(StrCat("expected brackets in pairs in '", text, "'"));
      if (c != ',' || depth > 0) {
        part += c;
        continue;
      }
      element.index.emplace_back(Trimmed(std::exchange(part, "")));
    }
    if (!Trimmed(part).empty() || !element.index.empty()) element.index.emplace_back(Trimmed(part));
    const size_t rank = layouts_[element.array].layout.dimensions.size();
    if (element.index.size() == rank) return element;
    return Invalid(StrCat("expected ", rank, " indices of ", name, ", found ", element.index.size()));
  }

  Expected<ElementFormulas> Formulas(std::string_view text, int depth) {
    constexpr int kMostDepth = 8;
    if (depth > kMostDepth) return Invalid("too many elements one inside another");
    LAYOUTCHECK_TRY(const auto element, Element(text));
    ElementFormulas formulas{.array = element.array, .index = {}};
    for (const std::string& part : element.index) {
      LAYOUTCHECK_TRY(const auto with_names, WithoutLookups(part, depth));
      LAYOUTCHECK_TRY(auto formula, ParseFormulaOf(StrCat(kOption, " '", text_, "'"), with_names, names_));
      formulas.index.push_back(std::move(formula));
    }
    return formulas;
  }

  // Returns the formula with the name of a lookup in place of each element of an array.
  Expected<std::string> WithoutLookups(const std::string& text, int depth) {
    std::string result;
    for (size_t at = 0; at < text.size();) {
      if (text[at] != '[') {
        result += text[at++];
        continue;
      }
      size_t name = result.size();
      while (name > 0 && TextCursor::IsWordByte(result[name - 1])) --name;
      size_t end = at;
      for (int open = 0; end < text.size(); ++end) {
        open += text[end] == '[' ? 1 : text[end] == ']' ? -1 : 0;
        if (open == 0) break;
      }
      if (end == text.size()) return Invalid(StrCat("expected ']' in '", text, "'"));
      LAYOUTCHECK_TRY(auto lookup, Formulas(result.substr(name) + text.substr(at, end + 1 - at), depth + 1));
      if (!ArrayNumbers::IsOfIntegers(layouts_[lookup.array])) {
        return Invalid(StrCat("expected an array of integers, found ", arrays_[lookup.array]));
      }
      result.resize(name);
      names_.push_back(LookupName(map_.lookups.size()));
      result += names_.back();
      map_.lookups.push_back(std::move(lookup));
      at = end + 1;
    }
    return result;
  }

  const std::string& text_;
  std::span<const std::string> arrays_;
  std::span<const ArrayLayout> layouts_;
  std::vector<std::string> names_;
  SourceMap map_;
};

SymbolicInteger PlaceOf(const ElementFormulas& element, std::span<const KernelTensor> tensors,
                        const SymbolicValues& values) {
  std::vector<SymbolicInteger> index;
  for (const Formula& formula : element.index) index.push_back(ValueOf(formula, values));
  return tensors[element.array].PlaceOf(index);
}

}  // namespace

Expected<SourceMap> ParseSourceMap(const std::string& text, std::span<const std::string> arrays,
                                   std::span<const ArrayLayout> layouts, std::span<const std::string> names) {
  return SourceReader(text, arrays, layouts, names).Read();
}

SymbolicInteger SourcePlace(const SourceMap& map, std::span<const KernelTensor> tensors, SymbolicValues values,
                            std::span<const SymbolicInteger> index, const ElementReader& numbers) {
  for (size_t d = 0; d < index.size(); ++d) values[map.index[d]] = index[d];
  for (size_t k = 0; k < map.lookups.size(); ++k) {
    const ElementFormulas& lookup = map.lookups[k];
    const int width = static_cast<int>(tensors[lookup.array].element_bytes()) * kBitsPerByte;
    const auto number = numbers(static_cast<int64_t>(lookup.array), PlaceOf(lookup, tensors, values), width);
    if (!number) throw FunctionUnknown{"an element of an array whose numbers are not followed"};
    values[LookupName(k)] = *number;
  }
  return PlaceOf(map.from, tensors, values);
}

}  // namespace layoutcheck
