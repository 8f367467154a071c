// layoutcheck prove LAYOUT...
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "layoutcheck/cli/commands.h"
#include "layoutcheck/solver/prove.h"

namespace layoutcheck {
namespace {

struct Options {
  std::vector<std::string> layouts;
  ProveOptions prove;
  bool json = false;
};

// A cross-solver disagreement is an error of the highest kind, an unknown hides nothing, and a refutation is no
// unknown.
ExitCode Worse(ExitCode a, ExitCode b) {
  const auto rank = [](ExitCode code) {
    return code == ExitCode::kUnusable ? 3 : code == ExitCode::kRejected ? 2 : code == ExitCode::kUndecided ? 1 : 0;
  };
  return rank(a) >= rank(b) ? a : b;
}

ExitCode CodeOf(const ProofResult& result) {
  if (!result.disagreement.empty()) return ExitCode::kUnusable;
  switch (result.verdict) {
    case ProofVerdict::kProved: return ExitCode::kAccepted;
    case ProofVerdict::kRefuted: return ExitCode::kRejected;
    case ProofVerdict::kUnknown: return ExitCode::kUndecided;
  }
  return ExitCode::kUndecided;
}

void PrintResultJson(const ProofResult& result) {
  Json document{{"layout", result.layout},   {"law", result.law},       {"verdict", ProofVerdictName(result.verdict)},
                {"for_all", result.for_all}, {"method", result.method}, {"seconds", result.seconds}};
  if (result.verdict == ProofVerdict::kRefuted) {
    Json counterexample = Json::object();
    for (const auto& [name, value] : result.counterexample) counterexample[name] = value;
    document["counterexample"] = counterexample;
  }
  if (result.verdict == ProofVerdict::kUnknown) {
    document["reason"] = result.disagreement.empty() ? result.reason : result.disagreement;
  }
  PrintJson(document);
}

void PrintResultText(const ProofResult& result) {
  std::string names;
  for (const std::string& name : result.for_all) names += (names.empty() ? "" : ", ") + name;
  const std::string scope = names.empty() ? "for every index" : "for all " + names + " and every index";
  fmt::print("{:<30} {}", result.law, ProofVerdictName(result.verdict));
  if (result.verdict == ProofVerdict::kProved) fmt::print(" {} ({}, {:.3f} s)", scope, result.method, result.seconds);
  if (result.verdict == ProofVerdict::kRefuted) {
    fmt::print(":");
    for (const auto& [name, value] : result.counterexample) fmt::print(" {}={}", name, value);
  }
  if (result.verdict == ProofVerdict::kUnknown) fmt::print(": {}", result.reason);
  fmt::print("\n");
  if (!result.disagreement.empty()) fmt::print(stderr, "layoutcheck prove: {}\n", result.disagreement);
}

ExitCode Run(const Options& options) {
  ExitCode code = ExitCode::kAccepted;
  for (const std::string& layout : options.layouts) {
    const auto results = ProveLayout(layout, options.prove);
    if (!results) return Unusable("prove", fmt::format("{}: {}", layout, results.error().ToString()));
    if (!options.json) fmt::print("{}\n", layout);
    for (const ProofResult& result : *results) {
      if (options.json) {
        PrintResultJson(result);
      } else {
        fmt::print("  ");
        PrintResultText(result);
      }
      code = Worse(code, CodeOf(result));
    }
  }
  return code;
}

}  // namespace

void AddProveCommand(CLI::App& program, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      AddCommand(program, "prove",
                 "prove the laws of a layout's linear index, without enumerating anything\n\n"
                 "A dimension or a tile size may be a name: it stands for every integer >= 0 (a dimension)\n"
                 "or >= 1 (a tile size). Each law is proved from ground instances of lemmas about mixed-radix\n"
                 "numbers, which Z3 checks, or refuted with the smallest values found, evaluated in numbers.\n"
                 "A fractal layout is also proved to be the XLA layout that `convert` gives (equals-hlo). A\n"
                 "shape:stride layout has numbers only, and is decided by its strides, or coordinate by\n"
                 "coordinate.\n"
                 "Budgets are counts of work, so that the verdict is the same on every machine. Exit code 0:\n"
                 "all proved; 1: one refuted; 3: one unknown, none refuted.",
                 "  $ layoutcheck prove 'f32[M,N]{1,0:T(8,128)}'\n"
                 "  $ layoutcheck prove 'f32[M,N]{1,0:T(P,Q)}' --law injective --json\n"
                 "  $ layoutcheck prove 'zN:f16[M,N]'\n"
                 "  $ layoutcheck prove '(3,4):(5,1)' --law onto\n"
                 "  (3,4):(5,1)\n"
                 "    onto                           refuted: offset=4 expected=1 actual=0");
  command
      ->add_option("LAYOUT", options->layouts,
                   "XLA or fractal layouts, whose sizes may be names, or shape:stride layouts")
      ->required();
  command->add_option("--law", options->prove.laws, "prove this law only; can be repeated")->allow_extra_args(false);
  command->add_option("--rlimit", options->prove.rlimit, "Z3's budget for one query, in its units of work")
      ->check([](const std::string& text) {
        const bool positive = text.find_first_not_of("0123456789") == std::string::npos &&
                              text.find_first_not_of('0') != std::string::npos;
        return positive ? std::string() : std::string("expected a number of units, at least 1");
      });
  command->add_option("--emit-smt2", options->prove.emit_directory,
                      "write each query as SMT-LIB 2 into this directory");
  command->add_option("--second-solver", options->prove.second_solver,
                      "a program that reads SMT-LIB 2 from standard input and checks each query again");
  command->add_flag("--json", options->json, "print a JSON line for each law");
  command->callback([options, &action] { action = [options] { return Run(*options); }; });
}

}  // namespace layoutcheck
