// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/testing/random_kernel.h"
#include <algorithm>
#include <initializer_list>
#include <string_view>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

using Kind = KernelStatement::Kind;

constexpr std::array<std::string_view, 6> kNumberTexts{"t", "b", "(int)gridDim.x", "n", "k0", "k1"};

constexpr int64_t kFirstLanes = 8;  // lanes that the mask of a __syncwarp may name one by one

KernelFormula Literal(int64_t value) { return {.op = '#', .literal = value}; }
KernelFormula NumberIs(KernelNumber number) { return {.op = 'v', .number = number}; }
KernelFormula Combined(KernelFormula a, char op, KernelFormula b) {
  return {.op = op, .operands = {std::move(a), std::move(b)}};
}

class KernelWriter {
 public:
  explicit KernelWriter(std::mt19937& random) : random_(random) {}

  RandomKernel Kernel(const std::string& name);

 private:
  int64_t Below(int64_t count) { return static_cast<int64_t>(random_() % static_cast<uint64_t>(count)); }
  bool OneIn(int64_t count) { return Below(count) == 0; }
  int64_t OneOf(std::initializer_list<int64_t> numbers) {
    return *(numbers.begin() + Below(static_cast<int64_t>(numbers.size())));
  }

  KernelFormula Thread() { return NumberIs(KernelNumber::kThread); }
  KernelFormula Counter();
  // Returns a formula of the thread's number, mostly one that gives threads different places.
  KernelFormula Mixed();
  // Returns a place of [0, count).
  KernelFormula Place(int64_t count);
  KernelStatement Access(Kind kind, int array, bool is_pair);
  KernelStatement RandomAccess();
  KernelFormula Condition();
  std::vector<KernelStatement> Accesses();
  // Adds statements, which may be in loops and branches.
  void AddStatements(std::vector<KernelStatement>& to, int depth);
  KernelStatement WarpBarrier(bool is_partial);
  void AddFirstLanes(std::vector<KernelStatement>& to);
  void AddLanesInTurn(std::vector<KernelStatement>& to);
  void AddBarrier(std::vector<KernelStatement>& to);
  void AddInterval(std::vector<KernelStatement>& to);

  std::mt19937& random_;
  RandomKernel kernel_;
  bool is_careful_ = false;   // few of the kernels like it race
  bool is_staging_ = true;    // of a careful kernel: threads store to shared memory until the next barrier
  int loops_ = 0;             // around the current statement
  bool has_returns_ = false;  // threads may have returned
};

KernelFormula KernelWriter::Counter() {
  if (loops_ == 0) return Literal(Below(4));
  const KernelNumber number = loops_ == 2 && OneIn(2) ? KernelNumber::kInnerLoop : KernelNumber::kOuterLoop;
  return Combined(NumberIs(number), '&', Literal(3));
}

KernelFormula KernelWriter::Mixed() {
  const int64_t threads = kernel_.threads();
  if (is_careful_ && !OneIn(10)) {
    switch (Below(6)) {
      case 0: return Combined(Thread(), '^', Literal(threads % 4 == 0 ? OneOf({1, 2, 3}) : threads % 2));
      case 1: return Combined(Literal(threads - 1), '-', Thread());
      case 2: return Combined(Combined(Thread(), '+', Literal(Below(threads))), '%', Literal(threads));
      default: return Thread();
    }
  }
  switch (Below(12)) {
    case 0: return Combined(Thread(), '^', Literal(OneOf({1, 1, 2, 3})));
    case 1: return Combined(Thread(), '+', Literal(Below(threads) + 1));
    case 2: return Combined(Literal(threads - 1), '-', Thread());
    case 3: return Combined(Thread(), '*', Literal(OneOf({2, 3, 5})));
    case 4: return Combined(Thread(), '/', Literal(2));
    case 5: return Combined(Thread(), '+', Counter());
    case 6: return Combined(Thread(), '+', Combined(Counter(), '*', Literal(threads)));
    case 7: return Combined(Combined(Thread(), '%', Literal(2)), '*', Literal(threads / 2));
    case 8: return OneIn(3) ? Counter() : Thread();
    default: return Thread();
  }
}

KernelFormula KernelWriter::Place(int64_t count) {
  KernelFormula place = Mixed();
  if (OneIn(is_careful_ ? 40 : 8)) place = Combined(std::move(place), '^', Counter());
  // A thread's number alone may be inside anyway.
  if (place.op == 'v' && count >= kernel_.threads()) return place;
  return Combined(std::move(place), '%', Literal(count));
}

