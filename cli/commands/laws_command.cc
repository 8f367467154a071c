// layoutcheck laws
#include <CLI/CLI.hpp>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "layoutcheck/cli/commands/commands.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/properties/algebra/algebra_law.h"
#include "layoutcheck/properties/model/law.h"

namespace layoutcheck {
namespace {

// Of a Law or an AlgebraLaw.
template <class AnyLaw>
void Print(const AnyLaw& law, bool json) {
  if (json) {
    PrintJson({{"law", law.name()}, {"statement", law.statement()}, {"domain", law.domain()}});
    return;
  }
  std::string line(law.name());
  line.resize(std::max<size_t>(line.size() + 2, 30), ' ');
  StrAppend(line, law.statement(), " [", law.domain(), "]\n");
  std::fputs(line.c_str(), stdout);
}

ExitCode Run(bool json) {
  for (const Law* law : AllLaws()) Print(*law, json);
  for (const AlgebraLaw* law : AlgebraLaws()) Print(*law, json);
  return ExitCode::kAccepted;
}

}  // namespace

void AddLawsCommand(CLI::App& program, Action& action) {
  auto json = std::make_shared<bool>(false);
  CLI::App* command = AddCommand(program, "laws",
                                 "list the laws that `check` holds a subject to\n\n"
                                 "A line for each: its name, what it says, and in brackets for which layouts.",
                                 "  $ layoutcheck laws");
  command->add_flag("--json", *json, "print a JSON line for each law: law, statement, domain");
  command->callback([json, &action] { action = [json] { return Run(*json); }; });
}

}  // namespace layoutcheck
