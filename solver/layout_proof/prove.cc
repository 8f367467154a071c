// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/layout_proof/prove.h"
#include <algorithm>
#include <chrono>
#include <iterator>
#include <new>
#include <optional>
#include <set>
#include <span>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/linear/linear_notation.h"
#include "layoutcheck/core/linear/linear_text.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/solver/certificate/certificate_check.h"
#include "layoutcheck/solver/certificate/query_export.h"
#include "layoutcheck/solver/certificate/z3_solver.h"
#include "layoutcheck/solver/layout_proof/numeric_laws.h"
#include "layoutcheck/solver/layout_proof/obligations.h"
#include "layoutcheck/solver/layout_proof/padded_box.h"
#include "layoutcheck/solver/steps/certificate_text.h"

namespace layoutcheck {
namespace {

// Maximum number of dimensions and tile entries together. Work grows as a power of it; this many take seconds.
constexpr size_t kMaxDigitsOfAProof = 96;

class LawProver {
 public:
  LawProver(const SymbolicLayout& layout, const SymbolicLaw& law, const ProveOptions& options)
      : layout_(layout), law_(law), options_(options) {
    result_.layout = layout.text;
    result_.law = law.name;
    result_.for_all = layout.names;
    for (const std::string& name : layout.names) {
      result_.ranges[name] = layout.IsTileName(name) ? kPositiveRange : kNotNegativeRange;
    }
  }

  // Adds the lemmas that it exports to `exported_lemmas`, and exports none that is there.
  Expected<ProofResult> Run(std::set<LemmaId>& exported_lemmas) {
    const auto begin = std::chrono::steady_clock::now();
    if (DigitCount() > kMaxDigitsOfAProof) {
      result_.reason =
          StrCat("more than ", kMaxDigitsOfAProof, " dimensions and tile entries: the certificate is too large");
      return std::move(result_);
    }
    std::vector<Obligation> obligations;
    try {
      ThrowIfInterrupted();
      obligations = Decide();
    } catch (const std::bad_alloc&) {
      result_.verdict = ProofVerdict::kUnknown;
      result_.reason = kOutOfMemory;
    } catch (const SolverStopped& stopped) {
      result_.verdict = ProofVerdict::kUnknown;
      result_.reason = stopped.reason;
    }
    result_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    LAYOUTCHECK_RETURN_IF_ERROR(Export(obligations, exported_lemmas));
    if (options_.certificates && result_.verdict == ProofVerdict::kProved) Certify(obligations);
    return std::move(result_);
  }

 private:
  size_t DigitCount() const {
    size_t count = layout_.layout.dimensions.size();
    for (const auto& tile : layout_.layout.tiles) count += tile.size();
    return count;
  }

  // Returns the law's obligations. Those of a fractal layout are that it equals its XLA layout, then the law of that
  // one.
  std::vector<Obligation> AllObligations(ProofMethod method = ProofMethod::kDigits) const {
    std::vector<Obligation> obligations;
    if (layout_.fractal && law_.id != SymbolicLawId::kEqualsHlo) {
      obligations = MakeObligations(layout_, SymbolicLawId::kEqualsHlo, method);
    }
    std::ranges::move(MakeObligations(layout_, law_.id, method), std::back_inserter(obligations));
    return obligations;
  }

  // Returns the obligations of the law, decided. Sets the verdict, or the reason why it is unknown.
  std::vector<Obligation> Decide() {
    std::vector<Obligation> obligations = AllObligations();
    result_.obligations = static_cast<int64_t>(obligations.size());
    std::vector<std::string> reasons;
    for (Obligation& obligation : obligations) reasons.push_back(Decide(obligation));
    const auto is_decided = [](const std::string& reason) { return reason.empty(); };
    if (!std::ranges::all_of(reasons, is_decided) && !(law_.id == SymbolicLawId::kOntoPaddedBox && Refute())) {
      DecideBySteps(obligations, reasons);
    }
    for (size_t k = 0; k < obligations.size(); ++k) {
      result_.lemma_instances += static_cast<int64_t>(obligations[k].certificate->instances().size());
      if (result_.verdict == ProofVerdict::kUnknown && result_.reason.empty() && !reasons[k].empty()) {
        result_.reason = StrCat(obligations[k].part, ": ", reasons[k]);
      }
    }
    if (std::ranges::all_of(reasons, is_decided)) {
      result_.verdict = ProofVerdict::kProved;
      result_.method = "mixed-radix";
    }
    return obligations;
  }

