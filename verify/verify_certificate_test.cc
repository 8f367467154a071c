// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/verify/verify_certificate.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <optional>
#include <string>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck::verify {
namespace {

constexpr const char* kLine = R"(layoutcheck certificate 1
law in-bounds
layout s8[N]{0}
sequent every index
goal 3
goal 2
end
)";

constexpr const char* kTile = R"(layoutcheck certificate 1
law in-bounds
layout f32[M,N]{1,0:T(8,128)}
sequent every index
atom !1 floordiv i0 ; 8
atom !2 floordiv M + 7 ; 8
atom !3 floordiv i1 ; 128
atom !4 floordiv N + 127 ; 128
lemma K8 i0 ; M ; 8 ; !2
by
by 3
by 4
by
lemma K8 i1 ; N ; 128 ; !4
by
by 5
by 6
by
lemma K1 i0 ; 8
by
lemma K1 i1 ; 128
by
lemma K7 !1 ; !2 ; !3 ; !4
by 8
by 9
by 10
lemma K6 !1 ; !3 ; !4
by 7
by 9
by 10
goal 128*13 16 1024*17
goal 128*12 15 1024*18
end
)";

Verdict Only(std::string_view content) {
  const auto verdicts = VerifyCertificates(content);
  if (!verdicts || verdicts->size() != 1) return {.reason = "not one certificate"};
  return verdicts->front();
}

std::string Replaced(std::string text, std::string_view part, std::string_view with) {
  const size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return at == std::string::npos ? text : text.replace(at, part.size(), with);
}

std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = text.find('\n', begin);
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

std::string TextOf(const std::vector<std::string>& lines) { return StrJoin(lines, "\n") + "\n"; }

TEST(VerifyCertificate, AcceptsKnownCertificates) {
  const Verdict line = Only(kLine);
  EXPECT_TRUE(line.proved) << line.line << ": " << line.reason;
  EXPECT_EQ(line.claim, "in-bounds: s8[N]{0}");
  EXPECT_EQ(line.for_all, std::vector<std::string>{"N"});
  EXPECT_EQ(line.steps, 2);
  const Verdict tile = Only(kTile);
  EXPECT_TRUE(tile.proved) << tile.line << ": " << tile.reason;
  EXPECT_EQ(tile.steps, 12);
  EXPECT_EQ(tile.line, 33);
}

