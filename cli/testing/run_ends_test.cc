// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ways in which a run of check, replay or serve can end, each with its exit code. A run is never cleaner than what
// it saw: exit code 0 means that everything that was asked was answered, and rightly.
#include <gtest/gtest.h>
#include <optional>
#include <sstream>
#include <string>
#include <vector>
#include "layoutcheck/cli/testing/run_program.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

// Returns the argument --subject for the faulty subject with these arguments.
std::string Faulty(const std::string& arguments) { return StrCat("--subject 'exec:", kFaulty, " ", arguments, "' "); }

// One way to end. The command runs in an empty directory, with stdout and stderr together.
struct CommandEnd {
  std::string command;
  int exit_code;
  std::vector<std::string> says;      // each part of the output
  std::optional<bool> complete = {};  // of the totals of --json
};

// Returns the last line that is JSON.
std::string TotalsIn(const std::string& text) {
  std::istringstream lines(text);
  std::string last;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('{')) last = line;
  }
  return last;
}

void Expect(const std::vector<CommandEnd>& ends) {
  for (const CommandEnd& end : ends) {
    const TemporaryDirectory directory;
    const auto result = RunShell(end.command, directory.path());
    EXPECT_EQ(result.exit_code, end.exit_code) << end.command << "\n" << result.out;
    for (const std::string& part : end.says) {
      EXPECT_NE(result.out.find(part), std::string::npos) << end.command << "\nsays: " << part << "\n" << result.out;
    }
    if (!end.complete) continue;
    const Json totals = Json::Parse(TotalsIn(result.out)).value_or(Json());
    ASSERT_TRUE(totals.is_object()) << end.command << "\n" << result.out;
    EXPECT_EQ(totals["complete"], *end.complete) << end.command;
  }
}

TEST(RunEnds, OfCheckByItsExtent) {
  Expect({
      {"layoutcheck check --cases 20 --json", 0, {}, true},
      // Time is the extent if nothing else is asked for; otherwise, what it cut off is undecided.
      {"layoutcheck check --time 300ms --json", 0, {}, true},
      {"layoutcheck check --time 300ms --cases 100000000 --json 2>&1", 3, {"the time was up"}, false},
      {"layoutcheck check --exhaustive 6 --time 300ms --json 2>&1", 3, {"the time was up"}, false},
      {"layoutcheck check --exhaustive 1 --json", 0, {}, true},
      {"layoutcheck check --subject \"exec:read l; echo '{\\\"name\\\":\\\"mute\\\",\\\"ops\\\":[]}'; cat > "
       "/dev/null\" "
       "--cases 5",
       3,
       {"nothing was checked"}},
      {StrCat("layoutcheck check --stop-at-first --json --cases 500 ", Faulty("--fault tiles-ignored"),
              "2>/dev/null | tail -n 1 | tee f; ! grep -q '\"findings\":1,' f"),
       1,
       {},
       false},
  });
}

TEST(RunEnds, OfCheckByASignal) {
  for (const std::string signal : {"INT", "TERM"}) {
    const std::string timeout =
        StrCat("timeout --preserve-status -s ", signal, " 1 layoutcheck check --time 60s --json ");
    Expect({{timeout, 3, {"the run was interrupted"}, false},
            {StrCat(timeout, Faulty("--fault tiles-ignored")), 1, {"\"law\":\"linear-index\""}, false}});
  }
}

