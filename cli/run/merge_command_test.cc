// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include "layoutcheck/cli/testing/run_program.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

namespace fs = std::filesystem;

// The directories share.1 to share.N of one run, each made by the program.
class Shares {
 public:
  Shares(std::vector<std::string> command, int count) : command_(std::move(command)), count_(count) {
    for (int k = 1; k <= count; ++k) Run(k);
  }

  ProgramResult Run(int k) const {
    std::vector<std::string> arguments = command_;
    for (const std::string& word : {std::string("--shard"), std::to_string(k) + "/" + std::to_string(count_),
                                    std::string("--out"), Directory(k)}) {
      arguments.push_back(word);
    }
    return RunLayoutcheck(arguments);
  }
  std::string Directory(int k) const { return root_.path() + "/share." + std::to_string(k); }

  // Merges the shares in reverse order.
  ProgramResult Merge(std::vector<std::string> options = {}) const {
    std::vector<std::string> arguments = {"merge"};
    for (int k = count_; k >= 1; --k) arguments.push_back(Directory(k));
    arguments.insert(arguments.end(), options.begin(), options.end());
    return RunLayoutcheck(arguments);
  }
  std::string Root() const { return root_.path(); }

  void Edit(int k, const std::string& pointer, const Json& value) const {
    const std::string path = Directory(k) + "/manifest.json";
    Json manifest = Json::Parse(ReadFile(path)).value();
    Json* edited = &manifest;
    std::istringstream names(pointer.substr(1));
    for (std::string name; std::getline(names, name, '/');) edited = &(*edited)[name];
    *edited = value;
    std::ofstream(path) << manifest;
  }

 private:
  TemporaryDirectory root_;
  std::vector<std::string> command_;
  int count_;
};

// Returns the lines with the members that differ between one process and shares of its work removed.
std::vector<Json> Comparable(const std::string& text) {
  std::vector<Json> lines = JsonLines(text);
  for (Json& line : lines) {
    for (const char* name : {"complete", "count", "reproduce", "seconds"}) line.erase(name);
  }
  return lines;
}

TEST(MergeCommand, SharesOfACheckAreTheCheck) {
  const std::vector<std::string> command = {"check",   "--subject", "exec:" + kFaulty + " --fault text-metadata-lost",
                                            "--cases", "400",       "--json",
                                            "--seed",  "2"};
  const TemporaryDirectory directory;
  std::vector<std::string> whole = command;
  whole.insert(whole.end(), {"--out", directory.path()});
  const ProgramResult one = RunLayoutcheck(whole);
  ASSERT_EQ(one.exit_code, 1) << one.err;
  const Shares shares(command, 3);
  const ProgramResult merged = shares.Merge({"--json", "--out", directory.path() + "/merged"});
  EXPECT_EQ(merged.exit_code, 1) << merged.err;
  EXPECT_EQ(merged.err, "");
  const auto expected = Comparable(one.out);
  const auto actual = Comparable(merged.out);
  // The same findings in the same order; the totals have their counts.
  EXPECT_EQ(actual, expected);
  EXPECT_GE(actual.size(), 4u);
  // The findings of the merged run are replayed from its own file.
  const auto finding = JsonLines(ReadFile(directory.path() + "/merged/findings.jsonl")).at(0);
  EXPECT_EQ(finding["reproduce"], "layoutcheck replay " + directory.path() + "/merged/findings.jsonl:1");
  // A merged run is a whole run of one share.
  EXPECT_EQ(Comparable(RunLayoutcheck({"merge", directory.path() + "/merged", "--json"}).out), actual);
}

TEST(MergeCommand, ACleanCheckIsClean) {
  const Shares shares({"check", "--cases", "100"}, 3);
  const ProgramResult merged = shares.Merge();
  EXPECT_EQ(merged.exit_code, 0) << merged.err;
  EXPECT_EQ(merged.out, RunLayoutcheck({"check", "--cases", "100"}).out);
}