KernelStatement KernelWriter::Access(Kind kind, int array, bool is_pair) {
  KernelStatement access{.kind = kind, .array = array, .is_pair = is_pair};
  const int64_t width = is_pair ? 2 : 1;
  if (array >= 2) {
    access.formula = Place(std::max<int64_t>(kernel_.shared[static_cast<size_t>(array - 2)] / width, 1));
    return access;
  }
  const int64_t count = kernel_.elements / width;
  KernelFormula block = NumberIs(KernelNumber::kBlock);
  if (OneIn(is_careful_ ? 60 : 12)) {
    block = Combined(Combined(block, '+', Literal(1)), '%', NumberIs(KernelNumber::kBlocks));
  } else if (OneIn(is_careful_ ? 100 : 25)) {
    block = Literal(0);
  }
  access.formula = Combined(Combined(block, '*', Literal(count)), '+', Place(count));
  return access;
}

KernelStatement KernelWriter::RandomAccess() {
  const int shared = kernel_.shared[1] > 0 && OneIn(2) ? 3 : 2;
  const bool is_pair = kernel_.elements % 2 == 0 && kernel_.shared[static_cast<size_t>(shared - 2)] >= 2 && OneIn(8);
  const bool has_atomics = kernel_.element_bytes == 4;
  switch (Below(10)) {
    case 0:
    case 1:
    case 2: return Access(Kind::kStore, shared, is_pair);
    case 3:
    case 4: return Access(Kind::kLoad, shared, is_pair);
    case 5: return Access(Kind::kStore, 1, is_pair);
    case 6: return Access(Kind::kLoad, OneIn(6) ? 1 : 0, is_pair);
    case 7: return Access(has_atomics && OneIn(2) ? Kind::kAtomicAdd : Kind::kStore, shared, false);
    case 8: return Access(has_atomics && OneIn(2) ? Kind::kAtomicAdd : Kind::kLoad, OneIn(2) ? 1 : shared, false);
    default: return {.kind = Kind::kSet, .formula = Literal(1 + Below(5))};
  }
}

KernelFormula KernelWriter::Condition() {
  const int64_t threads = kernel_.threads();
  switch (Below(8)) {
    case 0: return Combined(Combined(Thread(), '%', Literal(2)), '=', Literal(Below(2)));
    case 1: return Combined(Thread(), '=', Literal(Below(threads)));
    case 2: return Combined(Thread(), '!', Literal(Below(threads)));
    case 3: return Combined(NumberIs(KernelNumber::kBlock), '=', Literal(Below(2)));
    case 4: return Combined(NumberIs(KernelNumber::kArgument), '<', Literal(1 + Below(3)));
    case 5: return Combined(Thread(), '<', NumberIs(KernelNumber::kArgument));
    case 6: return Combined(Counter(), '<', Literal(1 + Below(3)));
    default: return Combined(Thread(), '<', Literal(1 + Below(threads)));
  }
}

// Returns one access, or a value that moves from one place to another.
std::vector<KernelStatement> KernelWriter::Accesses() {
  if (OneIn(is_careful_ ? 12 : 3)) return {RandomAccess()};
  const int shared = kernel_.shared[1] > 0 && OneIn(3) ? 3 : 2;
  const bool is_pair = kernel_.elements % 2 == 0 && kernel_.shared[static_cast<size_t>(shared - 2)] >= 2 && OneIn(10);
  const bool is_staged = OneIn(2);
  return {Access(Kind::kLoad, is_staged ? 0 : shared, is_pair), Access(Kind::kStore,
                                                                       is_staged  ? shared
                                                                       : OneIn(5) ? shared
                                                                                  : 1,
                                                                       is_pair)};
}

