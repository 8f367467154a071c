// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include "layoutcheck/cli/testing/run_program.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

TEST(ProveCommand, ProvesAllLaws) {
  const ProgramResult result = RunLayoutcheck({"prove", "f32[M,N]{1,0:T(P,128)}"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_EQ(result.out.find("refuted"), std::string::npos) << result.out;
  EXPECT_EQ(result.out.find("unknown"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find(" proved for all M, N >= 0, all P >= 1 and every index (mixed-radix, "), std::string::npos)
      << result.out;
  EXPECT_EQ(result.err, "");
}

TEST(ProveCommand, JsonHasTheFieldsOfTheContract) {
  const ProgramResult result =
      RunLayoutcheck({"prove", "f32[M,N]{1,0:T(8,128)}", "--law", "injective", "--law", "in-bounds", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const auto lines = JsonLines(result.out);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0]["layout"], "f32[M,N]{1,0:T(8,128)}");
  EXPECT_EQ(lines[0]["law"], "injective");
  EXPECT_EQ(lines[0]["verdict"], "proved");
  EXPECT_EQ(lines[0]["for_all"], Json::array({"M", "N"}));
  EXPECT_EQ(lines[0]["ranges"], Json({{"M", ">= 0"}, {"N", ">= 0"}}));
  EXPECT_EQ(lines[0]["method"], "mixed-radix");
  EXPECT_GT(lines[0]["seconds"].get<double>(), 0);
  EXPECT_FALSE(lines[0].contains("counterexample"));
  EXPECT_FALSE(lines[0].contains("reason"));
}

TEST(ProveCommand, ARefutedLawHasACounterexampleThatTheProgramConfirms) {
  const ProgramResult result =
      RunLayoutcheck({"prove", "f32[8,128]{1,0:T(8,128)(3,1)}", "--law", "onto-padded-box", "--json"});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  const auto lines = JsonLines(result.out);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0]["verdict"], "refuted");
  const auto& counterexample = lines[0]["counterexample"];
  EXPECT_EQ(counterexample["expected"], 1);
  EXPECT_EQ(counterexample["actual"], 0);
  // The array is its own padded box, so an offset without an element is padding.
  const ProgramResult coordinate =
      RunLayoutcheck({"coord", "f32[8,128]{1,0:T(8,128)(3,1)}", counterexample["offset"].Dump()});
  EXPECT_EQ(coordinate.out, "padding\n");
}

TEST(ProveCommand, UndecidedIsNeitherProvedNorRefuted) {
  const ProgramResult result =
      RunLayoutcheck({"prove", "f32[M,N]{1,0:T(P,Q)}", "--law", "injective", "--rlimit", "50", "--json"});
  EXPECT_EQ(result.exit_code, 3);
  const auto lines = JsonLines(result.out);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0]["verdict"], "unknown");
  EXPECT_NE(lines[0]["reason"], "");
}

TEST(ProveCommand, SolversThatDisagreeAreAnError) {
  const ProgramResult result =
      RunLayoutcheck({"prove", "f32[M]{0:T(8)}", "--law", "injective", "--second-solver", "echo sat"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.out.find("echo sat answers sat, not unsat"), std::string::npos) << result.out;
  EXPECT_EQ(result.out.find(" proved"), std::string::npos) << result.out;
}

TEST(ProveCommand, WritesSmtLib) {
  const TemporaryDirectory directory;
  const ProgramResult result =
      RunLayoutcheck({"prove", "f32[M]{0:T(P)}", "--law", "in-bounds", "--emit-smt2", directory.path() + "/queries"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(directory.path() + "/queries")) {
    ++files;
    EXPECT_EQ(entry.path().extension(), ".smt2");
    EXPECT_NE(ReadFile(entry.path().string()).find("\n; expected: "), std::string::npos) << entry.path();
  }
  EXPECT_GE(files, 6u);
}

TEST(ProveCommand, InBoundsIsAboutEachComponent) {
  const ProgramResult result = RunLayoutcheck(
      {"prove", "--formula", "(i0, i0+5)", "--over", "i0 < M", "--law", "in-bounds", "--below", "(M, M)"});
  EXPECT_EQ(result.exit_code, 1) << result.out << result.err;
  EXPECT_NE(result.out.find("in-bounds[1]                   refuted: M=1 i0=0 below=1 actual=5"), std::string::npos)
      << result.out;
}

TEST(ProveCommand, ARightFormulaIsProvedForAllSizes) {
  const ProgramResult result =
      RunLayoutcheck({"prove", "f32[M,N]{1,0:T(8,128)}", "--formula",
                      "((i0 >> 3) * ((N + 127) / 128) + i1 / 128) * 1024 + i0 % 8 * 128 + (i1 & 127)", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  const auto lines = JsonLines(result.out);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0]["law"], "formula");
  EXPECT_EQ(lines[0]["verdict"], "proved");
  EXPECT_EQ(lines[0]["for_all"], Json::array({"M", "N"}));
  EXPECT_EQ(lines[0]["method"], "canonical-form");
}

TEST(ProveCommand, AWrongFormulaHasACounterexampleThatTheProgramConfirms) {
  const ProgramResult result =
      RunLayoutcheck({"prove", "f32[M,N]{1,0:T(8,128)}", "--formula",
                      "(i0 / 8 * (N / 128) + i1 / 128) * 1024 + i0 % 8 * 128 + i1 % 128", "--json"});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  const auto lines = JsonLines(result.out);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0]["counterexample"].Dump(), R"({"M":9,"N":1,"i0":8,"i1":0,"expected":1024,"actual":0})");
  EXPECT_EQ(RunLayoutcheck({"index", "f32[9,1]{1,0:T(8,128)}", "8,0"}).out, "1024\n");
}

