// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The page of `scan --html`, as text and in a headless browser that sorts, filters and opens rows.
#include <gtest/gtest.h>
#include <fstream>
#include <string>
#include <vector>
#include "layoutcheck/cli/testing/run_program.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

// Bytes: p 65536 (half of it padding), small 512, big 262144, c 65536, r 32768; only p and c have padding.
constexpr std::string_view kPaddedModule = R"(HloModule jit_f, is_scheduled=true

ENTRY %main (p: f32[128,64]) -> f32[64,128] {
  %p = f32[128,64]{1,0:T(8,128)} parameter(0)
  %small = f32[1,128]{1,0:T(1,128)} custom-call(%p), custom_call_target="f"
  %big = f32[512,128]{1,0:T(8,128)} dot(%p, %p), metadata={source_file="</td><script>document.title='broken'</script>" source_line=3}
  %c = f32[128,64]{1,0:T(8,128)} copy(%p)
  ROOT %r = f32[64,128]{1,0:T(8,128)} transpose(%c), dimensions={1,0}
}
)";

void Write(const std::string& path, std::string_view text) { std::ofstream(path, std::ios::binary) << text; }

// Returns the page of a module.
std::string PageOf(const TemporaryDirectory& directory, std::string_view module) {
  const std::string text = directory.path() + "/module.txt";
  const std::string page = directory.path() + "/page.html";
  Write(text, module);
  const ProgramResult result = RunLayoutcheck({"scan", text, "--html", page});
  EXPECT_NE(result.exit_code, 2) << result.err;
  return ReadFile(page);
}

