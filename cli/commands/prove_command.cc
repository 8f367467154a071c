// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// layoutcheck prove LAYOUT...
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include "layoutcheck/cli/base/jobs.h"
#include "layoutcheck/cli/base/shard.h"
#include "layoutcheck/cli/commands/commands.h"
#include "layoutcheck/cli/commands/prove_code.h"
#include "layoutcheck/cli/run/certificate_file.h"
#include "layoutcheck/cli/run/manifest.h"
#include "layoutcheck/cli/run/memory_limit.h"
#include "layoutcheck/cli/run/proof_output.h"
#include "layoutcheck/cli/run/prove_run.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/linear/linear_notation.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/core/shape_stride/view_text.h"
#include "layoutcheck/solver/formula_laws/strided_formula.h"

namespace layoutcheck {
namespace {

struct Options {
  std::vector<std::string> layouts;
  std::string tiles;
  std::string shard;
  std::string results;  // file that keeps results and supplies known ones
  std::string out;      // directory of a share
  Work work;            // of a share
  std::optional<std::string> formula;
  std::optional<std::string> equals;
  std::vector<std::string> assumptions;
  std::string over;
  std::string below;
  std::string integers;
  std::string certificate;  // file for the certificates of what is proved
  std::string coq;          // command that checks that file
  CodeOptions code;
  ProveRunOptions run;
  bool json = false;
};

CodeQuestion QuestionOfCode(const Options& options) {
  return {options.layouts, options.formula, options.assumptions, options.run.prove, options.json};
}

// Returns true if --equals names a layout for each LAYOUT to be compared with: one of the two is in the notations of
// linear_notation.h, or both are shape:stride layouts.
bool EqualsIsLayout(const Options& options) {
  if (options.formula || !options.equals || options.layouts.empty()) return false;
  return std::ranges::all_of(options.layouts, [&](const std::string& layout) {
    return IsLinearNotation(layout) || IsLinearNotation(*options.equals) ||
           (IsShapeStrideText(layout) && IsShapeStrideText(*options.equals));
  });
}

bool AnyIsNamed(const std::vector<std::string>& layouts) { return std::ranges::any_of(layouts, IsNamedStridedText); }

// Returns the reason why the options do not fit together, or an empty text if they do.
std::string Contradiction(const Options& options) {
  if (std::ranges::find(options.layouts, "") != options.layouts.end()) return "expected LAYOUT, found an empty text";
  if (std::string why = ContradictionOfCode(options.code, QuestionOfCode(options)); !why.empty()) return why;
  if (!options.certificate.empty() && !(options.results.empty() && options.out.empty())) {
    return "--certificate: expected neither --results nor --out beside it: results that are kept have no steps";
  }
  if (!options.certificate.empty() && !options.code.emit.empty()) {
    return "--certificate: expected no --emit beside it: a formula alone claims nothing";
  }
  if (!options.coq.empty() && !options.certificate.ends_with(".v")) return "--coq: expected --certificate FILE.v, too";
  if (options.code.AsksAboutCode()) {
    const bool is_other = options.equals || !options.integers.empty() || !options.tiles.empty() ||
                          !options.run.laws.empty() || !options.over.empty() || !options.below.empty();
    return is_other ? "--code: expected none of --equals, --integers, --tiles, --law, --over and --below beside it"
                    : "";
  }
  if (!options.formula && options.equals && !EqualsIsLayout(options)) return "--equals: expected --formula, too";
  if (EqualsIsLayout(options) && (IsNamedStridedText(*options.equals) || AnyIsNamed(options.layouts))) {
    return "--equals: expected layouts of numbers: if sizes are names, ask if the offset of one layout is --formula of "
           "the "
           "other";
  }
  if (EqualsIsLayout(options) && !options.integers.empty()) return "--integers: expected --formula, too";
  const bool is_view = !options.layouts.empty() && std::ranges::all_of(options.layouts, [](const std::string& layout) {
    return FindView(layout) != std::string::npos;
  });
  if (!options.formula && !is_view && !options.assumptions.empty())
    return "--assume: expected --formula or a view, too";
  if (!options.formula && !options.over.empty()) return "--over: expected --formula, too";
  const std::vector<std::string> injective = {"injective"};
  const std::vector<std::string> in_bounds = {"in-bounds"};
  if (options.formula && !options.run.laws.empty() && options.run.laws != injective && options.run.laws != in_bounds) {
    return "--law: expected injective or in-bounds, the laws of a formula beside that of --equals, or no --formula";
  }
  if (options.below.empty() && options.formula && options.run.laws == in_bounds) {
    return "--law in-bounds: expected --below FORMULA, too";
  }
  if (!options.below.empty() && !(options.formula && options.run.laws == in_bounds)) {
    return "--below: expected --formula and --law in-bounds, too";
  }
  if (options.equals && !options.run.laws.empty()) return "--law: expected --law or --equals, not both";
  if (!options.over.empty() && !options.layouts.empty()) return "--over: expected --over or LAYOUT, not both";
  if (!options.over.empty() && !options.equals && options.run.laws.empty() && options.integers.empty()) {
    return "--over: expected --equals, --law or --integers, too";
  }
  if (!options.integers.empty() && !options.run.laws.empty()) {
    return "--law: --integers asks for one law alone: expected --law or --integers, not both";
  }
  if (options.tiles.empty()) {
    if (!options.shard.empty()) return "--shard: expected --tiles, too";
    if (!options.results.empty()) return "--results: expected --tiles, too";
    if (!options.out.empty()) return "--out: expected --tiles, too";
    if (options.layouts.empty() && !options.equals && options.over.empty())
      return options.formula ? "--formula: expected LAYOUT, --equals or --over, too; see layoutcheck prove --help"
                             : "expected LAYOUT, --formula, --tiles, --code or --kernel; see layoutcheck prove --help";
    return {};
  }
  if (!options.out.empty() && !options.results.empty()) return "--results: expected --results or --out, not both";
  if (!options.layouts.empty() || options.formula) return "--tiles: expected neither LAYOUT nor --formula beside it";
  return {};
}

// Proves the share of a tile set and, with --out, keeps the manifest of the share.
ExitCode RunTiles(const Options& options) {
  auto entries = ReadTileSet(options.tiles);
  if (!entries) return Unusable("prove", "--tiles", entries.error());
  Shard shard;
  if (!options.shard.empty()) {
    const auto read = ReadShard(options.shard);
    if (!read) return Unusable("prove", "--shard", read.error());
    shard = *read;
    size_t item = 0;
    std::erase_if(*entries, [&](const ProveEntry&) { return !shard.Has(item++); });
  }
  Manifest manifest{.work = options.work, .shard = shard};
  std::string results = options.results;
  if (!options.out.empty()) {
    manifest.details = ProofDetails(*entries, options.run);
    if (auto begun = BeginShare(options.out, manifest); !begun) return Unusable("prove", "--out", begun.error());
    results = ResultsPath(options.out);
  }
  ProveResultsFile file;
  if (!results.empty()) {
    if (auto open = file.Open(results, AskedText(options.run)); !open) {
      return Unusable("prove", StrCat("--results ", results), open.error());
    }
  }
  ProofTable table(options.json);
  ExitCode code = ExitCode::kAccepted;
  CertificateFile certificates(options.certificate, options.coq);
  ProveInOrder(*entries, options.run, file, [&](const ProveEntry& entry, const auto& with_certificates) {
    const auto proved = certificates.Take(with_certificates);
    code = WorseExitCode(
        code, proved ? table.Print(entry.text, *proved)
                     : Unusable("prove", StrCat(entry.formula ? entry.text + ": " : "", proved.error().ToString())));
    std::fflush(stdout);
    return true;
  });
  table.PrintTotal();
  code = WorseExitCode(code, certificates.Write(code, options.json));
  if (!options.out.empty()) {
    manifest.complete = code != ExitCode::kUnusable;
    manifest.totals = table.Totals();
    if (auto ended = WriteManifest(options.out, manifest); !ended) return Unusable("prove", "--out", ended.error());
  }
  if (!entries->empty()) return code;
  std::fflush(stdout);
  const std::string reason = StrCat("layoutcheck prove: nothing was asked: share ", shard.ToString(), " of ",
                                    OneLine(options.tiles), " has no entry\n");
  std::fputs(reason.c_str(), stderr);
  return ExitCode::kUndecided;
}

// Returns "F == G over i0<M" for an entry without a layout.
std::string TitleOf(const ProveEntry& entry) {
  return StrCat(*entry.formula, entry.equals ? " == " + *entry.equals : "", entry.over.empty() ? "" : " over ",
                entry.over);
}

ExitCode Run(Options options) {
  if (const std::string why = Contradiction(options); !why.empty()) return Unusable("prove", why);
  if (!options.integers.empty()) {
    const auto integer = MachineIntegerOf(options.integers);
    if (!integer) return Unusable("prove", "--integers", integer.error());
    options.run.integer = *integer;
  }
  options.run.prove.certificates = !options.certificate.empty();
  if (const auto writable = CertificateFile(options.certificate, options.coq).CheckWritable(); !writable) {
    return Unusable("prove", StrCat("--certificate: ", writable.error().message));
  }
  if (options.code.AsksAboutCode()) {
    CertificateFile certificates(options.certificate, options.coq);
    const ExitCode code = ProveCodeCommand(options.code, QuestionOfCode(options), certificates);
    return certificates.Write(code, options.json);
  }
  if (!options.tiles.empty()) return RunTiles(options);
  std::vector<ProveEntry> entries;
  for (const std::string& layout : options.layouts) {
    entries.push_back({layout, layout, options.formula, options.equals, options.assumptions, {}, options.below});
  }
  if (entries.empty())
    entries.push_back({"", "", options.formula, options.equals, options.assumptions, options.over, options.below});
  ProveResultsFile no_file;
  ExitCode code = ExitCode::kAccepted;
  CertificateFile certificates(options.certificate, options.coq);
  ProveInOrder(entries, options.run, no_file, [&](const ProveEntry& entry, const auto& with_certificates) {
    const auto results = certificates.Take(with_certificates);
    const std::string title = entry.layout.empty() ? OneLine(TitleOf(entry)) : entry.layout;
    code = WorseExitCode(code, PrintProofs(title, results, options.json));
    return results.has_value();
  });
  return certificates.Write(code, options.json);
}

constexpr const char* kDescription =
    "prove the laws of a layout, or a formula, for all sizes\n\n"
    "A dimension or a tile size may be a name, which stands for every integer >= 0 (a dimension) or >= 1 "
    "(a tile size). Each law is either proved, from instances of lemmas about mixed-radix numbers that Z3 "
    "checks, or refuted with the smallest values found, which are evaluated in numbers. No index is "
    "enumerated.\n\n"
    "A fractal layout is also proved to be the XLA layout that `convert` gives (equals-hlo). A shape:stride "
    "layout of numbers is decided by its strides or coordinate by coordinate. Its integers may be names and "
    "formulas over names, ((8,M),N):((N,8*N),1): the laws are then injective, in-bounds, onto and inverse, "
    "for all values >= 0.\n\n"
    "A layout in bits, ll{lane:[1,2],warp:[0]} -> [4] or an attribute of Triton, is decided by its rank: it is "
    "injective, or two coordinates share an offset, and onto, or an offset has no element. With --equals LAYOUT, "
    "without --formula, it is the same map as another layout in bits or of strides.\n\n"
    "A view, zN:f16[M,N]@[b:e,16*c:16*c+16], has the law strided-form: the strides of the whole are right for every "
    "element of the view. Where they are not, the line has a condition under which they are, if one was found.\n\n"
    "Budgets count work, not time, so that the verdict is the same on every machine. The exit code is 0 "
    "if all is proved, 1 if anything is refuted, and otherwise 3; it is 2 if two solvers, or the prover and "
    "the machine, contradict each other.\n\n"
    "With --formula, the law is `formula`: the formula is the layout's linear index, or equals the "
    "formula of --equals, for every index and all values of the names. A formula has the index i0 i1 ..., "
    "the dimensions d0 d1 ... or their names, integers, and these operators with C's precedence:\n"
    "  + - *  floordiv ceildiv mod (divisor >= 1)  / % (truncating, as in C)\n"
    "  << >> (by 0 to 63)  & | ^ ~  < <= > >= == !=  && || !  ? :  min( , ) max( , )\n"
    "  int8( ) to int64( ), uint8( ) to uint64( )  the equal value modulo 2^8 to 2^64 of that type\n"
    "  [a, b, c][i]  the element at the index i\n"
    "  let x = a in b  the value of b, where the new name x is the value of a\n"
    "Arithmetic is that of the integers, without overflow. A formula that has no value somewhere, for "
    "example because it divides by zero, is wrong there. The counterexample is the smallest found, "
    "compared by dimensions first.\n\n"
    "With --law injective, a formula has different values at different indices: those of LAYOUT, or without one "
    "those that --over bounds. A formula may be a tuple, '(F0, F1)': its components are equal to those of "
    "--equals one by one, and injective together. "
    "With --law in-bounds, it is at least 0 and less than the formula of --below.\n\n"
    "With --integers, the law is `no-overflow`: no part of the formula, or of the layout's own, overflows "
    "that type when C computes it (or wraps below 0 for uint32) or is undefined in C, for every shape whose padded "
    "elements "
    "take at most 2^31 - 1, 2^32 - 1 or 2^63 - 1 bytes.\n\n"
    "With --code, the law is `code`: the function, as it is compiled, returns the layout's linear index (or "
    "the value of --formula), with the machine's integers and without undefined behavior, for all arrays of "
    "at most --max-bytes. With --certificate, the claim is about the formula that was read from the function. A "
    "refutation is run on the machine. Where code overflows for large arrays only, the "
    "verdict has the condition under which it is right. --emit formula prints what the code computes.\n\n"
    "With --kernel, four laws are asked of a kernel that moves arrays: each access is inside its array "
    "(accesses), each stored element belongs at its place (relayout), none is stored twice (distinct-stores) and, "
    "with --grid and --block, each is stored (complete).\n\n"
    "A file for --tiles has one entry per line: a layout, and optionally '; formula F', '; equals G' and "
    "'; assume CONDITION'. Lines that begin with # are comments.";
constexpr const char* kExamples =
    "  $ layoutcheck prove 'f32[M,N]{1,0:T(P,Q)}' --law injective --json\n"
    "  $ layoutcheck prove 'zN:f16[M,N]'\n"
    "  $ layoutcheck prove '(3,4):(5,1)' --law onto\n"
    "  (3,4):(5,1)\n"
    "    onto                           refuted: offset=4 expected=1 actual=0\n"
    "  $ layoutcheck prove 'f32[M,N]{0,1}' --formula 'i0*N+i1'\n"
    "  f32[M,N]{0,1}\n"
    "    formula                        refuted: M=2 N=2 i0=0 i1=1 expected=2 actual=1";

// Adds what is to be proved: layouts, formulas, and what is said about these.
void AddClaimOptions(CLI::App& command, Options& options) {
  command.add_option(
      "LAYOUT", options.layouts,
      "XLA, fractal or shape:stride layouts, whose sizes may be names, views of these, or layouts in bits");
  command.add_option("--formula", options.formula, "prove that this formula is the layout's linear index")
      ->type_name("TEXT");
  command
      .add_option("--equals", options.equals,
                  "prove instead that --formula equals this formula, or that LAYOUT equals this layout in bits")
      ->type_name("TEXT");
  command
      .add_option("--assume", options.assumptions,
                  "prove only where this condition holds, such as 'N % 128 == 0'; can be repeated")
      ->type_name("TEXT")
      ->allow_extra_args(false);
  command.add_option("--over", options.over, "without LAYOUT, the bounds of all indices, such as 'i0<M, i1<N'")
      ->type_name("TEXT");
  command
      .add_option("--below", options.below,
                  "with --law in-bounds, prove that --formula is at least 0 and less than this formula")
      ->type_name("TEXT");
  command
      .add_option("--integers", options.integers,
                  "prove that nothing overflows this type of C, or of C++20, such as int32:c++20")
      ->type_name("int32|uint32|int64");
}

// Adds the options about files of many layouts, and which laws are asked.
void AddTileOptions(CLI::App& command, Options& options) {
  command.add_option("--tiles", options.tiles, "prove every entry of this file, several at a time")->type_name("FILE");
  AddShard(command, "prove", options.shard);
  command
      .add_option("--out", options.out,
                  "keep the results of --tiles in this directory and continue from them, with a manifest for "
                  "layoutcheck merge")
      ->type_name("DIR");
  AddJobs(command, options.run.jobs);
  command.add_option("--results", options.results, "save the results of --tiles in this file, and continue from it")
      ->type_name("FILE");
  command.add_option("--law", options.run.laws, "prove only this law; can be repeated (default: all)")
      ->type_name("NAME")
      ->allow_extra_args(false);
}

// Adds the options about solvers, budgets and certificates.
void AddProofOptions(CLI::App& command, Options& options) {
  command.add_option("--rlimit", options.run.prove.rlimit, "Z3's budget per law or formula, in its units of work")
      ->type_name("N")
      ->check([](const std::string& text) {
        const bool positive = text.find_first_not_of("0123456789") == std::string::npos &&
                              text.find_first_not_of('0') != std::string::npos;
        return positive ? std::string() : StrCat("expected a number of units, at least 1, got '", text, "'");
      });
  command
      .add_option("--emit-smt2", options.run.prove.exports.emit_directory,
                  "write each query as SMT-LIB 2 into this directory")
      ->type_name("DIR");
  command
      .add_option("--second-solver", options.run.prove.exports.second_solver,
                  "check each query again with this program, which reads SMT-LIB 2 from standard input")
      ->type_name("COMMAND");
  command
      .add_option(
          "--certificate", options.certificate,
          "write the steps of each proof into this file, for layoutcheck verify, or for Coq if it is named FILE.v")
      ->type_name("FILE");
  command
      .add_option("--coq", options.coq,
                  "have the file of --certificate FILE.v checked by this command, such as 'coqc -Q proofs Layoutcheck'")
      ->type_name("COMMAND");
}

}  // namespace

void AddProveCommand(CLI::App& program, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = AddCommand(program, "prove", kDescription, kExamples);
  AddClaimOptions(*command, *options);
  AddCodeOptions(*command, options->code);
  AddTileOptions(*command, *options);
  AddProofOptions(*command, *options);
  command->add_flag("--json", options->json, "print one JSON line per law");
  command->callback([options, command, &action] {
    options->work = WorkOf(*command);
    action = [options] { return RunWithinMemoryLimit("prove", [&] { return Run(*options); }); };
  });
}

}  // namespace layoutcheck
