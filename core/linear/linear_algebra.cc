// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/linear/linear_algebra.h"
#include <algorithm>
#include <bit>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

using Names = std::vector<std::string>;

template <class Dimension>
Names NamesOf(const std::vector<Dimension>& dimensions) {
  Names names;
  for (const Dimension& dimension : dimensions) names.push_back(dimension.name);
  return names;
}

Expected<size_t> BitsOfSize(uint64_t size, std::string_view name) {
  if (std::has_single_bit(size)) return static_cast<size_t>(std::countr_zero(size));
  return ArgumentError("expected a power of two as the size of '", name, "', found ", size);
}

// Returns both lists as one that keeps the order of each.
Expected<Names> Merged(const Names& first, const Names& second, std::string_view kind) {
  Names merged;
  size_t i = 0;
  size_t j = 0;
  const auto later = [](const Names& names, size_t from, const std::string& name) {
    return std::find(names.begin() + static_cast<std::ptrdiff_t>(from), names.end(), name) != names.end();
  };
  while (i < first.size() || j < second.size()) {
    if (i < first.size() && j < second.size() && first[i] == second[j]) {
      merged.push_back(first[i++]);
      ++j;
    } else if (i < first.size() && !later(second, j, first[i])) {
      merged.push_back(first[i++]);
    } else if (j < second.size() && !later(first, i, second[j])) {
      merged.push_back(second[j++]);
    } else {
      return ArgumentError("expected one order of the ", kind, "s, found '", first[i], "' before and after '",
                           second[j], "'");
    }
  }
  return merged;
}

// Returns the linear index over the outputs `to` with the parts that an index of `from` has, each `shifts` bits higher.
// An output that `from` lacks has part 0.
uint64_t Moved(uint64_t index, const LinearLayout& from, const std::vector<LinearOutput>& to,
               const std::vector<size_t>& shifts) {
  const std::vector<int64_t> parts = from.OutputParts(index);
  uint64_t moved = 0;
  for (size_t k = 0; k < to.size(); ++k) {
    const std::optional<size_t> place = from.FindOutput(to[k].name);
    const uint64_t part = place ? static_cast<uint64_t>(parts[*place]) << shifts[k] : 0;
    moved = moved << to[k].bits | part;
  }
  return moved;
}

// Returns the layout to other outputs whose images are `place` of those of this layout.
template <class Place>
Expected<LinearLayout> WithImages(const LinearLayout& layout, std::vector<LinearOutput> outputs, Place place) {
  std::vector<LinearInput> inputs = layout.inputs();
  for (LinearInput& input : inputs) {
    for (uint64_t& image : input.images) image = place(image);
  }
  return LinearLayout::Create(std::move(inputs), std::move(outputs));
}

template <class Dimension>
std::vector<LinearDimension> DimensionsOf(const std::vector<Dimension>& of) {
  std::vector<LinearDimension> dimensions;
  for (const Dimension& dimension : of) dimensions.push_back({dimension.name, dimension.size()});
  return dimensions;
}

// Returns an error unless the dimensions have the same names and those of `small` are no larger.
Expected<void> CheckFits(const std::vector<LinearDimension>& small, const std::vector<LinearDimension>& large,
                         std::string_view small_what, std::string_view large_what) {
  for (const LinearDimension& dimension : small) {
    const auto same = std::ranges::find(large, dimension.name, &LinearDimension::name);
    if (same == large.end()) {
      return ArgumentError(small_what, " '", dimension.name, "' is no ", large_what, ": expected the same names");
    }
    if (dimension.size > same->size) {
      return ArgumentError(small_what, " '", dimension.name, "' of size ", dimension.size, " is larger than the ",
                           large_what, " of size ", same->size);
    }
  }
  for (const LinearDimension& dimension : large) {
    if (std::ranges::find(small, dimension.name, &LinearDimension::name) != small.end()) continue;
    return ArgumentError(large_what, " '", dimension.name, "' is no ", small_what, ": expected the same names");
  }
  return {};
}

