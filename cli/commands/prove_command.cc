// layoutcheck prove LAYOUT...
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "layoutcheck/cli/commands/commands.h"
#include "layoutcheck/cli/commands/proof_output.h"
#include "layoutcheck/cli/commands/prove_run.h"
#include "layoutcheck/cli/commands/shard.h"

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

// Why the options do not fit together; empty if they do.
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
                 "prove the laws of a layout's linear index, without enumerating anything\n\n"
                 "A dimension or a tile size may be a name: it stands for every integer >= 0 (a dimension)\n"
                 "or >= 1 (a tile size). Each law is proved from ground instances of lemmas about mixed-radix\n"
                 "numbers, which Z3 checks, or refuted with the smallest values found, evaluated in numbers.\n"
                 "A fractal layout is also proved to be the XLA layout that `convert` gives (equals-hlo). A\n"
                 "shape:stride layout has numbers only, and is decided by its strides, or coordinate by\n"
                 "coordinate.\n"
                 "Budgets are counts of work, so that the verdict is the same on every machine. Exit code 0:\n"
                 "all proved; 1: one refuted; 3: one unknown, none refuted.\n\n"
                 "With --formula, the law is 'formula': that the formula is the layout's linear index, or is\n"
                 "equal to the formula of --equals, for every index and all values of the names. A formula has\n"
                 "the index i0 i1 ..., the dimensions d0 d1 ... or their names, integers, and\n"
                 "  + - *  floordiv ceildiv mod (divisor >= 1)  / % (as in C, truncating)\n"
                 "  << >> & | ^  < <= > >= == !=  && || !  ? :  min( , ) max( , )\n"
                 "with C's precedence. Arithmetic is that of the integers, without overflow. A formula that has\n"
                 "no value somewhere (it divides by zero there) is wrong there. A counterexample is the\n"
                 "smallest found, dimensions first.\n\n"
                 "With --integers, the law is 'no-overflow': computed as C does it in that type, no part of the\n"
                 "formula (or of the layout's own) overflows, or wraps below 0 for uint32, for every shape whose\n"
                 "padded elements take at most 2^31 - 1, 2^32 - 1 or 2^63 - 1 bytes.\n\n"
                 "A file for --tiles has an entry a line: a layout and, if wanted, '; formula F', '; equals G'\n"
                 "and '; assume COND'. Lines that begin with # are comments.",
                 "  $ layoutcheck prove 'f32[M,N]{1,0:T(P,Q)}' --law injective --json\n"
                 "  $ layoutcheck prove 'zN:f16[M,N]'\n"
                 "  $ layoutcheck prove '(3,4):(5,1)' --law onto\n"
                 "  (3,4):(5,1)\n"
                 "    onto                           refuted: offset=4 expected=1 actual=0\n"
                 "  $ layoutcheck prove 'f32[M,N]{1,0:T(2,2)}' --formula '(i0/2*(N/2)+i1/2)*4+i0%2*2+i1%2'\n"
                 "  f32[M,N]{1,0:T(2,2)}\n"
                 "    formula                        refuted: M=3 N=1 i0=2 i1=0 expected=4 actual=0");
  command->add_option("LAYOUT", options->layouts,
                      "XLA or fractal layouts, whose sizes may be names, or shape:stride layouts");
  command->add_option("--formula", options->formula, "prove that this is the layout's linear index");
  command->add_option("--equals", options->equals, "prove that the formula is equal to this one instead");
  command->add_option("--assume", options->assumptions, "only where this holds, 'N % 128 == 0'; can be repeated")
      ->allow_extra_args(false);
  command->add_option("--integers", options->integers, "int32, uint32 or int64: prove that nothing overflows it");
  command->add_option("--tiles", options->tiles, "prove every entry of this file, several at a time");
  command->add_option("--shard", options->shard, "of --tiles, only part K of N, 1/N to N/N")->type_name("K/N");
  command->add_option("--results", options->run.results, "keep the results of --tiles here, and go on from there");
  command->add_option("--law", options->run.laws, "prove this law only; can be repeated")->allow_extra_args(false);
  command->add_option("--rlimit", options->run.prove.rlimit, "Z3's budget for one query, in its units of work")
      ->check([](const std::string& text) {
        const bool positive = text.find_first_not_of("0123456789") == std::string::npos &&
                              text.find_first_not_of('0') != std::string::npos;
        return positive ? std::string() : std::string("expected a number of units, at least 1");
      });
  command->add_option("--emit-smt2", options->run.prove.exports.emit_directory,
                      "write each query as SMT-LIB 2 into this directory");
  command->add_option("--second-solver", options->run.prove.exports.second_solver,
                      "a program that reads SMT-LIB 2 from standard input and checks each query again");
  command->add_flag("--json", options->run.json, "print a JSON line for each law");
  command->callback([options, &action] { action = [options] { return Run(*options); }; });
}

}  // namespace layoutcheck
