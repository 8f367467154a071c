// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/verify/proof/steps.h"
#include <limits>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck::verify {
namespace {

constexpr Int128 kMaxDenominator = Int128{1} << 100;  // so that small multiples of it fit 128 bits
constexpr const char* kNoNumber = "expected the number of a fact, or multiplier*number";

// Removes the keyword at the start of the line and returns true if it is there.
bool TakeKeyword(std::string_view& line, std::string_view keyword) {
  if (!line.starts_with(keyword) || (line.size() > keyword.size() && line[keyword.size()] != ' ')) return false;
  line.remove_prefix(keyword.size());
  return true;
}

std::string TextOf(const Statement& statement, const Relation& relation) {
  return StrCat(statement.ring().ToText(relation.polynomial), relation.is_equation ? " = 0" : " >= 0");
}

}  // namespace

std::string Combination::ReadItem(std::string_view& text, Item& item) {
  const bool is_negative = text.starts_with('-');
  if (is_negative) text.remove_prefix(1);
  std::optional<Int128> number = TakeNumber(text);
  if (!number) return kNoNumber;
  const bool is_fraction = text.starts_with('/');
  if (is_fraction) {
    text.remove_prefix(1);
    const std::optional<Int128> denominator = TakeNumber(text);
    if (!denominator || *denominator < 2 || Gcd(*number, *denominator) != 1) {
      return "expected a fraction in lowest terms";
    }
    item.denominator = *denominator;
  }
  if (text.starts_with('*')) {
    text.remove_prefix(1);
    if (*number == 0) return "expected a multiplier that is not 0";
    item.numerator = is_negative ? -*number : *number;
    number = TakeNumber(text);
    if (!number) return kNoNumber;
  } else if (is_negative || is_fraction) {
    return kNoNumber;
  }
  if (*number < 1 || *number > std::numeric_limits<uint32_t>::max()) return "expected the number of a fact";
  item.fact = static_cast<size_t>(*number) - 1;
  return "";
}

std::string Combination::Read(std::string_view text, size_t fact_count) {
  items_.clear();
  second_.reset();
  while (!text.empty()) {
    if (!text.starts_with(' ')) return StrCat("expected a blank at ", Quoted(text));
    text.remove_prefix(1);
    if (text.starts_with('|') && !second_) {
      text.remove_prefix(1);
      second_ = items_.size();
      continue;
    }
    const std::string_view here = text;
    Item item;
    if (const std::string wrong = ReadItem(text, item); !wrong.empty()) return StrCat(wrong, " at ", Quoted(here));
    if (item.fact >= fact_count) return StrCat("expected one of the facts 1 to ", fact_count, " at ", Quoted(here));
    if (items_.size() > second_.value_or(0) && item.fact <= items_.back().fact) {
      return StrCat("expected the facts in increasing order at ", Quoted(here));
    }
    items_.push_back(item);
  }
  return "";
}

template <class AddClaim>
std::string Combination::Show(Statement& statement, bool is_equation, AddClaim&& add_claim) const {
  if (!second_)
    return ShowSide(statement, is_equation ? Side::kEqual : Side::kNotNegative, 0, items_.size(), add_claim);
  if (!is_equation) return "expected one combination, because the claim is no equation";
  std::string wrong = ShowSide(statement, Side::kNotNegative, 0, *second_, add_claim);
  return wrong.empty() ? ShowSide(statement, Side::kNotPositive, *second_, items_.size(), add_claim) : wrong;
}

