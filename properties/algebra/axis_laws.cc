// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Laws of what a compiler claims about the elements of a tensor. They hold a claim against the elements for some values
// of the names, among them 0, negative ones and the ends of 32 bits. So a claim that they accept may still be wrong.
#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/properties/algebra/algebra_law.h"
#include "layoutcheck/properties/axis/axis_analysis.h"
#include "layoutcheck/properties/axis/axis_expression.h"
#include "layoutcheck/properties/axis/axis_value.h"

namespace layoutcheck {
namespace {

using Claims = std::vector<int64_t>;

// The elements for one binding of the names.
struct AxisWitness {
  AxisBinding binding;
  std::vector<int64_t> elements;
};

constexpr int64_t kMostBindings = 512;
constexpr int64_t kMostAxisResults = int64_t{1} << 15;  // results of operations that are computed per question
constexpr int64_t kFewestBindings = 8;

std::vector<int64_t> ValuesOf(const AxisName& name) {
  if (name.op == AxisOp::kBranch) return {0, 1};
  if (name.op == AxisOp::kLoop) return {0, 1, 2, 3, 7};
  const int64_t n = name.divisor;
  const int64_t least = std::numeric_limits<int32_t>::min();
  const int64_t greatest = -(least + n);
  std::vector<int64_t> values = {0, n, -n, least, greatest};
  if (n <= greatest / 3) values.insert(values.end(), {3 * n, -3 * n});
  return values;
}

int64_t PartsOf(const AxisExpression& e) {
  int64_t parts = 1;
  for (const AxisExpression& operand : e.operands) parts += PartsOf(operand);
  return parts;
}

// Returns the elements for combinations of values of the names, of all defined ones with this outcome. There are at
// most kMostBindings combinations, and fewer of a large expression.
std::vector<AxisWitness> WitnessesOf(const AxisExpression& e, const std::map<std::string, AxisName>& names,
                                     AxisOutcome outcome) {
  const int64_t results = PartsOf(e) * ProductOfSizes(e.sizes).value;
  const int64_t most = std::clamp(kMostAxisResults / results, kFewestBindings, kMostBindings);
  std::vector<AxisWitness> witnesses;
  for (int64_t number = 0; number < most; ++number) {
    AxisBinding binding;
    int64_t rest = number;
    for (const auto& [name, use] : names) {
      const std::vector<int64_t> values = ValuesOf(use);
      binding[name] = values[static_cast<size_t>(rest % std::ssize(values))];
      rest /= std::ssize(values);
    }
    if (rest != 0) break;  // these were all combinations
    AxisValues values = EvaluateAxes(e, binding);
    if (values.outcome == outcome) witnesses.push_back({std::move(binding), std::move(values.elements)});
  }
  return witnesses;
}

// The kinds of claims. Each has the words for a message about an element that breaks it.
enum class ClaimKind { kContiguity, kDivisibility, kConstancy };

std::string_view ClaimName(ClaimKind kind) {
  switch (kind) {
    case ClaimKind::kContiguity: return "contiguity";
    case ClaimKind::kDivisibility: return "divisibility";
    case ClaimKind::kConstancy: return "constancy";
  }
  std::unreachable();
}

const Claims& ClaimsOf(ClaimKind kind, const AxisInfo& info) {
  switch (kind) {
    case ClaimKind::kContiguity: return info.contiguity;
    case ClaimKind::kDivisibility: return info.divisibility;
    case ClaimKind::kConstancy: return info.constancy;
  }
  std::unreachable();
}

// Judges claims of one kind along one dimension.
class ClaimJudge {
 public:
  ClaimJudge(ClaimKind kind, const AxisExpression& e, size_t dimension, bool wraps)
      : kind_(kind), e_(e), dimension_(dimension), wraps_(wraps) {
    for (size_t d = dimension + 1; d < e.sizes.size(); ++d) stride_ *= e.sizes[d];
  }