size_t CountOf(std::string_view text, std::string_view part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(ScanPage, HasAllPartsAndEscapesText) {
  const TemporaryDirectory directory;
  const std::string page = PageOf(directory, kPaddedModule);
  for (const std::string_view part : {"id=\"findings\"", "id=\"map\"", "id=\"live\"", "id=\"arrays\"", "<template"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(CountOf(page, "<script"), 1U);
  EXPECT_NE(page.find("&lt;script&gt;"), std::string::npos);
}

TEST(ScanPage, LoadsNothing) {
  const TemporaryDirectory directory;
  const std::string page = PageOf(directory, kPaddedModule);
  EXPECT_EQ(CountOf(page, "src=\""), 0U);
  EXPECT_EQ(CountOf(page, "<link"), 0U);
  EXPECT_EQ(CountOf(page, "@import"), 0U);
  EXPECT_EQ(CountOf(page, "https://"), 0U);
  // The name of the format, which browsers do not load.
  EXPECT_EQ(CountOf(page, "http://"), CountOf(page, "xmlns=\"http://www.w3.org/2000/svg\""));
}

TEST(ScanPage, ItsSizeIsBounded) {
  std::string module = "HloModule many, is_scheduled=true\n\nENTRY main {\n  v0 = f32[8,128]{1,0} parameter(0)\n";
  for (int k = 1; k <= 30000; ++k) {
    StrAppend(module, "  v", k, " = f32[8,", 128 + k % 3000, "]{1,0} custom-call(v", k - 1, ")\n");
  }
  module += "}\n";
  const TemporaryDirectory directory;
  const std::string page = PageOf(directory, module);
  EXPECT_LT(page.size(), size_t{3} << 20);
  EXPECT_NE(page.find("29,001 smaller arrays are not in the table"), std::string::npos);
  EXPECT_NE(page.find("29,841 smaller arrays"), std::string::npos);  // an area of the treemap
}

TEST(ScanPage, AFileThatCannotBeWrittenIsNamed) {
  const TemporaryDirectory directory;
  Write(directory.path() + "/module.txt", kPaddedModule);
  const ProgramResult result =
      RunLayoutcheck({"scan", directory.path() + "/module.txt", "--html", directory.MissingFile()});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find(directory.MissingFile()), std::string::npos) << result.err;
}

// Returns the name of an installed browser that prints the document of a page, or an empty text.
std::string Browser() {
  for (const std::string name : {"chromium", "chromium-browser", "google-chrome"}) {
    if (RunShell("command -v " + name, "/").exit_code == 0) return name;
  }
  return "";
}

// Opens the page at a fragment, runs a script behind it and returns what the script returns.
Json RunInBrowser(const std::string& browser, const TemporaryDirectory& directory, const std::string& page,
                  std::string_view fragment, std::string_view script) {
  Write(directory.path() + "/test.html", StrCat(page, R"(<script>
const names = () => [...document.querySelectorAll('table.arrays tbody tr:not(.detail)')]
    .map((row) => row.querySelector('button').textContent);
const sortBy = (key) => document.querySelector('[data-sort=' + key + ']').click();
const enter = (id, value) => {
  const control = document.getElementById(id);
  if (control.type === 'checkbox') control.checked = value; else control.value = value;
  control.dispatchEvent(new Event('input'));
};
const result = (() => {)",
                                                script, R"(})();
const output = document.createElement('pre');
output.textContent = 'RESULT' + JSON.stringify(result) + 'END';
document.body.append(output);
</script>)"));
  const ProgramResult dom = RunShell(
      StrCat("timeout 100 ", browser,
             " --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir=profile --dump-dom "
             "'file://",
             directory.path(), "/test.html", fragment, "' 2>errors.txt"),
      directory.path());
  const size_t begin = dom.out.rfind("RESULT");
  const size_t end = dom.out.rfind("END");
  if (begin == std::string::npos || end == std::string::npos || end < begin) {
    ADD_FAILURE() << "the page printed no result: " << ReadFile(directory.path() + "/errors.txt");
    return {};
  }
  return Json::Parse(dom.out.substr(begin + 6, end - begin - 6)).value_or(Json());
}

using Names = std::vector<std::string>;

TEST(ScanPage, ABrowserSortsFiltersAndShowsPictures) {
  const std::string browser = Browser();
  if (browser.empty()) GTEST_SKIP() << "no chromium is installed";
  const TemporaryDirectory directory;
  const std::string page = PageOf(directory, kPaddedModule);
  const Json result = RunInBrowser(browser, directory, page, "", R"(
    const result = {title: document.title, scripts: document.scripts.length, first: names()};
    sortBy('bytes'); result.ascending = names();
    sortBy('name'); result.byName = names();
    sortBy('padding'); result.byPadding = names().slice(2);
    enter('filter', '512,128'); result.filtered = names(); enter('filter', 'F32 MAIN');
    result.allWords = names().length; enter('filter', 'nothing'); result.none = names(); enter('filter', '');
    enter('opcode', 'copy'); result.copies = names(); enter('opcode', '');
    enter('padded', true); result.padded = names().sort(); result.count = document.getElementById('count').textContent;
    enter('padded', false); sortBy('bytes');
    document.querySelector('table.arrays tbody button').click();
    const detail = document.querySelector('tr.detail');
    result.pictures = detail.querySelectorAll('svg').length; result.command = detail.querySelector('code').textContent;
    const area = [...document.querySelectorAll('a.area')].find((each) => each.textContent.startsWith('small'));
    area.dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}));
    result.shown = document.querySelector('tr.shown button').textContent;
    result.areas = document.querySelectorAll('svg.treemap.wide .area').length;
    result.columns = document.querySelectorAll('svg.curve.wide .column').length;
    return result;)");
  EXPECT_EQ(result["title"], "Memory of jit_f · layoutcheck scan");
  EXPECT_EQ(result["scripts"], 2);  // the page's and this one
  EXPECT_EQ(result["first"], (Names{"big", "p", "c", "r", "small"}));
  EXPECT_EQ(result["ascending"], (Names{"small", "r", "p", "c", "big"}));
  EXPECT_EQ(result["byName"], (Names{"big", "c", "p", "r", "small"}));
  EXPECT_EQ(result["byPadding"].size(), 3U);  // behind p and c
  EXPECT_EQ(result["filtered"], Names{"big"});
  EXPECT_EQ(result["allWords"], 5);
  EXPECT_EQ(result["none"], Json::array());
  EXPECT_EQ(result["copies"], Names{"c"});
  EXPECT_EQ(result["padded"], (Names{"c", "p"}));
  EXPECT_EQ(result["count"], "2 of 5 arrays: 128 KiB, 64 KiB padding");
  EXPECT_EQ(result["pictures"], 1);
  EXPECT_EQ(result["command"], "layoutcheck show 'f32[512,128]{1,0:T(8,128)}'");
  EXPECT_EQ(result["shown"], "small");
  EXPECT_EQ(result["areas"], 5);
  EXPECT_EQ(result["columns"], 5);
}

TEST(ScanPage, ALinkKeepsOrderAndFilter) {
  const std::string browser = Browser();
  if (browser.empty()) GTEST_SKIP() << "no chromium is installed";
  const TemporaryDirectory directory;
  const std::string page = PageOf(directory, kPaddedModule);
  const Json result = RunInBrowser(browser, directory, page, "#sort=name&filter=f32&padded=1", R"(
    const result = {opened: names()};
    enter('opcode', 'copy'); sortBy('waste');
    result.hash = location.hash.split('&');  // the browser prints & as an entity
    return result;)");
  EXPECT_EQ(result["opened"], (Names{"c", "p"}));
  EXPECT_EQ(result["hash"], (Names{"#sort=-waste", "filter=f32", "opcode=copy", "padded=1"}));
}

}  // namespace
}  // namespace layoutcheck
