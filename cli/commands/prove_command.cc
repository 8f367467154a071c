// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// layoutcheck prove LAYOUT...
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include "layoutcheck/cli/base/shard.h"
#include "layoutcheck/cli/commands/commands.h"
#include "layoutcheck/cli/run/proof_output.h"
#include "layoutcheck/cli/run/prove_run.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

struct Options {
  std::vector<std::string> layouts;
  std::string tiles;
  std::string shard;
  std::optional<std::string> formula;
  std::optional<std::string> equals;
  std::vector<std::string> assumptions;
  std::string integers;
  ProveRunOptions run;
};

// Returns the reason why the options do not fit together, or an empty text if they do.
std::string Contradiction(const Options& options) {
  if (!options.formula && options.equals) return "--equals: expected --formula, too";
  if (!options.formula && !options.assumptions.empty()) return "--assume: expected --formula, too";
  if (options.formula && !options.run.laws.empty()) {
    return "--law: a formula has one law alone: expected --law or --formula, not both";
  }
  if (!options.integers.empty() && !options.run.laws.empty()) {
    return "--law: --integers asks for one law alone: expected --law or --integers, not both";
  }
  if (options.tiles.empty()) {
    if (!options.shard.empty()) return "--shard: expected --tiles, too";
    if (!options.run.results.empty()) return "--results: expected --tiles, too";
    if (options.layouts.empty() && !options.equals) return "LAYOUT is required; see layoutcheck prove --help";
    return {};
  }
  if (!options.layouts.empty() || options.formula) return "--tiles: expected neither LAYOUT nor --formula beside it";
  return {};
}

ExitCode RunTiles(const Options& options) {
  auto entries = ReadTileSet(options.tiles);
  if (!entries) return Unusable("prove", "--tiles", entries.error());
  if (!options.shard.empty()) {
    const auto shard = ReadShard(options.shard);
    if (!shard) return Unusable("prove", "--shard", shard.error());
    std::vector<ProveEntry> part;
    for (size_t k = 0; k < entries->size(); ++k) {
      if (k % shard->second == shard->first) part.push_back(std::move((*entries)[k]));
    }
    *entries = std::move(part);
  }
  return RunTileSet(*entries, options.run);
}

ExitCode RunEntry(const Options& options, const std::string& layout) {
  const ProveEntry entry{layout, layout, options.formula, options.equals, options.assumptions};
  const auto results = ProveEntryJson(entry, options.run);
  if (!results) return Unusable("prove", results.error().ToString());
  if (!options.run.json) {
    fmt::print("{}\n", layout.empty() ? OneLine(*options.formula + " == " + *options.equals) : layout);
  }
  ExitCode code = ExitCode::kAccepted;
  for (const Json& result : *results) {
    if (options.run.json) {
      PrintJson(result);
    } else {
      fmt::print("  {}\n", ProofText(result));
    }
    if (result.contains("disagreement")) {
      std::fflush(stdout);
      Unusable("prove", result["disagreement"].get<std::string>());
    }
    code = WorseExitCode(code, ProofExitCode(result));
  }
  return code;
}

ExitCode Run(Options options) {
  if (const std::string why = Contradiction(options); !why.empty()) return Unusable("prove", why);
  if (!options.integers.empty()) {
    const auto integer = MachineIntegerOf(options.integers);
    if (!integer) return Unusable("prove", "--integers", integer.error());
    options.run.integer = *integer;
  }
  if (!options.tiles.empty()) return RunTiles(options);
  if (options.layouts.empty()) return RunEntry(options, "");
  ExitCode code = ExitCode::kAccepted;
  for (const std::string& layout : options.layouts) {
    const ExitCode one = RunEntry(options, layout);
    if (one == ExitCode::kUnusable) return one;
    code = WorseExitCode(code, one);
  }
  return code;
}

}  // namespace