  // Returns the number of the first element that breaks a claim, or nothing. `group` is the claimed contiguity for a
  // claim of divisibility, and the claim itself for the others.
  std::optional<size_t> FirstWrong(const std::vector<int64_t>& elements, int64_t group, int64_t claim) const {
    for (size_t k = 0; k < elements.size(); ++k) {
      const int64_t along = static_cast<int64_t>(k) / stride_ % e_.sizes[dimension_];
      const bool is_first = along % group == 0;
      if (kind_ == ClaimKind::kDivisibility) {
        if (is_first && elements[k] % claim != 0) return k;
      } else if (!is_first && elements[k] != After(elements[Before(k)])) {
        return k;
      }
    }
    return std::nullopt;
  }

  // Returns the claim with the element that breaks it.
  std::string Described(int64_t claim, const std::vector<int64_t>& elements, size_t k) const {
    if (kind_ == ClaimKind::kDivisibility) return StrCat(claim, ", but the element is ", elements[k]);
    return StrCat(claim, ", but the element is ", elements[k], " after ", elements[Before(k)]);
  }

  std::vector<int64_t> IndexOf(size_t k) const {
    std::vector<int64_t> index(e_.sizes.size());
    auto rest = static_cast<int64_t>(k);
    for (size_t d = index.size(); d-- > 0; rest /= e_.sizes[d]) index[d] = rest % e_.sizes[d];
    return index;
  }

 private:
  size_t Before(size_t k) const { return k - static_cast<size_t>(stride_); }

  // Returns what has to come after an element in its group.
  int64_t After(int64_t element) const {
    if (kind_ == ClaimKind::kConstancy) return element;
    const CheckedInt64 next = CheckedInt64(element) + 1;
    return wraps_ ? WrapTo(e_.bits, next.value) : next.value;
  }