// Computes scale * (claim - sum of the items), where the scale makes all multipliers integers.
template <class AddClaim>
std::string Combination::ShowSide(Statement& statement, Side side, size_t begin, size_t end,
                                  AddClaim&& add_claim) const {
  WideInteger scale(1);
  for (size_t k = begin; k < end; ++k) {
    const Int128 denominator = items_[k].denominator;
    if (denominator != 1) scale = scale * WideInteger(denominator / Gcd(scale.value, denominator));
    if (scale.overflow || scale.value > kMaxDenominator) return "the denominators are too large";
  }
  Ring& ring = statement.ring();
  ring.StartSum();
  add_claim(side == Side::kNotPositive ? -scale.value : scale.value);
  for (size_t k = begin; k < end; ++k) {
    const Item& item = items_[k];
    const Relation& fact = statement.facts()[item.fact];
    if (!fact.is_equation && side == Side::kEqual) {
      return StrCat("fact ", item.fact + 1, " is no equation: expected equations, or two combinations");
    }
    if (!fact.is_equation && item.numerator < 0) {
      return StrCat("fact ", item.fact + 1, " is no equation: expected a positive multiplier");
    }
    const WideInteger factor = WideInteger(item.numerator) * WideInteger(scale.value / item.denominator);
    if (factor.overflow) return "the multipliers are too large";
    ring.Add(fact.polynomial, -factor.value);
  }
  const std::optional<Int128> rest = ring.ConstantSum();
  if (rest && (side == Side::kEqual ? *rest == 0 : *rest > -scale.value)) return "";
  return StrCat("the facts do not show it: ", scale.value == 1 ? "" : StrCat(ToDecimal(scale.value), " times "),
                "what is left is ", ring.SumText());
}

Checked<void> StepChecker::CheckFault() const {
  if (statement_.ring().fault().empty()) return {};
  return lines_.Refuse(std::string(statement_.ring().fault()));
}

template <class AddClaim, class What>
Checked<void> StepChecker::CheckShown(std::string_view keyword, bool is_equation, AddClaim&& add_claim, What&& what) {
  std::string_view text = lines_.line();
  if (!TakeKeyword(text, keyword)) return lines_.RefuseLine(StrCat("'", keyword, "' and the facts for ", what()));
  std::string wrong = combination_.Read(text, statement_.facts().size());
  if (wrong.empty()) wrong = combination_.Show(statement_, is_equation, add_claim);
  if (auto fault = CheckFault(); !fault) return fault;
  if (!wrong.empty()) return lines_.Refuse(StrCat(what(), ": ", wrong));
  lines_.Advance();
  return {};
}

Checked<void> StepChecker::TakeValues(std::string_view text, size_t count) {
  values_.clear();
  while (true) {
    const auto value = reader_.Take(text);
    if (!value) return lines_.Refuse(value.error());
    values_.push_back(*value);
    if (!text.starts_with(" ; ")) break;
    text.remove_prefix(3);
  }
  if (!text.empty())
    return lines_.Refuse(StrCat("expected an operator, ' ; ' or the end of the line at ", Quoted(text)));
  if (values_.size() != count) {
    return lines_.Refuse(StrCat("expected ", count, " polynomials, found ", values_.size()));
  }
  return {};
}

Checked<void> StepChecker::CheckAtom(std::string_view text) {
  const std::string_view name = text.substr(0, text.find(' '));
  text.remove_prefix(name.size());
  const bool is_quotient = text.starts_with(" floordiv ");
  const bool is_remainder = text.starts_with(" mod ");
  if (!is_quotient && !is_remainder && !text.starts_with(" and ")) {
    return lines_.RefuseLine("'floordiv', 'mod' or 'and' after the atom's name");
  }
  text.remove_prefix(is_quotient ? 10 : 5);
  if (auto taken = TakeValues(text, 2); !taken) return taken;
  Ring& ring = statement_.ring();
  const Polynomial value = is_quotient    ? ring.FloorDiv(values_[0], values_[1])
                           : is_remainder ? ring.Mod(values_[0], values_[1])
                                          : ring.CommonBits(values_[0], values_[1]);
  const std::optional<Monomial> atom = ring.AsAtom(value);
  if (!atom) return lines_.Refuse("expected a quotient, remainder or common bits that are no number");
  if (!IsName(name)) return lines_.Refuse(StrCat("expected a name, found ", Quoted(name)));
  if (!statement_.Define(name, *atom)) return lines_.Refuse(StrCat("the name ", Quoted(name), " is in use"));
  return CheckFault();
}