TEST(MergeCommand, SharesOfAProofAreTheProof) {
  const TemporaryDirectory directory;
  const std::string tiles = directory.path() + "/tiles.txt";
  std::ofstream(tiles) << "f32[N]{0:T(128)}\nf32[M,N]{1,0:T(8,128)}\nf32[M,N]{1,0}; formula i0 * M + i1\n(4,6):(3,2)\n";
  // The last share is empty.
  const Shares shares({"prove", "--tiles", tiles}, 5);
  const ProgramResult empty = shares.Run(5);
  EXPECT_EQ(empty.exit_code, 3);
  EXPECT_EQ(empty.err, "layoutcheck prove: nothing was asked: share 5/5 of " + tiles + " has no entry\n");
  const ProgramResult whole = RunLayoutcheck({"prove", "--tiles", tiles, "--json"});
  const ProgramResult merged = shares.Merge({"--json"});
  EXPECT_EQ(merged.exit_code, 1) << merged.err;
  EXPECT_EQ(Comparable(merged.out), Comparable(whole.out));
  // The file of results of a merged run continues the run.
  EXPECT_EQ(shares.Merge({"--out", directory.path() + "/all"}).exit_code, 1);
  EXPECT_EQ(
      RunLayoutcheck({"prove", "--tiles", tiles, "--json", "--results", directory.path() + "/all/results.jsonl"}).out,
      merged.out);
}

TEST(MergeCommand, IncompleteIsUndecided) {
  const Shares shares({"check", "--cases", "60"}, 2);
  shares.Edit(2, "/complete", false);
  const ProgramResult merged = shares.Merge({"--json"});
  EXPECT_EQ(merged.exit_code, 3);
  EXPECT_EQ(merged.err,
            "layoutcheck merge: warning: " + shares.Directory(2) + ": share 2/2 is incomplete: run it again\n");
  EXPECT_EQ(JsonLines(merged.out).back()["complete"], false);
  // The share is run again in the same directory.
  EXPECT_EQ(shares.Run(2).exit_code, 0);
  EXPECT_EQ(shares.Merge().exit_code, 0);
}

TEST(MergeCommand, AProofWithoutItsResultIsUndecided) {
  const TemporaryDirectory directory;
  const std::string tiles = directory.path() + "/tiles.txt";
  std::ofstream(tiles) << "f32[N]{0:T(128)}\nf32[M,N]{1,0:T(8,128)}\n";
  const Shares shares({"prove", "--tiles", tiles, "--law", "injective"}, 2);
  EXPECT_EQ(shares.Merge().exit_code, 0);
  fs::remove(shares.Directory(2) + "/results.jsonl");
  const ProgramResult merged = shares.Merge();
  EXPECT_EQ(merged.exit_code, 3);
  EXPECT_NE(merged.err.find("f32[M,N]{1,0:T(8,128)} was not decided"), std::string::npos) << merged.err;
}

TEST(MergeCommand, RefusesSharesThatAreNotOneRun) {
  const Shares shares({"check", "--cases", "60", "--law", "sizes"}, 3);
  const auto merge = [&](std::vector<std::string> directories) {
    directories.insert(directories.begin(), "merge");
    const ProgramResult result = RunLayoutcheck(directories);
    EXPECT_EQ(result.exit_code, 2) << result.out;
    EXPECT_EQ(result.out, "");
    return result.err;
  };
  const std::string one = shares.Directory(1);
  const std::string two = shares.Directory(2);
  EXPECT_EQ(merge({one}), "layoutcheck merge: missing: share 2/3, 3/3\n");
  EXPECT_EQ(merge({one, two, one}), "layoutcheck merge: " + one + " and " + one + " are both share 1/3\n");
  EXPECT_EQ(merge({one, shares.Root()}), "layoutcheck merge: " + shares.Root() +
                                             " is not the --out of a run with --shard: cannot read " + shares.Root() +
                                             "/manifest.json\n");
  const std::string mixed = "layoutcheck merge: " + one + " and " + two + " are not shares of one run: ";
  const std::string other = shares.Directory(2) + "/manifest.json";
  const std::string good = ReadFile(other);
  shares.Edit(2, "/options/--cases", Json::array({"61"}));
  EXPECT_EQ(merge({one, two}), mixed + "--cases: [\"60\"] and [\"61\"]\n");
  std::ofstream(other) << good;
  shares.Edit(2, "/version", "9.9");
  EXPECT_NE(merge({one, two}).find(mixed + "version: "), std::string::npos);
  std::ofstream(other) << good;
  shares.Edit(2, "/share", "2/4");
  EXPECT_EQ(merge({one, two}), mixed + "the number of shares: 3 and 4\n");
  for (const char* broken : {"", "{", "[]", "{\"share\":\"1/3\"}"}) {
    std::ofstream(other) << broken;
    EXPECT_EQ(merge({one, two}), "layoutcheck merge: " + other + " is no manifest of a share\n") << broken;
  }
}

