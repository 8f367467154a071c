// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests that the examples in README.md, in docs/ and in the help of the commands print the output shown.
#include <gtest/gtest.h>
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/cli/testing/json_schema.h"
#include "layoutcheck/cli/testing/page_blocks.h"
#include "layoutcheck/cli/testing/run_program.h"

namespace layoutcheck {
namespace {

const std::string kSource = LAYOUTCHECK_SOURCE;

struct Example {
  std::string command;
  std::string out;
};

// Returns each command, "$ command", with the lines after it, up to the next command.
std::vector<Example> ExamplesIn(const std::vector<std::string>& lines) {
  std::vector<Example> examples;
  for (const std::string& line : lines) {
    if (line.starts_with("$ ")) {
      examples.push_back({line.substr(2), ""});
    } else if (!examples.empty()) {
      examples.back().out += line + "\n";
    }
  }
  return examples;
}

// Returns README.md, SKILL.md and the pages of docs/, as paths from the source tree.
std::vector<std::string> Pages() {
  std::vector<std::string> pages = {"README.md", "SKILL.md"};
  for (const auto& entry : std::filesystem::directory_iterator(kSource + "/docs")) {
    if (entry.path().extension() == ".md") pages.push_back("docs/" + entry.path().filename().string());
  }
  std::ranges::sort(pages);
  return pages;
}

// docs/extending.md extends the program. Its examples run only if this variable names the folder of the result.
constexpr const char* kExtendedProgram = "LAYOUTCHECK_EXTENDED";
const std::string kExtendingPage = "docs/extending.md";

std::vector<std::string> PagesWithExamples() {
  if (std::getenv(kExtendedProgram) != nullptr) return {kExtendingPage};
  std::vector<std::string> pages = Pages();
  std::erase(pages, kExtendingPage);
  std::erase_if(pages,
                [](const std::string& page) { return Blocks(ReadFile(kSource + "/" + page), "console").empty(); });
  return pages;
}

// Makes the files that the pages expect in the reader's directory: `mine`, `tail_first`, `axes` and `shards`,
// implementations with one fault each, the subjects of subjects/examples, the files of claims, tilings, HLO modules,
// and code.
void MakeReadersFiles(const TemporaryDirectory& directory) {
  const std::string faulty = std::string("exec ") + LAYOUTCHECK_FAULTY_SUBJECT + " --fault ";
  RunShell("echo '" + faulty + "floor-tile-count' > mine; echo '" + faulty +
               "tail-padding-in-front' > tail_first; echo '" + faulty + "axis-quotient-of-negatives' > axes; echo '" +
               faulty + "shard-nested-in-full-chunk' > shards; chmod +x mine tail_first axes shards; cp " +
               LAYOUTCHECK_CPP_SUBJECT + " " + LAYOUTCHECK_SHARDING_SUBJECT + " " + kSource +
               "/subjects/examples/*.py " + kSource + "/corpus/tiles/*.txt " + kSource + "/corpus/modules/*.txt " +
               kSource + "/corpus/claims/layoutcheck.toml " + kSource + "/corpus/claims/known.jsonl " + kSource +
               "/corpus/code/*.c* " + kSource + "/corpus/kernels/*.cu " + kSource + "/corpus/triton/*.ttir " + kSource +
               "/corpus/triton/layouts/*.ttgir .",
           directory.path());
}

// Returns the lines of an example's output that are whole documents of a command's --json, and the command's name.
std::pair<std::string, std::string> JsonIn(const Example& example) {
  static const std::regex command(R"(layoutcheck ([a-z-]+))");
  std::smatch match;
  const bool is_whole = example.command.find("--json") != std::string::npos ||
                        example.command.find("layoutcheck serve") != std::string::npos;
  const bool is_cut = example.command.find("grep -o") != std::string::npos;
  if (!is_whole || is_cut || !std::regex_search(example.command, match, command)) return {};
  std::string documents;
  for (const std::string& line : Lines(example.out)) {
    if (line.starts_with("{")) documents += line + "\n";
  }
  return {match.str(1), documents};
}

class Page : public testing::TestWithParam<std::string> {};

TEST_P(Page, ExamplesPrintWhatIsPrinted) {
  const TemporaryDirectory directory;
  MakeReadersFiles(directory);
  const char* extended = std::getenv(kExtendedProgram);
  const std::string path = extended == nullptr ? "" : std::string("PATH='") + extended + "':$PATH; ";
  size_t count = 0;
  size_t failures = 0;
  for (const std::vector<std::string>& block : Blocks(ReadFile(kSource + "/" + GetParam()), "console")) {
    for (const Example& example : ExamplesIn(block)) {
#ifndef LAYOUTCHECK_HAS_LLVM
      if (example.command.find(" prove-code ") != std::string::npos ||
          example.command.find(" prove-kernel ") != std::string::npos || GetParam() == "docs/ci.md") {
        std::printf("left out, because LLVM 19 is not installed: %s\n", example.command.c_str());
        continue;
      }
#endif
      const ProgramResult result = RunShell(path + example.command, directory.path());
      ++count;
      failures += result.out != example.out;
      EXPECT_EQ(result.out, example.out) << "$ " << example.command;
      EXPECT_NE(example.command.find("layoutcheck "), std::string::npos) << example.command;
      const auto [name, documents] = JsonIn(example);
      // The schema of the command that docs/extending.md adds is not in this source tree.
      const std::string why_not = extended == nullptr ? WhyNotDocumented(name, documents) : "";
      EXPECT_EQ(why_not, "") << "$ " << example.command;
    }
  }
  EXPECT_GE(count, 1u);
  std::printf("%s: %zu examples, %zu failures\n", GetParam().c_str(), count, failures);
}

// A program that offers skills reads the name and the description between two lines of hyphens at the beginning.
TEST(Skill, HasItsFrontMatter) {
  const std::vector<std::string> lines = Lines(ReadFile(kSource + "/SKILL.md"));
  ASSERT_GE(lines.size(), 4u);
  EXPECT_EQ(lines[0] + lines[1] + lines[3], "---name: layoutcheck---");
  EXPECT_TRUE(lines[2].starts_with("description: "));
  EXPECT_LE(lines[2].size(), 1024u);
}

INSTANTIATE_TEST_SUITE_P(Pages, Page, testing::ValuesIn(PagesWithExamples()), [](const auto& page) {
  std::string name = std::filesystem::path(page.param).stem().string();
  std::ranges::replace(name, '-', '_');
  return name;
});

// The C++ examples are files of cmake/consumer, which another test builds and runs.
TEST(Pages, CppBlocksAreFilesThatAreBuilt) {
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(kSource + "/cmake/consumer")) {
    std::string text = ReadFile(entry.path());
    if (text.starts_with("// SPDX")) text.erase(0, text.find('\n') + 1);
    files.insert(text);
  }
  size_t count = 0;
  for (const std::string& page : Pages()) {
    for (const std::vector<std::string>& block : Blocks(ReadFile(kSource + "/" + page), "cpp")) {
      std::string text;
      for (const std::string& line : block) text += line + "\n";
      EXPECT_TRUE(files.contains(text)) << page << ": no file of cmake/consumer is\n" << text;
      ++count;
    }
  }
  EXPECT_GE(count, 2u);
}

// Returns the anchors of a page's headings, as GitHub makes them.
std::set<std::string> Anchors(const std::string& markdown) {
  std::set<std::string> anchors;
  for (const std::string& line : Lines(markdown)) {
    if (!line.starts_with("#")) continue;
    std::string anchor;
    for (const char c : line.substr(std::min(line.size(), line.find(' ') + 1))) {
      if (c == ' ' || c == '-') {
        anchor += '-';
      } else if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
        anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      }
    }
    anchors.insert(anchor);
  }
  return anchors;
}