// Returns the index as one integer over all outputs, first one fastest, and the other way.
uint64_t FirstFastest(const LinearLayout& layout, uint64_t index) {
  const std::vector<int64_t> parts = layout.OutputParts(index);
  uint64_t flat = 0;
  for (size_t k = parts.size(); k-- > 0;) flat = flat << layout.outputs()[k].bits | static_cast<uint64_t>(parts[k]);
  return flat;
}
uint64_t LastFastest(uint64_t flat, const std::vector<LinearOutput>& outputs) {
  uint64_t index = 0;
  for (const LinearOutput& output : outputs) {
    index = index << output.bits | (flat & (output.size() - 1));
    flat >>= output.bits;
  }
  return index;
}

Expected<void> CheckTotal(size_t found, size_t expected, std::string_view kind) {
  if (found == expected) return {};
  return ArgumentError("expected ", kind, "s of ", expected, " bits together, found ", found);
}

}  // namespace

Expected<LinearLayout> IdentityLayout(uint64_t size, std::string input, std::string output) {
  LAYOUTCHECK_TRY(const size_t bits, BitsOfSize(size, input));
  std::vector<uint64_t> images;
  for (size_t bit = 0; bit < bits; ++bit) images.push_back(uint64_t{1} << bit);
  return LinearLayout::Create({{std::move(input), std::move(images)}}, {{std::move(output), bits}});
}

Expected<LinearLayout> ZeroLayout(uint64_t size, std::string input, std::string output) {
  LAYOUTCHECK_TRY(const size_t bits, BitsOfSize(size, input));
  return LinearLayout::Create({{std::move(input), std::vector<uint64_t>(bits)}}, {{std::move(output), 0}});
}

Expected<LinearLayout> Compose(const LinearLayout& inner, const LinearLayout& outer) {
  LAYOUTCHECK_RETURN_IF_ERROR(
      CheckFits(DimensionsOf(inner.outputs()), DimensionsOf(outer.inputs()), "output", "input"));
  return WithImages(inner, outer.outputs(), [&](uint64_t image) {
    const std::vector<int64_t> parts = inner.OutputParts(image);
    std::vector<int64_t> coordinate;
    for (const LinearInput& of_outer : outer.inputs()) coordinate.push_back(parts[*inner.FindOutput(of_outer.name)]);
    return outer.Apply(outer.InputNumber(coordinate));
  });
}

Expected<LinearLayout> Product(const LinearLayout& inner, const LinearLayout& outer) {
  LAYOUTCHECK_TRY(const Names input_names, Merged(NamesOf(inner.inputs()), NamesOf(outer.inputs()), "input"));
  LAYOUTCHECK_TRY(const Names output_names, Merged(NamesOf(inner.outputs()), NamesOf(outer.outputs()), "output"));
  std::vector<LinearOutput> outputs;
  std::vector<size_t> inner_bits;
  size_t all_bits = 0;
  for (const std::string& name : output_names) {
    const std::optional<size_t> of_inner = inner.FindOutput(name);
    const std::optional<size_t> of_outer = outer.FindOutput(name);
    inner_bits.push_back(of_inner ? inner.outputs()[*of_inner].bits : 0);
    outputs.push_back({name, inner_bits.back() + (of_outer ? outer.outputs()[*of_outer].bits : 0)});
    all_bits += outputs.back().bits;
  }
  if (all_bits > LinearLayout::kMaxBits) return LinearLayout::Create({}, outputs);  // the error
  const std::vector<size_t> no_bits(outputs.size(), 0);
  std::vector<LinearInput> inputs;
  for (const std::string& name : input_names) {
    LinearInput& input = inputs.emplace_back(LinearInput{name, {}});
    if (const std::optional<size_t> k = inner.FindInput(name)) {
      for (const uint64_t image : inner.inputs()[*k].images) {
        input.images.push_back(Moved(image, inner, outputs, no_bits));
      }
    }
    if (const std::optional<size_t> k = outer.FindInput(name)) {
      for (const uint64_t image : outer.inputs()[*k].images) {
        input.images.push_back(Moved(image, outer, outputs, inner_bits));
      }
    }
  }
  return LinearLayout::Create(std::move(inputs), std::move(outputs));
}