void KernelWriter::AddStatements(std::vector<KernelStatement>& to, int depth) {
  const int64_t choice = Below(depth > 0 ? 20 : 12);
  if (choice < 12 || (choice < 16 && loops_ == 2)) {
    for (KernelStatement& access : Accesses()) to.push_back(std::move(access));
    return;
  }
  if (choice < 16) {
    KernelStatement loop{.kind = Kind::kLoop,
                         .formula = OneIn(3) ? NumberIs(KernelNumber::kArgument) : Literal(1 + Below(3)),
                         .counter = loops_ == 0 ? KernelNumber::kOuterLoop : KernelNumber::kInnerLoop};
    ++loops_;
    AddStatements(loop.body, depth - 1);
    if (OneIn(2)) {
      AddBarrier(loop.body);
      if (OneIn(2) || is_careful_) AddStatements(loop.body, depth - 1);
      if (OneIn(3) || is_careful_) AddBarrier(loop.body);
    }
    --loops_;
    to.push_back(std::move(loop));
    return;
  }
  if (choice == 16 && OneIn(2)) {
    KernelStatement branch{.kind = Kind::kIf, .formula = Condition()};
    branch.body.push_back({.kind = Kind::kReturn});
    has_returns_ = true;
    to.push_back(std::move(branch));
    return;
  }
  KernelStatement branch{.kind = Kind::kIf, .formula = Condition()};
  AddStatements(branch.body, depth - 1);
  if (OneIn(is_careful_ ? 30 : 8)) branch.body.push_back({.kind = Kind::kBarrier});
  if (OneIn(4)) AddStatements(branch.otherwise, depth - 1);
  if (!branch.otherwise.empty() && OneIn(12)) branch.otherwise.push_back({.kind = Kind::kBarrier});
  to.push_back(std::move(branch));
}

KernelStatement KernelWriter::WarpBarrier(bool is_partial) {
  const int64_t lanes = std::min<int64_t>(kernel_.threads(), kFirstLanes);
  const int64_t mask = is_partial ? 1 + Below((int64_t{1} << lanes) - 1) : kFullMask;
  return {.kind = Kind::kWarpBarrier, .formula = Literal(mask)};
}

// Adds a value that passes from one of the first threads of a warp to another, which wait for each other alone.
void KernelWriter::AddFirstLanes(std::vector<KernelStatement>& to) {
  const int64_t lanes = 1 + Below(std::min<int64_t>(kernel_.threads(), kFirstLanes));
  KernelStatement branch{.kind = Kind::kIf, .formula = Combined(Thread(), '<', Literal(lanes))};
  branch.body.push_back(Access(Kind::kLoad, 0, /*is_pair=*/false));
  branch.body.push_back(Access(Kind::kStore, 2, /*is_pair=*/false));
  const int64_t mask = OneIn(6) ? 1 + Below((int64_t{1} << lanes) - 1) : (int64_t{1} << lanes) - 1;
  branch.body.push_back({.kind = Kind::kWarpBarrier, .formula = Literal(mask)});
  branch.body.push_back(Access(Kind::kLoad, 2, /*is_pair=*/false));
  branch.body.push_back(Access(Kind::kStore, 1, /*is_pair=*/false));
  to.push_back(std::move(branch));
}

// Adds a value that passes from lane 0 to lane 2 by way of lane 1: a barrier of lanes 0 and 1, and then one of 1 and 2.
void KernelWriter::AddLanesInTurn(std::vector<KernelStatement>& to) {
  constexpr int64_t kFirstTwo = 3;
  constexpr int64_t kLastTwo = 6;
  const auto barrier = [](int64_t mask) {
    return KernelStatement{.kind = Kind::kWarpBarrier, .formula = Literal(mask)};
  };
  const auto at_first = [](Kind kind, int array) {
    return KernelStatement{.kind = kind, .array = array, .formula = Literal(0)};
  };
  const auto below = [this](int64_t lanes) {
    return KernelStatement{.kind = Kind::kIf, .formula = Combined(Thread(), '<', Literal(lanes))};
  };
  KernelStatement first = below(1);
  KernelStatement second = below(2);
  KernelStatement third = below(3);
  first.body = {at_first(Kind::kLoad, 0), at_first(Kind::kStore, 2), barrier(kFirstTwo)};
  second.body = {barrier(kFirstTwo), barrier(kLastTwo)};
  third.body = {barrier(kLastTwo), at_first(Kind::kLoad, 2), at_first(Kind::kStore, 1)};
  second.otherwise.push_back(std::move(third));
  first.otherwise.push_back(std::move(second));
  to.push_back(std::move(first));
}

void KernelWriter::AddBarrier(std::vector<KernelStatement>& to) {
  if (OneIn(6)) {
    to.push_back(WarpBarrier(OneIn(12)));
  } else {
    to.push_back({.kind = Kind::kBarrier});
  }
  is_staging_ = !is_staging_;
}

