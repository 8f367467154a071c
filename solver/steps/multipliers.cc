// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <z3.h>
#include <algorithm>
#include <limits>
#include <string_view>
#include "layoutcheck/solver/steps/proof_steps.h"

namespace layoutcheck {
namespace {

// Returns the integer of decimal digits after an optional '-'.
WideInteger ParseInteger(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  WideInteger value = 0;
  for (const char digit : text) value = value * WideInteger(10) + WideInteger(digit - '0');
  return negative ? WideInteger(0) - value : value;
}

Rational ParseRational(std::string_view text) {
  const size_t slash = text.find('/');
  if (slash == std::string_view::npos) return {ParseInteger(text), WideInteger(1)};
  return {ParseInteger(text.substr(0, slash)), ParseInteger(text.substr(slash + 1))};
}

bool IsLong(const Rational& value) {
  constexpr Int128 kShort = Int128{1} << 32;
  return value.overflow() || value.denominator() > kShort || value.numerator() > kShort;
}

// Returns the places of the forms that can have a positive multiplier: all their monomials have to occur with both
// signs.
std::vector<size_t> UsableForms(const LinearForm& target, std::span<const LinearForm* const> forms) {
  std::vector<size_t> usable(forms.size());
  for (size_t k = 0; k < forms.size(); ++k) usable[k] = k;
  struct Signs {
    bool positive = false;
    bool negative = false;
  };
  for (size_t before = usable.size() + 1; usable.size() < before;) {
    before = usable.size();
    std::map<MonomialId, Signs> signs;
    for (const auto& [monomial, coefficient] : target.entries()) {
      (coefficient.numerator() > 0 ? signs[monomial].negative : signs[monomial].positive) = true;
    }
    for (const size_t k : usable) {
      for (const auto& [monomial, coefficient] : forms[k]->entries()) {
        (coefficient.numerator() > 0 ? signs[monomial].positive : signs[monomial].negative) = true;
      }
    }
    std::erase_if(usable, [&](size_t k) {
      return std::ranges::any_of(forms[k]->entries(), [&](const auto& entry) {
        const Signs& sign = signs[entry.first];
        return entry.first != 0 && !(sign.positive && sign.negative);
      });
    });
  }
  return usable;
}

}  // namespace

// A solver and its context, whose expressions live as long as the context.
struct MultiplierSearch::Z3 {
  explicit Z3(uint64_t rlimit) {
    Z3_config config = Z3_mk_config();
    context = Z3_mk_context(config);
    Z3_del_config(config);
    Z3_set_error_handler(context, [](Z3_context, Z3_error_code) {});
    real = Z3_mk_real_sort(context);
    zero = Z3_mk_numeral(context, "0", real);
    solver = Z3_mk_simple_solver(context);
    Z3_solver_inc_ref(context, solver);
    parameters = Z3_mk_params(context);
    Z3_params_inc_ref(context, parameters);
    const auto budget = std::clamp<uint64_t>(rlimit, 1, std::numeric_limits<unsigned>::max());
    Z3_params_set_uint(context, parameters, Z3_mk_string_symbol(context, "rlimit"), static_cast<unsigned>(budget));
    Z3_solver_set_params(context, solver, parameters);
  }
  ~Z3() {
    Z3_params_dec_ref(context, parameters);
    Z3_solver_dec_ref(context, solver);
    Z3_del_context(context);
  }
  Z3(const Z3&) = delete;
  Z3& operator=(const Z3&) = delete;

  Z3_ast Number(const Rational& value) { return Z3_mk_numeral(context, value.ToString().c_str(), real); }
  Z3_ast Multiplier(size_t k) {
    while (multipliers.size() <= k) {
      multipliers.push_back(
          Z3_mk_const(context, Z3_mk_int_symbol(context, static_cast<int>(multipliers.size())), real));
    }
    return multipliers[k];
  }
  Z3_ast Product(const Rational& factor, size_t k) {
    Z3_ast factors[2] = {Number(factor), Multiplier(k)};
    return factor == Rational(1) ? factors[1] : Z3_mk_mul(context, 2, factors);
  }
  Z3_ast Sum(const std::vector<Z3_ast>& parts) {
    return parts.empty() ? zero : Z3_mk_add(context, static_cast<unsigned>(parts.size()), parts.data());
  }
  void Assert(Z3_ast claim) { Z3_solver_assert(context, solver, claim); }