  ClaimKind kind_;
  const AxisExpression& e_;
  size_t dimension_;
  bool wraps_;
  int64_t stride_ = 1;
};

std::string BindingText(const AxisBinding& binding) {
  std::string text;
  for (const auto& [name, value] : binding) StrAppend(text, text.empty() ? "" : ", ", name, "=", value);
  return text;
}

LawResult JudgeClaim(ClaimKind kind, const AxisExpression& e, const AxisInfo& given, size_t d,
                     const std::vector<AxisWitness>& witnesses, bool wraps) {
  const ClaimJudge judge(kind, e, d, wraps);
  const int64_t claim = ClaimsOf(kind, given)[d];
  const auto group_of = [&](int64_t n) { return kind == ClaimKind::kDivisibility ? given.contiguity[d] : n; };
  for (const AxisWitness& witness : witnesses) {
    const auto wrong = judge.FirstWrong(witness.elements, group_of(claim), claim);
    if (!wrong) continue;
    int64_t most = claim;
    const auto holds = [&](const AxisWitness& w) { return !judge.FirstWrong(w.elements, group_of(most), most); };
    while (most > 1 && !std::ranges::all_of(witnesses, holds)) most /= 2;
    LawResult result = LawResult::Disagree(StrCat(ClaimName(kind), "[", d, "] of at most ", most),
                                           judge.Described(claim, witness.elements, *wrong))
                           .At(judge.IndexOf(*wrong));
    return witness.binding.empty() ? result : std::move(result).On(BindingText(witness.binding));
  }
  return LawResult::Agree();
}

// Judges that there is one power of two per dimension.
LawResult JudgeForm(ClaimKind kind, const Claims& claims, size_t rank) {
  const auto is_power = [](int64_t n) { return n > 0 && std::has_single_bit(static_cast<uint64_t>(n)); };
  if (claims.size() == rank && std::ranges::all_of(claims, is_power)) return LawResult::Agree();
  return LawResult::Disagree(StrCat(ClaimName(kind), " with ", rank, rank == 1 ? " power" : " powers", " of two"),
                             StrCat("[", StrJoin(claims, ","), "]"));
}

std::string AxisInfoText(const AxisInfo& info) {
  std::string text;
  for (const ClaimKind kind : {ClaimKind::kContiguity, ClaimKind::kDivisibility, ClaimKind::kConstancy}) {
    StrAppend(text, text.empty() ? "" : ", ", ClaimName(kind), " [", StrJoin(ClaimsOf(kind, info), ","), "]");
  }
  return text;
}

struct AxisLawRow {
  std::string_view name;
  std::string_view statement;
  std::string_view domain;
  std::vector<ClaimKind> kinds;
  bool wraps = false;
};

LawResult JudgeInfo(const AxisLawRow& row, const AxisExpression& e, const AxisInfo& given,
                    const std::vector<AxisWitness>& witnesses) {
  for (const ClaimKind kind : {ClaimKind::kContiguity, ClaimKind::kDivisibility, ClaimKind::kConstancy}) {
    LawResult form = JudgeForm(kind, ClaimsOf(kind, given), e.sizes.size());
    if (form.verdict != LawResult::Verdict::kAgree) return form;
  }
  for (const ClaimKind kind : row.kinds) {
    for (size_t d = 0; d < e.sizes.size(); ++d) {
      LawResult result = JudgeClaim(kind, e, given, d, witnesses, row.wraps);
      if (result.verdict != LawResult::Verdict::kAgree) return result;
    }
  }
  return LawResult::Agree();
}

LawResult CheckAxes(const AxisLawRow& row, Subject& subject, AlgebraLaw::Arguments arguments) {
  if (arguments.size() != 1) return LawResult::OutsideDomain();
  const auto e = AxisExpression::Parse(arguments[0]);
  const auto names = e ? AxisNames(*e) : std::unexpected(e.error());
  if (!names) return LawResult::OutsideDomain();
  const auto witnesses = WitnessesOf(*e, *names, row.wraps ? AxisOutcome::kWraps : AxisOutcome::kExact);
  if (witnesses.empty()) return LawResult::OutsideDomain();
  const Answer<AxisInfo> answer = subject.AxisInfoOf(arguments[0]);
  if (auto unanswered = Unanswered(answer)) return *std::move(unanswered);
  LawResult result = JudgeInfo(row, *e, std::get<AxisInfo>(answer), witnesses);
  if (result.verdict == LawResult::Verdict::kDisagree) result.reference_answer = AxisInfoText(AnalyzeAxes(*e));
  return result;
}

const std::vector<AxisLawRow>& AxisLawRows() {
  static const std::vector<AxisLawRow> rows = {
      {"axis-contiguity",
       "Along each dimension, a group of as many neighbors as its contiguity counts up by one.",
       "expressions of 32- and 64-bit integers, where nothing wraps around",
       {ClaimKind::kContiguity}},
      {"axis-divisibility",
       "Along each dimension, its divisibility divides the first element of each group of as many neighbors as its "
       "contiguity.",
       "expressions of 32- and 64-bit integers, where nothing wraps around",
       {ClaimKind::kDivisibility}},
      {"axis-constancy",
       "Along each dimension, a group of as many neighbors as its constancy has one value.",
       "expressions of 32- and 64-bit integers, where nothing wraps around",
       {ClaimKind::kConstancy}},
      {"axis-wraparound",
       "Where an integer wraps around, contiguity holds modulo the number of values, and divisibility and constancy "
       "hold as elsewhere.",
       "expressions of 32- and 64-bit integers, where a sum, product, shift or truncation wraps around",
       {ClaimKind::kContiguity, ClaimKind::kDivisibility, ClaimKind::kConstancy},
       true},
  };
  return rows;
}

}  // namespace

std::vector<AlgebraLaw> AxisLaws() {
  std::vector<AlgebraLaw> laws;
  for (const AxisLawRow& row : AxisLawRows()) {
    laws.push_back({row.name, row.statement, row.domain, "",
                    [](const AlgebraCase& c) { return std::vector<std::string>{c.axes}; },
                    [&row](Subject& subject, AlgebraLaw::Arguments texts) { return CheckAxes(row, subject, texts); },
                    AlgebraLaw::Topic::kAxes});
  }
  return laws;
}

}  // namespace layoutcheck
