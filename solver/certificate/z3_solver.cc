// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/certificate/z3_solver.h"
#include <z3++.h>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <mutex>
#include <new>
#include <string_view>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/certificate/proof_result.h"

namespace layoutcheck {
namespace {

// Budget of the usual arithmetic, where the older one did not decide a query.
constexpr uint64_t kUsualRlimit = 1'200'000;

// Rounds of branching on products after which Z3 gives up. Later rounds take more and more work that it does not count.
constexpr unsigned kProductRounds = 32;

// Time after which a query to the usual arithmetic hangs, because it does not count some work on products.
constexpr unsigned kMostMilliseconds = 300'000;

// The contexts of the queries that are asked now, which InterruptSolvers() ends.
struct RunningContexts {
  std::mutex mutex;
  std::vector<Z3_context> contexts;
  std::atomic<bool> is_interrupted = false;
};

RunningContexts& Running() {
  static RunningContexts running;
  return running;
}

// A context that InterruptSolvers() reaches.
class Context {
 public:
  Context() : made_(Make()), context_(made_) {
    const std::lock_guard lock(Running().mutex);
    Running().contexts.push_back(made_);
  }
  ~Context() {
    {
      const std::lock_guard lock(Running().mutex);
      std::erase(Running().contexts, made_);
    }
    Z3_del_context(made_);
  }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  z3::context& operator*() { return context_(); }

 private:
  // Z3 makes no context where memory does not suffice, which z3::context does not expect.
  static Z3_context Make() {
    z3::config config;
    Z3_context context = Z3_mk_context_rc(config);
    if (context == nullptr) throw std::bad_alloc();
    return context;
  }