TEST(ProveCommand, AFormulaWithoutAValueIsWrongThere) {
  const ProgramResult result = RunLayoutcheck({"prove", "--formula", "a / b * b + a % b", "--equals", "a", "--json"});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  const auto lines = JsonLines(result.out);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0]["layout"], nullptr);
  EXPECT_EQ(lines[0]["counterexample"]["actual"], nullptr);
  EXPECT_EQ(lines[0]["reason"], "actual has no value: a / b: division by zero");
  const ProgramResult assumed =
      RunLayoutcheck({"prove", "--formula", "a / b * b + a % b", "--equals", "a", "--assume", "b != 0"});
  EXPECT_EQ(assumed.exit_code, 0) << assumed.out;
}

TEST(ProveCommand, SecondSolverConfirmsAFormula) {
  const ProgramResult result = RunLayoutcheck(
      {"prove", "f32[N]{0:T(128)}", "--formula", "i0 / 128 * 128 + i0 % 128", "--second-solver", "cvc5 --lang smt2"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
}

TEST(ProveCommand, OverflowIsRefutedWithTheSmallestShapeAndThePart) {
  // The array has up to 2^31 - 1 elements of one byte: i0 * i0 overflows int32 from 46341 rows on, and fits int64.
  const std::vector<std::string> command = {"prove",      "s8[M]{0}", "--formula", "i0 * i0 - i0 * (i0 - 1)",
                                            "--integers", "int32",    "--json"};
  const ProgramResult result = RunLayoutcheck(command);
  EXPECT_EQ(result.exit_code, 1) << result.out << result.err;
  const auto lines = JsonLines(result.out);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0]["verdict"], "proved");
  EXPECT_EQ(lines[1]["law"], "no-overflow");
  EXPECT_EQ(lines[1]["verdict"], "refuted");
  EXPECT_EQ(lines[1]["subexpression"], "i0 * i0");
  EXPECT_EQ(lines[1]["counterexample"].Dump(), R"({"M":46342,"i0":46341,"expected":2147488281,"actual":-2147479015})");
}

TEST(ProveCommand, ALayoutsOwnIndexDoesNotOverflow) {
  for (const char* integers : {"int32", "uint32", "int64"}) {
    const ProgramResult result =
        RunLayoutcheck({"prove", "bf16[M,N]{1,0:T(8,128)(2,1)}", "--integers", integers, "--json"});
    EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
    EXPECT_EQ(JsonLines(result.out)[0]["law"], "no-overflow");
  }
}

TEST(ProveCommand, AnUnsignedResultBelowZeroIsAFinding) {
  const std::vector<std::string> formula = {"prove", "f32[M]{0}", "--formula", "i0 - 1 + 1", "--integers"};
  auto with = [&](const std::string& integers) {
    std::vector<std::string> arguments = formula;
    arguments.push_back(integers);
    return RunLayoutcheck(arguments);
  };
  EXPECT_EQ(with("int32").exit_code, 0);
  const ProgramResult result = with("uint32");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.out.find("no-overflow                    refuted: M=1 i0=0 expected=-1 actual=4294967295; i0 - 1"),
            std::string::npos)
      << result.out;
}

