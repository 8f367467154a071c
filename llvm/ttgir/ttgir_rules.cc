// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/ttgir/ttgir_rules.h"
#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

constexpr std::array<TtgirRule, 5> kRules = {{
    {"convert-is-free", "A convert_layout brings an element to a thread that did not hold it.", "convert-moves-data"},
    {"convert-of-convert", "No convert_layout takes the result of another one where one would do.",
     "convert-is-not-undone"},
    {"convert-not-smallest",
     "A convert_layout takes a tensor where it has fewest bytes: before it is extended or broadcast, or behind its "
     "truncation.",
     "convert-where-smallest"},
    {"convert-of-computed",
     "A convert_layout takes a tensor that cannot be computed from constants, ranges and scalars in the other layout.",
     "convert-of-data"},
    {"bank-conflicts", "No access to shared memory needs two words of one bank in a pass.", "no-bank-conflicts"},
}};

constexpr std::string_view kFree = kRules[0].name;
constexpr std::string_view kOfConvert = kRules[1].name;
constexpr std::string_view kNotSmallest = kRules[2].name;
constexpr std::string_view kOfComputed = kRules[3].name;
constexpr std::string_view kConflicts = kRules[4].name;

// The rules about conversions of one function.
class ConvertRules {
 public:
  ConvertRules(const TtgirUses& uses, TtgirLayouts& layouts, std::vector<TtgirFinding>& findings)
      : uses_(uses), layouts_(layouts), findings_(findings) {}

  void Judge(const TtgirConvert& convert) {
    if (convert.element_bytes == 0) return;
    if (convert.moved_bytes() == 0) return JudgeFree(convert);
    JudgeOfConvert(convert);
    JudgeExtension(convert);
    JudgeTruncation(convert);
    JudgeComputed(convert);
  }

 private:
  void Add(std::string_view rule, const TtgirConvert& convert, std::string message) {
    findings_.push_back({rule, convert.op, false, std::move(message)});
  }

  // Returns the bytes that come from other threads if a tensor changes to the layout of another encoding, or nothing if
  // a layout cannot be read.
  std::optional<int64_t> MovedBytes(const TtirType& from, std::string_view encoding) {
    const auto old_layout = layouts_.OfTensor(from.encoding, from.shape);
    const auto new_layout = layouts_.OfTensor(encoding, from.shape);
    const auto element_bytes = ElementBytes(from);
    if (!old_layout || !new_layout || !element_bytes) return std::nullopt;
    const auto movement = MovementBetween(*old_layout, *new_layout);
    if (!movement) return std::nullopt;
    return movement->moved() * *element_bytes;
  }

  void JudgeFree(const TtgirConvert& convert) {
    Add(kFree, convert,
        convert.movement.has_same_registers
            ? "both layouts have each element in the same register of the same thread: nothing moves"
            : "each thread holds its elements before: at most the numbers of their registers change");
  }

  void JudgeOfConvert(const TtgirConvert& convert) {
    const TtirValue& middle = *convert.op->operands[0];
    const TtirOp* const first = middle.definition;
    if (first == nullptr || first->name != convert.op->name || first->operands.size() != 1) return;
    const TtirValue& source = *first->operands[0];
    const std::string& encoding = convert.op->results[0]->type.encoding;
    const auto moved_before = MovedBytes(source.type, middle.type.encoding);
    const auto moved_directly = MovedBytes(source.type, encoding);
    if (!moved_before || !moved_directly || *moved_before == 0) return;  // the first one is free
    if (*moved_directly == 0) {
      Add(kOfConvert, convert,
          source.type.encoding == encoding
              ? StrCat("it goes back to the layout of ", ValueText(source), ", which would do")
              : StrCat("it goes back to the threads that hold ", ValueText(source), ": a convert of it moves nothing"));
    } else if (uses_.Of(&middle).size() == 1 && *moved_directly < *moved_before + convert.moved_bytes()) {
      Add(kOfConvert, convert,
          StrCat("one convert of ", ValueText(source), " moves ", *moved_directly, " bytes, the two move ",
                 *moved_before + convert.moved_bytes()));
    }
  }