// The examples read the file that the page shows.
TEST(Pages, ClaimsAreThoseOfTheCorpus) {
  std::string text;
  const auto blocks = Blocks(ReadFile(kSource + "/docs/ci.md"), "toml");
  ASSERT_EQ(blocks.size(), 1u);
  for (const std::string& line : blocks.front()) text += line + "\n";
  EXPECT_EQ(text, ReadFile(kSource + "/corpus/claims/layoutcheck.toml"));
}

TEST(Pages, LinksLeadSomewhere) {
  std::vector<std::string> pages = Pages();
  for (const char* page : {"CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"}) pages.emplace_back(page);
  for (const char* folder : {"corpus", "subjects"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(kSource + "/" + folder)) {
      if (entry.path().extension() == ".md") pages.push_back(std::filesystem::relative(entry.path(), kSource));
    }
  }
  for (const std::string& page : pages) {
    const std::filesystem::path path = kSource + "/" + page;
    const std::string text = ReadFile(path);
    const auto is_in_block = [&text](size_t place) {
      int fences = 0;
      for (size_t at = text.find("\n```"); at < place; at = text.find("\n```", at + 1)) ++fences;
      return fences % 2 != 0;
    };
    for (size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at + 1)) {
      // A layout in code, smem_ptr[16b](unset), looks like a link.
      const size_t line = text.rfind('\n', at) + 1;
      if (std::ranges::count(text.substr(line, at - line), '`') % 2 != 0 || is_in_block(at)) continue;
      const std::string link = text.substr(at + 2, text.find(')', at) - at - 2);
      if (link.find("://") != std::string::npos || link.find_first_of(" \n`,") != std::string::npos) continue;
      const size_t hash = std::min(link.find('#'), link.size());
      const std::filesystem::path target = hash == 0 ? path : path.parent_path() / link.substr(0, hash);
      EXPECT_TRUE(std::filesystem::exists(target)) << page << ": " << link;
      if (hash < link.size()) {
        EXPECT_TRUE(Anchors(ReadFile(target)).contains(link.substr(hash + 1))) << page << ": " << link;
      }
    }
  }
}

// Returns true if the path from the source tree is that of a file, a folder or a unit such as "core/hlo/lexer".
bool IsFileOrUnit(const std::string& path) {
  return std::filesystem::exists(kSource + "/" + path) || std::filesystem::exists(kSource + "/" + path + ".h");
}