TEST(ProveCommand, ATileSetIsProvedAndARunGoesOnWhereItEnded) {
  const TemporaryDirectory directory;
  const std::string tiles = directory.path() + "/tiles.txt";
  std::ofstream(tiles) << "# two layouts and a wrong formula\n\nf32[N]{0:T(128)}\nf32[M,N]{1,0:T(8,128)}\n"
                          "f32[M,N]{1,0}; formula i0 * M + i1; assume M >= N\n";
  const std::vector<std::string> command = {"prove", "--tiles", tiles, "--results",
                                            directory.path() + "/results.jsonl"};
  const ProgramResult first = RunLayoutcheck(command);
  EXPECT_EQ(first.exit_code, 1) << first.err;
  EXPECT_NE(first.out.find("refuted: M=2 N=1 i0=1 i1=0 expected=1 actual=2"), std::string::npos) << first.out;
  EXPECT_NE(first.out.find("total: 3 entries"), std::string::npos);
  // The second run takes every result from the file, so even the seconds are the same.
  EXPECT_EQ(RunLayoutcheck(command).out, first.out);
  const auto shard = [&](const char* part) {
    return JsonLines(RunLayoutcheck({"prove", "--tiles", tiles, "--shard", part, "--json"}).out).size();
  };
  EXPECT_EQ(shard("1/2"), 8u);
  EXPECT_EQ(shard("2/2"), 7u);
}

TEST(ProveCommand, AShardingIsProvedOrRefutedWithTheAssumptionInTheLine) {
  const std::vector<std::string> equal = {"prove", "f32[M] mesh[2,2] S(0),S(0)", "--equals",
                                          "f32[M] mesh[d=2,t=2] P((\"d\", \"t\"))", "--json"};
  const ProgramResult refuted = RunLayoutcheck(equal);
  EXPECT_EQ(refuted.exit_code, 1) << refuted.out << refuted.err;
  EXPECT_EQ(JsonLines(refuted.out)[0]["counterexample"].Dump(), R"({"M":2,"i0":1,"expected":0,"actual":1})");
  std::vector<std::string> even = equal;
  even.insert(even.end(), {"--assume", "M mod 4 == 0"});
  const ProgramResult proved = RunLayoutcheck(even);
  EXPECT_EQ(proved.exit_code, 0) << proved.out << proved.err;
  EXPECT_EQ(JsonLines(proved.out)[0]["assume"], Json::array({"M mod 4 == 0"}));
}

// A message names the option that the user wrote.
TEST(ProveCommand, MessagesAboutABound) {
  const auto below = [](const char* bound) {
    return RunLayoutcheck({"prove", "f32[M]{0}", "--formula", "i0", "--law", "in-bounds", "--below", bound}).err;
  };
  EXPECT_EQ(below("(M, 1)"), "layoutcheck prove: --below: expected as many components as in --formula (1), found 2\n");
  EXPECT_EQ(below("K"),
            "layoutcheck prove: --below: column 1: expected i0, d0 or a name of the layout (M), found 'K'\n");
}