TEST(RunEnds, OfCheckByItsSubject) {
  const std::string check = "layoutcheck check --cases 60 ";
  Expect({
      {StrCat(check, Faulty("--fault tiles-ignored"), "--json"), 1, {"\"law\":\"linear-index\""}, true},
      {StrCat(check, Faulty("--behavior dies-on-tiles"), "--law linear-index"),
       1,
       {"breaks subject-crash", "  layout     f32[]{:T(1)}\n", "  at request {\"op\":\"table\"",
        "send    {\"op\":\"table\",\"layout\":\"f32[]{:T(1)}\"}", "expect  {\"offsets\":[0]}", "killed by signal 6"}},
      {StrCat(check, Faulty("--behavior hangs-on-tiles"), "--law linear-index --subject-timeout 500ms"),
       1,
       {"breaks subject-timeout", "  layout     f32[]{:T(1)}\n",
        "law linear-index was given up after the subject hung in 4 cases"}},
      {StrCat("layoutcheck check --exhaustive 1 ", Faulty("--behavior dies-after-50"), "--law linear-index --jobs 1"),
       1,
       {"breaks subject-crash", "  repeats    not reproduced alone, after 49 requests"}},
      // Whatever else was asked, the sixth question is the last one.
      {StrCat("cat > short <<'END'\nread -r hello\necho '{\"name\":\"short\",\"ops\":[\"table\",\"size\"]}'\n"
              "n=0\nwhile read -r l; do n=$((n + 1)); [ $n -gt 5 ] && kill -9 $$; echo \"$l\" | layoutcheck serve; "
              "done\nEND\n",
              check, "--jobs 1 --law linear-index --law sizes --subject 'exec:sh ./short'"),
       1,
       {"breaks subject-crash", "  repeats    not reproduced alone, after "}},
      // The request to paste is the one that got the error.
      {StrCat(check,
              "--law linear-index --subject \"exec:read l; echo '{\\\"name\\\":\\\"e\\\",\\\"ops\\\":[\\\"offset\\\"]"
              "}'; while read l; do echo '{\\\"error\\\":\\\"no memory\\\"}'; done\""),
       1,
       {"  actual     error: no memory", "send    {\"op\":\"offset\","}},
      {StrCat(check, "--subject exec:"), 2, {"expected a command after 'exec:'"}},
      {StrCat(check, Faulty("--behavior dies-at-end")), 1, {"breaks subject-crash", "after the end of its input"}},
      {StrCat(check, Faulty("--behavior flaky"), "--law linear-index"), 1, {"  repeats    flaky"}},
      {StrCat("layoutcheck check --exhaustive 1 ", Faulty("--behavior remembers"), "--law linear-index --jobs 1"),
       1,
       {"breaks linear-index", "  repeats    not reproduced alone, after 5"}},
      {StrCat(check, "--subject 'exec:echo garbage'"), 1, {"breaks subject-protocol"}},
      {StrCat(check, "--subject 'exec:exit 1'"), 1, {"breaks subject-crash"}},
      {StrCat(check, "--subject exec:./none"), 2, {"cannot run the command"}},
      {StrCat(check, "--subject lib:./none.so"), 2, {"none.so"}},
      {StrCat("LAYOUTCHECK_TEST_LIBRARY=crash ", check, "--subject lib:" LAYOUTCHECK_TEST_LIBRARY),
       1,
       {"breaks subject-crash"}},
      {StrCat("LAYOUTCHECK_TEST_LIBRARY=crash ", check, "--jobs 1 --subject lib:" LAYOUTCHECK_TEST_LIBRARY),
       1,
       {"breaks subject-crash", "the library ended the run"}},
      {StrCat("LAYOUTCHECK_TEST_LIBRARY=exit ", check, "--jobs 1 --subject lib:" LAYOUTCHECK_TEST_LIBRARY),
       1,
       {"ended this process with status 0", "the library ended the run"}},
  });
}

// A subject that answers offsets and tables of layouts with at most one tile.
const std::string kFew = R"(cat > few <<'END'
read -r hello
echo '{"name":"few","ops":["offset","table"],"limits":{"max_tiles":1}}'
exec layoutcheck serve
END
)";