void AddProveCommand(CLI::App& program, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      AddCommand(program, "prove",
                 "prove the laws of a layout, or a formula, for all sizes\n\n"
                 "A dimension or a tile size may be a name, which stands for every integer >= 0 (a dimension) or >= 1 "
                 "(a tile size). Each law is either proved, from instances of lemmas about mixed-radix numbers that Z3 "
                 "checks, or refuted with the smallest values found, which are evaluated in numbers. No index is "
                 "enumerated.\n\n"
                 "A fractal layout is also proved to be the XLA layout that `convert` gives (equals-hlo). The sizes of "
                 "a shape:stride layout are numbers; it is decided by its strides or coordinate by coordinate.\n\n"
                 "Budgets count work, not time, so that the verdict is the same on every machine. The exit code is 0 "
                 "if all is proved, 1 if anything is refuted, and otherwise 3.\n\n"
                 "With --formula, the law is `formula`: the formula is the layout's linear index, or equals the "
                 "formula of --equals, for every index and all values of the names. A formula has the index i0 i1 ..., "
                 "the dimensions d0 d1 ... or their names, integers, and these operators with C's precedence:\n"
                 "  + - *  floordiv ceildiv mod (divisor >= 1)  / % (truncating, as in C)\n"
                 "  << >> & | ^  < <= > >= == !=  && || !  ? :  min( , ) max( , )\n"
                 "Arithmetic is that of the integers, without overflow. A formula that has no value somewhere, for "
                 "example because it divides by zero, is wrong there. The counterexample is the smallest found, "
                 "compared by dimensions first.\n\n"
                 "With --integers, the law is `no-overflow`: no part of the formula, or of the layout's own, overflows "
                 "that type when C computes it (or wraps below 0 for uint32), for every shape whose padded elements "
                 "take at most 2^31 - 1, 2^32 - 1 or 2^63 - 1 bytes.\n\n"
                 "A file for --tiles has one entry per line: a layout, and optionally '; formula F', '; equals G' and "
                 "'; assume CONDITION'. Lines that begin with # are comments.",
                 "  $ layoutcheck prove 'f32[M,N]{1,0:T(P,Q)}' --law injective --json\n"
                 "  $ layoutcheck prove 'zN:f16[M,N]'\n"
                 "  $ layoutcheck prove '(3,4):(5,1)' --law onto\n"
                 "  (3,4):(5,1)\n"
                 "    onto                           refuted: offset=4 expected=1 actual=0\n"
                 "  $ layoutcheck prove 'f32[M,N]{0,1}' --formula 'i0*N+i1'\n"
                 "  f32[M,N]{0,1}\n"
                 "    formula                        refuted: M=2 N=2 i0=0 i1=1 expected=2 actual=1");
  command->add_option("LAYOUT", options->layouts,
                      "XLA or fractal layouts, whose sizes may be names, or shape:stride layouts");
  command->add_option("--formula", options->formula, "prove that this formula is the layout's linear index")
      ->type_name("TEXT");
  command->add_option("--equals", options->equals, "prove instead that --formula equals this formula")
      ->type_name("TEXT");
  command
      ->add_option("--assume", options->assumptions,
                   "prove only where this condition holds, such as 'N % 128 == 0'; can be repeated")
      ->type_name("TEXT")
      ->allow_extra_args(false);
  command->add_option("--integers", options->integers, "prove that nothing overflows this type")
      ->type_name("int32|uint32|int64");
  command->add_option("--tiles", options->tiles, "prove every entry of this file, several at a time")
      ->type_name("FILE");
  command->add_option("--shard", options->shard, "prove only part K of N of --tiles, from 1/N to N/N")
      ->type_name("K/N");
  command
      ->add_option("--results", options->run.results, "save the results of --tiles in this file, and continue from it")
      ->type_name("FILE");
  command->add_option("--law", options->run.laws, "prove only this law; can be repeated (default: all)")
      ->type_name("NAME")
      ->allow_extra_args(false);
  command->add_option("--rlimit", options->run.prove.rlimit, "Z3's budget per query, in its units of work")
      ->type_name("N")
      ->check([](const std::string& text) {
        const bool positive = text.find_first_not_of("0123456789") == std::string::npos &&
                              text.find_first_not_of('0') != std::string::npos;
        return positive ? std::string() : StrCat("expected a number of units, at least 1, got '", text, "'");
      });
  command
      ->add_option("--emit-smt2", options->run.prove.exports.emit_directory,
                   "write each query as SMT-LIB 2 into this directory")
      ->type_name("DIR");
  command
      ->add_option("--second-solver", options->run.prove.exports.second_solver,
                   "check each query again with this program, which reads SMT-LIB 2 from standard input")
      ->type_name("COMMAND");
  command->add_flag("--json", options->run.json, "print one JSON line per law");
  command->callback([options, &action] { action = [options] { return Run(*options); }; });
}

}  // namespace layoutcheck