TEST(VerifyCertificate, EachKindOfWrongLineIsRefusedWithItsPlace) {
  struct Wrong {
    const char* part;
    const char* with;
    int64_t line;
    const char* reason;  // start of it
  };
  const Wrong wrongs[] = {
      {"law in-bounds", "law", 2, "expected 'law' and its name, found 'law'"},
      {"law in-bounds", "law in-bound", 2, "expected a law of tiled layouts, found 'in-bound'"},
      {"T(8,128)", "T(9,128)", 31, "goal 1, "},
      {"T(8,128)", "T(8,128", 3, "column 21: "},
      {"sequent every index", "sequent every", 4, "expected 'sequent every index', found 'sequent every'"},
      {"atom !1 floordiv", "atom i0 floordiv", 5, "the name 'i0' is in use"},
      {"atom !1 floordiv", "atom 1 floordiv", 5, "expected a name, found '1'"},
      {"atom !1 floordiv", "atom !1 div", 5, "expected 'floordiv', 'mod' or 'and'"},
      {"floordiv i0 ; 8", "floordiv 9 ; 8", 5, "expected a quotient, remainder or common bits that are no number"},
      {"floordiv i0 ; 8", "floordiv i0 ; 8 ; 8", 5, "expected 2 polynomials, found 3"},
      {"floordiv i0 ; 8", "floordiv i7 ; 8", 5, "expected a number, a name of the statement or an atom"},
      {"lemma K8", "lemma K99", 9, "there is no lemma 'K99'"},
      {"lemma K8 i0 ; M", "lemma K8 i0", 9, "expected 4 polynomials, found 3"},
      {"by\nby 3", "by 3", 10, "premise 1 of K8: the facts do not show it"},
      {"by 3", "goal 3", 11, "expected 'by' and the facts for premise 2 of K8, found 'goal 3'"},
      {"by 3", "by -3", 11, "premise 2 of K8: expected the number of a fact, or multiplier*number"},
      {"by 3", "by -1*3", 11, "premise 2 of K8: fact 3 is no equation: expected a positive multiplier"},
      {"by 3", "by 0*3", 11, "premise 2 of K8: expected a multiplier that is not 0"},
      {"by 3", "by 2/4*3", 11, "premise 2 of K8: expected a fraction in lowest terms"},
      {"by 3", "by 3 3", 11, "premise 2 of K8: expected the facts in increasing order"},
      {"by 3", "by 7", 11, "premise 2 of K8: expected one of the facts 1 to 6"},
      {"by 3", "by 3 |", 11, "premise 2 of K8: expected one combination"},
      {"by 3", "by 99999999999999999999999", 11, "premise 2 of K8: expected the number of a fact"},
      {"by 4\nby\n", "by 4\nby 3\n", 13, "premise 4 of K8: fact 3 is no equation: expected equations"},
      {"goal 128*13 16 1024*17", "goal 128*13 16 1023*17", 31, "goal 1, "},
      {"goal 128*13 16 1024*17", "false 11", 31, "a contradiction: the facts do not show it"},
      {"goal 128*12 15 1024*18\n", "", 32, "expected 'goal' and the facts for goal 2, "},
      {"end\n", "end", 33, "expected 'end' and the end of its line"},
      {"end\n", "", 33, "expected 'end' and the end of its line, found the end of the file"},
      {"end\n", "end\n\n", 34, "expected 'layoutcheck certificate 1' or the end of the file, found ''"},
  };
  for (const Wrong& wrong : wrongs) {
    const auto verdicts = VerifyCertificates(Replaced(kTile, wrong.part, wrong.with));
    ASSERT_TRUE(verdicts.has_value()) << wrong.part;
    const Verdict& verdict = verdicts->back();
    EXPECT_FALSE(verdict.proved) << wrong.with;
    EXPECT_EQ(verdict.line, wrong.line) << wrong.with << ": " << verdict.reason;
    EXPECT_TRUE(verdict.reason.starts_with(wrong.reason)) << wrong.with << ": " << verdict.reason;
  }
}

// A cast to 64 bits makes quotients by 2^64.
TEST(VerifyCertificate, FractionsMayPass64Bits) {
  const auto with = [](const char* cut) {
    return Only(
        Replaced(kLine, "goal 3\n", StrCat("lemma R10 0 ; i0 ; 18446744073709551616\nby 2\nby\n", cut, "\ngoal 3\n")));
  };
  const Verdict right = with("cut i0\nby 1/18446744073709551616*4");
  EXPECT_TRUE(right.proved) << right.reason;
  EXPECT_FALSE(with("cut i0 - 1\nby 1/18446744073709551616*4").proved);
  EXPECT_FALSE(with("cut i0\nby 1/18446744073709551615*4").proved);
  EXPECT_FALSE(with("cut i0 - N\nby 1/18446744073709551616*4").proved);
  const Verdict large = with("cut i0\nby 1/85070591730234615865843651857942052864*3 1/18446744073709551616*4");
  EXPECT_EQ(large.reason, "the cut: the denominators are too large");
}

TEST(VerifyCertificate, ASourceIsAPartOfTheClaimButNotOfTheProof) {
  const std::string head = "layoutcheck certificate 1\nlaw formula\nlayout s8[N]{0}\n";
  const Verdict verdict = Only(head + "formula i0\nsource f.c: f(i0)\npath\ngoal\nend\n");
  EXPECT_TRUE(verdict.proved) << verdict.reason;
  EXPECT_EQ(verdict.claim, "formula: s8[N]{0} i0 read from f.c: f(i0)");
  EXPECT_FALSE(Only(head + "formula i0 + 1\nsource f.c: f(i0)\npath\ngoal\nend\n").proved);
  EXPECT_FALSE(Only(head + "source f.c: f(i0)\nformula i0\npath\ngoal\nend\n").proved);
  // Without a formula, the source is that of the layout.
  const std::string bounds = "layoutcheck certificate 1\nlaw in-bounds\nlayout s8[N]{0}\nsource zN<1,1>:s8[1,N]\n";
  EXPECT_EQ(Only(bounds + "sequent every index\ngoal 3\ngoal 2\nend\n").claim,
            "in-bounds: s8[N]{0} read from zN<1,1>:s8[1,N]");
  EXPECT_FALSE(Only(bounds + "sequent every index\ngoal 3\ngoal 3\nend\n").proved);
  const std::string own = "layoutcheck certificate 1\nlaw no-overflow\nlayout s8[N]{0}\nown i0\ninteger int64\n";
  const std::string path = "path\ngoal 2\ngoal 3 1/8*4\ngoal\nend\n";
  EXPECT_TRUE(Only(own + path).proved) << Only(own + path).reason;
  EXPECT_TRUE(Only(StrCat(own, "source zN<1,1>:s8[1,N]\n", path)).proved);
  EXPECT_TRUE(Only(StrCat(own, "source \xff.c: f(N)\n", path)).proved);  // any bytes, as in names of files
}

