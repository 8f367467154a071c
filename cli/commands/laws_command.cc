// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstdio>
#include <optional>
#include <ranges>
#include "layoutcheck/cli/commands/commands.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/fuzz/differential/judge.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/llvm/ttgir/ttgir_scan.h"
#include "layoutcheck/properties/algebra/algebra_law.h"
#include "layoutcheck/properties/generate/layout_family.h"
#include "layoutcheck/properties/model/law.h"
#include "layoutcheck/properties/module/rule.h"
#include "layoutcheck/solver/formula_laws/view_formula.h"
#include "layoutcheck/solver/layout_proof/numeric_laws.h"
#include "layoutcheck/solver/layout_proof/symbolic_layout.h"
#include "layoutcheck/solver/sharding_proof/prove_sharding.h"

namespace layoutcheck {
namespace {

struct LawsCommandLine {
  bool markdown = false;
  bool families = false;
  bool json = false;
};

// Returns a name with the blanks that follow it in a list.
std::string Column(std::string_view name) {
  std::string text(name);
  text.resize(std::max<size_t>(text.size() + 2, 30), ' ');
  return text;
}

// Prints a law that the given commands test, prove or check.
void PrintLaw(std::string_view name, std::string_view statement, std::string_view domain, std::string_view commands,
              bool json) {
  if (!json) {
    std::puts(StrCat(Column(name), statement, " [", commands, ": ", domain, "]").c_str());
    return;
  }
  Json names = Json::array();
  for (const auto command : std::views::split(commands, std::string_view(", "))) {
    names.push_back(std::string_view(command));
  }
  PrintJson({{"law", name}, {"statement", statement}, {"domain", domain}, {"commands", names}});
}

void PrintFamilies(bool json) {
  for (const LayoutFamily& family : AllFamilies()) {
    if (json) {
      PrintJson({{"family", family.name}, {"description", family.description}, {"patterns", family.patterns.size()}});
    } else {
      std::puts(StrCat(Column(family.name), family.description).c_str());
    }
  }
}

// Returns the commands that test or prove a law of `check`.
std::string_view CommandsOf(const Law& law) {
  const bool is_proved = std::ranges::find(kSymbolicLaws, law.name, &SymbolicLaw::name) != kSymbolicLaws.end();
  return is_proved ? "check, prove" : "check";
}

// Appends a row of a table, with Markdown's marks escaped.
void AppendRow(std::string& out, std::initializer_list<std::string_view> cells) {
  for (const std::string_view cell : cells) {
    out += "| ";
    for (const char c : cell) {
      if (std::string_view("|*<>_\\").find(c) != std::string_view::npos) out += '\\';
      out += c;
    }
    out += ' ';
  }
  out += "|\n";
}

void AppendTable(std::string& out, std::string_view title, std::string_view introduction,
                 std::initializer_list<std::string_view> columns) {
  StrAppend(out, "\n## ", title, "\n\n", introduction, "\n\n");
  AppendRow(out, columns);
  for (size_t k = 0; k < columns.size(); ++k) out += "| --- ";
  out += "|\n";
}

std::string MarkdownPage() {
  std::string out =
      "# Laws\n\n"
      "This page is for everyone who reads a finding or a verdict and asks what its law says. `layoutcheck laws "
      "--markdown` writes it from the laws themselves, and a test compares the two: do not edit it by hand.\n";
  AppendTable(out, "Laws of tiled layouts",
              "`check` tests a subject against these laws. `prove` shows some of them for all sizes of a layout.",
              {"law", "statement", "applies to", "commands"});
  for (const Law* law : AllLaws()) {
    AppendRow(out, {law->name, law->statement, law->domain, CommandsOf(*law)});
  }
  AppendTable(out, "Laws that are only proved", "`prove` shows these laws; no subject is asked about them.",
              {"law", "statement", "applies to"});
  for (const SymbolicLaw& law : kSymbolicLaws) {
    if (FindLaw(law.name) == nullptr) AppendRow(out, {law.name, law.statement, law.domain});
  }
  AppendRow(out, {kStridedFormLaw, kStridedFormStatement, "views"});
  AppendTable(out, "Laws of shape:stride layouts", StrCat("`prove` decides these laws for ", kStridedLawDomain, "."),
              {"law", "statement"});
  for (const StridedLaw& law : StridedLaws()) AppendRow(out, {law.name, law.statement});
  AppendTable(out, "Laws of sharded arrays",
              "`prove` shows these laws for all sizes, mesh axes and split factors; `reshard` and `shard-view` with "
              "`--equals LAYOUT`.",
              {"law", "statement"});
  for (const SymbolicShardingLaw& law : kShardingLaws) AppendRow(out, {law.name, law.statement});
  AppendTable(out, "Laws of layouts in bits", StrCat("`prove` decides these laws for ", kLinearLawDomain, "."),
              {"law", "statement"});
  for (const LinearLaw& law : LinearLaws()) AppendRow(out, {law.name, law.statement});
  AppendTable(out, "Laws of the algebra of shape:stride layouts",
              "`check` tests a subject that answers `apply`, `make` or `view` against these laws.",
              {"law", "statement", "applies to"});
  for (const AlgebraLaw* law : AlgebraLaws()) AppendRow(out, {law->name, law->statement, law->domain});
  AppendTable(out, "Laws of parsers", "`fuzz` tests a subject's text parser against these laws.", {"law", "statement"});
  for (const TextFault fault : AllTextFaults()) AppendRow(out, {TextFaultName(fault), TextFaultStatement(fault)});
  AppendTable(
      out, "Rules of HLO modules",
      "`scan` checks these rules in every module. Text of a module that cannot be read is a finding of the rule "
      "`unreadable`. What breaks a rule of the last column is advice, and an error with `scan --require NAME`.",
      {"rule", "statement", "applies to", "requirement"});
  for (const ModuleRule& rule : ModuleRules()) {
    AppendRow(out, {rule.name, rule.statement, rule.domain, rule.requirement});
  }
  AppendTable(out, "Rules of TTGIR",
              "`scan --kind ttgir` checks these rules in every function. What breaks one is advice, and an error with "
              "`scan --kind ttgir --require NAME`.",
              {"rule", "statement", "requirement"});
  for (const TtgirRule& rule : TtgirRules()) AppendRow(out, {rule.name, rule.statement, rule.requirement});
  AppendTable(out, "Families of layouts",
              "A third of the layouts that `check` draws is from these families. `check --family NAME` draws from one.",
              {"family", "layouts", "patterns"});
  for (const LayoutFamily& family : AllFamilies()) {
    AppendRow(out, {family.name, family.description, StrCat(family.patterns.size())});
  }
  return out;
}

ExitCode RunLawsCommand(const LawsCommandLine& options) {
  if (options.markdown) {
    std::fputs(MarkdownPage().c_str(), stdout);
    return ExitCode::kAccepted;
  }
  if (options.families) {
    PrintFamilies(options.json);
    return ExitCode::kAccepted;
  }
  for (const Law* law : AllLaws()) {
    PrintLaw(law->name, law->statement, law->domain, CommandsOf(*law), options.json);
  }
  for (const AlgebraLaw* law : AlgebraLaws()) {
    PrintLaw(law->name, law->statement, law->domain, "check", options.json);
  }
  for (const SymbolicLaw& law : kSymbolicLaws) {
    if (FindLaw(law.name) == nullptr) PrintLaw(law.name, law.statement, law.domain, "prove", options.json);
  }
  PrintLaw(kStridedFormLaw, kStridedFormStatement, "views", "prove", options.json);
  for (const StridedLaw& law : StridedLaws()) {
    if (FindLaw(law.name) == nullptr) PrintLaw(law.name, law.statement, kStridedLawDomain, "prove", options.json);
  }
  for (const LinearLaw& law : LinearLaws()) {
    if (FindLaw(law.name) == nullptr) PrintLaw(law.name, law.statement, kLinearLawDomain, "prove", options.json);
  }
  for (const SymbolicShardingLaw& law : kShardingLaws) {
    PrintLaw(law.name, law.statement, "sharded arrays", "prove", options.json);
  }
  for (const ModuleRule& rule : ModuleRules()) PrintLaw(rule.name, rule.statement, rule.domain, "scan", options.json);
  for (const TtgirRule& rule : TtgirRules()) PrintLaw(rule.name, rule.statement, "TTGIR", "scan", options.json);
  if (options.json) return ExitCode::kAccepted;
  std::puts("\nfamilies of layouts, for check --family:");
  PrintFamilies(false);
  return ExitCode::kAccepted;
}

}  // namespace

Command LawsCommand() {
  auto options = std::make_shared<LawsCommandLine>();
  return {.name = "laws",
          .description = R"(list the laws of `check` and `prove` and the rules of `scan`

Each line has a law's name, its statement, and in brackets the commands that know it and the layouts or modules
to which it applies. The families of layouts that check draws from follow.)",
          .example = R"(
  $ layoutcheck laws
  $ layoutcheck laws --families --json
  $ layoutcheck laws --markdown > laws.md)",
          .options = {{"--markdown", "print a page with the laws of check, prove, fuzz and scan", &options->markdown},
                      {
                          "--families",
                          "list only the families of layouts that check draws from",
                          &options->families,
                      },
                      {"--json",
                       "print one JSON line per law: law, statement, domain, commands (a list); with "
                       "--families one per family: family, "
                       "description, patterns",
                       &options->json, kNoTraits, "", "--markdown"}},
          .run = [options] { return RunLawsCommand(*options); }};
}

}  // namespace layoutcheck
