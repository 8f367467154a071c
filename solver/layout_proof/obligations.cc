#include "layoutcheck/solver/layout_proof/obligations.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/shape_stride/strided_index.h"
#include "layoutcheck/core/shape_stride/tla.h"
#include "layoutcheck/core/tiling/mixed_radix.h"
#include "layoutcheck/core/tiling/pad_reshape_transpose.h"
#include "layoutcheck/core/tiling/tiled_index.h"
#include "layoutcheck/solver/layout_proof/padded_box.h"
#include "layoutcheck/solver/rewrite/rewriter.h"

namespace layoutcheck {
namespace {

constexpr std::array<SymbolicLaw, 8> kLaws = {{
    {SymbolicLawId::kInjective, "injective", "No two elements share an offset."},
    {SymbolicLawId::kInBounds, "in-bounds", "Every element lies inside the allocation: 0 <= offset < padded elements."},
    {SymbolicLawId::kOntoPaddedBox, "onto-padded-box",
     "Every offset is that of exactly one point of the padded box: the array with every dimension, and those that a "
     "longer tile puts before it, grown to the multiples of the first tile that tiles it."},
    {SymbolicLawId::kInverse, "inverse",
     "The coordinate at an element's offset is that element, and every other offset of the allocation is padding."},
    {SymbolicLawId::kPaddingMinimal, "padding-minimal",
     "Every tile pads its dimensions to the least multiples of its sizes, by less than one tile."},
    {SymbolicLawId::kEqualsPadReshapeTranspose, "equals-pad-reshape-transpose",
     "Every element is where padding, reshaping and transposing a real array moves it."},
    {SymbolicLawId::kEqualsMixedRadix, "equals-mixed-radix",
     "The closed formula and the mixed-radix digits give every element the same offset, in allocations of one size."},
    {SymbolicLawId::kEqualsHlo, "equals-hlo",
     "The fractal layout of CATLASS's headers and its XLA layout give every element the same offset, in allocations of "
     "one size."},
}};

using Terms = std::vector<Term>;

// The sample (see Certificate): every name, and a number of tiles that holds any dimension of up to 2^62.
constexpr int64_t kSampleSize = 3;
constexpr int64_t kSampleTileCount = int64_t{1} << 62;

// Builds one certificate.
class Builder {
 public:
  // Names in `values` are those numbers. With an array that has elements, every other name is at least 1.
  Builder(const SymbolicLayout& source, const BasicTiledLayout<SymbolicSize>& layout, std::string title,
          const std::map<std::string, int64_t>& values, bool has_elements)
      : certificate_(std::make_unique<Certificate>()), rewriter_(*certificate_) {
    certificate_->title = std::move(title);
    layout_ = ToTerms(layout, certificate_->terms(), values);
    for (const std::string& name : source.names) {
      if (values.contains(name)) continue;
      const Term variable = certificate_->terms().Variable(name);
      const bool positive = source.IsTileName(name) || has_elements;
      certificate_->AddHypothesis(LessEqual(positive ? 1 : 0, variable));
      if (positive) rewriter_.AddPositive(certificate_->Normalize(variable));
      certificate_->sample[name] = kSampleSize;
    }
  }

  const BasicTiledLayout<Term>& layout() const { return layout_; }
  TermContext& terms() { return certificate_->terms(); }
  Rewriter& rewriter() { return rewriter_; }
  Certificate& certificate() { return *certificate_; }

  // New variables, prefix0, prefix1, ..., each at least 0 and below its size.
  Terms Point(const std::string& prefix, const Terms& sizes) {
    Terms point;
    for (size_t d = 0; d < sizes.size(); ++d) {
      point.push_back(NewVariable(StrCat(prefix, d), 0));
      AddDigit(point.back(), sizes[d]);
    }
    return point;
  }
  // A variable, and its value in the sample.
  Term NewVariable(const std::string& name, int64_t sample) {
    certificate_->sample[name] = sample;
    return terms().Variable(name);
  }
  void AddDigit(const Term& value, const Term& size) {
    certificate_->AddHypothesis(LessEqual(0, value));
    AssumeBelow(value, size);
  }
  // value < size as a hypothesis, where 0 <= value is known or follows.
  void AssumeBelow(const Term& value, const Term& size) {
    certificate_->AddHypothesis(Less(value, size));
    const Polynomial digit = Canonical(value);
    if (!KnownNotNegative(value)) rewriter_.FindBound(digit);
    rewriter_.AddDigit(digit, Canonical(size));
  }