// Tests paths in backquotes, except in docs/extending.md, which names files to be made.
TEST(Pages, PathsAreThere) {
  const std::regex path("`((?:core|properties|solver|subjects|fuzz|cli|corpus|cmake|bench|docs)/[a-z0-9_./]*)`");
  size_t count = 0;
  for (const std::string& page : Pages()) {
    if (page == kExtendingPage) continue;
    const std::string text = ReadFile(kSource + "/" + page);
    for (auto match = std::sregex_iterator(text.begin(), text.end(), path); match != std::sregex_iterator(); ++match) {
      EXPECT_TRUE(IsFileOrUnit(match->str(1))) << page << ": " << match->str();
      ++count;
    }
  }
  EXPECT_GE(count, 50u);
}

TEST(Pages, ArchitectureNamesEveryRoom) {
  const std::string page = ReadFile(kSource + "/docs/architecture.md");
  size_t rooms = 0;
  for (const std::string& line : Lines(ReadFile(kSource + "/cmake/layers.txt"))) {
    const size_t colon = line.find(':');
    if (line.empty() || line.starts_with("#") || colon == std::string::npos) continue;
    const std::string room = line.substr(0, colon);
    if (!IsFileOrUnit(room)) continue;  // allowed, but empty
    EXPECT_NE(page.find("`" + room + "`"), std::string::npos) << room;
    ++rooms;
  }
  EXPECT_GE(rooms, 30u);
}

// Returns the literals between a place of a source file and the next line that begins with a brace.
std::vector<std::string> LiteralsAfter(const std::string& file, const std::string& place) {
  const std::string text = ReadFile(kSource + "/" + file);
  const size_t begin = text.find(place);
  EXPECT_NE(begin, std::string::npos) << file << ": " << place;
  const std::string part = text.substr(std::min(begin, text.size()), text.find("\n}", begin) - begin);
  const std::regex literal("\"([a-z][a-z -]*)\"");
  std::vector<std::string> literals;
  for (auto match = std::sregex_iterator(part.begin(), part.end(), literal); match != std::sregex_iterator(); ++match) {
    literals.push_back(match->str(1));
  }
  return literals;
}

TEST(Pages, EachVerdictIsExplained) {
  const std::string page = ReadFile(kSource + "/docs/verdicts.md");
  size_t count = 0;
  for (const auto& [file, place] : {std::pair("solver/certificate/proof_result.h", "ProofVerdictName("),
                                    std::pair("cli/notations/comparison.cc", "RelationName("),
                                    std::pair("properties/module/rules.cc", "SeverityName("),
                                    std::pair("fuzz/differential/judge.cc", "kFaults[]")}) {
    for (const std::string& verdict : LiteralsAfter(file, place)) {
      EXPECT_NE(page.find("`" + verdict + "`"), std::string::npos) << verdict << " of " << file;
      ++count;
    }
  }
  EXPECT_EQ(count, 3u + 5u + 3u + 10u);
}

TEST(Readme, PictureIsWhatTheProgramDraws) {
  const TemporaryDirectory directory;
  const std::string file = directory.path() + "/memory.svg";
  ASSERT_EQ(RunLayoutcheck({"show", "bf16[20,300]{1,0:T(8,128)(2,1)}", "--svg", file}).exit_code, 0);
  EXPECT_EQ(ReadFile(file), ReadFile(kSource + "/docs/memory.svg"));
}

// Runs the examples with output; an example without output may need missing files.
TEST(Help, ExamplesPrintWhatIsPrinted) {
  const TemporaryDirectory directory;
  size_t count = 0;
  size_t failures = 0;
  bool in_commands = false;
  for (const std::string& line : Lines(RunLayoutcheck({"--help"}).out)) {
    if (line.empty() || line == "Commands:") in_commands = line == "Commands:";
    if (!in_commands || line == "Commands:") continue;
    const std::string command = line.substr(2, line.find(' ', 2) - 2);
    const ProgramResult help = RunLayoutcheck({command, "--help"});
    EXPECT_EQ(help.exit_code, 0) << command;
    EXPECT_TRUE(help.out.starts_with("usage: layoutcheck " + command)) << help.out;
    std::vector<std::string> example_lines;
    bool in_example = false;
    for (const std::string& help_line : Lines(help.out)) {
      EXPECT_LE(help_line.size(), 100u) << help_line;
      if (in_example) example_lines.push_back(help_line.substr(help_line.empty() ? 0 : 2));
      in_example = in_example || help_line == "Example:";
    }
    const std::vector<Example> examples = ExamplesIn(example_lines);
    EXPECT_FALSE(examples.empty()) << command << " has no example";
    for (const Example& example : examples) {
      if (example.out.empty()) continue;
      const ProgramResult result = RunShell(example.command, directory.path());
      ++count;
      failures += result.out != example.out;
      EXPECT_EQ(result.out, example.out) << "$ " << example.command;
    }
  }
  EXPECT_GE(count, 4u);
  std::printf("%zu examples, %zu failures\n", count, failures);
}

}  // namespace
}  // namespace layoutcheck
