// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// layoutcheck prove LAYOUT...
#include <fmt/format.h>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include "layoutcheck/cli/base/shard.h"
#include "layoutcheck/cli/base/shared_options.h"
#include "layoutcheck/cli/commands/commands.h"
#include "layoutcheck/cli/run/certificate_file.h"
#include "layoutcheck/cli/run/manifest.h"
#include "layoutcheck/cli/run/proof_arguments.h"
#include "layoutcheck/cli/run/proof_output.h"
#include "layoutcheck/cli/run/prove_run.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/linear/linear_notation.h"
#include "layoutcheck/core/shape_stride/cute_types.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/core/shape_stride/view.h"
#include "layoutcheck/core/sharding/sharding_text.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/solver/formula_laws/strided_formula.h"
#include "layoutcheck/solver/formula_laws/view_formula.h"
#include "layoutcheck/solver/layout_proof/numeric_laws.h"
#include "layoutcheck/solver/layout_proof/symbolic_layout.h"
#include "layoutcheck/solver/sharding_proof/prove_sharding.h"

namespace layoutcheck {
namespace {

struct ProveCommandLine {
  std::vector<std::string> layouts;
  std::string tiles;
  std::string shard;
  std::string results;  // file that keeps results and supplies known ones
  std::string out;      // directory of a share
  std::vector<GivenOption> given;
  std::optional<std::string> formula;
  std::optional<std::string> equals;
  std::vector<std::string> assumptions;
  std::vector<std::string> signed_names;
  std::vector<std::string> laws;  // names; all laws if empty
  std::string over;
  std::string below;
  std::string integers;
  uint64_t jobs = 1;
  ProofArguments proof;
};

// Returns true if --equals names a layout for each LAYOUT to be compared with: one of the two is in the notations of
// linear_notation.h, or both are shape:stride layouts.
bool EqualsIsLayout(const ProveCommandLine& options) {
  if (options.formula || !options.equals || options.layouts.empty()) return false;
  return std::ranges::all_of(options.layouts, [&](const std::string& layout) {
    return IsLinearNotation(layout) || IsLinearNotation(*options.equals) ||
           (IsShapeStrideText(layout) && IsShapeStrideText(*options.equals));
  });
}

// Returns true if each LAYOUT has a sharding.
bool AreSharded(const ProveCommandLine& options) {
  return !options.layouts.empty() && std::ranges::all_of(options.layouts, [](const std::string& layout) {
    return FindSharding(layout).has_value();
  });
}

bool AnyIsNamed(const std::vector<std::string>& layouts) { return std::ranges::any_of(layouts, IsNamedStridedText); }

// Returns the reason why the options do not fit together, or an empty text if they do.
std::string Contradiction(const ProveCommandLine& options) {
  if (std::ranges::find(options.layouts, "") != options.layouts.end()) return "expected LAYOUT, found an empty text";
  const std::vector<std::string>& laws = options.laws;
  const std::string certifies = options.proof.CertificateOption();
  if (!certifies.empty() && !(options.results.empty() && options.out.empty())) {
    return certifies + ": expected neither --results nor --out beside it: results that are kept have no steps";
  }
  const bool are_sharded = AreSharded(options);
  if (are_sharded && options.formula && (options.equals || !laws.empty() || !options.over.empty())) {
    return "--formula: expected neither --equals, --law nor --over beside a layout with a sharding";
  }
  if (!options.formula && options.equals && !EqualsIsLayout(options) && !are_sharded) {
    return "--equals: expected --formula, too";
  }
  if (EqualsIsLayout(options) && (IsNamedStridedText(*options.equals) || AnyIsNamed(options.layouts))) {
    return "--equals: expected layouts of numbers: if sizes are names, ask if the offset of one layout is --formula of "
           "the "
           "other";
  }
  if (EqualsIsLayout(options) && !options.integers.empty()) return "--integers: expected --formula, too";
  const bool is_view = !options.layouts.empty() && std::ranges::all_of(options.layouts, [](const std::string& layout) {
    return FindView(layout) != std::string::npos;
  });
  if (!options.formula && !is_view && !are_sharded && !options.assumptions.empty()) {
    return "--assume: expected --formula, a view or a sharding, too";
  }
  if (!options.formula && !options.signed_names.empty()) return "--signed: expected --formula, too";
  if (!options.formula && !options.over.empty()) return "--over: expected --formula, too";
  const std::vector<std::string> injective = {"injective"};
  const std::vector<std::string> in_bounds = {"in-bounds"};
  if (options.formula && !laws.empty() && laws != injective && laws != in_bounds) {
    return "--law: expected injective or in-bounds, the laws of a formula beside that of --equals, or no --formula";
  }
  if (options.below.empty() && options.formula && laws == in_bounds) {
    return "--law in-bounds: expected --below FORMULA, too";
  }
  if (!options.below.empty() && !(options.formula && laws == in_bounds)) {
    return "--below: expected --formula and --law in-bounds, too";
  }
  if (options.equals && !laws.empty()) return "--law: expected --law or --equals, not both";
  if (!options.over.empty() && !options.layouts.empty()) return "--over: expected --over or LAYOUT, not both";
  if (!options.over.empty() && !options.equals && laws.empty() && options.integers.empty()) {
    return "--over: expected --equals, --law or --integers, too";
  }
  if (!options.integers.empty() && !laws.empty()) {
    return "--law: --integers asks for one law alone: expected --law or --integers, not both";
  }
  if (options.tiles.empty()) {
    if (!options.shard.empty()) return "--shard: expected --tiles, too";
    if (!options.results.empty()) return "--results: expected --tiles, too";
    if (!options.out.empty()) return "--out: expected --tiles, too";
    if (options.layouts.empty() && !options.equals && options.over.empty())
      return options.formula ? "--formula: expected LAYOUT, --equals or --over, too; see layoutcheck prove --help"
                             : "expected LAYOUT, --formula or --tiles; see layoutcheck prove --help";
    return {};
  }
  if (!options.out.empty() && !options.results.empty()) return "--results: expected --results or --out, not both";
  if (!options.layouts.empty() || options.formula) return "--tiles: expected neither LAYOUT nor --formula beside it";
  return {};
}

// Proves the share of a tile set and, with --out, keeps the manifest of the share.
ExitCode RunTiles(const ProveCommandLine& options, const ProveRunOptions& run, CertificateFile& certificates) {
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
  Manifest manifest{.work = WorkOf("prove", options.given), .shard = shard};
  std::string results = options.results;
  if (!options.out.empty()) {
    manifest.details = ProofDetails(*entries, run);
    if (auto begun = BeginShare(options.out, manifest); !begun) return Unusable("prove", "--out", begun.error());
    results = ResultsPath(options.out);
  }
  ProveResultsFile file;
  if (!results.empty()) {
    if (auto open = file.Open(results, AskedText(run)); !open) {
      return Unusable("prove", StrCat("--results ", results), open.error());
    }
  }
  ProofTable table(options.proof.json);
  ExitCode code = ExitCode::kAccepted;
  const auto take = [&](const ProveEntry& entry, const auto& with_certificates) {
    const auto proved = certificates.Take(with_certificates);
    code = WorseExitCode(code, proved ? table.Print(entry.text, *proved)
                                      : Unusable("prove", entry.formula ? entry.text : "", proved.error()));
    std::fflush(stdout);
    return true;
  };
  const bool is_complete = ProveInOrder(*entries, run, file, take);
  if (!is_complete) code = WorseExitCode(code, ProofsInterrupted("prove"));
  table.PrintTotal();
  if (!options.out.empty()) {
    manifest.complete = is_complete && code != ExitCode::kUnusable;
    manifest.totals = table.Totals();
    if (auto ended = WriteManifest(options.out, manifest); !ended) return Unusable("prove", "--out", ended.error());
  }
  if (!entries->empty()) return code;
  std::fflush(stdout);
  Unusable("prove", StrCat("nothing was asked: share ", shard.ToString(), " of ", options.tiles, " has no entry"));
  return ExitCode::kUndecided;
}

// Returns "F == G over i0<M" for an entry without a layout.
std::string TitleOf(const ProveEntry& entry) {
  return StrCat(*entry.formula, entry.equals ? " == " + *entry.equals : "", entry.over.empty() ? "" : " over ",
                entry.over);
}

ExitCode RunEntries(const ProveCommandLine& options, const ProveRunOptions& run, CertificateFile& certificates) {
  std::vector<ProveEntry> entries;
  std::vector<std::string> layouts = options.layouts;
  if (layouts.empty()) layouts.emplace_back();
  for (const std::string& layout : layouts) {
    entries.push_back({layout, layout, options.formula, options.equals, options.assumptions, options.over,
                       options.below, options.signed_names});
  }
  ProveResultsFile no_file;
  ExitCode code = ExitCode::kAccepted;
  const auto take = [&](const ProveEntry& entry, const auto& with_certificates) {
    const auto results = certificates.Take(with_certificates);
    const std::string title = entry.layout.empty() ? OneLine(TitleOf(entry)) : entry.layout;
    code = WorseExitCode(code, PrintProofs("prove", title, results, options.proof.json));
    return results.has_value();
  };
  if (!ProveInOrder(entries, run, no_file, take)) code = WorseExitCode(code, ProofsInterrupted("prove"));
  return code;
}

ExitCode RunProveCommand(ProveCommandLine& options) {
  std::vector<std::string*> texts;
  for (std::string& layout : options.layouts) texts.push_back(&layout);
  if (options.equals) texts.push_back(&*options.equals);
  for (std::string* const text : texts) {
    auto plain = WithoutCuteTypes(*text);
    if (!plain) return Unusable("prove", *text, plain.error());
    *text = *std::move(plain);
  }
  if (const std::string why = Contradiction(options); !why.empty()) return Unusable("prove", why);
  std::optional<MachineInteger> integer;
  if (!options.integers.empty()) {
    const auto read = MachineIntegerOf(options.integers);
    if (!read) return Unusable("prove", "--integers", read.error());
    integer = *read;
  }
  return RunProofs("prove", options.proof, [&](CertificateFile& certificates) {
    const ProveRunOptions run{options.laws, options.proof.prove, integer, options.jobs};
    return options.tiles.empty() ? RunEntries(options, run, certificates) : RunTiles(options, run, certificates);
  });
}

constexpr const char* kDescription = R"(prove the laws of a layout, or a formula, for all sizes

A dimension or a tile size may be a name, which stands for every integer >= 0 (a dimension) or >= 1 (a tile
size). Each law is either proved, or refuted with the smallest values found. No index is enumerated.

With --formula, the law is `formula`: the formula is the layout's linear index, or equals the formula of
--equals, for every index and all values of the names. `prove-code` asks this of a compiled function, and
`prove-kernel` what a GPU kernel does with its arrays.

The exit code is 0 if all is proved, 1 if anything is refuted, and otherwise 3; it is 2 if two solvers
contradict each other.)";
constexpr const char* kDetails =
    R"(A law is proved from instances of lemmas about mixed-radix numbers that Z3 checks. The values of a refutation are
evaluated in numbers. Budgets count work, not time, so that the verdict is the same on every machine.

A fractal layout is also proved to be the XLA layout that `convert` gives (equals-hlo). A shape:stride layout of
numbers is decided by its strides or coordinate by coordinate. Its integers may be names and formulas over
names, ((8,M),N):((N,8*N),1): the laws are then injective, in-bounds, onto and inverse, for all values >= 0.

A layout in bits, ll{lane:[1,2],warp:[0]} -> [4] or an attribute of Triton, is decided by its rank: it is
injective, or two coordinates share an offset, and onto, or an offset has no element. With --equals LAYOUT,
without --formula, it is the same map as another layout in bits or of strides.

A view, zN:f16[M,N]@[b:e,16*c:16*c+16], has the law strided-form: the strides of the whole are right for every
element of the view. Where they are not, the line has a condition under which they are, if one was found.

A sharded array, f32[M,N] mesh[x=X,y=Y] P("x", "y"), has laws of its parts and of the array of each device, for
all sizes, mesh axes and split factors. With --equals LAYOUT, without --formula, both shardings place every element
on the same devices, at the same coordinate there; --assume 'M mod X == 0' narrows what is asked. With --formula
'CONDITION, INDEX', the condition is true if and only if the device with the number `device` holds the element, and
the index, which may be left out, is the linear index in its array.

A formula has the index i0 i1 ..., the dimensions d0 d1 ... or their names, integers, and these operators with
C's precedence:
  + - *  floordiv ceildiv mod (divisor >= 1)  / % (truncating, as in C)
  << >> (by 0 to 63)  & | ^ ~  < <= > >= == !=  && || !  ? :  min( , ) max( , )
  int8( ) to int64( ), uint8( ) to uint64( )  the equal value modulo 2^8 to 2^64 of that type
  [a, b, c][i]  the element at the index i
  let x = a in b  the value of b, where the new name x is the value of a
Arithmetic is that of the integers, without overflow. A formula that has no value somewhere, for example because
it divides by zero, is wrong there. The counterexample is the smallest found, compared by dimensions first. A formula
may be a tuple, '(F0, F1)': of a layout in bits with one component per output; its components are equal to those of
--equals one by one.

With --law injective, a formula has different values at different indices: those of LAYOUT, or without one those
that --over bounds. A tuple is injective together. With --law in-bounds, a formula is at least 0 and less than the
formula of --below.

With --integers, the law is `no-overflow`: no part of the formula, or of the layout's own, overflows that type
when C computes it (or wraps below 0 for uint32) or is undefined in C, for every shape whose padded elements
take at most 2^31 - 1, 2^32 - 1 or 2^63 - 1 bytes. An element of a shape:stride layout takes one byte.

A file for --tiles has one entry per line: a layout, and optionally '; formula F', '; equals G', '; assume
CONDITION' and '; signed NAME'. Lines that begin with # are comments.)";
constexpr const char* kExample = R"(
  $ layoutcheck prove 'f32[M,N]{1,0:T(P,Q)}' --law injective --json
  $ layoutcheck prove '(3,4):(5,1)' --law onto
  (3,4):(5,1)
    onto                           refuted: offset=4 expected=1 actual=0
  $ layoutcheck prove 'f32[M,N]{0,1}' --formula 'i0*N+i1'
  f32[M,N]{0,1}
    formula                        refuted: M=2 N=2 i0=0 i1=1 expected=2 actual=1)";