  Polynomial Canonical(const Term& term) { return rewriter_.Canonical(certificate_->Normalize(term)); }

  void GoalEqual(const Term& a, const Term& b) {
    // Equal as polynomials: nothing is left to show.
    if (certificate_->Normalize(a) != certificate_->Normalize(b)) {
      Canonical(a);
      Canonical(b);
    }
    certificate_->AddGoal(Equal(a, b));
  }
  // 0 <= value < size
  void GoalInRange(const Term& value, const Term& size) {
    GoalBelow(value, size);
    certificate_->AddGoal(LessEqual(0, value));
  }
  void GoalBelow(const Term& value, const Term& size) {
    const Polynomial digit = Canonical(value);
    rewriter_.ShowInRange(digit, Canonical(size));
    certificate_->AddGoal(Less(value, size));
  }

  Obligation Finish(std::string part) {
    std::string failure = rewriter_.failure();
    if (certificate_->ring().overflow()) failure = "a coefficient does not fit 126 bits";
    return {std::move(part), std::move(certificate_), std::move(failure)};
  }

 private:
  bool KnownNotNegative(const Term& term) const {
    return !term.IsConstant() && certificate_->terms().node(term.node()).kind == TermKind::kVariable;
  }

  std::unique_ptr<Certificate> certificate_;
  Rewriter rewriter_;
  BasicTiledLayout<Term> layout_;
};

// Where the digits of an address lie on the way back, with the conditions under which it holds an element.
struct WayBack {
  Terms index;
  std::vector<std::pair<Term, Term>> conditions;  // digit < size
};

WayBack CoordinateTerms(const MixedRadix<Term>& chain, const Term& address, size_t rank) {
  WayBack way{Terms(rank), {}};
  chain.Coordinate(address, way.index, [&](const Term& digit, const Term& size) {
    way.conditions.emplace_back(digit, size);
    return true;
  });
  return way;
}

class LawBuilder {
 public:
  LawBuilder(const SymbolicLayout& layout, const SymbolicLaw& law) : layout_(layout), law_(law) {}

  std::vector<Obligation> Build() {
    const bool never_has_elements = std::ranges::any_of(
        layout_.layout.dimensions, [](const SymbolicSize& size) { return size.name.empty() && size.value == 0; });
    if (layout_.fractal && !never_has_elements) EqualsHlo(*layout_.fractal);
    if (law_.id == SymbolicLawId::kEqualsHlo) {
      if (never_has_elements) {
        NoElements("no element, as a dimension is 0", {});
      } else {
        NoElementsWhereADimensionIsZero();
      }
      return std::move(obligations_);
    }
    switch (law_.id) {
      case SymbolicLawId::kPaddingMinimal: PaddingMinimal(); return std::move(obligations_);
      case SymbolicLawId::kEqualsMixedRadix: SameSize(); break;
      default: break;
    }
    if (never_has_elements) {
      NoElements("no element, as a dimension is 0", {});
      return std::move(obligations_);
    }
    switch (law_.id) {
      case SymbolicLawId::kInjective: Injective(); break;
      case SymbolicLawId::kInBounds: InBounds(); break;
      case SymbolicLawId::kEqualsPadReshapeTranspose: EqualsPadReshapeTranspose(); break;
      case SymbolicLawId::kEqualsMixedRadix: EqualsMixedRadix(); break;
      case SymbolicLawId::kInverse:
        IndexToAddressAndBack();
        AddressToIndexAndBack();
        NoElementsWhereADimensionIsZero();
        break;
      case SymbolicLawId::kOntoPaddedBox:
        BoxToAddressAndBack();
        AddressToBoxAndBack();
        NoElementsWhereADimensionIsZero();
        break;
      case SymbolicLawId::kPaddingMinimal:
      case SymbolicLawId::kEqualsHlo: break;
    }
    return std::move(obligations_);
  }