TEST(ProveCommand, ResultsOfAnotherQuestionAreNotReused) {
  const TemporaryDirectory directory;
  const std::string path = directory.path() + "/results.jsonl";
  std::ofstream(directory.path() + "/tiles.txt") << "f32[N]{0:T(128)}\n";
  size_t kept = 0;
  const auto runs_anew = [&](const std::string& options, const std::string& entry = {}) {
    if (!entry.empty()) std::ofstream(directory.path() + "/tiles.txt") << entry << "\n";
    const ProgramResult result =
        RunShell("layoutcheck prove --tiles tiles.txt --results results.jsonl " + options, directory.path());
    EXPECT_NE(result.exit_code, 2) << options << result.err;
    std::ifstream file(path);
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    size_t results = 0;
    for (size_t at = text.find("\"asked\":"); at != std::string::npos; at = text.find("\"asked\":", at + 1)) ++results;
    const bool is_new = results == kept + 1;
    kept = results;
    return is_new;
  };
  for (const char* options : {"", "--law in-bounds", "--law injective", "--law in-bounds --law injective",
                              "--integers int32", "--integers int64", "--integers int32:c++20", "--rlimit 40000000",
                              "--second-solver 'echo unsat'", "--second-solver 'echo unknown'",
                              "--second-solver true --emit-smt2 'b;'", "--second-solver 'echo b'", "--emit-smt2 a"}) {
    EXPECT_TRUE(runs_anew(options)) << options;
    EXPECT_FALSE(runs_anew(options)) << options;
  }
  // The entry is a part of the question with its formula, what it equals and its assumptions.
  for (const char* entry : {"f32[N]{0}; formula i0", "f32[N]{0}; formula i0 + 0",
                            "f32[N]{0}; formula i0; equals i0 * 1", "f32[N]{0}; formula i0; assume N < 9"}) {
    EXPECT_TRUE(runs_anew("", entry)) << entry;
    EXPECT_FALSE(runs_anew("", entry)) << entry;
  }
  // Results of another version are of another question, too.
  std::string text;
  {
    std::ifstream file(path);
    text.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  std::string version = RunLayoutcheck({"--version"}).out;
  version = version.substr(0, version.find('\n'));
  version = version.substr(version.find_last_of(' ') + 1);
  for (size_t at = text.find(version); at != std::string::npos; at = text.find(version, at + 1)) text[at] = '9';
  std::ofstream(path) << text;
  EXPECT_TRUE(runs_anew(""));
  // No option about compiled code goes with results that are kept, so none has to be in the question.
  for (const char* option : {"--code x.c --function f --args i0", "--clang-flags -O1", "--max-bytes 1GiB"}) {
    const ProgramResult result = RunShell(
        std::string("layoutcheck prove --tiles tiles.txt --results results.jsonl ") + option, directory.path());
    EXPECT_EQ(result.exit_code, 2) << option << result.out << result.err;
  }
}

// Names that are words of SMT-LIB, or look like symbols of queries, are names like others to each solver.
TEST(ProveCommand, NamesThatAreWordsOfSmtLib) {
  const bool has_cvc5 = RunShell("command -v cvc5", ".").exit_code == 0;
  for (const char* name : {"true",    "false", "_",  "let",    "and", "mod", "div", "ite",    "Int", "and0",
                           "product", "t",     "N0", "assert", "not", "abs", "par", "forall", "_0",  "name"}) {
    const std::string text = name;
    const bool is_operator = text == "let" || text == "mod";
    const std::string row = is_operator ? "i0" : "i0 * " + text;
    std::vector<std::string> right = {"prove", "f32[M," + text + "]{1,0:T(2)}", "--law", "injective"};
    std::vector<std::string> equal = {"prove", "--formula", row + " + (i1 & 7)", "--equals", row + " + i1 % 8"};
    const std::vector<std::string> wrong = {"prove", "--formula", row + " + (i1 & 7)", "--equals", row + " + i1 % 4"};
    if (has_cvc5) {
      for (auto* arguments : {&right, &equal}) {
        arguments->insert(arguments->end(), {"--second-solver", "cvc5 --lang smt2"});
      }
    }
    const ProgramResult injective = RunLayoutcheck(right);
    EXPECT_EQ(injective.exit_code, 0) << name << injective.out << injective.err;
    const ProgramResult equals = RunLayoutcheck(equal);
    EXPECT_EQ(equals.exit_code, 0) << name << equals.out << equals.err;
    EXPECT_EQ(RunLayoutcheck(wrong).exit_code, 1) << name;
  }
  for (const char* name : {"N!0", "and!0", "!", "digit!1"}) {
    EXPECT_EQ(RunLayoutcheck({"prove", "--formula", name, "--equals", name}).exit_code, 2) << name;
    EXPECT_EQ(RunLayoutcheck({"prove", "f32[" + std::string(name) + "]{0}"}).exit_code, 2) << name;
  }
}

TEST(ProveCommand, AFileThatIsNotOfResultsIsRefused) {
  const TemporaryDirectory directory;
  const std::string tiles = directory.path() + "/tiles.txt";
  const std::string results = directory.path() + "/results.jsonl";
  std::ofstream(tiles) << "f32[N]{0:T(128)}\n";
  const auto prove = [&](const std::string& content) {
    std::ofstream(results) << content;
    return RunLayoutcheck({"prove", "--tiles", tiles, "--results", results});
  };
  for (const char* line :
       {"7", R"({"asked":5,"entry":"f32[N]{0:T(128)}","results":[]})", R"({"asked":";","entry":[],"results":[]})",
        R"({"asked":";","entry":"f32[N]{0:T(128)}","results":5})",
        R"({"asked":";","entry":"f32[N]{0:T(128)}","results":[{"verdict":"proved"}]})"}) {
    const ProgramResult result = prove(std::string("\n") + line + "\n");
    EXPECT_EQ(result.exit_code, 2) << line << result.out;
    EXPECT_NE(result.err.find("line 2: expected \"asked\", \"entry\" and \"results\""), std::string::npos)
        << result.err;
  }
  // A line torn by a kill is no error, and the next result begins a new line.
  const ProgramResult first = prove(R"({"asked":";","entry":"f32[N]{0)");
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_EQ(RunLayoutcheck({"prove", "--tiles", tiles, "--results", results}).out, first.out);
}

TEST(ProveCommand, TheNumberOfJobsChangesNothing) {
  const std::string tiles = std::string(LAYOUTCHECK_CORPUS) + "/tiles/npu.txt";
  const auto prove = [&](const char* jobs) {
    auto lines = JsonLines(RunLayoutcheck({"prove", "--tiles", tiles, "--jobs", jobs, "--json"}).out);
    for (Json& line : lines) line.erase("seconds");
    return lines;
  };
  const auto one = prove("1");
  EXPECT_GT(one.size(), 11u);
  EXPECT_EQ(prove("2"), one);
  EXPECT_EQ(prove("7"), one);
}

// Whatever fails first, the program's allocations, Z3's or the start of a thread, the run ends undecided.
TEST(ProveCommand, WithoutEnoughMemoryItEndsUndecided) {
  const TemporaryDirectory directory;
  std::ofstream(directory.path() + "/tiles.txt") << "f32[N]{0:T(128)}\nf32[M,N]{1,0:T(8,128)}\nf32[M,N]{1,0:T(P,Q)}\n";
  int undecided = 0;
  for (int limit = 44; limit <= 140; limit += 8) {
    // A limit under which the program cannot even start, as with a sanitizer, says nothing.
    const ProgramResult result =
        RunShell("ulimit -c 0; ulimit -v " + std::to_string(limit) +
                     "000 && layoutcheck --version >start 2>&1 || exit 3; layoutcheck prove --tiles tiles.txt --jobs 4",
                 directory.path());
    EXPECT_TRUE(result.exit_code == 0 || result.exit_code == 3) << limit << ": " << result.exit_code << result.out;
    undecided += result.out.find("memory did not suffice") != std::string::npos ? 1 : 0;
  }
  std::printf("%d runs without enough memory\n", undecided);
}

TEST(ProveCommand, ALimitOfMemoryDoesNotChangeResults) {
#ifdef LAYOUTCHECK_SANITIZED
  GTEST_SKIP() << "AddressSanitizer reserves more than any limit";
#endif
  const TemporaryDirectory directory;
  const auto prove = [&](const std::string& prefix) {
    return RunShell(prefix + "layoutcheck prove 'f32[M,N]{1,0}' --formula 'i0*M+i1'", directory.path());
  };
  const ProgramResult limited = prove("ulimit -v 8000000; ");
  if (limited.exit_code == 127) GTEST_SKIP() << limited.out;
  EXPECT_EQ(limited.out, prove("").out);
  EXPECT_EQ(limited.exit_code, 1);
}

TEST(ProveCommand, ResultsThatCannotBeWrittenAreAnError) {
  const TemporaryDirectory directory;
  std::ofstream(directory.path() + "/tiles.txt") << "f32[N]{0:T(128)}\n";
  // No file may have any content, as on a full disk.
  const ProgramResult result = RunShell(
      "trap '' XFSZ; ulimit -f 0; layoutcheck prove --tiles tiles.txt --results results.jsonl", directory.path());
  EXPECT_EQ(result.exit_code, 2) << result.out;
  EXPECT_NE(result.out.find("cannot write results.jsonl: "), std::string::npos) << result.out;
}

TEST(ProveCommand, ShippedTileSetsAreProved) {
  for (const char* file : {"tpu.txt", "npu.txt"}) {
    const ProgramResult result =
        RunLayoutcheck({"prove", "--tiles", std::string(LAYOUTCHECK_CORPUS) + "/tiles/" + file});
    EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
    std::printf("%s", result.out.substr(result.out.rfind("total")).c_str());
  }
}

}  // namespace
}  // namespace layoutcheck