  // Asserts the dual question for the first `forms.size()` multipliers, but not what the constant is to be.
  void AssertDual(const LinearForm& target, std::span<const LinearForm* const> forms) {
    std::map<MonomialId, std::vector<Z3_ast>> columns;
    columns[0];
    for (const auto& entry : target.entries()) columns[entry.first];
    for (size_t k = 0; k < forms.size(); ++k) {
      Assert(Z3_mk_ge(context, Multiplier(k), zero));
      for (const auto& [monomial, coefficient] : forms[k]->entries()) {
        columns[monomial].push_back(Product(coefficient, k));
      }
    }
    for (const auto& [monomial, parts] : columns) {
      if (monomial != 0) Assert(Z3_mk_eq(context, Sum(parts), Number(target.At(monomial))));
    }
    constant = Sum(columns[0]);
  }

  // Asserts that the constant of target - sum is more than -1, and returns multipliers for which it is.
  std::optional<std::vector<Rational>> Solve(const Rational& target_constant, size_t count) {
    // One rounding is free: the polynomial is an integer, so that more than -1 means at least 0.
    Assert(Z3_mk_lt(context, constant, Number(target_constant + Rational(1))));
    if (Z3_solver_check(context, solver) != Z3_L_TRUE) return std::nullopt;
    return Values(Z3_solver_get_model(context, solver), count);
  }

  // Returns multipliers that satisfy all assertions and make the constant of target - sum as large as possible, or
  // nothing if none are found. The best multipliers are a vertex of the constraints on the unknowns' coefficients
  // alone, so they are short even if a constant is near 2^63.
  std::optional<std::vector<Rational>> SolveForLargestConstant(size_t count) {
    Z3_optimize optimize = Z3_mk_optimize(context);
    Z3_optimize_inc_ref(context, optimize);
    Z3_optimize_set_params(context, optimize, parameters);
    Z3_ast_vector claims = Z3_solver_get_assertions(context, solver);
    Z3_ast_vector_inc_ref(context, claims);
    for (unsigned k = 0; k < Z3_ast_vector_size(context, claims); ++k) {
      Z3_optimize_assert(context, optimize, Z3_ast_vector_get(context, claims, k));
    }
    Z3_ast_vector_dec_ref(context, claims);
    Z3_optimize_minimize(context, optimize, constant);
    std::optional<std::vector<Rational>> values;
    if (Z3_optimize_check(context, optimize, 0, nullptr) == Z3_L_TRUE) {
      values = Values(Z3_optimize_get_model(context, optimize), count);
    }
    Z3_optimize_dec_ref(context, optimize);
    return values;
  }

  std::vector<Rational> Values(Z3_model model, size_t count) {
    std::vector<Rational> values(count);
    Z3_model_inc_ref(context, model);
    for (size_t k = 0; k < count; ++k) {
      Z3_ast value = nullptr;
      if (Z3_model_eval(context, model, Multiplier(k), true, &value)) {
        values[k] = ParseRational(Z3_get_numeral_string(context, value));
      }
    }
    Z3_model_dec_ref(context, model);
    return values;
  }

  Z3_context context;
  Z3_params parameters;  // the budget
  Z3_solver solver;
  Z3_sort real;
  Z3_ast zero;
  Z3_ast constant = nullptr;  // that of the sum, in the present question
  std::vector<Z3_ast> multipliers;
};

MultiplierSearch::MultiplierSearch(uint64_t rlimit) : z3_(std::make_unique<Z3>(rlimit)) {}
MultiplierSearch::~MultiplierSearch() = default;

std::optional<std::vector<Rational>> MultiplierSearch::Find(const LinearForm& target,
                                                            std::span<const LinearForm* const> forms) {
  const std::vector<size_t> usable = UsableForms(target, forms);
  if (usable.empty()) return std::nullopt;
  std::vector<const LinearForm*> asked;
  for (const size_t k : usable) asked.push_back(forms[k]);
  Z3_solver_push(z3_->context, z3_->solver);
  z3_->AssertDual(target, asked);
  auto values = z3_->Solve(target.At(0), usable.size());
  if (values && std::ranges::any_of(*values, IsLong)) {
    if (auto shorter = z3_->SolveForLargestConstant(usable.size())) values = std::move(shorter);
  }
  std::optional<std::vector<Rational>> multipliers;
  if (values) {
    multipliers.emplace(forms.size());
    for (size_t k = 0; k < usable.size(); ++k) (*multipliers)[usable[k]] = (*values)[k];
  }
  Z3_solver_pop(z3_->context, z3_->solver, 1);
  return multipliers;
}

}  // namespace layoutcheck