 private:
  Builder Start(const std::string& part, bool has_elements = true) {
    return Builder(layout_, layout_.layout, Title(part), {}, has_elements);
  }
  std::string Title(const std::string& part) const {
    return StrCat(layout_.text, "\n", law_.name, ": ", law_.statement, "\npart: ", part);
  }
  void Add(Builder& builder, const std::string& part) { obligations_.push_back(builder.Finish(part)); }

  void InBounds() {
    const std::string part = "every index";
    Builder b = Start(part);
    const BasicTiledIndex<Term> formula(b.layout());
    const Terms index = b.Point("i", b.layout().dimensions);
    b.GoalInRange(formula(index), formula.padded_elements());
    Add(b, part);
  }

  void Injective() {
    const std::string part = "every two indices";
    Builder b = Start(part);
    const BasicTiledIndex<Term> formula(b.layout());
    const Terms first = b.Point("i", b.layout().dimensions);
    const Terms second = b.Point("j", b.layout().dimensions);
    const Term at_first = formula(first);
    const Term at_second = formula(second);
    b.certificate().AddHypothesis(Equal(at_first, at_second));
    Rewriter& rewriter = b.rewriter();
    const Polynomial size = b.Canonical(formula.padded_elements());
    // The same work twice, so that its steps pair off.
    std::array<size_t, 3> radix_ends = {rewriter.radix_steps().size(), 0, 0};
    std::array<size_t, 3> split_ends = {rewriter.splits().size(), 0, 0};
    for (size_t copy = 0; copy < 2; ++copy) {
      rewriter.ShowInRange(b.Canonical(copy == 0 ? at_first : at_second), size);
      radix_ends[copy + 1] = rewriter.radix_steps().size();
      split_ends[copy + 1] = rewriter.splits().size();
    }
    const auto& steps = rewriter.radix_steps();
    for (size_t k = 0; k < std::min(radix_ends[1] - radix_ends[0], radix_ends[2] - radix_ends[1]); ++k) {
      const Rewriter::RadixStep& x = steps[radix_ends[0] + k];
      const Rewriter::RadixStep& y = steps[radix_ends[1] + k];
      const std::vector<Polynomial> arguments = {x.major, x.minor, y.major, y.minor, x.radix};
      b.certificate().Apply(LemmaId::kRadixMajor, arguments);
      b.certificate().Apply(LemmaId::kRadixMinor, arguments);
    }
    const auto& splits = rewriter.splits();
    for (size_t k = 0; k < std::min(split_ends[1] - split_ends[0], split_ends[2] - split_ends[1]); ++k) {
      const Rewriter::Split& x = splits[split_ends[0] + k];
      const Rewriter::Split& y = splits[split_ends[1] + k];
      b.certificate().Apply(LemmaId::kEqualProducts, {x.quotient, y.quotient, x.divisor});
    }
    for (size_t d = 0; d < first.size(); ++d) b.GoalEqual(first[d], second[d]);
    Add(b, part);
  }

  void EqualsPadReshapeTranspose() {
    const std::string part = "every index";
    Builder b = Start(part);
    const BasicTiledIndex<Term> formula(b.layout());
    const Terms index = b.Point("i", b.layout().dimensions);
    b.GoalEqual(formula(index), PadReshapeTransposeIndex<Term>(b.layout(), index));
    Add(b, part);
  }

  void EqualsMixedRadix() {
    const std::string part = "every index";
    Builder b = Start(part);
    const BasicTiledIndex<Term> formula(b.layout());
    const MixedRadix<Term> chain(b.layout());
    const Terms index = b.Point("i", b.layout().dimensions);
    b.GoalEqual(formula(index), chain.Index(index));
    Add(b, part);
  }

  void SameSize() {
    const std::string part = "padded elements";
    Builder b = Start(part, /*has_elements=*/false);
    b.GoalEqual(BasicTiledIndex<Term>(b.layout()).padded_elements(), MixedRadix<Term>(b.layout()).padded_elements());
    Add(b, part);
  }

