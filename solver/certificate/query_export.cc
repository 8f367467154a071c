// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/certificate/query_export.h"

#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/certificate/certificate_queries.h"
#include "layoutcheck/solver/certificate/external_solver.h"
#include "layoutcheck/solver/certificate/query_file.h"

namespace layoutcheck {

void AppendQueries(Certificate& certificate, std::string_view about, std::string_view name, bool satisfiable,
                   std::set<LemmaId>& exported, std::vector<NamedQuery>& queries) {
  const auto add = [&](const char* kind, SmtQuery query) {
    queries.push_back({StrCat(name, ".", kind), std::string(about), std::move(query)});
  };
  add("certificate", CertificateQuery(certificate));
  if (satisfiable) add("hypotheses", VacuityQuery(certificate));
  add("normal-forms", RingQuery(certificate));
  for (const LemmaInstance& instance : certificate.instances()) {
    if (!exported.insert(instance.lemma->id).second) continue;
    queries.push_back({StrCat("lemma ", instance.lemma->name), "", LemmaQuery(*instance.lemma)});
  }
}

Expected<void> ExportQueries(const std::vector<NamedQuery>& queries, const ExportOptions& options,
                             ProofResult& result) {
  if (!options.emit_directory.empty()) {
    for (const NamedQuery& query : queries) {
      if (auto ok = EmitQuery(options.emit_directory, QueryFileName(query.about, query.name), query.query); !ok) {
        return ok;
      }
    }
  }
  if (options.second_solver.empty()) return {};
  std::vector<SmtQuery> texts;
  for (const NamedQuery& query : queries) texts.push_back(query.query);
  const auto answers = RunExternalSolver(options.second_solver, texts);
  if (!answers) return std::unexpected(answers.error());
  for (size_t k = 0; k < queries.size(); ++k) {
    const SolverAnswer answer = (*answers)[k];
    if (answer == queries[k].query.expected) continue;
    result.verdict = ProofVerdict::kUnknown;
    result.method.clear();
    const std::string says = StrCat(queries[k].name, ": ", options.second_solver, " answers ", SolverAnswerName(answer),
                                    ", not ", SolverAnswerName(queries[k].query.expected));
    if (answer != SolverAnswer::kUnknown && result.disagreement.empty()) result.disagreement = says;
    if (result.reason.empty()) result.reason = says;
  }
  return {};
}

}  // namespace layoutcheck
