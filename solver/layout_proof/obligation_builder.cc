// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/layout_proof/obligation_builder.h"
#include <cstddef>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
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
