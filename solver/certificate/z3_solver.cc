// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/certificate/z3_solver.h"
#include <z3.h>
#include <algorithm>
#include <chrono>
#include <limits>
#include <new>
#include <optional>
#include <string_view>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/certificate/smt_printer.h"

namespace layoutcheck {
namespace {

// Budget of the usual arithmetic, where the older one did not decide a query.
constexpr uint64_t kUsualRlimit = 1'200'000;

// Rounds of branching on products after which Z3 gives up. Later rounds take more and more work that it does not count.
constexpr unsigned kProductRounds = 32;

// Time after which a query to the usual arithmetic hangs, because it does not count some work on products.
constexpr unsigned kMostMilliseconds = 300'000;

// Returns an object that Z3 made. Z3 returns null where memory does not suffice.
template <class Object>
Object Made(Object object) {
  if (object == nullptr) throw std::bad_alloc();
  return object;
}

// A context that reports errors through Z3_get_error_code instead of ending the program.
class Context {
 public:
  Context() {
    Z3_config config = Made(Z3_mk_config());
    context_ = Made(Z3_mk_context_rc(config));
    Z3_del_config(config);
    Z3_set_error_handler(context_, [](Z3_context, Z3_error_code) {});
  }
  ~Context() { Z3_del_context(context_); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  Z3_context get() const { return context_; }

 private:
  Z3_context context_;
};

uint64_t WorkOf(Z3_context context, Z3_solver solver) {
  Z3_stats statistics = Made(Z3_solver_get_statistics(context, solver));
  Z3_stats_inc_ref(context, statistics);
  uint64_t work = 0;
  for (unsigned k = 0; k < Z3_stats_size(context, statistics); ++k) {
    if (std::string_view(Z3_stats_get_key(context, statistics, k)) == "rlimit count" &&
        Z3_stats_is_uint(context, statistics, k)) {
      work = Z3_stats_get_uint_value(context, statistics, k);
    }
  }
  Z3_stats_dec_ref(context, statistics);
  return work;
}

// Multiplies out every product of sums. Z3 stops at ten new addends by default.
Z3_ast MultiplyOut(Z3_context context, Z3_ast formula) {
  Z3_params parameters = Made(Z3_mk_params(context));
  Z3_params_inc_ref(context, parameters);
  Z3_params_set_bool(context, parameters, Z3_mk_string_symbol(context, "som"), true);
  Z3_params_set_uint(context, parameters, Z3_mk_string_symbol(context, "som_blowup"),
                     std::numeric_limits<unsigned>::max());
  Z3_ast result = Made(Z3_simplify_ex(context, formula, parameters));
  Z3_params_dec_ref(context, parameters);
  return result;
}

std::optional<int64_t> ValueIn(Z3_context context, Z3_model model, const std::string& symbol, int vector_width) {
  Z3_sort sort =
      Made(vector_width > 0 ? Z3_mk_bv_sort(context, static_cast<unsigned>(vector_width)) : Z3_mk_int_sort(context));
  Z3_ast constant = Made(Z3_mk_const(context, Z3_mk_string_symbol(context, SmtSymbol(symbol).c_str()), sort));
  Z3_inc_ref(context, constant);
  Z3_ast value = nullptr;
  std::optional<int64_t> result;
  int64_t number = 0;
  if (Z3_model_eval(context, model, constant, true, &value) && Z3_is_numeral_ast(context, value) &&
      Z3_get_numeral_int64(context, value, &number)) {
    result = number;
  }
  Z3_dec_ref(context, constant);
  return result;
}

// A query with products of unknowns, for whose parameters FindModel() says why, or one that is linear or small.
enum class Arithmetic : uint8_t { kProducts, kUsual };

void SetParameters(Z3_context context, Z3_solver solver, Arithmetic arithmetic, uint64_t rlimit) {
  Z3_params parameters = Made(Z3_mk_params(context));
  Z3_params_inc_ref(context, parameters);
  const auto set = [&](const char* name, unsigned value) {
    Z3_params_set_uint(context, parameters, Z3_mk_string_symbol(context, name), value);
  };
  const auto budget = std::clamp<uint64_t>(rlimit, 1, std::numeric_limits<unsigned>::max());  // 0 would be no limit
  set("rlimit", static_cast<unsigned>(budget));
  if (arithmetic == Arithmetic::kUsual) set("timeout", kMostMilliseconds);
  if (arithmetic == Arithmetic::kProducts) {
    set("arith.solver", 2);
    set("arith.nl.rounds", kProductRounds);
    Z3_params_set_bool(context, parameters, Z3_mk_string_symbol(context, "arith.nl.grobner"), false);
  }
  Z3_solver_set_params(context, solver, parameters);
  Z3_params_dec_ref(context, parameters);
}

SolverModel Ask(const SmtQuery& query, const std::vector<std::string>& symbols, Arithmetic arithmetic,
                uint64_t rlimit) {
  Context owner;
  Z3_context context = owner.get();
  Z3_ast_vector assertions =
      Z3_parse_smtlib2_string(context, query.text.c_str(), 0, nullptr, nullptr, 0, nullptr, nullptr);
  if (Z3_get_error_code(context) == Z3_MEMOUT_FAIL) throw std::bad_alloc();
  if (Z3_get_error_code(context) != Z3_OK) {
    return {{SolverAnswer::kUnknown, StrCat("Z3: ", Z3_get_error_msg(context, Z3_get_error_code(context))), 0}, {}};
  }
  Z3_ast_vector_inc_ref(context, assertions);
  Z3_solver solver =
      Made(query.vector_width > 0 ? Z3_mk_solver_for_logic(context, Z3_mk_string_symbol(context, "QF_BV"))
                                  : Z3_mk_simple_solver(context));
  Z3_solver_inc_ref(context, solver);
  SetParameters(context, solver, arithmetic, rlimit);
  for (unsigned k = 0; k < Z3_ast_vector_size(context, assertions); ++k) {
    Z3_ast assertion = Made(Z3_ast_vector_get(context, assertions, k));
    Z3_solver_assert(context, solver, query.polynomial_identities ? MultiplyOut(context, assertion) : assertion);
  }
  SolverModel result;
  SolverRun& run = result.run;
  const auto begin = std::chrono::steady_clock::now();
  switch (Z3_solver_check(context, solver)) {
    case Z3_L_FALSE: run.answer = SolverAnswer::kUnsat; break;
    case Z3_L_TRUE: run.answer = SolverAnswer::kSat; break;
    case Z3_L_UNDEF: run.reason = StrCat("Z3: ", Z3_solver_get_reason_unknown(context, solver)); break;
  }
  if (Z3_get_error_code(context) == Z3_MEMOUT_FAIL) throw std::bad_alloc();
  const bool hangs = std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds(kMostMilliseconds);
  if (run.answer == SolverAnswer::kUnknown && hangs) throw SolverTimeout();
  run.rlimit = WorkOf(context, solver);
  if (run.answer == SolverAnswer::kSat && !symbols.empty()) {
    Z3_model model = Made(Z3_solver_get_model(context, solver));
    Z3_model_inc_ref(context, model);
    for (const std::string& symbol : symbols) {
      if (const auto value = ValueIn(context, model, symbol, query.vector_width)) result.values[symbol] = *value;
    }
    Z3_model_dec_ref(context, model);
  }
  Z3_solver_dec_ref(context, solver);
  Z3_ast_vector_dec_ref(context, assertions);
  return result;
}

SolverModel AskWithinMemory(const SmtQuery& query, const std::vector<std::string>& symbols, Arithmetic arithmetic,
                            uint64_t rlimit) {
  try {
    return Ask(query, symbols, arithmetic, rlimit);
  } catch (const SolverTimeout&) {
    throw;
  } catch (...) {
    // Z3's own type of exception, or that of a thread for which there is no memory. Z3 throws in no other case.
    throw std::bad_alloc();
  }
}

}  // namespace

SolverRun RunZ3(const SmtQuery& query, uint64_t rlimit) {
  // Only a wrong identity leaves products after it was multiplied out.
  return AskWithinMemory(query, {}, query.polynomial_identities ? Arithmetic::kProducts : Arithmetic::kUsual, rlimit)
      .run;
}

SolverModel FindModel(const SmtQuery& query, const std::vector<std::string>& symbols, uint64_t rlimit) {
  if (query.vector_width > 0) return AskWithinMemory(query, symbols, Arithmetic::kUsual, rlimit);
  SolverModel model = AskWithinMemory(query, symbols, Arithmetic::kProducts, rlimit);
  const bool decided = model.run.answer != SolverAnswer::kUnknown;
  if (decided || query.has_squares) return model;
  const uint64_t work = model.run.rlimit;
  model = AskWithinMemory(query, symbols, Arithmetic::kUsual, std::min(rlimit, kUsualRlimit));
  model.run.rlimit += work;
  return model;
}

}  // namespace layoutcheck