TEST(MergeCommand, AFileThatChangedBetweenSharesIsNamed) {
  const TemporaryDirectory directory;
  const std::string tiles = directory.path() + "/tiles.txt";
  std::ofstream(tiles) << "f32[N]{0:T(128)}\nf32[N]{0:T(64)}\n";
  const Shares shares({"prove", "--tiles", tiles, "--law", "injective"}, 2);
  std::ofstream(tiles) << "f32[N]{0:T(128)}\nf32[N]{0:T(32)}\n";
  const ProgramResult again = shares.Run(2);
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_NE(again.err.find("has another share: the content of " + tiles), std::string::npos) << again.err;
}

TEST(MergeCommand, AShareDoesNotTakeTheDirectoryOfAnother) {
  const Shares shares({"check", "--cases", "10"}, 2);
  const ProgramResult result =
      RunLayoutcheck({"check", "--cases", "10", "--shard", "2/2", "--out", shares.Directory(1)});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("has another share: share 1/2 and 2/2; expected a directory per share"), std::string::npos)
      << result.err;
}

TEST(MergeCommand, TheWholeDoesNotReplaceAShare) {
  const Shares shares({"check", "--cases", "10"}, 2);
  const std::string manifest = ReadFile(shares.Directory(1) + "/manifest.json");
  const ProgramResult result = shares.Merge({"--out", shares.Directory(1) + "/"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("/share.1/ would replace DIR "), std::string::npos) << result.err;
  EXPECT_EQ(ReadFile(shares.Directory(1) + "/manifest.json"), manifest);
}

// A share has too few cases to judge, and reports nothing of its own.
TEST(MergeCommand, TheRateOfKnownDifferencesIsJudgedOnTheWhole) {
  const TemporaryDirectory directory;
  const std::string known = directory.path() + "/known.jsonl";
  std::ofstream(known) << R"({"law":"linear-index","actual":"[0-9]+","reason":"r","version":"1","reference":"x"})"
                       << "\n";
  const std::vector<std::string> command = {"check", "--subject",    "exec:" + kFaulty + " --fault order-not-reversed",
                                            "--law", "linear-index", "--cases",
                                            "60",    "--known",      known,
                                            "--json"};
  std::vector<std::string> whole = command;
  whole.insert(whole.end(), {"--out", directory.path()});
  const Shares shares(command, 4);
  const ProgramResult share = shares.Run(1);
  EXPECT_EQ(share.exit_code, 0) << share.out;
  EXPECT_EQ(JsonLines(share.out).size(), 1u) << share.out;
  const ProgramResult merged = shares.Merge({"--json"});
  EXPECT_EQ(merged.exit_code, 1);
  EXPECT_NE(merged.out.find("44 of 60 cases of linear-index are known, by line 1"), std::string::npos) << merged.out;
  EXPECT_EQ(Comparable(merged.out), Comparable(RunLayoutcheck(whole).out));
}

TEST(MergeCommand, GivenLayoutsAreSharedToo) {
  // The pattern shrinks to the first layout, which is also given.
  const std::vector<std::string> layouts = {"f32[M,1]{1,0:T(8,128)}", "f32[9,1]{1,0:T(8,128)}", "f32[3]{0}",
                                            "f32[17,3]{1,0:T(8,128)}"};
  std::vector<std::string> command = {"check", "--subject", "exec:" + kFaulty + " --fault drop-last-tile", "--json"};
  command.insert(command.end(), layouts.begin(), layouts.end());
  const TemporaryDirectory directory;
  std::vector<std::string> whole = command;
  whole.insert(whole.end(), {"--out", directory.path()});
  const Shares shares(command, 2);
  EXPECT_EQ(Comparable(shares.Merge({"--json"}).out), Comparable(RunLayoutcheck(whole).out));
}

TEST(MergeCommand, SharesOfAFuzzRunHaveEachCauseOnce) {
  const std::vector<std::string> command = {"fuzz",    "--subject", "exec:" + kFaulty + " --fault text-metadata-lost",
                                            "--cases", "1000",      "--json"};
  const Shares shares(command, 3);
  int64_t count = 0;
  std::set<std::string> texts;
  for (int k = 1; k <= 3; ++k) {
    const Json totals = JsonLines(shares.Run(k).out).back();
    EXPECT_EQ(totals["cases"], k == 1 ? 334 : 333);
    for (const Json& of_finding : totals["counts"]) count += of_finding.get<int64_t>();
  }
  const ProgramResult merged = shares.Merge({"--json"});
  EXPECT_EQ(merged.exit_code, 1) << merged.err;
  std::vector<Json> lines = JsonLines(merged.out);
  const Json totals = lines.back();
  lines.pop_back();
  EXPECT_EQ(totals["cases"], 1000);
  EXPECT_EQ(totals["findings"], lines.size());
  ASSERT_GE(lines.size(), 1u);
  for (const Json& finding : lines) {
    EXPECT_EQ(finding["law"], "loses-field") << finding;
    EXPECT_TRUE(texts.insert(finding["layout"].text()).second) << finding;
    count -= finding["count"].get<int64_t>();
  }
  EXPECT_EQ(count, 0);
}

// The share and the seed determine the texts: those that the run keeps.
TEST(MergeCommand, EachShareOfAFuzzRunHasTextsOfItsOwn) {
  const TemporaryDirectory directory;
  const ProgramResult result = RunShell(
      "fuzz() { layoutcheck fuzz --cases 1200 --shard $1/2 --corpus $2 --out out.$2 >/dev/null && cat $2/* | sort; }\n"
      "fuzz 1 a >a.txt; fuzz 1 b >b.txt; fuzz 2 c >c.txt; cmp a.txt b.txt && ! cmp -s a.txt c.txt && wc -l <a.txt",
      directory.path());
  EXPECT_EQ(result.exit_code, 0) << result.out;
}

// The line is seen by one share only, and no share alone can say so.
TEST(MergeCommand, KnownDifferencesAreJudgedOnTheWhole) {
  const TemporaryDirectory directory;
  const std::string known = directory.path() + "/known.jsonl";
  std::ofstream(known)
      << R"({"law":"linear-index","pattern":"never","actual":"never","reason":"r","version":"1","reference":"x"})"
      << "\n";
  const Shares shares({"check", "--cases", "40", "--known", known}, 2);
  EXPECT_EQ(shares.Run(1).err.find("matched line"), std::string::npos);
  const ProgramResult merged = shares.Merge();
  EXPECT_NE(merged.err.find("known.jsonl: no failure in this run matched line 1"), std::string::npos) << merged.err;
}

// A scheduler ends a job by signals to all of its processes, in any order.
TEST(MergeCommand, ASubjectThatASchedulerEndsIsNoFinding) {
  for (const std::string command : {"check", "fuzz"}) {
    const TemporaryDirectory directory;
    const ProgramResult result = RunShell(
        "layoutcheck " + command +
            " --subject exec:" LAYOUTCHECK_FAULTY_SUBJECT
            " --cases 100000000 --jobs 1 --shard 1/2 --out share >out.txt 2>err.txt & p=$!\n"
            "until c=$(pgrep -P $p); do sleep 0.02; done; sleep 0.3; kill -TERM $c; sleep 0.02; kill -TERM $p\n"
            "wait $p; echo $?; cat share/findings.jsonl; cat out.txt",
        directory.path());
    EXPECT_TRUE(result.out.starts_with("3\n")) << command << "\n" << result.out;
    EXPECT_NE(result.out.find(" 0 findings"), std::string::npos) << command << "\n" << result.out;
  }
}

TEST(MergeCommand, AKilledShareLeavesAManifestThatSaysSo) {
  const TemporaryDirectory directory;
  const ProgramResult killed = RunShell(
      "layoutcheck check --cases 100000000 --shard 1/2 --out share & p=$!; "
      "until [ -s share/manifest.json ]; do sleep 0.02; done; kill -9 $p; wait $p; cat share/manifest.json",
      directory.path());
  const Json manifest = Json::Parse(killed.out.substr(killed.out.find('{'))).value_or(Json());
  ASSERT_TRUE(manifest.is_object()) << killed.out;
  EXPECT_EQ(manifest["complete"], false);
  EXPECT_EQ(manifest["share"], "1/2");
  EXPECT_EQ(manifest["options"]["--cases"], Json::array({"100000000"}));
}

TEST(MergeCommand, AShareThatIsRunAgainListsWhatTheLastRunFound) {
  const TemporaryDirectory directory;
  const auto run = [&] {
    return RunShell("layoutcheck check --subject 'exec:" + kFaulty +
                        " --fault drop-last-tile' --cases 60 --shard 1/1 --out share >/dev/null; "
                        "layoutcheck merge share --json 2>warnings",
                    directory.path());
  };
  const ProgramResult once = run();
  EXPECT_EQ(once.exit_code, 1) << once.out;
  // A run that was killed while it shrank has left another layout.
  RunShell("sed -i 's/\\[[0-9,]*\\]/[77,77]/' share/findings.jsonl", directory.path());
  EXPECT_EQ(run().out, once.out);
  EXPECT_TRUE(std::filesystem::exists(directory.path() + "/share/findings.before-1.jsonl"));
  EXPECT_NE(ReadFile(directory.path() + "/warnings").find("share/findings.before-1.jsonl has findings"),
            std::string::npos);
}

}  // namespace
}  // namespace layoutcheck
