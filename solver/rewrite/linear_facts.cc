// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/rewrite/linear_facts.h"
#include <z3.h>
#include <algorithm>
#include <limits>
#include <numeric>
#include <unordered_map>
#include "layoutcheck/core/base/hash.h"
#include "layoutcheck/core/base/wide_integer.h"

namespace layoutcheck {
namespace {

constexpr size_t kMostModels = 64;

template <class Key>
void Mix(Key& key, uint64_t value) {
  key[0] = HashCombine(key[0], value);
  key[1] = HashCombine(key[1], ~value);
}

template <class Key>
void Mix(Key& key, const Polynomial& polynomial) {
  Mix(key, polynomial.addends.size());
  for (const auto& [monomial, coefficient] : polynomial.addends) {
    Mix(key, monomial);
    Mix(key, static_cast<uint64_t>(coefficient));
    Mix(key, static_cast<uint64_t>(coefficient >> 64));
  }
}

}  // namespace

LinearAnswers*& LinearAnswers::Current() {
  thread_local LinearAnswers* current = nullptr;
  return current;
}

LinearAnswers::LinearAnswers() : is_outermost_(Current() == nullptr) {
  if (is_outermost_) Current() = this;
}

LinearAnswers::~LinearAnswers() {
  if (is_outermost_) Current() = nullptr;
}

// A solver and its context, whose expressions live as long as the context.
struct LinearFacts::Z3 {
  explicit Z3(uint64_t rlimit) {
    Z3_config config = Z3_mk_config();
    context = Z3_mk_context(config);
    Z3_del_config(config);
    Z3_set_error_handler(context, [](Z3_context, Z3_error_code) {});
    real = Z3_mk_real_sort(context);
    boolean = Z3_mk_bool_sort(context);
    solver = Z3_mk_simple_solver(context);
    Z3_solver_inc_ref(context, solver);
    Z3_params parameters = Z3_mk_params(context);
    Z3_params_inc_ref(context, parameters);
    const auto budget = std::clamp<uint64_t>(rlimit, 1, std::numeric_limits<unsigned>::max());
    Z3_params_set_uint(context, parameters, Z3_mk_string_symbol(context, "rlimit"), static_cast<unsigned>(budget));
    Z3_solver_set_params(context, solver, parameters);
    Z3_params_dec_ref(context, parameters);
  }
  ~Z3() {
    Z3_solver_dec_ref(context, solver);
    Z3_del_context(context);
  }
  Z3(const Z3&) = delete;
  Z3& operator=(const Z3&) = delete;

  Z3_ast Number(Int128 value) { return Z3_mk_numeral(context, ToDecimal(value).c_str(), real); }
  Z3_ast Unknown(MonomialId monomial) {
    const auto [it, inserted] = unknowns.try_emplace(monomial, nullptr);
    if (inserted) {
      it->second = Z3_mk_const(context, Z3_mk_int_symbol(context, static_cast<int>(monomial)), real);
    }
    return it->second;
  }
  Z3_ast AtLeast(const Polynomial& polynomial, Int128 bound) {
    std::vector<Z3_ast> parts;
    for (const auto& [monomial, coefficient] : polynomial.addends) {
      if (monomial == 0) {
        parts.push_back(Number(coefficient));
      } else {
        Z3_ast factors[2] = {Number(coefficient), Unknown(monomial)};
        parts.push_back(coefficient == 1 ? factors[1] : Z3_mk_mul(context, 2, factors));
      }
    }
    if (parts.empty()) parts.push_back(Number(0));
    return Z3_mk_ge(context, Z3_mk_add(context, static_cast<unsigned>(parts.size()), parts.data()), Number(bound));
  }