  void JudgeExtension(const TtgirConvert& convert) {
    static const std::set<std::string_view> kExtensions = {"arith.extf",   "arith.extsi", "arith.extui", "arith.sitofp",
                                                           "arith.uitofp", "tt.fp_to_fp", "tt.broadcast"};
    const TtirValue& operand = *convert.op->operands[0];
    const TtirOp* const extension = operand.definition;
    if (extension == nullptr || !kExtensions.contains(extension->name) || extension->operands.size() != 1) return;
    const TtirValue& small = *extension->operands[0];
    if (!small.type.is_tensor() || small.type.shape.size() != operand.type.shape.size()) return;
    if (uses_.Of(&operand).size() != 1) return;
    const auto moved = MovedBytes(small.type, convert.op->results[0]->type.encoding);
    if (!moved || *moved >= convert.moved_bytes()) return;
    Add(kNotSmallest, convert,
        StrCat("a convert of ", ValueText(small), " before ", extension->name, " moves ", *moved, " bytes, this one ",
               convert.moved_bytes()));
  }

  void JudgeTruncation(const TtgirConvert& convert) {
    static const std::set<std::string_view> kTruncations = {"arith.truncf", "arith.trunci", "tt.fp_to_fp"};
    const std::vector<const TtirOp*>& uses = uses_.Of(convert.op->results[0]);
    if (uses.size() != 1 || !kTruncations.contains(uses[0]->name) || uses[0]->results.size() != 1) return;
    const auto element_bytes = ElementBytes(uses[0]->results[0]->type);
    if (!element_bytes || *element_bytes >= convert.element_bytes) return;
    Add(kNotSmallest, convert,
        StrCat("a convert behind ", uses[0]->name, " moves ", convert.movement.moved() * *element_bytes,
               " bytes, this one ", convert.moved_bytes()));
  }

  void JudgeComputed(const TtgirConvert& convert) {
    const auto operations = ComputedFromScalars(convert.op->operands[0]);
    if (!operations) return;
    int64_t twice = 0;
    for (const TtirOp* const op : *operations) {
      const auto& uses = uses_.Of(op->results[0]);
      const bool is_needed_here =
          std::ranges::any_of(uses, [&](const TtirOp* use) { return use != convert.op && !operations->contains(use); });
      if (is_needed_here) ++twice;
    }
    const size_t count = operations->size();
    Add(kOfComputed, convert,
        StrCat(count, count == 1 ? " operation computes" : " operations compute",
               " it from constants, ranges and scalars: in the new layout they would move no byte instead of ",
               convert.moved_bytes(), "; results needed in both layouts: ", twice));
  }

  const TtgirUses& uses_;
  TtgirLayouts& layouts_;
  std::vector<TtgirFinding>& findings_;
};

// Returns true if an instruction that FindBufferAccess does not know may do the access: Blackwell's loads and stores of
// transposed matrices of 8-bit elements.
bool MayBeByOtherMatrices(const TtgirAccess& access) { return access.access->lane_bytes < 2; }

}  // namespace

std::span<const TtgirRule> TtgirRules() { return kRules; }

void FindBrokenRules(const TtgirFunction& function, const TtgirUses& uses, TtgirLayouts& layouts,
                     std::vector<TtgirFinding>& findings) {
  ConvertRules rules(uses, layouts, findings);
  for (const TtgirConvert& convert : function.converts) rules.Judge(convert);
  for (const TtgirAccess& access : function.accesses) {
    if (!access.access || access.access->passes == access.access->conflict_free_passes) continue;
    if (MayBeByOtherMatrices(access)) continue;
    findings.push_back({kConflicts, access.op, false,
                        StrCat("words of several lanes lie in one bank: ", access.access->passes,
                               " passes, without conflicts ", access.access->conflict_free_passes)});
  }
}

}  // namespace layoutcheck
