// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/layout_proof/obligations.h"
#include <algorithm>
#include <array>
#include <cstddef>
#include <variant>
#include "layoutcheck/core/shape_stride/strided_index.h"
#include "layoutcheck/core/tiling/mixed_radix.h"
#include "layoutcheck/core/tiling/pad_reshape_transpose.h"
#include "layoutcheck/core/tiling/tiled_index.h"
#include "layoutcheck/solver/rewrite/step_derivation.h"

namespace layoutcheck {
namespace {

// Number of tiles in the sample of AddPaddingMinimal: it holds every dimension of up to 2^62.
constexpr int64_t kSampleTileCount = int64_t{1} << 62;

// The coordinate that an offset's mixed-radix digits give, and the conditions under which an element has it.
struct InverseIndex {
  std::vector<Term> index;
  std::vector<std::pair<Term, Term>> conditions;  // pairs (digit, size) with digit < size
};

InverseIndex ComputeInverse(const MixedRadix<Term>& chain, const Term& offset, size_t rank) {
  InverseIndex inverse{std::vector<Term>(rank), {}};
  chain.Coordinate(offset, inverse.index, [&](const Term& digit, const Term& size) {
    inverse.conditions.emplace_back(digit, size);
    return true;
  });
  return inverse;
}

// Adds the statement that there is no offset or index, because a dimension is 0.
void AddNoElements(ObligationList& list, const std::string& part, const std::map<std::string, int64_t>& values) {
  ObligationBuilder b = list.Start(part, /*has_elements=*/false, values);
  b.AddGoalEqual(BasicTiledIndex<Term>(b.layout()).padded_elements(), Term(0));
  b.AddGoalEqual(MixedRadix<Term>(b.layout()).padded_elements(), Term(0));
  list.Add(b);
}

void AddNoElementsPerDimension(ObligationList& list) {
  const SymbolicLayout& layout = list.layout();
  for (const std::string& name : layout.names) {
    if (layout.IsDimensionName(name) && !layout.IsTileName(name)) {
      AddNoElements(list, StrCat(name, " = 0"), {{name, 0}});
    }
  }
}

void AddInBounds(ObligationList& list) {
  ObligationBuilder b = list.Start("every index");
  const BasicTiledIndex<Term> formula(b.layout());
  const std::vector<Term> index = b.NewPoint("i", b.layout().dimensions);
  if (b.method() == ProofMethod::kSteps) {
    StepDerivation(b.certificate(), MixedRadix<Term>(b.layout())).Forward(index);
  }
  b.AddGoalInRange(formula(index), formula.padded_elements());
  list.Add(b);
}

void AddInjective(ObligationList& list) {
  ObligationBuilder b = list.Start("every two indices");
  Certificate& certificate = b.certificate();
  const BasicTiledIndex<Term> formula(b.layout());
  const std::vector<Term> first = b.NewPoint("i", b.layout().dimensions);
  const std::vector<Term> second = b.NewPoint("j", b.layout().dimensions);
  const Term at_first = formula(first);
  const Term at_second = formula(second);
  certificate.AddHypothesis(Equal(at_first, at_second));
  if (b.method() == ProofMethod::kSteps) {
    const MixedRadix<Term> chain(b.layout());
    StepDerivation steps(certificate, chain);
    steps.EquateIndices(steps.Forward(first), steps.Forward(second));
  } else {
    const Polynomial size = b.Canonical(formula.padded_elements());
    b.rewriter().EquateDigits(certificate.Normalize(at_first), certificate.Normalize(at_second), size);
  }
  for (size_t d = 0; d < first.size(); ++d) b.AddGoalEqual(first[d], second[d]);
  list.Add(b);
}

// Adds the statement that the closed formula equals other_index(layout, index) at every index.
template <class OtherIndex>
void AddEqualIndices(ObligationList& list, OtherIndex&& other_index) {
  ObligationBuilder b = list.Start("every index");
  const std::vector<Term> index = b.NewPoint("i", b.layout().dimensions);
  if (b.method() == ProofMethod::kSteps) {
    const MixedRadix<Term> chain(b.layout());
    StepDerivation steps(b.certificate(), chain);
    steps.FollowReshapes(steps.Forward(index));
  }
  b.AddGoalEqual(BasicTiledIndex<Term>(b.layout())(index), other_index(b.layout(), index));
  list.Add(b);
}

void AddEqualsPadReshapeTranspose(ObligationList& list) { AddEqualIndices(list, PadReshapeTransposeIndex<Term>); }

void AddEqualsMixedRadix(ObligationList& list) {
  AddEqualIndices(list, [](const BasicTiledLayout<Term>& layout, const std::vector<Term>& index) {
    return MixedRadix<Term>(layout).Index(index);
  });
}

void AddSameAllocation(ObligationList& list) {
  ObligationBuilder b = list.Start("padded elements", /*has_elements=*/false);
  b.AddGoalEqual(BasicTiledIndex<Term>(b.layout()).padded_elements(), MixedRadix<Term>(b.layout()).padded_elements());
  list.Add(b);
}

// The points that offsets lead back to.
enum class Points : uint8_t { kIndices, kPaddedBox };

void AddPointToOffsetAndBack(ObligationList& list, Points points) {
  const bool is_box = points == Points::kPaddedBox;
  ObligationBuilder b =
      is_box ? list.StartWithLeadingDimensions("every point of the padded box") : list.Start("every index");
  const BasicTiledIndex<Term> formula(b.layout());
  const MixedRadix<Term> chain(b.layout());
  const std::vector<Term> point =
      is_box ? b.NewPoint("x", PaddedBoxOf(chain).sizes) : b.NewPoint("i", b.layout().dimensions);
  const Term offset = formula(point);
  if (b.method() == ProofMethod::kSteps) {
    StepDerivation steps(b.certificate(), chain);
    steps.ReturnToIndex(steps.Forward(point));
  } else {
    b.Canonical(offset);
  }
  if (is_box) b.AddGoalInRange(offset, formula.padded_elements());
  const InverseIndex inverse = ComputeInverse(chain, offset, point.size());
  for (const auto& [digit, size] : inverse.conditions) {
    if (!is_box) b.AddGoalBelow(digit, size);
  }
  for (size_t d = 0; d < point.size(); ++d) b.AddGoalEqual(inverse.index[d], point[d]);
  list.Add(b);
}

// Adds the statement that the point of an offset has it. An index has one only if all digits are below their sizes.
void AddOffsetToPointAndBack(ObligationList& list, Points points) {
  const bool is_box = points == Points::kPaddedBox;
  ObligationBuilder b =
      is_box ? list.StartWithLeadingDimensions("every offset") : list.Start("every offset that is no padding");
  const BasicTiledIndex<Term> formula(b.layout());
  const MixedRadix<Term> chain(b.layout());
  const Term offset = b.NewVariable("offset", 0);
  b.AssumeInRange(offset, formula.padded_elements());
  if (b.method() == ProofMethod::kSteps) StepDerivation(b.certificate(), chain).ReturnToOffset(offset);
  const InverseIndex inverse = ComputeInverse(chain, offset, b.layout().dimensions.size());
  for (const auto& [digit, size] : inverse.conditions) {
    if (!is_box) b.AssumeBelow(digit, size);
  }
  const std::vector<Term> sizes = is_box ? PaddedBoxOf(chain).sizes : b.layout().dimensions;
  for (size_t d = 0; d < inverse.index.size(); ++d) b.AddGoalInRange(inverse.index[d], sizes[d]);
  b.AddGoalEqual(formula(inverse.index), offset);
  list.Add(b);
}

template <Points kPoints>
void AddBijection(ObligationList& list) {
  AddPointToOffsetAndBack(list, kPoints);
  AddOffsetToPointAndBack(list, kPoints);
  AddNoElementsPerDimension(list);
}

// Adds the statements about one dimension of `size` that a tile pads to `padded`. `other` is any number of tiles.
void AddLeastMultiple(ObligationBuilder& b, const Term& size, const Term& padded, const Term& tile, const Term& other) {
  Certificate& certificate = b.certificate();
  certificate.AddHypothesis(LessEqual(size, other * tile));
  const Polynomial canonical_size = b.Canonical(size);
  const Polynomial canonical_tile = b.Canonical(tile);
  b.rewriter().DeriveLeastMultiple(canonical_size, canonical_tile, b.Canonical(CeilDiv(size, tile)),
                                   certificate.Normalize(other));
  b.Canonical(padded);
  certificate.AddGoal(LessEqual(size, padded));
  certificate.AddGoal(Less(padded, size + tile));
  certificate.AddGoal(LessEqual(padded, other * tile));
}

void AddPaddingMinimal(ObligationList& list) {
  ObligationBuilder b = list.Start("every tile", /*has_elements=*/false);
  const MixedRadix<Term> chain(b.layout());
  size_t count = 0;
  for (size_t i = 0; i < chain.steps().size(); ++i) {
    const auto* pad = std::get_if<PadStep<Term>>(&chain.steps()[i]);
    if (pad == nullptr) continue;
    const auto& tile = std::get<SplitStep<Term>>(chain.steps()[i + 1]).tile;
    for (size_t k = 0; k < tile.size(); ++k) {
      const Term other = b.NewVariable(StrCat("tiles", count++), kSampleTileCount);
      AddLeastMultiple(b, pad->sizes[k], pad->padded_sizes[k], tile[k], other);
    }
  }
  list.Add(b);
}

BasicStridedLayout<Term> ModesOf(const SymbolicFractal& fractal, const std::vector<Term>& sizes) {
  return TagModes<Term>(fractal.tag, std::vector<Term>(fractal.blocks.begin(), fractal.blocks.end()), fractal.packs_two,
                        sizes);
}

// Returns 1 + the largest offset, plus the element that completes the last row if two elements of 4 bits share a byte.
Term AllocationOf(const SymbolicFractal& fractal, const std::vector<Term>& sizes) {
  Term allocated = 1;
  for (const auto& mode : ModesOf(fractal, sizes).modes) {
    for (const auto& leaf : mode) allocated = allocated + (leaf.extent - Term(1)) * leaf.stride;
  }
  if (fractal.packs_two && HasPitch(fractal.tag)) {
    const Term& row = fractal.tag == TlaTag::kRowMajor ? sizes.back() : sizes.front();
    allocated = allocated + CeilDiv(row, Term(2)) * Term(2) - row;
  }
  return allocated;
}

// Adds that the fractal layout and its tag's XLA layout have equal offsets and allocations.
void AddFractalEquality(ObligationList& list) {
  const SymbolicFractal& fractal = *list.layout().fractal;
  ObligationBuilder b = list.Start("every index of the fractal layout");
  const std::vector<Term> index = b.NewPoint("i", b.layout().dimensions);
  b.AddGoalEqual(StridedOffset<Term>(ModesOf(fractal, b.layout().dimensions), index),
                 BasicTiledIndex<Term>(b.layout())(index));
  list.Add(b);

  ObligationBuilder sizes = list.Start("allocation of the fractal layout");
  sizes.AddGoalEqual(AllocationOf(fractal, sizes.layout().dimensions),
                     BasicTiledIndex<Term>(sizes.layout()).padded_elements());
  list.Add(sizes);
}

void AddEqualsHlo(ObligationList& list) {
  if (list.layout().fractal) AddFractalEquality(list);
  AddNoElementsPerDimension(list);
}

using AddToList = void (*)(ObligationList&);

// A law's obligations about sizes, for every array, and about elements, for arrays that have some.
struct LawObligations {
  SymbolicLawId law;
  AddToList about_sizes;
  AddToList about_elements;
};

constexpr std::array<LawObligations, kSymbolicLaws.size()> kLawObligations = {{
    {SymbolicLawId::kInjective, nullptr, AddInjective},
    {SymbolicLawId::kInBounds, nullptr, AddInBounds},
    {SymbolicLawId::kOntoPaddedBox, nullptr, AddBijection<Points::kPaddedBox>},
    {SymbolicLawId::kInverse, nullptr, AddBijection<Points::kIndices>},
    {SymbolicLawId::kPaddingMinimal, AddPaddingMinimal, nullptr},
    {SymbolicLawId::kEqualsPadReshapeTranspose, nullptr, AddEqualsPadReshapeTranspose},
    {SymbolicLawId::kEqualsMixedRadix, AddSameAllocation, AddEqualsMixedRadix},
    {SymbolicLawId::kEqualsHlo, nullptr, AddEqualsHlo},
}};

}  // namespace

std::vector<Obligation> MakeObligations(const SymbolicLayout& layout, SymbolicLawId law, ProofMethod method) {
  const auto place = static_cast<size_t>(law);
  const LawObligations& obligations = kLawObligations[place];
  ObligationList list(layout, kSymbolicLaws[place], method);
  if (obligations.about_sizes != nullptr) obligations.about_sizes(list);
  const bool is_empty = std::ranges::any_of(
      layout.layout.dimensions, [](const SymbolicSize& size) { return size.name.empty() && size.value == 0; });
  if (obligations.about_elements != nullptr) {
    if (is_empty) {
      AddNoElements(list, "no element, as a dimension is 0", {});
    } else {
      obligations.about_elements(list);
    }
  }
  return list.Take();
}

namespace {

constexpr int64_t kSampleSize = 3;  // value of every name in the sample

}  // namespace

ObligationBuilder::ObligationBuilder(const SymbolicLayout& source, const BasicTiledLayout<SymbolicSize>& layout,
                                     ProofMethod method, std::string part, std::string title,
                                     const std::map<std::string, int64_t>& values, bool has_elements)
    : method_(method),
      part_(std::move(part)),
      certificate_(std::make_unique<Certificate>()),
      rewriter_(*certificate_),
      layout_(ToTerms(layout, certificate_->terms(), values)) {
  certificate_->title = std::move(title);
  for (const std::string& name : source.names) {
    if (values.contains(name)) continue;
    const Term variable = NewVariable(name, kSampleSize);
    const bool is_positive = source.IsTileName(name) || has_elements;
    certificate_->AddHypothesis(LessEqual(is_positive ? 1 : 0, variable));
    if (is_positive) rewriter_.AddPositive(certificate_->Normalize(variable));
  }
}

std::vector<Term> ObligationBuilder::NewPoint(const std::string& prefix, const std::vector<Term>& sizes) {
  std::vector<Term> point;
  for (size_t d = 0; d < sizes.size(); ++d) {
    point.push_back(NewVariable(StrCat(prefix, d), 0));
    AssumeInRange(point.back(), sizes[d]);
  }
  return point;
}

Term ObligationBuilder::NewVariable(std::string name, int64_t sample) {
  if (!certificate_->sample.try_emplace(name, sample).second) return NewVariable(name + "!", sample);
  return certificate_->terms().Variable(name);
}

void ObligationBuilder::AssumeInRange(const Term& value, const Term& size) {
  certificate_->AddHypothesis(LessEqual(0, value));
  AssumeBelow(value, size);
}

void ObligationBuilder::AssumeBelow(const Term& value, const Term& size) {
  certificate_->AddHypothesis(Less(value, size));
  if (method_ == ProofMethod::kSteps) return;
  const Polynomial digit = Canonical(value);
  const bool is_variable = !value.IsConstant() && certificate_->terms().node(value.node()).kind == TermKind::kVariable;
  if (!is_variable) rewriter_.FindBound(digit);  // derives 0 <= value
  rewriter_.AddDigit(digit, Canonical(size));
}

void ObligationBuilder::AddGoalEqual(const Term& a, const Term& b) {
  // Terms with the same normal form need no derivation.
  if (method_ == ProofMethod::kDigits && certificate_->Normalize(a) != certificate_->Normalize(b)) {
    Canonical(a);
    Canonical(b);
  }
  certificate_->AddGoal(Equal(a, b));
}

void ObligationBuilder::AddGoalInRange(const Term& value, const Term& size) {
  AddGoalBelow(value, size);
  certificate_->AddGoal(LessEqual(0, value));
}

void ObligationBuilder::AddGoalBelow(const Term& value, const Term& size) {
  if (method_ == ProofMethod::kDigits) {
    const Polynomial digit = Canonical(value);
    rewriter_.ShowInRange(digit, Canonical(size));
  }
  certificate_->AddGoal(Less(value, size));
}

Obligation ObligationBuilder::Finish(std::string_view law) {
  // After an overflow the rewriter's reason means nothing; the check of the certificate reports the overflow.
  std::string failure = certificate_->ring().overflow() ? "" : rewriter_.failure();
  return {law, std::move(part_), std::move(certificate_), std::move(failure)};
}

}  // namespace layoutcheck
