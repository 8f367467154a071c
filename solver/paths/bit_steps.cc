// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/paths/bit_functions.h"

namespace layoutcheck {
namespace {

constexpr size_t kMaxInstances = 3000;  // of a path

// The lemmas have names alone here: their instances are written below.
const Lemma& LemmaNamed(const char* name) {
  static std::map<std::string, Lemma> lemmas;
  Lemma& lemma = lemmas[name];
  lemma.name = name;
  return lemma;
}

Relation Is(const Polynomial& a, const Polynomial& b) { return {TermRelation::Kind::kEqual, a, b}; }
Relation AtMost(const Polynomial& a, const Polynomial& b) { return {TermRelation::Kind::kLessEqual, a, b}; }
Relation Below(const Polynomial& a, const Polynomial& b) { return {TermRelation::Kind::kLess, a, b}; }

std::vector<size_t> Tail(const std::vector<size_t>& list) { return {list.begin() + 1, list.end()}; }
std::vector<size_t> Prepend(std::vector<size_t> front, const std::vector<size_t>& list) {
  front.insert(front.end(), list.begin(), list.end());
  return front;
}

}  // namespace

BitSteps::BitSteps(Ring& ring) : ring_(ring) { Add({Node::Kind::kZero, {}}); }

BitSteps::Value BitSteps::Add(Node node) {
  nodes_.push_back(std::move(node));
  return nodes_.size() - 1;
}

BitSteps::Value BitSteps::Unknown(const Polynomial& polynomial) { return Add({Node::Kind::kUnknown, polynomial}); }

BitSteps::Value BitSteps::Operation(FormulaOp op, Value a, Value b, const Polynomial& polynomial,
                                    const Polynomial& common) {
  if (a == kUntraced || b == kUntraced) return kUntraced;
  return Add({Node::Kind::kOperation, polynomial, op, a, b, common});
}

BitSteps::Value BitSteps::Complement(const Polynomial& polynomial, Value x) {
  return x == kUntraced ? x : Add({Node::Kind::kComplement, polynomial, FormulaOp::kBitAnd, x});
}

BitSteps::Value BitSteps::Alias(const Polynomial& polynomial, Value x) {
  if (x == kUntraced || nodes_[x].polynomial == polynomial) return x;
  return Add({Node::Kind::kAlias, polynomial, FormulaOp::kBitAnd, x});
}

Polynomial BitSteps::Common(const Polynomial& a, const Polynomial& b) {
  if (a.IsConstant() && b.IsConstant()) return ring_.FromConstant(a.Constant() & b.Constant());
  const auto [it, inserted] = atoms_.try_emplace(std::minmax(a, b), AtomId{0});
  if (inserted) {
    it->second = ring_.Variable(StrCat("bits!", atoms_.size()));
    operands_.emplace(it->second, it->first);
  }
  return ring_.FromAtom(it->second);
}

Polynomial BitSteps::Common(const List& values) {
  const Polynomial& head = nodes_[values.front()].polynomial;
  return values.size() == 1 ? head : Common(head, Common(Tail(values)));
}

void BitSteps::Apply(const char* lemma, std::vector<Polynomial> arguments, std::vector<Relation> premises,
                     std::vector<Relation> conclusions) {
  if (!applied_.emplace(lemma, arguments).second) return;
  if (instances_.size() == kMaxInstances) {
    failed_ = true;
    return;
  }
  instances_.push_back({&LemmaNamed(lemma), std::move(arguments), std::move(premises), std::move(conclusions)});
}

std::vector<Relation> BitSteps::PowerPremises(const Polynomial& p, const Polynomial& q, std::vector<Relation> more) {
  more.insert(more.begin(), {AtMost(ring_.FromConstant(1), p), Is(q, ring_.Plus(p, -1)), Is(Common(p, q), {})});
  return more;
}

void BitSteps::Congruence(const Polynomial& x, const Polynomial& y, const Polynomial& t) {
  if (y == t) return;
  Apply("C4", {x, y, x, t}, {Is(x, x), Is(y, t)}, {Is(Common(x, y), Common(x, t))});
}

void BitSteps::Associate(const Polynomial& x, const Polynomial& y, const Polynomial& z, const Polynomial& c) {
  const Polynomial d = Common(y, z);
  Apply("B3", {x, y, z, c, d}, {Is(c, Common(x, y)), Is(d, d)}, {Is(Common(c, z), Common(x, d))});
}

BitSteps::List BitSteps::Front(const List& list, size_t k) {
  if (k == 0) return list;
  const List tail = Front(Tail(list), k - 1);
  const Polynomial& head = nodes_[list[0]].polynomial;
  Congruence(head, Common(Tail(list)), Common(tail));
  // head & (front & rest) = front & (rest & head)
  const List rest = Tail(tail);
  if (!rest.empty()) {
    const Polynomial& front = nodes_[tail[0]].polynomial;
    Associate(front, Common(rest), head, Common(tail));
  }
  return Prepend({tail[0], list[0]}, rest);
}

BitSteps::List BitSteps::Insert(Value value, const List& sorted) {
  const Polynomial& x = nodes_[value].polynomial;
  if (sorted.empty() || value < sorted[0]) return Prepend({value}, sorted);
  const List rest = Tail(sorted);
  if (value == sorted[0]) {
    Apply("B2", {x, x}, {Is(x, x)}, {Is(Common(x, x), x)});
    if (!rest.empty()) Associate(x, x, Common(rest), x);
    return sorted;
  }
  const List swapped = Front(Prepend({value}, sorted), 1);
  const List inserted = Insert(value, rest);
  Congruence(nodes_[sorted[0]].polynomial, Common(Tail(swapped)), Common(inserted));
  return Prepend({sorted[0]}, inserted);
}

BitSteps::List BitSteps::Sort(const List& list) {
  if (list.size() < 2) return list;
  const List tail = Sort(Tail(list));
  Congruence(nodes_[list[0]].polynomial, Common(Tail(list)), Common(tail));
  return Insert(list[0], tail);
}

void BitSteps::Reduce(const List& list) {
  if (std::ranges::find(list, kUntraced) != list.end()) failed_ = true;
  if (failed_ || list.size() < 2 || !reduced_.insert(list).second) return;
  const auto found =
      std::ranges::find_if(list, [&](Value value) { return nodes_[value].kind != Node::Kind::kUnknown; });
  if (found == list.end()) {
    Sort(list);
    return;
  }
  const List front = Front(list, static_cast<size_t>(found - list.begin()));
  ReduceHead(Node(nodes_[front[0]]), Tail(front));
}

void BitSteps::ReduceHead(const Node& head, const List& tail) {
  const Polynomial z = Common(tail);
  const Polynomial& s = head.polynomial;
  if (head.kind == Node::Kind::kZero) return AddRange(s, z);
  const Polynomial x = nodes_[head.a].polynomial;
  Reduce(Prepend({head.a}, tail));
  if (head.kind == Node::Kind::kAlias) {
    Apply("C4", {s, z, x, z}, {Is(s, x), Is(z, z)}, {Is(Common(s, z), Common(x, z))});
    return;
  }
  if (head.kind == Node::Kind::kComplement) {
    const Polynomial sum = ring_.Plus(ring_.Add(s, x), 1);
    Apply("B6", {x, z, s}, {Is(sum, {})}, {Is(Common(s, z), ring_.Subtract(z, Common(x, z)))});
    return Reduce(tail);
  }
  const Polynomial y = nodes_[head.b].polynomial;
  const Polynomial& c = head.common;
  Associate(x, y, z, c);
  Reduce(Prepend({head.a, head.b}, tail));
  if (head.op == FormulaOp::kBitAnd) return;
  Reduce(Prepend({head.b}, tail));
  const bool is_or = head.op == FormulaOp::kBitOr;
  const Polynomial sum = ring_.Add(x, y);
  const Polynomial parts = ring_.Add(Common(x, z), Common(y, z));
  const Int128 factor = is_or ? 1 : 2;
  Apply(is_or ? "B4" : "B5", {x, y, z, c, s}, {Is(c, Common(x, y)), Is(s, ring_.Subtract(sum, ring_.Times(c, factor)))},
        {Is(Common(s, z), ring_.Subtract(parts, ring_.Times(Common(c, z), factor)))});
}

void BitSteps::AddRange(const Polynomial& a, const Polynomial& b) {
  const Polynomial common = Common(a, b);
  Apply("B1", {a, b}, {AtMost({}, a)}, {AtMost({}, common), AtMost(common, a)});
}

void BitSteps::AddUnionRange(const Polynomial& a, const Polynomial& b, Int128 power) {
  const Polynomial p = ring_.FromConstant(power);
  const Polynomial q = ring_.FromConstant(power - 1);
  const Polynomial c = Common(a, b);
  Apply("B10", {a, b, p, q, c}, PowerPremises(p, q, {AtMost({}, a), Below(a, p), AtMost({}, b), Below(b, p), Is(c, c)}),
        {Below(ring_.Subtract(ring_.Add(a, b), c), p)});
}

void BitSteps::AddLowBits(const Polynomial& x, const Polynomial& y, const Polynomial& remainder, Int128 power) {
  const Polynomial p = ring_.FromConstant(power);
  const Polynomial q = ring_.FromConstant(power - 1);
  Apply("B8", {x, y, p, q, remainder},
        PowerPremises(p, q, {AtMost({}, x), Below(x, p), Is(remainder, ring_.Division(AtomKind::kMod, y, p))}),
        {Is(Common(x, y), Common(x, remainder))});
}

void BitSteps::AddHighBits(const Polynomial& x, const Polynomial& y, const Polynomial& u, const Polynomial& v,
                           Int128 power) {
  const Polynomial p = ring_.FromConstant(power);
  const Polynomial q = ring_.FromConstant(power - 1);
  Apply("B9", {x, y, p, q, u, v},
        PowerPremises(p, q,
                      {Is(ring_.Division(AtomKind::kMod, x, p), {}), Is(u, ring_.Division(AtomKind::kFloorDiv, x, p)),
                       Is(v, ring_.Division(AtomKind::kFloorDiv, y, p))}),
        {Is(Common(x, y), ring_.Times(Common(u, v), power))});
}

void BitSteps::AddMask(const Polynomial& x, const Polynomial& mask, const Polynomial& p, const Polynomial& remainder,
                       bool complement) {
  const Polynomial q = complement ? ring_.Plus(p, -1) : mask;
  AddRange(p, q);
  Apply("B7", {x, p, q}, PowerPremises(p, q, {}), {Is(Common(x, q), remainder)});
  if (!complement) return;
  const Polynomial sum = ring_.Plus(ring_.Add(mask, q), 1);
  Apply("B6", {q, x, mask}, {Is(sum, {})}, {Is(Common(mask, x), ring_.Subtract(x, Common(q, x)))});
}

}  // namespace layoutcheck