  Z3_context made_;
  z3::scoped_context context_;
};

uint64_t WorkOf(const z3::solver& solver) {
  const z3::stats statistics = solver.statistics();
  for (unsigned k = 0; k < statistics.size(); ++k) {
    if (statistics.key(k) == "rlimit count" && statistics.is_uint(k)) return statistics.uint_value(k);
  }
  return 0;
}

// Multiplies out every product of sums. Z3 stops at ten new addends by default.
z3::expr MultiplyOut(const z3::expr& formula) {
  z3::params parameters(formula.ctx());
  parameters.set("som", true);
  parameters.set("som_blowup", std::numeric_limits<unsigned>::max());
  return formula.simplify(parameters);
}

// A query with products of unknowns, for whose parameters FindModel() says why, or one that is linear or small.
enum class Arithmetic : uint8_t { kProducts, kUsual };

z3::params ParametersOf(z3::context& context, Arithmetic arithmetic, uint64_t rlimit) {
  z3::params parameters(context);
  const auto budget = std::clamp<uint64_t>(rlimit, 1, std::numeric_limits<unsigned>::max());  // 0 would be no limit
  parameters.set("rlimit", static_cast<unsigned>(budget));
  // Z3's own handler of Ctrl-C is not made for several threads, and replaces that of the program.
  parameters.set("ctrl_c", false);
  if (arithmetic == Arithmetic::kUsual) parameters.set("timeout", kMostMilliseconds);
  if (arithmetic == Arithmetic::kProducts) {
    parameters.set("arith.solver", 2u);
    parameters.set("arith.nl.rounds", kProductRounds);
    parameters.set("arith.nl.grobner", false);
  }
  return parameters;
}

SolverModel Ask(const SmtQuery& query, const std::vector<std::string>& symbols, Arithmetic arithmetic,
                uint64_t rlimit) {
  Context owner;
  ThrowIfInterrupted();  // now that an interruption would reach the context
  z3::context& context = *owner;
  const auto width = static_cast<unsigned>(query.vector_width);
  z3::solver solver = width > 0 ? z3::solver(context, "QF_BV") : z3::solver(context, z3::solver::simple());
  solver.set(ParametersOf(context, arithmetic, rlimit));
  for (const z3::expr& assertion : context.parse_string(query.text.c_str())) {
    solver.add(query.polynomial_identities ? MultiplyOut(assertion) : assertion);
  }
  SolverModel result;
  SolverRun& run = result.run;
  const auto begin = std::chrono::steady_clock::now();
  switch (solver.check()) {
    case z3::unsat: run.answer = SolverAnswer::kUnsat; break;
    case z3::sat: run.answer = SolverAnswer::kSat; break;
    case z3::unknown: run.reason = StrCat("Z3: ", solver.reason_unknown()); break;
  }
  const bool hangs = std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds(kMostMilliseconds);
  if (run.answer == SolverAnswer::kUnknown) ThrowIfInterrupted();
  if (run.answer == SolverAnswer::kUnknown && hangs) throw SolverStopped{kOutOfTime};
  run.rlimit = WorkOf(solver);
  if (run.answer != SolverAnswer::kSat || symbols.empty()) return result;
  const z3::model model = solver.get_model();
  for (const std::string& symbol : symbols) {
    const std::string name = SmtSymbol(symbol);
    const z3::expr constant = width > 0 ? context.bv_const(name.c_str(), width) : context.int_const(name.c_str());
    const z3::expr value = model.eval(constant, /*model_completion=*/true);
    int64_t number = 0;
    if (value.is_numeral() && value.is_numeral_i64(number)) result.values[symbol] = number;
  }
  return result;
}

SolverModel AskWithinMemory(const SmtQuery& query, const std::vector<std::string>& symbols, Arithmetic arithmetic,
                            uint64_t rlimit) {
  try {
    return Ask(query, symbols, arithmetic, rlimit);
  } catch (const SolverStopped&) {
    throw;
  } catch (const z3::exception& error) {
    ThrowIfInterrupted();
    if (std::string_view(error.msg()).contains("memory")) throw std::bad_alloc();
    return {{SolverAnswer::kUnknown, StrCat("Z3: ", error.msg()), 0}, {}};
  } catch (...) {
    ThrowIfInterrupted();
    // Z3's own type of exception, or that of a thread for which there is no memory. Z3 throws in no other case.
    throw std::bad_alloc();
  }
}

}  // namespace

std::string Z3Version() {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned build = 0;
  unsigned revision = 0;
  Z3_get_version(&major, &minor, &build, &revision);
  return StrCat(major, ".", minor, ".", build);
}

void InterruptSolvers() {
  Running().is_interrupted = true;
  const std::lock_guard lock(Running().mutex);
  for (Z3_context context : Running().contexts) Z3_interrupt(context);
}

void ThrowIfInterrupted() {
  if (Running().is_interrupted) throw SolverStopped{kRunInterrupted};
}

SolverAnswers*& SolverAnswers::Current() {
  thread_local SolverAnswers* current = nullptr;
  return current;
}

SolverAnswers::SolverAnswers() : is_outermost_(Current() == nullptr) {
  if (is_outermost_) Current() = this;
}

SolverAnswers::~SolverAnswers() {
  if (is_outermost_) Current() = nullptr;
}

SolverRun RunZ3(const SmtQuery& query, uint64_t rlimit) {
  SolverAnswers* const answers = SolverAnswers::Current();
  if (answers != nullptr) {
    const auto known = answers->work_.find(query.text);
    // With a smaller budget, Z3 would have given up.
    if (known != answers->work_.end() && known->second <= rlimit) return {SolverAnswer::kUnsat, "", known->second};
  }
  // Only a wrong identity leaves products after it was multiplied out.
  const Arithmetic arithmetic = query.polynomial_identities ? Arithmetic::kProducts : Arithmetic::kUsual;
  SolverRun run = AskWithinMemory(query, {}, arithmetic, rlimit).run;
  if (answers != nullptr && run.answer == SolverAnswer::kUnsat) answers->work_.emplace(query.text, run.rlimit);
  return run;
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
