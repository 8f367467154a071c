// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/linear/linear_layout.h"
#include <algorithm>
#include <bit>
#include <set>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

template <class Dimension>
Expected<void> CheckNames(const std::vector<Dimension>& dimensions, std::string_view kind) {
  std::set<std::string_view> names;
  for (const Dimension& dimension : dimensions) {
    if (names.insert(dimension.name).second) continue;
    return LayoutError("expected different names, found two ", kind, "s named '", dimension.name, "'");
  }
  return {};
}

template <class Dimension>
std::optional<size_t> Find(const std::vector<Dimension>& dimensions, std::string_view name) {
  const auto found = std::ranges::find(dimensions, name, &Dimension::name);
  if (found == dimensions.end()) return std::nullopt;
  return static_cast<size_t>(found - dimensions.begin());
}

Expected<void> CheckBits(size_t bits, std::string_view kind) {
  if (bits <= LinearLayout::kMaxBits) return {};
  return LayoutError("expected at most ", LinearLayout::kMaxBits, " bits of all ", kind, "s together, found ", bits);
}

uint64_t LowBits(uint64_t value, size_t bits) { return value & ((uint64_t{1} << bits) - 1); }

}  // namespace

std::string DefaultOutputName(size_t output) { return StrCat("dim", output); }

Expected<LinearLayout> LinearLayout::Create(std::vector<LinearInput> inputs, std::vector<LinearOutput> outputs) {
  LAYOUTCHECK_RETURN_IF_ERROR(CheckNames(inputs, "input"));
  LAYOUTCHECK_RETURN_IF_ERROR(CheckNames(outputs, "output"));
  LinearLayout layout;
  for (const LinearOutput& output : outputs) {
    layout.output_bits_ += output.bits;
    if (auto fits = CheckBits(layout.output_bits_, "output"); !fits) return std::unexpected(fits.error());
  }
  for (const LinearInput& input : inputs) {
    layout.images_.insert(layout.images_.end(), input.images.begin(), input.images.end());
  }
  LAYOUTCHECK_RETURN_IF_ERROR(CheckBits(layout.images_.size(), "input"));
  for (const uint64_t image : layout.images_) {
    if (image >> layout.output_bits_ == 0) continue;
    return LayoutError("the image ", image, " is outside the outputs: expected 0 to ",
                       (uint64_t{1} << layout.output_bits_) - 1);
  }
  layout.inputs_ = std::move(inputs);
  layout.outputs_ = std::move(outputs);
  return layout;
}

std::vector<int64_t> LinearLayout::InputSizes() const {
  std::vector<int64_t> sizes;
  for (const LinearInput& input : inputs_) sizes.push_back(static_cast<int64_t>(input.size()));
  return sizes;
}

std::optional<size_t> LinearLayout::FindInput(std::string_view name) const { return Find(inputs_, name); }
std::optional<size_t> LinearLayout::FindOutput(std::string_view name) const { return Find(outputs_, name); }

uint64_t LinearLayout::Apply(uint64_t input) const {
  uint64_t value = 0;
  for (; input != 0; input &= input - 1) value ^= images_[static_cast<size_t>(std::countr_zero(input))];
  return value;
}

int64_t LinearLayout::Index(std::span<const int64_t> coordinate) const {
  return static_cast<int64_t>(Apply(InputNumber(coordinate)));
}

uint64_t LinearLayout::InputNumber(std::span<const int64_t> coordinate) const {
  uint64_t number = 0;
  size_t bits = 0;
  for (size_t k = 0; k < inputs_.size(); ++k) {
    number |= static_cast<uint64_t>(coordinate[k]) << bits;
    bits += inputs_[k].images.size();
  }
  return number;
}

std::vector<int64_t> LinearLayout::InputCoordinate(uint64_t number) const {
  std::vector<int64_t> coordinate;
  for (const LinearInput& input : inputs_) {
    coordinate.push_back(static_cast<int64_t>(LowBits(number, input.images.size())));
    number >>= input.images.size();
  }
  return coordinate;
}

uint64_t LinearLayout::OutputIndex(std::span<const int64_t> parts) const {
  uint64_t index = 0;
  for (size_t k = 0; k < outputs_.size(); ++k) index = index << outputs_[k].bits | static_cast<uint64_t>(parts[k]);
  return index;
}

std::vector<int64_t> LinearLayout::OutputParts(uint64_t index) const {
  std::vector<int64_t> parts(outputs_.size());
  for (size_t k = outputs_.size(); k-- > 0;) {
    parts[k] = static_cast<int64_t>(LowBits(index, outputs_[k].bits));
    index >>= outputs_[k].bits;
  }
  return parts;
}

}  // namespace layoutcheck