  // Replaces each obligation that has a reason by its derivation along the layout's steps, if that is a proof, and
  // clears the reason.
  void DecideBySteps(std::span<Obligation> obligations, std::span<std::string> reasons) {
    std::vector<Obligation> by_steps = AllObligations(ProofMethod::kSteps);
    for (size_t k = 0; k < obligations.size(); ++k) {
      if (reasons[k].empty() || !Decide(by_steps[k]).empty()) continue;
      obligations[k] = std::move(by_steps[k]);
      reasons[k].clear();
    }
  }

  // Returns why the obligation is not proved, or an empty text if it is.
  std::string Decide(Obligation& obligation) {
    if (!obligation.failure.empty()) return obligation.failure;
    return WhyNotConfirmed(*obligation.certificate, options_.rlimit, result_.rlimit);
  }

  // Returns true and sets the verdict if a counterexample to onto-padded-box was found.
  bool Refute() {
    const std::optional<OntoWitness> witness = FindOntoWitness(layout_);
    if (!witness) return false;
    result_.verdict = ProofVerdict::kRefuted;
    result_.method = "witness";
    for (const std::string& name : layout_.names) result_.counterexample.emplace_back(name, witness->names.at(name));
    // `expected` and `actual` count the points of the padded box with this offset.
    result_.counterexample.insert(result_.counterexample.end(),
                                  {{"offset", witness->offset}, {"expected", 1}, {"actual", 0}});
    return true;
  }

  // Exports the queries of a proved law, as the options say.
  Expected<void> Export(std::span<Obligation> obligations, std::set<LemmaId>& exported_lemmas) {
    if (!options_.exports.IsWanted()) return {};
    if (result_.verdict != ProofVerdict::kProved) return {};
    std::vector<NamedQuery> queries;
    for (Obligation& obligation : obligations) {
      AppendQueries(*obligation.certificate, layout_.text, StrCat(obligation.law, " ", obligation.part),
                    /*satisfiable=*/true, exported_lemmas, queries);
    }
    return ExportQueries(queries, options_.exports, result_);
  }