TEST(RunEnds, OfCheckWhereWhatTheUserNamedIsNotAnswered) {
  const std::string check = kFew + "layoutcheck check --subject 'exec:sh ./few' ";
  const std::string tiled = "'f32[8,8]{1,0:T(2,2)(2,1)}' ";
  Expect({
      {check + "'f32[2,3]{1,0}' --json", 0, {"\"unanswered\":[]"}, true},
      {check + "--cases 20 2>&1", 0, {"declined in every case: ", "relayout"}},
      {check + "--cases 20 --law linear-index --law relayout 2>&1",
       3,
       {"undecided, because it was never answered: --law relayout\n"}},
      {check + "'f32[2,3]{1,0}' " + tiled + "2>&1",
       3,
       {"undecided, because it was never answered: f32[8,8]{1,0:T(2,2)(2,1)}\n"}},
      {check + "'f32[2]{0}' 'f32[M,4]{1,0:T(2,2)(2,1)}' --cases 20 --json 2>&1",
       3,
       {"\"unanswered\":[\"f32[M,4]{1,0:T(2,2)(2,1)}\"]"}},
      {check + tiled + "2>&1", 3, {"nothing was checked", "f32[8,8]{1,0:T(2,2)(2,1)}"}},
      {"layoutcheck check --law composition 'f32[2]{0}'",
       2,
       {"--law composition takes arguments such as '(4,3):(3,1); 6:1', got 'f32[2]{0}'"}},
      {"layoutcheck check --law linear-index '(4,3):(3,1); 6:1'",
       2,
       {"--law linear-index takes XLA layouts such as 'f32[2,3]{1,0}', got '(4,3):(3,1); 6:1'"}},
      // Of the shares of a run, one may answer what another does not.
      {check + "'f32[2,3]{1,0}' 'f32[3,2]{1,0}' --shard 1/2 --out 1 && layoutcheck check --subject 'exec:sh ./few' " +
           "'f32[2,3]{1,0}' 'f32[3,2]{1,0}' --shard 2/2 --out 2 && layoutcheck merge 1 2",
       0,
       {"2 cases, "}},
      {check + "'f32[2,3]{1,0}' " + tiled + "--shard 1/2 --out 1; layoutcheck check --subject 'exec:sh ./few' " +
           "'f32[2,3]{1,0}' " + tiled + "--shard 2/2 --out 2; layoutcheck merge 1 2 2>&1",
       3,
       {"undecided, because it was never answered: f32[8,8]{1,0:T(2,2)(2,1)}\n"}},
  });
}

TEST(RunEnds, ACaseCountsOnceWithACause) {
  Expect({
      {StrCat("layoutcheck check --law linear-index 'f32[2,3]{1,0:T(2)}' ", Faulty("--fault tiles-ignored"),
              "--json | tail -n 1"),
       0,
       {"\"cases\":1,\"laws\":1,\"findings\":1", "\"counts\":[1]"}},
      {StrCat("layoutcheck check --law linear-index --quiet --cases 200 ", Faulty("--fault tiles-ignored"),
              "> log; layoutcheck replay $(ls layoutcheck-out/*/findings.jsonl):1 > replayed; "
              "n=$(sed -n '1s/.*\"count\":\\([0-9]*\\).*/\\1/p' layoutcheck-out/*/findings.jsonl); "
              "grep \"$n failing cases have the cause\" log && grep \"  count      $n failing cases\" replayed"),
       0,
       {}},
      {StrCat("LAYOUTCHECK_TEST_LIBRARY=crash layoutcheck check --jobs 1 --law sizes --law linear-index --cases 60 "
              "--subject lib:" LAYOUTCHECK_TEST_LIBRARY),
       1,
       {" cases, 2 laws, "}},
  });
}

TEST(RunEnds, FindingsOfEarlierRunsAreKeptAndNamed) {
  const std::string check = "layoutcheck check --law linear-index --cases 60 --subject 'exec:./mine' ";
  const std::string broken = "printf '#!/bin/sh\\nexec ./faulty --fault tiles-ignored\\n' > mine; chmod +x mine; ";
  const std::string repaired = "printf '#!/bin/sh\\nexec layoutcheck serve\\n' > mine; ";
  const std::string start = StrCat("ln -s ", kFaulty, " faulty; ", broken);
  Expect({
      {StrCat(start, check, "> log 2>&1; ", check, "2>&1 | grep -c keeps"), 1, {"0\n"}},
      {StrCat(start, check, "> log 2>&1; ", repaired, check, "2>&1"),
       0,
       {"layoutcheck-out/mine/findings.jsonl keeps 1 finding about exec:./mine from earlier runs that this run did not "
        "find",
        "60 cases, 1 laws, 0 findings"}},
      {StrCat(start, check, "> log 2>&1; layoutcheck check --cases 5 2>&1 | grep -c keeps"), 1, {"0\n"}},
  });
}

TEST(RunEnds, OfCheckByItsFiles) {
  Expect({
      {"layoutcheck check --cases 5 > /dev/full", 2, {"cannot write to standard output: No space left on device"}},
      {"layoutcheck check --cases 5 >&-", 2, {"cannot write to standard output"}},
      {"touch file; layoutcheck check --cases 5 --out file", 2, {"--out"}},
      {StrCat("touch layoutcheck-out; layoutcheck check --cases 60 ", Faulty("--fault tiles-ignored")),
       2,
       {"layoutcheck-out"}},
      {"layoutcheck check --known none.jsonl", 2, {"cannot read none.jsonl"}},
  });
}