std::optional<LinearLayout> DivideLeft(const LinearLayout& product, const LinearLayout& inner) {
  // The quotient has what is left of each input and output. Whether it is one is decided by multiplying again.
  std::vector<LinearOutput> outputs = product.outputs();
  std::vector<size_t> inner_bits;
  for (LinearOutput& output : outputs) {
    const std::optional<size_t> k = inner.FindOutput(output.name);
    inner_bits.push_back(k ? inner.outputs()[*k].bits : 0);
    if (inner_bits.back() > output.bits) return std::nullopt;
    output.bits -= inner_bits.back();
  }
  std::vector<LinearInput> inputs = product.inputs();
  for (LinearInput& input : inputs) {
    const std::optional<size_t> k = inner.FindInput(input.name);
    const size_t bits = k ? inner.inputs()[*k].images.size() : 0;
    if (bits > input.images.size()) return std::nullopt;
    input.images.erase(input.images.begin(), input.images.begin() + static_cast<std::ptrdiff_t>(bits));
    for (uint64_t& image : input.images) {
      const std::vector<int64_t> parts = product.OutputParts(image);
      image = 0;
      for (size_t d = 0; d < outputs.size(); ++d) {
        image = image << outputs[d].bits | static_cast<uint64_t>(parts[d]) >> inner_bits[d];
      }
    }
  }
  Expected<LinearLayout> quotient = LinearLayout::Create(std::move(inputs), std::move(outputs));
  if (!quotient) return std::nullopt;
  const Expected<LinearLayout> again = Product(inner, *quotient);
  if (!again || *again != product) return std::nullopt;
  return *std::move(quotient);
}

Expected<LinearLayout> InvertAndCompose(const LinearLayout& layout, const LinearLayout& outer) {
  LAYOUTCHECK_RETURN_IF_ERROR(
      CheckFits(DimensionsOf(layout.outputs()), DimensionsOf(outer.outputs()), "output", "output of the other layout"));
  std::vector<LinearOutput> outputs;  // the inputs of `outer`
  for (const LinearInput& input : outer.inputs()) outputs.push_back({input.name, input.images.size()});
  const std::vector<size_t> no_bits(outer.outputs().size(), 0);
  const F2Span span = outer.Span();
  std::vector<LinearInput> inputs = layout.inputs();
  for (LinearInput& input : inputs) {
    for (size_t bit = 0; bit < input.images.size(); ++bit) {
      const uint64_t value = Moved(input.images[bit], layout, outer.outputs(), no_bits);
      const std::optional<uint64_t> number = span.Combination(value);
      if (!number) {
        return ArgumentError("the value (", StrJoin(outer.OutputParts(value), ","), ") of '", input.name,
                             "' = ", uint64_t{1} << bit, " is no value of the other layout");
      }
      input.images[bit] = LastFastest(*number, outputs);
    }
  }
  return LinearLayout::Create(std::move(inputs), std::move(outputs));
}

Expected<LinearLayout> Inverse(const LinearLayout& layout) {
  std::vector<LinearInput> inputs;
  size_t above = layout.output_bits();
  for (const LinearOutput& output : layout.outputs()) {
    above -= output.bits;
    LinearInput& input = inputs.emplace_back(LinearInput{output.name, {}});
    for (size_t bit = 0; bit < output.bits; ++bit) input.images.push_back(uint64_t{1} << (above + bit));
  }
  LAYOUTCHECK_TRY(const LinearLayout identity, LinearLayout::Create(std::move(inputs), layout.outputs()));
  return InvertAndCompose(identity, layout);
}

