#include "layoutcheck/properties/run/law_run.h"

namespace layoutcheck {

std::string NameInFindings(std::string_view law, const LawResult& result) {
  return result.why.empty() ? std::string(law) : result.why;
}

bool LawRun::IsKnown(const std::string& name, const std::string& layout, const LawResult& result, bool count) const {
  return options_.known != nullptr &&
         options_.known->MatchesPattern(
             {name, layout, result.expected, result.actual, result.text ? *result.text : std::string_view()}, count);
}

Finding LawRun::FindingOf(const std::string& name, const std::string& layout, const LawResult& result) const {
  Finding finding;
  finding.subject = subject_name_;
  finding.law = name;
  finding.layout = layout;
  finding.coordinate = result.coordinate;
  finding.offset = result.offset;
  finding.text = result.text;
  finding.expected = result.expected;
  finding.actual = result.actual;
  finding.seed = options_.seed;
  return finding;
}

void LawRun::Count(LawTally& tally, LawResult::Verdict verdict, std::chrono::duration<double> time) {
  tally.seconds += time.count();
  switch (verdict) {
    case LawResult::Verdict::kAgree: ++tally.agreed; break;
    case LawResult::Verdict::kOutsideDomain: ++tally.outside_domain; break;
    case LawResult::Verdict::kDeclined: ++tally.declined; break;
    case LawResult::Verdict::kDisagree: ++tally.disagreed; break;
  }
}

}  // namespace layoutcheck