  // Makes the certificate of a proved law. If no checker reads a fractal layout's tag, it is about the XLA layout.
  void Certify(std::span<Obligation> obligations) {
    const bool is_about_hlo = layout_.fractal && !layout_.fractal->has_checkers;
    if (is_about_hlo && law_.id == SymbolicLawId::kEqualsHlo) {
      result_.no_certificate =
          StrCat("no checker reads this tag; the other laws have certificates as those of ", layout_.fractal->hlo);
      return;
    }
    const auto begin = std::chrono::steady_clock::now();
    std::string text =
        CertificateHead(law_.name, is_about_hlo ? ClaimLines{{"layout", layout_.fractal->hlo}, {"source", layout_.text}}
                                                : ClaimLines{{"layout", layout_.text}});
    std::vector<Obligation> by_steps;
    for (size_t k = 0; k < obligations.size(); ++k) {
      if (is_about_hlo && obligations[k].law == "equals-hlo") continue;
      auto proof = SequentText(obligations[k]);
      if (!proof) {
        // Linear arithmetic over the integers may have decided it, with more roundings than are found here.
        if (by_steps.empty()) by_steps = AllObligations(ProofMethod::kSteps);
        proof = SequentText(by_steps[k]);
      }
      if (!proof) {
        result_.no_certificate = StrCat(obligations[k].part, ": ", proof.error());
        return;
      }
      text += *proof;
    }
    result_.certificate = text + "end\n";
    result_.certificate_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  // Returns the lines of one obligation in a certificate, or why it has none.
  std::expected<std::string, std::string> SequentText(Obligation& obligation) const {
    Certificate& certificate = *obligation.certificate;
    LAYOUTCHECK_TRY(const auto steps,
                    FindProofSteps(certificate, {certificate.hypotheses(), certificate.goals()}, options_.rlimit));
    return StrCat("sequent ", obligation.part, "\n", ProofText(certificate.ring(), {&steps, 1}));
  }

  const SymbolicLayout& layout_;
  const SymbolicLaw& law_;
  const ProveOptions& options_;
  ProofResult result_;
};

// Returns the claim about layouts in the checkers' notation, with the text that the user gave if it is another one.
ClaimLines ClaimOf(ClaimLines claim, std::string_view read, std::string_view source) {
  if (read != source) claim.emplace_back("source", source);
  return claim;
}

// Adds the certificate of a proof by elimination.
void Certify(const ClaimLines& claim, std::string_view method, const ProveOptions& options, ProofResult& result) {
  if (result.verdict != ProofVerdict::kProved) return;
  result.no_query = NoQuery(options.exports, result.method);
  if (options.certificates) {
    result.certificate = StrCat(CertificateHead(result.law, claim), "by ", method, "\nend\n");
  }
}

// Returns a shape:stride layout as checkers read it: as printed, with 1:0 for each empty tuple, which has one
// coordinate, too.
std::string ReadableText(std::string_view layout) {
  std::string text = ToString(*ParseComposedLayout(layout));
  for (size_t at = text.find("()"); at != std::string::npos; at = text.find("()")) {
    text.replace(at, 2, at < text.find(':') ? "1" : "0");
  }
  return text;
}

// Returns the name in a certificate of a method of ProveStridedLayout().
std::string_view CertificateMethod(std::string_view method) {
  if (method == "dominating-strides") return "strides";
  return method == "no coordinate" ? "enumeration" : method;
}

// Proves laws of a shape:stride layout of numbers, which was read from `source`.
Expected<std::vector<ProofResult>> ProveStrided(std::string_view layout, const std::vector<std::string>& laws,
                                                const ProveOptions& options, std::string_view source) {
  LAYOUTCHECK_TRY(std::vector<ProofResult> results, ProveStridedLayout(layout, laws));
  const std::string read = ReadableText(layout);
  for (ProofResult& result : results) {
    Certify(ClaimOf({{"layout", read}}, read, source), CertificateMethod(result.method), options, result);
  }
  return results;
}

// Proves laws of a layout in the notations of linear_notation.h. A padded one is a layout of strides.
Expected<std::vector<ProofResult>> ProveLinear(std::string_view text, const std::vector<std::string>& laws,
                                               const ProveOptions& options) {
  LAYOUTCHECK_TRY(const auto layout, ReadLinearNotation(text));
  if (const auto* const strides = std::get_if<ShapeStrideLayout>(&layout)) {
    return ProveStrided(ToString(*strides), laws, options, text);
  }
  const auto& linear = std::get<LinearLayout>(layout);
  LAYOUTCHECK_TRY(std::vector<ProofResult> results, ProveLinearLayout(text, linear, laws));
  const std::string read = ToString(linear);
  for (ProofResult& result : results) Certify(ClaimOf({{"layout", read}}, read, text), "elimination", options, result);
  return results;
}

}  // namespace

Expected<ProofResult> ProveLayoutsEqual(std::string_view a, std::string_view b, const ProveOptions& options) {
  LAYOUTCHECK_TRY(ProofResult result, ProveLinearLayoutsEqual(a, b));
  const std::string read_a = ToString(*ReadLinearLayout(a));
  const std::string read_b = ToString(*ReadLinearLayout(b));
  const ClaimLines claim =
      ClaimOf({{"layout", read_a}, {"equals", read_b}}, StrCat(read_a, " == ", read_b), StrCat(a, " == ", b));
  Certify(claim, "images", options, result);
  return result;
}

Expected<std::vector<ProofResult>> ProveLayout(std::string_view layout_text, const std::vector<std::string>& laws,
                                               const ProveOptions& options) {
  if (IsLinearNotation(layout_text)) return ProveLinear(layout_text, laws, options);
  if (IsShapeStrideText(layout_text)) return ProveStrided(layout_text, laws, options, layout_text);
  LAYOUTCHECK_TRY(const SymbolicLayout layout, ParseSymbolicLayout(layout_text));
  return ProveLayout(layout, laws, options);
}

Expected<std::vector<ProofResult>> ProveLayout(const SymbolicLayout& layout, const std::vector<std::string>& laws,
                                               const ProveOptions& options) {
  const std::span<const SymbolicLaw> known = SymbolicLaws(layout.fractal.has_value());
  LAYOUTCHECK_TRY(const auto chosen, ChooseLaws("that can be proved", NamesOf(known), laws));
  std::vector<ProofResult> results;
  std::set<LemmaId> exported_lemmas;
  for (const std::string_view name : chosen) {
    const SymbolicLaw& law = *std::ranges::find(known, name, &SymbolicLaw::name);
    LAYOUTCHECK_TRY(ProofResult result, LawProver(layout, law, options).Run(exported_lemmas));
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace layoutcheck