Expected<LinearLayout> ReshapeInputs(const LinearLayout& layout, const std::vector<LinearDimension>& inputs) {
  std::vector<LinearInput> reshaped;
  size_t taken = 0;
  for (const LinearDimension& dimension : inputs) {
    LAYOUTCHECK_TRY(const size_t bits, BitsOfSize(dimension.size, dimension.name));
    const size_t left = layout.input_bits() - std::min(taken, layout.input_bits());
    const auto begin = layout.images().end() - static_cast<std::ptrdiff_t>(left);
    reshaped.push_back({dimension.name, {begin, begin + static_cast<std::ptrdiff_t>(std::min(bits, left))}});
    taken += bits;
  }
  LAYOUTCHECK_RETURN_IF_ERROR(CheckTotal(taken, layout.input_bits(), "input"));
  return LinearLayout::Create(std::move(reshaped), layout.outputs());
}

Expected<LinearLayout> ReshapeOutputs(const LinearLayout& layout, const std::vector<LinearDimension>& outputs) {
  std::vector<LinearOutput> reshaped;
  size_t total_bits = 0;
  for (const LinearDimension& dimension : outputs) {
    LAYOUTCHECK_TRY(const size_t bits, BitsOfSize(dimension.size, dimension.name));
    reshaped.push_back({dimension.name, bits});
    total_bits += bits;
  }
  LAYOUTCHECK_RETURN_IF_ERROR(CheckTotal(total_bits, layout.output_bits(), "output"));
  return WithImages(layout, reshaped,
                    [&](uint64_t image) { return LastFastest(FirstFastest(layout, image), reshaped); });
}

Expected<LinearLayout> FlattenInputs(const LinearLayout& layout) {
  if (layout.inputs().empty()) return layout;
  return ReshapeInputs(layout, {{layout.inputs().front().name, uint64_t{1} << layout.input_bits()}});
}

Expected<LinearLayout> FlattenOutputs(const LinearLayout& layout) {
  if (layout.outputs().empty()) return layout;
  return ReshapeOutputs(layout, {{layout.outputs().front().name, uint64_t{1} << layout.output_bits()}});
}

Expected<LinearLayout> TransposeOutputs(const LinearLayout& layout, const std::vector<std::string>& names) {
  std::vector<LinearOutput> outputs;
  for (const std::string& name : names) {
    const std::optional<size_t> k = layout.FindOutput(name);
    if (!k) {
      return ArgumentError("expected the name of an output (", StrJoin(NamesOf(layout.outputs()), ", "), "), found '",
                           name, "'");
    }
    outputs.push_back(layout.outputs()[*k]);
  }
  if (outputs.size() != layout.outputs().size()) {
    return ArgumentError("expected ", layout.outputs().size(), " names of outputs, found ", outputs.size());
  }
  const std::vector<size_t> no_bits(outputs.size(), 0);
  return WithImages(layout, outputs, [&](uint64_t image) { return Moved(image, layout, outputs, no_bits); });
}

uint64_t NumConsecutive(const LinearLayout& layout) {
  if (layout.inputs().empty() || layout.outputs().empty()) return 1;
  // The low bits of the first input that are the low bits of the first output and touch no other one.
  size_t bits = 0;
  const size_t first_bits = layout.inputs().front().images.size();
  const auto continues = [&] {
    return bits < first_bits && bits < layout.outputs().front().bits &&
           FirstFastest(layout, layout.images()[bits]) == uint64_t{1} << bits;
  };
  while (continues()) ++bits;
  // No other bit of the input may touch them.
  for (size_t k = bits; k < layout.images().size(); ++k) {
    const auto first = static_cast<uint64_t>(layout.OutputParts(layout.images()[k]).front());
    if (first != 0) bits = std::min(bits, static_cast<size_t>(std::countr_zero(first)));
  }
  return uint64_t{1} << bits;
}

std::vector<uint64_t> FreeVariableMasks(const LinearLayout& layout) {
  std::vector<uint64_t> masks;
  for (const int64_t mask : layout.InputCoordinate(layout.Span().dependent())) {
    masks.push_back(static_cast<uint64_t>(mask));
  }
  return masks;
}

}  // namespace layoutcheck