Checked<void> StepChecker::CheckLemma(std::string_view text) {
  const std::string_view name = text.substr(0, text.find(' '));
  const Lemma* const lemma = FindLemma(name);
  if (lemma == nullptr) return lines_.Refuse(StrCat("there is no lemma ", Quoted(name)));
  text.remove_prefix(std::min(name.size() + 1, text.size()));
  if (auto taken = TakeValues(text, lemma->parameter_count); !taken) return taken;
  Ring& ring = statement_.ring();
  AppendQuotients(*lemma, ring, values_);
  lines_.Advance();
  for (size_t k = 0; k < lemma->premises.size(); ++k) {
    const Lemma::Claim& premise = lemma->premises[k];
    const auto add_premise = [&](Int128 factor) { AddClaim(premise, values_, factor, ring); };
    const auto what = [&] { return StrCat("premise ", k + 1, " of ", name); };
    if (auto shown = CheckShown("by", premise.is_equation, add_premise, what); !shown) return shown;
  }
  for (const Lemma::Claim& conclusion : lemma->conclusions) {
    ring.StartSum();
    AddClaim(conclusion, values_, 1, ring);
    statement_.Assume({conclusion.is_equation, ring.FinishSum()});
  }
  return CheckFault();
}

Checked<void> StepChecker::CheckCut(std::string_view text) {
  if (auto taken = TakeValues(text, 1); !taken) return taken;
  lines_.Advance();
  const Polynomial claim = values_[0];
  const auto add_claim = [&](Int128 factor) { statement_.ring().Add(claim, factor); };
  if (auto shown = CheckShown("by", false, add_claim, [] { return "the cut"; }); !shown) return shown;
  statement_.Assume({false, claim});
  return {};
}

Checked<Relation> StepChecker::ReadSplit() {
  std::string_view text = lines_.line();
  const bool is_chosen = text.ends_with(" Y");
  if (!TakeKeyword(text, "split") || text.size() < 4 || !(is_chosen || text.ends_with(" N"))) {
    return lines_.RefuseLine("'split', a polynomial, and 'Y' or 'N'");
  }
  LAYOUTCHECK_RETURN_IF_ERROR(TakeValues(text.substr(1, text.size() - 3), 1));
  const Polynomial zero = statement_.Number(0);
  return is_chosen ? statement_.LessEqual(zero, values_[0]) : statement_.Less(values_[0], zero);
}

Checked<void> StepChecker::CheckGoals() {
  Ring& ring = statement_.ring();
  std::string_view line = lines_.line();
  if (TakeKeyword(line, "false")) {
    const auto add_false = [&](Int128 factor) { ring.AddMonomial(kOne, -factor); };
    return CheckShown("false", false, add_false, [] { return "a contradiction"; });
  }
  for (size_t k = 0; k < statement_.goals().size(); ++k) {
    const Relation& goal = statement_.goals()[k];
    const auto add_goal = [&](Int128 factor) { ring.Add(goal.polynomial, factor); };
    const auto what = [&] { return StrCat("goal ", k + 1, ", ", TextOf(statement_, goal)); };
    if (auto shown = CheckShown("goal", goal.is_equation, add_goal, what); !shown) return shown;
  }
  return {};
}

Checked<int64_t> StepChecker::Run() {
  statement_.ring().ReserveForSteps();
  for (int64_t steps = 0;; ++steps) {
    LAYOUTCHECK_RETURN_IF_ERROR(CheckFault());
    std::string_view line = lines_.line();
    Checked<void> checked;
    if (TakeKeyword(line, "lemma")) {
      checked = CheckLemma(line.substr(std::min<size_t>(1, line.size())));
    } else if (TakeKeyword(line, "cut")) {
      checked = CheckCut(line.substr(std::min<size_t>(1, line.size())));
    } else if (TakeKeyword(line, "atom")) {
      checked = CheckAtom(line.substr(std::min<size_t>(1, line.size())));
      if (checked) lines_.Advance();
    } else {
      checked = CheckGoals();
      if (checked) return steps + static_cast<int64_t>(statement_.goals().size());
    }
    if (!checked) return std::unexpected(std::move(checked.error()));
  }
}

}  // namespace layoutcheck::verify
