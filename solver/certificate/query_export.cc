// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/certificate/query_export.h"
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include "layoutcheck/core/base/hash.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/process/child_process.h"
#include "layoutcheck/solver/certificate/certificate_check.h"

namespace layoutcheck {
namespace {

constexpr size_t kMaxStem = 64;

bool IsPlain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
}

// Replaces each run of characters other than letters, digits, '-' and '.' by one '_'.
std::string Plain(std::string_view text) {
  std::string plain;
  for (const char c : text) {
    if (IsPlain(c)) {
      plain.push_back(c);
    } else if (!plain.empty() && plain.back() != '_') {
      plain.push_back('_');
    }
  }
  while (!plain.empty() && plain.back() == '_') plain.pop_back();
  return plain;
}

// Returns a unique file name for a query about this layout, of letters, digits, '-', '.' and '_':
// f32[M,N]{1,0:T(8,128)} and "injective every two indices.certificate" give
// f32_M_N_1_0_T_8_128-HASH-injective_every_two_indices.certificate.smt2. Without a layout, it is the part.
std::string QueryFileName(std::string_view layout, std::string_view part) {
  if (layout.empty()) return StrCat(Plain(part), ".smt2");
  return StrCat(Plain(layout).substr(0, kMaxStem), "-", HashDigits(HashText(layout)), "-", Plain(part), ".smt2");
}

// Writes the query to directory/file_name and makes the directory if missing. Errors: unavailable.
Expected<void> WriteQuery(const std::string& directory, const std::string& file_name, const SmtQuery& query) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) return UnavailableError("the directory '", directory, "' cannot be made: ", error.message());
  const std::filesystem::path path = std::filesystem::path(directory) / file_name;
  std::ofstream file(path, std::ios::binary);
  file << query.text;
  file.close();
  if (!file) return UnavailableError("the file '", path.string(), "' cannot be written");
  return {};
}

// Bounds the time and memory that a program takes which is not a solver.
constexpr RunLimits kLimits{.silence = std::chrono::seconds(60), .output = size_t{1} << 24};

std::vector<SolverAnswer> AnswersIn(const std::string& output, size_t count) {
  std::vector<SolverAnswer> answers;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line) && answers.size() < count;) {
    for (const SolverAnswer answer : {SolverAnswer::kUnsat, SolverAnswer::kSat, SolverAnswer::kUnknown}) {
      if (line == SolverAnswerName(answer)) answers.push_back(answer);
    }
  }
  answers.resize(count, SolverAnswer::kUnknown);
  return answers;
}

}  // namespace

Expected<std::vector<SolverAnswer>> RunExternalSolver(const std::string& command, std::span<const SmtQuery> queries) {
  std::istringstream words(command);
  std::vector<std::string> arguments;
  for (std::string word; words >> word;) arguments.push_back(word);
  if (arguments.empty()) return UnavailableError("expected the name of a solver");
  std::string input;
  for (const SmtQuery& query : queries) StrAppend(input, input.empty() ? "" : "(reset)\n", query.text);
  const auto result = RunProgram(arguments, input, ErrorStream::kDiscard, kLimits);
  if (!result) {
    return UnavailableError("the solver '", arguments[0], "' cannot be started: ", result.error().message);
  }
  return AnswersIn(result->out, queries.size());
}

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

std::string NoQuery(const ExportOptions& options, std::string_view method) {
  if (options.second_solver.empty()) return {};
  return StrCat("a proof by ", method, " has no query: ", options.second_solver, " was not asked");
}

Expected<void> ExportQueries(const std::vector<NamedQuery>& queries, const ExportOptions& options,
                             ProofResult& result) {
  if (!options.emit_directory.empty()) {
    for (const NamedQuery& query : queries) {
      if (auto ok = WriteQuery(options.emit_directory, QueryFileName(query.about, query.name), query.query); !ok) {
        return ok;
      }
    }
  }
  if (options.second_solver.empty()) return {};
  std::vector<SmtQuery> texts;
  for (const NamedQuery& query : queries) texts.push_back(query.query);
  LAYOUTCHECK_TRY(const auto answers, RunExternalSolver(options.second_solver, texts));
  for (size_t k = 0; k < queries.size(); ++k) {
    const SolverAnswer answer = answers[k];
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
