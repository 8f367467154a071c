// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Questions about sharded arrays whose sizes may be names, as functions of the names and of the indices of one element
// or of one place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/solver/certificate/proof_result.h"
#include "layoutcheck/solver/formula_proof/formula_question.h"
#include "layoutcheck/solver/sharding_proof/symbolic_sharding.h"

namespace layoutcheck {

// The arguments of a function of a question, by name.
template <class Int>
struct ShardArguments {
  std::span<const Int> values;
  const std::map<std::string, size_t>& numbers;  // number of each argument

  Int operator()(const std::string& name) const { return values[numbers.at(name)]; }
  Int operator()(const SymbolicSize& size) const { return size.name.empty() ? Int(size.value) : (*this)(size.name); }
  bool Has(const std::string& name) const { return numbers.contains(name); }
  // Returns the cuts of a sharded array.
  ShardCuts<Int> CutsOf(const SymbolicSharding& sharding) const {
    std::vector<Int> sizes;
    for (const SymbolicSize& size : sharding.dimensions) sizes.push_back((*this)(size));
    return layoutcheck::CutsOf<Int>(sharding.mesh, std::move(sizes), *this);
  }
};

// The relation between the value of a function and its bound.
enum class ShardRelation : uint8_t { kEquals, kInRange };

// The claim that the value of a function is equal to that of another one, or at least 0 and less than it.
struct ShardClaim {
  std::string subject;  // words for the value of the function
  ShardRelation relation = ShardRelation::kEquals;
  SymbolicFunction value;
  SymbolicFunction bound;
};

// The variables of a question and the assumptions of the user.
class ShardDomain {
 public:
  // Adds a name that is >= `least`, unless it is there.
  void AddName(const std::string& name, int64_t least);
  // Adds the names, which are >= 1 if they are in sharding.positive and else >= `least`, unless they are there.
  void AddNames(const SymbolicSharding& sharding, int64_t least);
  // Adds an index that is less than the size.
  void AddIndex(const std::string& name, const SymbolicSize& size);
  // Adds an index without a bound.
  void AddIndex(const std::string& name);
  // Adds a condition as the user wrote it. Errors: those of ParseFormula; a name that is none of the domain's.
  Expected<void> Assume(std::string_view assumption);

  // Returns a domain with the same variables and assumptions, to which more can be added.
  ShardDomain Copy() const;

  // Returns a function f(arguments) for ShardArguments of any integer. May be called before all variables are added.
  template <class F>
  SymbolicFunction FunctionOf(const F& f) const {
    return {.symbolic =
                [f, numbers = numbers_](std::span<const SymbolicInteger> values) {
                  return f(ShardArguments<SymbolicInteger>{values, *numbers});
                },
            .numeric = [f, numbers = numbers_](
                           std::span<const int64_t> values) { return f(ShardArguments<int64_t>{values, *numbers}); },
            .is_pure = true};
  }
  // Returns the claim that `value` has the relation to `bound` where holds(arguments) is true.
  template <class Holds, class Value, class Bound>
  ShardClaim ClaimWhere(std::string subject, ShardRelation relation, const Holds& holds, const Value& value,
                        const Bound& bound) const {
    const int64_t otherwise = relation == ShardRelation::kEquals ? 0 : 1;
    return Claim(
        std::move(subject), relation,
        [holds, value](const auto& at) { return holds(at) ? value(at) : at(SymbolicSize{{}, 0}); },
        [holds, bound, otherwise](const auto& at) { return holds(at) ? bound(at) : at(SymbolicSize{{}, otherwise}); });
  }
  template <class Value, class Bound>
  ShardClaim Claim(std::string subject, ShardRelation relation, const Value& value, const Bound& bound) const {
    return {std::move(subject), relation, FunctionOf(value), FunctionOf(bound)};
  }

  // Proves or refutes that the formula of the user has the value of the function at all points of the domain. Errors:
  // those of Assume, which name --formula, and of Prove.
  template <class F>
  Expected<ProofResult> ProveFormula(std::string_view formula, const F& value, const std::string& source,
                                     const ProveOptions& options) const {
    return ProveFormulaIs(formula, FunctionOf(value), source, options);
  }

  // Proves or refutes the claim for all points of the domain. `source` names the array and the law in certificates.
  Expected<ProofResult> Prove(const ShardClaim& claim, std::string_view source, const ProveOptions& options) const;

 private:
  size_t AddVariable(FormulaVariable variable);
  // Parses a formula over the variables. Errors: those of ParseFormula after the name of the option; another name.
  Expected<FormulaQuestion::BoundFormula> Bind(std::string_view text, std::string_view option) const;
  Expected<ProofResult> ProveFormulaIs(std::string_view formula, SymbolicFunction value, const std::string& source,
                                       const ProveOptions& options) const;

  FormulaQuestion question_;  // its variables, indices, and assumptions of the user
  std::shared_ptr<std::map<std::string, size_t>> numbers_ = std::make_shared<std::map<std::string, size_t>>();
};

// Sets the names of the sharded array and their ranges in the result.
void SetNames(const SymbolicSharding& sharding, ProofResult& result);

// Adds the result of a claim to that of a law, whose verdict is `proved` before the first one: the law is proved if all
// its claims are, and refuted if one is.
void AddClaimResult(ProofResult claim, ProofResult& law);

}  // namespace layoutcheck