// Returns the names of the laws of all kinds of layouts.
std::vector<std::string_view> ProvedLaws() {
  std::vector<std::string_view> names = {kStridedFormLaw};
  for (const auto& of_kind :
       {NamesOf(kSymbolicLaws), NamesOf(kShardingLaws), NamesOf(StridedLaws()), NamesOf(LinearLaws())}) {
    names.insert(names.end(), of_kind.begin(), of_kind.end());
  }
  return names;
}

}  // namespace

Command ProveCommand() {
  auto options = std::make_shared<ProveCommandLine>();
  return {.name = "prove",
          .description = kDescription,
          .details = kDetails,
          .example = kExample,
          .options = Joined(
              {{{"LAYOUT",
                 "XLA, fractal or shape:stride layouts, whose sizes may be names, views of these, or layouts in bits",
                 &options->layouts},
                {"--formula TEXT", "prove that this formula is the layout's linear index", &options->formula},
                {"--equals TEXT",
                 "prove instead that --formula equals this formula, or that LAYOUT equals this layout in bits",
                 &options->equals},
                AssumeOption(options->assumptions),
                {"--signed NAME",
                 "this name of the formulas may be negative, and is any integer; can be repeated (default: "
                 "names are >= 0)",
                 &options->signed_names, kDetail},
                {"--over TEXT", "without LAYOUT, the bounds of all indices, such as 'i0<M, i1<N'", &options->over},
                {"--below TEXT", "with --law in-bounds, prove that --formula is at least 0 and less than this formula",
                 &options->below, kDetail},
                {"--integers int32|uint32|int64",
                 "prove that nothing overflows this type of C, or of C++20, such as int32:c++20", &options->integers},
                {"--tiles FILE", "prove every entry of this file, several at a time", &options->tiles},
                ShardOption("prove", options->shard),
                {"--out DIR",
                 "keep the results of --tiles in this directory and continue from them, with a manifest for "
                 "layoutcheck merge",
                 &options->out, kDetail},
                JobsOption(options->jobs, kDetail),
                {"--results FILE", "save the results of --tiles in this file, and continue from it", &options->results,
                 kDetail},
                LawOption(options->laws, ProvedLaws())},
               ProofOptions(options->proof)}),
          .run = [options] { return RunProveCommand(*options); },
          .given = &options->given,
          .reports_interruption = true};
}

}  // namespace layoutcheck