  Z3_context context;
  Z3_solver solver;
  Z3_sort real;
  Z3_sort boolean;
  std::unordered_map<MonomialId, Z3_ast> unknowns;
  std::vector<Z3_ast> tags;
};

LinearFacts::LinearFacts(uint64_t rlimit) : rlimit_(rlimit), key_{rlimit, 0} {}
LinearFacts::~LinearFacts() = default;

void LinearFacts::Add(const Polynomial& not_negative) {
  facts_.push_back(not_negative);
  Mix(key_, not_negative);
}

std::optional<std::vector<size_t>> LinearFacts::ImplyWith(const Polynomial& polynomial,
                                                          std::span<const Polynomial> candidates) {
  if (polynomial.IsConstant() && polynomial.Constant() >= 0) return std::vector<size_t>{};
  LinearAnswers* const answers = LinearAnswers::Current();
  if (answers == nullptr) return Ask(polynomial, candidates);
  const LinearAnswers::Key key = KeyOf(polynomial, candidates);
  const auto known = answers->answers_.find(key);
  if (known != answers->answers_.end()) return known->second;
  return answers->answers_.emplace(key, Ask(polynomial, candidates)).first->second;
}

bool LinearFacts::IsOpenWith(const Polynomial& polynomial, std::span<const Polynomial> candidates) {
  LinearAnswers* const answers = LinearAnswers::Current();
  const LinearAnswers::Key key = answers == nullptr ? LinearAnswers::Key() : KeyOf(polynomial, candidates);
  if (answers != nullptr && answers->open_.contains(key)) return answers->open_.at(key);
  bool is_open = IsOpenAtModel(polynomial, candidates);
  if (!is_open) {
    Z3& z3 = Begin(polynomial);
    for (const Polynomial* const candidate : Usable(polynomial, candidates)) {
      Z3_solver_assert(z3.context, z3.solver, z3.AtLeast(*candidate, 0));
    }
    is_open = Z3_solver_check(z3.context, z3.solver) == Z3_L_TRUE;
    if (is_open) KeepModel();
    Z3_solver_pop(z3.context, z3.solver, 1);
  }
  if (answers != nullptr) answers->open_.emplace(key, is_open);
  return is_open;
}

std::vector<const Polynomial*> LinearFacts::Usable(const Polynomial& polynomial,
                                                   std::span<const Polynomial> candidates) const {
  struct Signs {
    int64_t positive = 0;
    int64_t negative = 0;
  };
  std::unordered_map<MonomialId, Signs> signs;
  const auto count = [&](const Polynomial& not_negative, bool is_negated, int64_t number) {
    for (const auto& [monomial, coefficient] : not_negative.addends) {
      Signs& of = signs[monomial];
      ((coefficient > 0) != is_negated ? of.positive : of.negative) += number;
    }
  };
  count(polynomial, /*is_negated=*/true, 1);
  for (const Polynomial& fact : facts_) count(fact, /*is_negated=*/false, 1);
  std::vector<const Polynomial*> usable;
  for (const Polynomial& candidate : candidates) {
    count(candidate, /*is_negated=*/false, 1);
    usable.push_back(&candidate);
  }
  const auto is_needless = [&](const Polynomial* candidate) {
    const bool holds = std::ranges::any_of(candidate->addends, [&](const auto& addend) {
      const Signs& of = signs.at(addend.first);
      return addend.first != 0 && (addend.second > 0 ? of.negative : of.positive) == 0;
    });
    if (holds) count(*candidate, /*is_negated=*/false, -1);
    return holds;
  };
  while (std::erase_if(usable, is_needless) > 0) {
  }
  return usable;
}

bool LinearFacts::IsOpenAtModel(const Polynomial& polynomial, std::span<const Polynomial> candidates) const {
  const LinearAnswers* const answers = LinearAnswers::Current();
  if (answers == nullptr) return false;
  return std::ranges::any_of(answers->models_, [&](const LinearAnswers::Model& model) {
    // The value at the model, in units of 1 / scale.
    const auto value = [&](const Polynomial& terms) {
      WideInteger sum = 0;
      for (const auto& [monomial, coefficient] : terms.addends) {
        const Int128 unknown = monomial == 0                    ? model.scale
                               : monomial < model.values.size() ? model.values[monomial]
                                                                : Int128{0};
        sum = sum + WideInteger(coefficient) * WideInteger(unknown);
      }
      return sum;
    };
    const auto holds = [&](const Polynomial& not_negative) {
      const WideInteger at = value(not_negative);
      return !at.overflow && at.value >= 0;
    };
    const WideInteger at = value(polynomial);
    return !at.overflow && at.value <= -model.scale && std::ranges::all_of(candidates, holds) &&
           std::ranges::all_of(facts_, holds);
  });
}

void LinearFacts::KeepModel() {
  constexpr int64_t kLargestScale = int64_t{1} << 40;
  LinearAnswers* const answers = LinearAnswers::Current();
  const Z3_model found = answers == nullptr ? nullptr : Z3_solver_get_model(z3_->context, z3_->solver);
  if (found == nullptr) return;
  struct Fraction {
    int64_t numerator = 0;
    int64_t denominator = 1;
  };
  std::vector<Fraction> fractions;
  LinearAnswers::Model model;
  Z3_model_inc_ref(z3_->context, found);
  for (const auto& [monomial, unknown] : z3_->unknowns) {
    if (fractions.size() <= monomial) fractions.resize(monomial + 1);
    Fraction& fraction = fractions[monomial];
    Z3_ast value = nullptr;
    const bool is_small =
        Z3_model_eval(z3_->context, found, unknown, /*model_completion=*/true, &value) &&
        Z3_get_numeral_rational_int64(z3_->context, value, &fraction.numerator, &fraction.denominator);
    const int64_t scale = static_cast<int64_t>(model.scale);
    if (is_small && fraction.denominator < kLargestScale)
      model.scale = Int128{scale} * fraction.denominator / std::gcd(scale, fraction.denominator);
    if (!is_small || fraction.denominator >= kLargestScale || model.scale > kLargestScale) {
      model.scale = 0;
      break;
    }
  }
  Z3_model_dec_ref(z3_->context, found);
  if (model.scale == 0) return;
  for (const Fraction& fraction : fractions) {
    model.values.push_back(fraction.numerator * (model.scale / fraction.denominator));
  }
  if (answers->models_.size() < kMostModels) {
    answers->models_.push_back(std::move(model));
  } else {
    answers->models_[answers->next_model_++ % kMostModels] = std::move(model);
  }
}

LinearAnswers::Key LinearFacts::KeyOf(const Polynomial& polynomial, std::span<const Polynomial> candidates) const {
  LinearAnswers::Key key = key_;
  Mix(key, facts_.size());
  Mix(key, polynomial);
  for (const Polynomial& candidate : candidates) Mix(key, candidate);
  return key;
}

LinearFacts::Z3& LinearFacts::Begin(const Polynomial& polynomial) {
  if (z3_ == nullptr) z3_ = std::make_unique<Z3>(rlimit_);
  Z3& z3 = *z3_;
  while (asserted_ < facts_.size()) {
    Z3_solver_assert(z3.context, z3.solver, z3.AtLeast(facts_[asserted_++], 0));
  }
  ++questions_;
  Z3_solver_push(z3.context, z3.solver);
  // The negation of polynomial >= 0 is, for integers, polynomial <= -1.
  Polynomial below = polynomial;
  if (!below.addends.empty() && below.addends[0].first == 0) {
    below.addends[0].second += 1;
    if (below.addends[0].second == 0) below.addends.erase(below.addends.begin());
  } else {
    below.addends.insert(below.addends.begin(), {0, 1});
  }
  for (auto& [monomial, coefficient] : below.addends) coefficient = -coefficient;
  Z3_solver_assert(z3.context, z3.solver, z3.AtLeast(below, 0));
  return z3;
}

std::optional<std::vector<size_t>> LinearFacts::Ask(const Polynomial& polynomial,
                                                    std::span<const Polynomial> candidates) {
  if (IsOpenAtModel(polynomial, candidates)) return std::nullopt;
  Z3& z3 = Begin(polynomial);
  while (z3.tags.size() < candidates.size()) {
    z3.tags.push_back(Z3_mk_fresh_const(z3.context, "use", z3.boolean));
  }
  for (size_t k = 0; k < candidates.size(); ++k) {
    Z3_ast fact = z3.AtLeast(candidates[k], 0);
    Z3_solver_assert(z3.context, z3.solver, Z3_mk_implies(z3.context, z3.tags[k], fact));
  }
  const Z3_lbool answer = Z3_solver_check_assumptions(z3.context, z3.solver, static_cast<unsigned>(candidates.size()),
                                                      candidates.empty() ? nullptr : z3.tags.data());
  std::optional<std::vector<size_t>> used;
  if (answer == Z3_L_FALSE) {
    used.emplace();
    Z3_ast_vector core = Z3_solver_get_unsat_core(z3.context, z3.solver);
    Z3_ast_vector_inc_ref(z3.context, core);
    for (unsigned k = 0; k < Z3_ast_vector_size(z3.context, core); ++k) {
      const auto tag = std::ranges::find(z3.tags, Z3_ast_vector_get(z3.context, core, k));
      if (tag != z3.tags.end()) used->push_back(static_cast<size_t>(tag - z3.tags.begin()));
    }
    Z3_ast_vector_dec_ref(z3.context, core);
    std::ranges::sort(*used);
  } else if (answer == Z3_L_TRUE && candidates.empty()) {
    KeepModel();
  }
  Z3_solver_pop(z3.context, z3.solver, 1);
  return used;
}

}  // namespace layoutcheck