TEST(VerifyCertificate, AFileWithAnotherFirstLineIsNoCertificate) {
  for (const char* text : {"", "\n", "layoutcheck certificate 2\n", "layoutcheck certificate 1\r\nlaw x\r\n", "\0\0"}) {
    EXPECT_FALSE(VerifyCertificates(text).has_value()) << text;
  }
}

TEST(VerifyCertificate, EachCertificateOfAFileHasItsVerdict) {
  const std::string broken = Replaced(kLine, "goal 3", "goal 1");
  const auto verdicts = VerifyCertificates(StrCat(kLine, broken, kTile));
  ASSERT_TRUE(verdicts.has_value());
  ASSERT_EQ(verdicts->size(), 3u);
  EXPECT_TRUE((*verdicts)[0].proved);
  EXPECT_FALSE((*verdicts)[1].proved);
  EXPECT_EQ((*verdicts)[1].line, 12);
  EXPECT_TRUE((*verdicts)[2].proved);
}

// Returns the text with the number that begins at `at` changed by `change`, or nothing if none begins there.
std::optional<std::string> WithNumberChanged(const std::string& text, size_t at, int change) {
  const auto is_digit = [&](size_t k) { return k < text.size() && text[k] >= '0' && text[k] <= '9'; };
  if (!is_digit(at) || (at > 0 && is_digit(at - 1))) return std::nullopt;
  size_t end = at;
  while (is_digit(end)) ++end;
  const int number = std::stoi(text.substr(at, end - at)) + change;
  return text.substr(0, at) + StrCat(number) + text.substr(end);
}

TEST(VerifyCertificate, MutantsAreRefusedOrProveTheSameClaim) {
  const std::string claim = Only(kTile).claim;
  const std::string text = kTile;
  std::vector<std::string> mutants;
  for (size_t at = 0; at < text.size(); ++at) {
    for (const int change : {-1, 1}) {
      if (const auto mutant = WithNumberChanged(text, at, change)) mutants.push_back(*mutant);
    }
  }
  const std::vector<std::string> lines = LinesOf(text);
  for (size_t k = 0; k < lines.size(); ++k) {
    std::vector<std::string> mutant = lines;
    mutant.erase(mutant.begin() + static_cast<std::ptrdiff_t>(k));
    mutants.push_back(TextOf(mutant));
    mutant = lines;
    mutant.insert(mutant.begin() + static_cast<std::ptrdiff_t>(k), lines[k]);
    mutants.push_back(TextOf(mutant));
    for (size_t other = k + 1; other < lines.size(); ++other) {
      if (lines[k] == lines[other]) continue;
      mutant = lines;
      std::swap(mutant[k], mutant[other]);
      mutants.push_back(TextOf(mutant));
    }
  }
  size_t accepted = 0;
  for (const std::string& mutant : mutants) {
    const auto verdicts = VerifyCertificates(mutant);
    if (!verdicts || !std::ranges::all_of(*verdicts, &Verdict::proved)) continue;
    EXPECT_EQ(verdicts->front().claim, claim) << mutant;
    ++accepted;
  }
  EXPECT_GT(mutants.size(), 500u);
  // Atoms that do not depend on each other may be defined in any order.
  EXPECT_EQ(accepted, 6u);
}

