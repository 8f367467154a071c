// What a proof rests on, for other people's solvers: written to files, and given to a second solver.
#ifndef LAYOUTCHECK_SOLVER_CERTIFICATE_QUERY_EXPORT_H_
#define LAYOUTCHECK_SOLVER_CERTIFICATE_QUERY_EXPORT_H_

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/solver/certificate/certificate.h"
#include "layoutcheck/solver/certificate/proof_result.h"
#include "layoutcheck/solver/certificate/prove_options.h"
#include "layoutcheck/solver/certificate/smt_query.h"

namespace layoutcheck {

struct NamedQuery {
  std::string name;
  std::string about;  // the layout or formula; empty for a lemma
  SmtQuery query;
};

// Appends the queries of a certificate: that it implies its goals, that its hypotheses do not contradict each other
// (where `satisfiable`), that its normal forms are right, and the lemmas that are not in `exported` yet.
void AppendQueries(Certificate& certificate, std::string_view about, std::string_view name, bool satisfiable,
                   std::set<LemmaId>& exported, std::vector<NamedQuery>& queries);

// Does with the queries what the options say. Where the second solver does not give the expected answer, the verdict
// becomes unknown and the result says why. Errors: unavailable.
Expected<void> ExportQueries(const std::vector<NamedQuery>& queries, const ExportOptions& options, ProofResult& result);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_CERTIFICATE_QUERY_EXPORT_H_
