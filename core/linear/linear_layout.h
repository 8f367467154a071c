// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linear layouts over the field of two elements, as Triton has them: maps from the bits of hardware indices (register,
// lane, warp) or of an offset to the bits of the indices of an array.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/linear/f2_span.h"

namespace layoutcheck {

// An input of a linear layout, of size 2^images.size().
struct LinearInput {
  std::string name;
  // Value per bit of the input, lowest bit first: the linear index of the output at which that bit alone lies.
  std::vector<uint64_t> images;

  uint64_t size() const { return uint64_t{1} << images.size(); }
  bool operator==(const LinearInput&) const = default;
};

// An output of a linear layout, of size 2^bits.
struct LinearOutput {
  std::string name;
  size_t bits = 0;

  uint64_t size() const { return uint64_t{1} << bits; }
  bool operator==(const LinearOutput&) const = default;
};

// A map from inputs to outputs that takes the exclusive or of two inputs to the exclusive or of their values: the value
// is the exclusive or of the images of the bits that are set.
//
// The linear index of an output is row major: the last output is fastest. The number of an input has the first input
// fastest, so that its bits are the images in order.
class LinearLayout {
 public:
  // Maximum number of bits of all inputs together, and of all outputs together.
  static constexpr size_t kMaxBits = 62;

  // Makes the layout from no input to no output.
  LinearLayout() = default;
  // Errors (invalid layout): two inputs or two outputs of one name, more than kMaxBits bits, an image outside the
  // outputs.
  static Expected<LinearLayout> Create(std::vector<LinearInput> inputs, std::vector<LinearOutput> outputs);

  const std::vector<LinearInput>& inputs() const { return inputs_; }
  const std::vector<LinearOutput>& outputs() const { return outputs_; }
  // Returns the images of all inputs in order.
  const std::vector<uint64_t>& images() const { return images_; }
  size_t input_bits() const { return images_.size(); }
  size_t output_bits() const { return output_bits_; }
  std::vector<int64_t> InputSizes() const;
  // Returns the place of the input or output with this name, or nothing.
  std::optional<size_t> FindInput(std::string_view name) const;
  std::optional<size_t> FindOutput(std::string_view name) const;

  // Returns the linear index of the value at the number of an input. Requires a number below 2^input_bits().
  uint64_t Apply(uint64_t input) const;
  // Returns the linear index of the value at a coordinate with one integer per input, each within its size.
  int64_t Index(std::span<const int64_t> coordinate) const;
  // Returns the number of a coordinate, and the coordinate of a number.
  uint64_t InputNumber(std::span<const int64_t> coordinate) const;
  std::vector<int64_t> InputCoordinate(uint64_t number) const;
  // Returns the linear index of an index with one integer per output, and the other way.
  uint64_t OutputIndex(std::span<const int64_t> parts) const;
  std::vector<int64_t> OutputParts(uint64_t index) const;

  // Returns the span of the images: its rank, its kernel, and the inputs of a value.
  F2Span Span() const { return F2Span(images_); }
  bool IsInjective() const { return Span().rank() == input_bits(); }
  bool IsOnto() const { return Span().rank() == output_bits_; }

  // Compares names, sizes and images. Layouts that are equal as maps may differ in names.
  bool operator==(const LinearLayout& other) const = default;

 private:
  std::vector<LinearInput> inputs_;
  std::vector<LinearOutput> outputs_;
  std::vector<uint64_t> images_;
  size_t output_bits_ = 0;
};

// Returns the name "dim0", "dim1", ... that Triton gives to the dimensions of an array.
std::string DefaultOutputName(size_t output);

}  // namespace layoutcheck