TEST(RunEnds, OfReplay) {
  const auto then = [](const std::string& subject, const std::string& command) {
    return StrCat("layoutcheck check --jobs 1 --law linear-index --exhaustive 1 --quiet ", subject, "> log 2>&1; ",
                  command);
  };
  const std::string replay = "layoutcheck replay $(ls layoutcheck-out/*/findings.jsonl):1 ";
  Expect({
      {then(Faulty("--fault tiles-ignored"), replay), 1, {"FOUND: ", "1 finding replayed, 1 found again"}},
      {then(Faulty("--fault tiles-ignored"), replay + "--subject reference"), 0, {"no longer found: linear-index"}},
      // The subject starts where the run was started.
      {StrCat("ln -s ", kFaulty, " mine; ", then("--subject 'exec:./mine --fault tiles-ignored' ", ""),
              "mkdir d; cd d; layoutcheck replay $(ls ../layoutcheck-out/*/findings.jsonl):1"),
       1,
       {"1 found again"}},
      {StrCat("ln -s ", kFaulty, " mine; ", then("--subject 'exec:./mine --fault tiles-ignored' ", "rm mine; "),
              replay),
       2,
       {"the subject does not start: cannot run the command", "1 finding replayed, 0 found again, 1 undecided"}},
      {then(Faulty("--fault tiles-ignored"), replay + "--subject 'exec:echo garbage'"),
       2,
       {"the subject does not start: "}},
      {then(Faulty("--fault tiles-ignored"),
            replay + "--subject \"exec:read l; echo '{\\\"name\\\":\\\"mute\\\",\\\"ops\\\":[]}'; cat > /dev/null\""),
       3,
       {"declines"}},
      {then(Faulty("--behavior flaky"), replay), 1, {"  repeats    flaky"}},
      {then(Faulty("--behavior remembers"), replay),
       3,
       {"replay asks only this question", "it was found as: not reproduced alone, after"}},
      {then(Faulty("--behavior dies-after-50"), replay),
       3,
       {"it was found as: not reproduced alone, after 49 requests"}},
      {then(Faulty("--behavior dies-on-tiles"), replay), 1, {"breaks subject-crash"}},
      {StrCat(then("--subject 'exec:echo garbage' ", replay)), 1, {"breaks subject-protocol"}},
      {"layoutcheck replay none.jsonl", 2, {"cannot read none.jsonl"}},
      {then(Faulty("--fault tiles-ignored"), replay + "> /dev/full"), 2, {"cannot write to standard output"}},
  });
}

TEST(RunEnds, OfServe) {
  const std::string request = R"(echo '{"op":"table","layout":"f32[2,3]{0,1}"}' | layoutcheck serve )";
  Expect({
      {request, 0, {"{\"offsets\":[0,2,4,1,3,5]}"}},
      {request + "> /dev/full", 2, {"layoutcheck serve: cannot write an answer: No space left on device"}},
      {request + "--subject nobody", 2, {"expected reference"}},
      {"layoutcheck serve < .", 2, {"cannot read a request"}},
  });
}

// Every other command that prints.
TEST(RunEnds, OnAFullDisk) {
  const std::string layout = "'f32[8,8]{1,0:T(2,2)}'";
  for (const std::string& command : std::vector<std::string>{
           StrCat("parse ", layout), StrCat("index ", layout, " 1,2"), StrCat("coord ", layout, " 3"),
           StrCat("show ", layout), StrCat("convert ", layout, " --to c"), StrCat("prove ", layout), "laws",
           "laws --markdown", "subjects", "--help", "--man", "--completion bash", "fuzz --time 200ms"}) {
    for (const char* output : {" > /dev/full", " >&-"}) {
      const TemporaryDirectory directory;
      const auto result = RunShell(StrCat("layoutcheck ", command, output), directory.path());
      EXPECT_EQ(result.exit_code, 2) << command << output << "\n" << result.out;
      EXPECT_NE(result.out.find("cannot write to standard output"), std::string::npos) << command << "\n" << result.out;
    }
  }
}

}  // namespace
}  // namespace layoutcheck