  void EqualsHlo(const SymbolicFractal& fractal) {
    const auto modes = [&fractal](Builder& b) {
      const Terms& sizes = b.layout().dimensions;
      if (fractal.scales_of_b) {
        return MxScaleModes<Term>(fractal.tag, *fractal.scales_of_b, sizes.front(), sizes.back());
      }
      return TlaModes<Term>(fractal.tag, Term(fractal.c0), fractal.packs_two, sizes.front(), sizes.back());
    };
    {
      const std::string part = "every index of the fractal layout";
      Builder b = Start(part);
      const Terms index = b.Point("i", b.layout().dimensions);
      b.GoalEqual(StridedOffset<Term>(modes(b), index), BasicTiledIndex<Term>(b.layout())(index));
      Add(b, part);
    }
    const std::string part = "allocation of the fractal layout";
    Builder b = Start(part);
    // 1 + the largest offset, and what completes the last row: two elements of 4 bits share a byte.
    Term allocated = 1;
    for (const auto& mode : modes(b).modes) {
      for (const auto& leaf : mode) allocated = allocated + (leaf.extent - Term(1)) * leaf.stride;
    }
    if (fractal.packs_two && (fractal.tag == TlaTag::kRowMajor || fractal.tag == TlaTag::kColumnMajor)) {
      const Terms& sizes = b.layout().dimensions;
      const Term& row = fractal.tag == TlaTag::kRowMajor ? sizes.back() : sizes.front();
      allocated = allocated + CeilDiv(row, Term(2)) * Term(2) - row;
    }
    b.GoalEqual(allocated, BasicTiledIndex<Term>(b.layout()).padded_elements());
    Add(b, part);
  }

  void IndexToAddressAndBack() {
    const std::string part = "every index";
    Builder b = Start(part);
    const BasicTiledIndex<Term> formula(b.layout());
    const MixedRadix<Term> chain(b.layout());
    const Terms index = b.Point("i", b.layout().dimensions);
    const Term address = formula(index);
    b.Canonical(address);
    const WayBack way = CoordinateTerms(chain, address, index.size());
    for (const auto& [digit, size] : way.conditions) b.GoalBelow(digit, size);
    for (size_t d = 0; d < index.size(); ++d) b.GoalEqual(way.index[d], index[d]);
    Add(b, part);
  }

  // Where no digit is padding there is an index, and its address is the one it came from.
  void AddressToIndexAndBack() {
    const std::string part = "every offset that is no padding";
    Builder b = Start(part);
    const BasicTiledIndex<Term> formula(b.layout());
    const MixedRadix<Term> chain(b.layout());
    const Term address = b.NewVariable("offset", 0);
    b.AddDigit(address, formula.padded_elements());
    const WayBack way = CoordinateTerms(chain, address, b.layout().dimensions.size());
    for (const auto& [digit, size] : way.conditions) b.AssumeBelow(digit, size);
    for (size_t d = 0; d < way.index.size(); ++d) b.GoalInRange(way.index[d], b.layout().dimensions[d]);
    b.GoalEqual(formula(way.index), address);
    Add(b, part);
  }

  void BoxToAddressAndBack() {
    const std::string part = "every point of the padded box";
    const BasicTiledLayout<SymbolicSize> extended = WithLeadingDimensions(layout_.layout, SymbolicSize{"", 1});
    Builder b(layout_, extended, Title(part), {}, /*has_elements=*/true);
    const BasicTiledIndex<Term> formula(b.layout());
    const MixedRadix<Term> chain(b.layout());
    const Terms point = b.Point("x", PaddedBoxOf(chain).sizes);
    const Term address = formula(point);
    b.GoalInRange(address, formula.padded_elements());
    const WayBack way = CoordinateTerms(chain, address, point.size());
    for (size_t d = 0; d < point.size(); ++d) b.GoalEqual(way.index[d], point[d]);
    Add(b, part);
  }

