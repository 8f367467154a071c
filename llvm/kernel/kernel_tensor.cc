// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel/kernel_tensor.h"
#include <algorithm>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {
Expected<Formula> ParseFormulaOf(std::string_view option, const std::string& text, std::span<const std::string> names) {
  auto formula = ParseFormula(text);
  if (!formula) return MakeError(formula.error().kind, StrCat(option, ": ", formula.error().ToString()));
  for (const std::string& name : formula->names) {
    if (std::ranges::find(names, name) != names.end()) continue;
    const std::string expected = names.empty() ? "a number" : StrJoin(std::vector(names.begin(), names.end()), ", ");
    return MakeError(ErrorKind::kInvalidArgument, StrCat(option, ": expected ", expected, ", found '", name, "'"));
  }
  return formula;
}

KernelTensor::KernelTensor(const ArrayLayout& layout, const SymbolicValues& names)
    : KernelTensor(MapSizes<SymbolicInteger>(layout.layout,
                                             [&](const SymbolicSize& size) {
                                               return size.name.empty() ? SymbolicInteger(size.value)
                                                                        : names.at(size.name);
                                             }),
                   layout.element_bits, layout.value_bits) {
  for (const Formula& stride : layout.strides) strides_.push_back(ValueOf(stride, names));
  if (!strides_.empty()) elements_ = StridedElements();
}

SymbolicInteger KernelTensor::StridedElements() const {
  SymbolicInteger last = 0;
  for (size_t d = 0; d < sizes_.size(); ++d) {
    if (sizes_[d] <= 0) return 0;
    last = last + (sizes_[d] - 1) * strides_[d];
  }
  return last + 1;
}

SymbolicInteger KernelTensor::PlaceOf(std::span<const SymbolicInteger> index) const {
  if (strides_.empty()) return index_(index) * element_bytes_;
  SymbolicInteger place = 0;
  for (size_t d = 0; d < strides_.size(); ++d) place = place + index[d] * strides_[d];
  return place * element_bytes_;
}

std::optional<std::vector<SymbolicInteger>> KernelTensor::StridedIndex(SymbolicInteger place) const {
  std::vector<SymbolicInteger> index(sizes_.size());
  for (size_t k = sizes_.size(); k-- > 0;) {
    const auto d = static_cast<size_t>(minor_to_major_[k]);
    index[d] = FloorDiv(place, strides_[d]);
    place = Mod(place, strides_[d]);
    if (!(index[d] < sizes_[d])) return std::nullopt;
  }
  if (!(place == 0)) return std::nullopt;
  return index;
}

std::optional<std::vector<SymbolicInteger>> KernelTensor::ElementAt(const SymbolicInteger& place) const {
  if (!(place % element_bytes_ == 0)) return std::nullopt;
  // The last byte may have more places than there are elements.
  if (places_per_byte_ > 1 && !(place < elements_)) return std::nullopt;
  if (!strides_.empty()) return StridedIndex(place / element_bytes_);
  std::vector<SymbolicInteger> index(sizes_.size());
  bool is_padding = false;
  digits_.Coordinate(place / element_bytes_, index, [&](const SymbolicInteger& digit, const SymbolicInteger& size) {
    is_padding = is_padding || !(digit < size);
    return !is_padding;
  });
  if (is_padding) return std::nullopt;
  return index;
}

}  // namespace layoutcheck