TEST(VerifyCertificate, HostileTextsEndInTimeAndAreRefused) {
  const std::string head = "layoutcheck certificate 1\nlaw in-bounds\nlayout s8[N]{0}\nsequent every index\n";
  std::string product = "cut N";
  for (int k = 0; k < 200'000; ++k) product += "*N";
  std::string nested = head;
  for (int k = 1; k <= 20'000; ++k) {
    StrAppend(nested, "atom !", k, " floordiv ", k == 1 ? "N" : StrCat("!", k - 1), " ; 2\n");
  }
  StrAppend(nested, "cut !20000\nby 1\ngoal 3\ngoal 2\nend\n");
  const std::string texts[] = {
      head,
      head + std::string(1'000'000, '\n'),
      head + "goal " + std::string(1'000'000, '9') + "\n",
      head + "goal 3\ngoal 2\r\nend\n",
      head + std::string("goal 3\0\ngoal 2\nend\n", 19),
      head + "cut " + std::string(1'000'000, '-') + "N\nby\n",
      head + product + "\nby 1\ngoal 3\ngoal 2\nend\n",
      head + "cut 170141183460469231731687303715884105727 + N\nby 170141183460469231731687303715884105727*1\n",
      head + "goal 1/9223372036854775807*1 1/9223372036854775806*3\ngoal 2\nend\n",
      nested,
      Replaced(kLine, "[N]", "[" + std::string(100'000, 'N') + "]"),
      Replaced(kLine, "{0}", "{0:T" + std::string(100'000, '(') + "}"),
  };
  for (const std::string& text : texts) {
    const auto verdicts = VerifyCertificates(text);
    ASSERT_TRUE(verdicts.has_value());
    EXPECT_FALSE(verdicts->front().proved) << text.substr(0, 200);
    EXPECT_LT(verdicts->front().reason.size(), 1000u);
  }
}

TEST(VerifyCertificate, AMillionStepsAreChecked) {
  std::string text = "layoutcheck certificate 1\nlaw in-bounds\nlayout s8[N]{0}\nsequent every index\n";
  for (int k = 0; k < 500'000; ++k) text += "cut N - 1\nby 1\n";
  text += "goal 3\ngoal 2\nend\n";
  const Verdict verdict = Only(text);
  EXPECT_TRUE(verdict.proved) << verdict.reason;
  EXPECT_EQ(verdict.steps, 500'002);
}

// A name after `signed` has no least value, and says so.
TEST(VerifyCertificates, NamesMayBeNegative) {
  const auto verdict = [](const std::string& body) {
    return VerifyCertificates("layoutcheck certificate 1\nlaw formula\n" + body + "end\n")->at(0);
  };
  const std::string minimum = "formula min(b,0)\nequals 0\n";
  const std::string paths = "path\nY\ngoal 1 | 2\npath\nN\ngoal\n";
  EXPECT_EQ(RangeOf("b", verdict(minimum + paths).ranges), kNotNegativeRange);
  EXPECT_TRUE(verdict(minimum + paths).proved);
  EXPECT_FALSE(verdict(minimum + "signed b\n" + paths).proved);
  const Verdict largest = verdict(
      "formula max(b, 0-b)\nequals b < 0 ? 0-b : b\nsigned b\n"
      "path\nY\n+\ngoal 2*1\ngoal\npath\nN\nY\ngoal 2 | 2*1\npath\nN\nN\ngoal\n");
  EXPECT_TRUE(largest.proved) << largest.reason;
  EXPECT_EQ(RangeOf("b", largest.ranges), kIntegerRange);
  EXPECT_EQ(largest.claim, "formula: max(b, 0-b) equals b < 0 ? 0-b : b signed b");
  const std::string bit = "formula b & 1\nequals b mod 2\nsigned b\nassume ";
  EXPECT_EQ(verdict(bit + "-3 <= b && b < 3\nby enumeration\n").steps, 6);
  EXPECT_EQ(verdict(bit + "b < 3\nby enumeration\n").reason, "expected a number that bounds 'b'");
  const std::string wrong = "signed: expected a name of the formulas once, and none that is a size, found ";
  EXPECT_EQ(verdict("over i0 < M\nformula i0\nequals i0\nsigned M\npath\n+\ngoal 3\ngoal\n").reason, wrong + "'M'");
  EXPECT_EQ(verdict("formula b\nequals b\nsigned b\nsigned b\npath\ngoal\n").reason, wrong + "'b'");
  EXPECT_EQ(verdict("layout s8[N]{0}\nformula i0\nsigned N\npath\ngoal\n").reason, wrong + "'N'");
}

}  // namespace
}  // namespace layoutcheck::verify