void KernelWriter::AddInterval(std::vector<KernelStatement>& to) {
  if (is_careful_ && kernel_.element_bytes == 4 && OneIn(5)) {
    to.push_back(Access(Kind::kAtomicAdd, 2, /*is_pair=*/false));
    is_staging_ = true;  // the next interval is one of reads
    return;
  }
  for (int64_t count = is_careful_ ? OneOf({1, 1, 1, 2}) : 1 + Below(2); count > 0; --count) AddStatements(to, 2);
  if (OneIn(12)) AddFirstLanes(to);
  if (kernel_.threads() > 2 && OneIn(25)) AddLanesInTurn(to);
  if (!has_returns_ && kernel_.threads() % 2 == 0 && kernel_.threads() <= 32 && OneIn(10)) {
    to.push_back({.kind = Kind::kShuffle, .formula = Literal(1)});
    to.push_back(Access(Kind::kStore, 1, /*is_pair=*/false));
  }
}

RandomKernel KernelWriter::Kernel(const std::string& name) {
  kernel_.name = name;
  is_careful_ = !OneIn(3);
  kernel_.block = {OneIn(12) ? OneOf({34, 40, 64}) : OneOf({2, 4, 4, 8, 8, 3, 6}), 1};
  if (kernel_.block[0] % 2 == 0 && OneIn(5)) kernel_.block = {kernel_.block[0] / 2, 2};
  kernel_.elements = kernel_.threads() * OneOf({1, 1, 2});
  kernel_.element_bytes = OneOf({4, 4, 4, 4, 1, 2, 8});
  kernel_.shared[0] = kernel_.threads() * OneOf({1, 1, 2}) + (OneIn(5) ? 1 : 0);
  if (OneIn(4)) kernel_.shared[1] = kernel_.threads();
  if (OneIn(kernel_.shared[1] > 0 ? 3 : 10)) {
    kernel_.shared_memory =
        kernel_.shared[1] > 0 ? RandomKernel::SharedMemory::kAliased : RandomKernel::SharedMemory::kDynamic;
  }
  AddInterval(kernel_.body);
  for (int64_t intervals = OneOf({0, 1, 1, 1, 2, 2, 3}); intervals > 0; --intervals) {
    AddBarrier(kernel_.body);
    AddInterval(kernel_.body);
  }
  return std::move(kernel_);
}

bool HasKind(const std::vector<KernelStatement>& statements, Kind kind) {
  return std::ranges::any_of(statements, [kind](const KernelStatement& statement) {
    return statement.kind == kind || HasKind(statement.body, kind) || HasKind(statement.otherwise, kind);
  });
}

}  // namespace

int64_t KernelFormula::Value(const KernelNumbers& numbers) const {
  if (op == '#') return literal;
  if (op == 'v') return numbers[static_cast<size_t>(number)];
  const int64_t a = operands[0].Value(numbers);
  const int64_t b = operands[1].Value(numbers);
  switch (op) {
    case '+': return a + b;
    case '-': return a - b;
    case '*': return a * b;
    case '/': return a / b;  // NOLINT(clang-analyzer-core.DivideZero): divisors are literals or numbers of blocks
    case '%': return a % b;  // NOLINT(clang-analyzer-core.DivideZero)
    case '^': return a ^ b;
    case '&': return a & b;
    case '<': return a < b ? 1 : 0;
    case '=': return a == b ? 1 : 0;
    default: return a != b ? 1 : 0;
  }
}

std::string KernelFormula::Text() const {
  if (op == '#') return StrCat(literal);
  if (op == 'v') return std::string(kNumberTexts[static_cast<size_t>(number)]);
  const std::string sign = op == '=' ? "==" : op == '!' ? "!=" : std::string(1, op);
  return StrCat("(", operands[0].Text(), " ", sign, " ", operands[1].Text(), ")");
}

int64_t RandomKernel::dynamic_bytes() const {
  return shared_memory == SharedMemory::kStatic ? 0 : std::max(shared[0], shared[1]) * element_bytes;
}

bool RandomKernel::Has(KernelStatement::Kind kind) const { return HasKind(body, kind); }

RandomKernel DrawKernel(const std::string& name, std::mt19937& random) { return KernelWriter(random).Kernel(name); }

}  // namespace layoutcheck
