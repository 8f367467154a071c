// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/terms/term.h"
#include "layoutcheck/core/base/hash.h"

namespace layoutcheck {
namespace {

WideInteger Compute(TermKind kind, WideInteger a, WideInteger b) {
  switch (kind) {
    case TermKind::kAdd: return a + b;
    case TermKind::kSubtract: return a - b;
    case TermKind::kMultiply: return a * b;
    case TermKind::kFloorDiv: return FloorDiv(a, b);
    case TermKind::kMod: return Mod(a, b);
    default: return {0, true};
  }
}

}  // namespace

size_t TermContext::KeyHash::operator()(const Key& key) const {
  const uint64_t hash = HashCombine(HashCombine(static_cast<uint64_t>(key.kind), key.a), key.b);
  return static_cast<size_t>(HashCombine(hash, static_cast<uint64_t>(key.value)));
}

Term TermContext::Make(const Node& node) {
  const Key key{node.kind, node.a, node.b, node.value.value, node.value.overflow};
  const auto [it, inserted] = numbers_.try_emplace(key, static_cast<uint32_t>(nodes_.size()));
  if (inserted) nodes_.push_back(node);
  Term term;
  term.context_ = this;
  term.node_ = it->second;
  return term;
}

Term TermContext::Variable(const std::string& name) {
  const auto [it, inserted] = variables_.try_emplace(name, static_cast<uint32_t>(variable_names_.size()));
  if (inserted) variable_names_.push_back(name);
  return Make(Node{TermKind::kVariable, it->second, 0, {}});
}

uint32_t TermContext::NodeOf(const Term& term) {
  return term.IsConstant() ? Make(Node{TermKind::kConstant, 0, 0, term.value()}).node_ : term.node_;
}

Term TermContext::Combine(TermKind kind, const Term& a, const Term& b) {
  if (a.IsConstant() && b.IsConstant()) {
    Term result;
    result.value_ = Compute(kind, a.value_, b.value_);
    return result;
  }
  TermContext* context = a.IsConstant() ? b.context_ : a.context_;
  const uint32_t left = context->NodeOf(a);
  return context->Make(Node{kind, left, context->NodeOf(b), {}});
}

}  // namespace layoutcheck