  void AddressToBoxAndBack() {
    const std::string part = "every offset";
    const BasicTiledLayout<SymbolicSize> extended = WithLeadingDimensions(layout_.layout, SymbolicSize{"", 1});
    Builder b(layout_, extended, Title(part), {}, /*has_elements=*/true);
    const BasicTiledIndex<Term> formula(b.layout());
    const MixedRadix<Term> chain(b.layout());
    const Term address = b.NewVariable("offset", 0);
    b.AddDigit(address, formula.padded_elements());
    const WayBack way = CoordinateTerms(chain, address, b.layout().dimensions.size());
    const Terms sizes = PaddedBoxOf(chain).sizes;
    for (size_t d = 0; d < way.index.size(); ++d) b.GoalInRange(way.index[d], sizes[d]);
    b.GoalEqual(formula(way.index), address);
    Add(b, part);
  }

  void NoElementsWhereADimensionIsZero() {
    for (const std::string& name : layout_.names) {
      if (layout_.IsDimensionName(name) && !layout_.IsTileName(name)) NoElements(StrCat(name, " = 0"), {{name, 0}});
    }
  }

  // A dimension is 0, and so is the number of offsets: there is neither an index nor an offset.
  void NoElements(const std::string& part, const std::map<std::string, int64_t>& values) {
    Builder b(layout_, layout_.layout, Title(part), values, /*has_elements=*/false);
    b.GoalEqual(BasicTiledIndex<Term>(b.layout()).padded_elements(), Term(0));
    b.GoalEqual(MixedRadix<Term>(b.layout()).padded_elements(), Term(0));
    Add(b, part);
  }

  void PaddingMinimal() {
    const std::string part = "every tile";
    Builder b = Start(part, /*has_elements=*/false);
    const MixedRadix<Term> chain(b.layout());
    size_t count = 0;
    for (size_t i = 0; i < chain.steps().size(); ++i) {
      const auto* pad = std::get_if<PadStep<Term>>(&chain.steps()[i]);
      if (pad == nullptr) continue;
      const auto& tile = std::get<SplitStep<Term>>(chain.steps()[i + 1]).tile;
      for (size_t k = 0; k < tile.size(); ++k) {
        // Any other number of tiles that holds the dimension.
        const Term other = b.NewVariable(StrCat("tiles", count++), kSampleTileCount);
        PaddingOf(b, pad->sizes[k], pad->padded_sizes[k], tile[k], other);
      }
    }
    Add(b, part);
  }

  static void PaddingOf(Builder& b, const Term& size, const Term& padded, const Term& tile, const Term& other) {
    Certificate& certificate = b.certificate();
    certificate.AddHypothesis(LessEqual(size, other * tile));
    Ring& ring = certificate.ring();
    const Polynomial d = b.Canonical(size);
    const Polynomial t = b.Canonical(tile);
    const Polynomial count = b.Canonical(CeilDiv(size, tile));
    const Polynomial more = certificate.Normalize(other);
    b.rewriter().ShowPositive(t);
    b.rewriter().ShowNotNegative(d);
    b.Canonical(padded);
    certificate.Apply(LemmaId::kCeilBounds, {d, t, count});
    certificate.Apply(LemmaId::kMonotoneProduct, {count, more, t});
    certificate.Apply(LemmaId::kMonotoneProduct, {ring.Add(more, ring.FromConstant(1)), count, t});
    certificate.AddGoal(LessEqual(size, padded));
    certificate.AddGoal(Less(padded, size + tile));
    certificate.AddGoal(LessEqual(padded, other * tile));
  }

  const SymbolicLayout& layout_;
  const SymbolicLaw& law_;
  std::vector<Obligation> obligations_;
};

}  // namespace

std::span<const SymbolicLaw> SymbolicLaws(bool of_fractal) {
  const std::span<const SymbolicLaw> all = kLaws;
  return of_fractal ? all : all.first(all.size() - 1);
}

std::vector<Obligation> MakeObligations(const SymbolicLayout& layout, SymbolicLawId law) {
  return LawBuilder(layout, kLaws[static_cast<size_t>(law)]).Build();
}

}  // namespace layoutcheck
