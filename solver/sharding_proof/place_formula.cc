// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Formulas of users about a sharded array: which devices hold an element, and where in their arrays it lies.
#include <algorithm>
#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/formula/formula.h"
#include "layoutcheck/core/formula/formula_value.h"
#include "layoutcheck/core/tiling/tiled_index.h"
#include "layoutcheck/solver/formula_laws/strided_formula.h"
#include "layoutcheck/solver/layout_proof/symbolic_layout.h"
#include "layoutcheck/solver/paths/symbolic_formula.h"
#include "layoutcheck/solver/sharding_proof/element_sharding.h"
#include "layoutcheck/solver/sharding_proof/prove_sharding.h"
#include "layoutcheck/solver/sharding_proof/shard_question.h"
#include "layoutcheck/solver/sharding_proof/symbolic_sharding.h"

namespace layoutcheck {
namespace {

constexpr std::string_view kDevice = "device";  // name of the number of a device in formulas

// Returns the value of the formula, where value_of(name) returns that of a name.
template <class Int, class ValueOfName>
Int OffsetBy(const Formula& formula, const ValueOfName& value_of) {
  if constexpr (std::same_as<Int, int64_t>) {
    std::vector<int64_t> names;
    for (const std::string& name : formula.names) names.push_back(value_of(name));
    return FormulaEvaluator<int64_t>(formula)(names).value;
  } else {
    SymbolicValues names;
    for (const std::string& name : formula.names) names.emplace(name, value_of(name));
    return ValueOf(formula, names);
  }
}

class PlaceFormulaProver {
 public:
  PlaceFormulaProver(SymbolicSharding sharding, SymbolicLayout layout, std::optional<Formula> offset,
                     const ProveOptions& options)
      : array_{std::move(sharding), {}},
        layout_(std::move(layout)),
        local_offset_(std::move(offset)),
        options_(options) {}

  Expected<std::vector<ProofResult>> Prove(const std::vector<Formula>& formulas,
                                           const std::vector<std::string>& assumptions) {
    LAYOUTCHECK_RETURN_IF_ERROR(MakeDomain(assumptions));
    const std::optional<std::string> owner = array_.HasOneDevicePerElement() ? OwnerIn(formulas[0]) : std::nullopt;
    const std::string condition = FormulaText(formulas[0]);
    LAYOUTCHECK_TRY(ProofResult devices, owner ? ProveOwner(*owner) : ProveDevices(condition));
    const bool are_right = devices.verdict == ProofVerdict::kProved;
    std::vector<ProofResult> results{std::move(devices)};
    if (formulas.size() == 1) return results;
    if (!are_right) {
      results.push_back(Result("formula-offset"));
      results[1].reason = "it is asked where a device holds the element, and the formula for that is not proved";
      return results;
    }
    const bool has_device = std::ranges::find(formulas[1].names, kDevice) != formulas[1].names.end();
    const std::string formula = FormulaText(formulas[1]);
    LAYOUTCHECK_TRY(ProofResult offset, !has_device ? ProveOffset(elements_, formula)
                                        : owner     ? ProveOffset(elements_, WithOwner(*owner, formula))
                                                    : ProveOffsetOnDevices(condition, formula));
    results.push_back(std::move(offset));
    return results;
  }

 private:
  Expected<void> MakeDomain(const std::vector<std::string>& assumptions) {
    const SymbolicSharding& sharding = array_.sharding;
    elements_.AddNames(sharding, 1);
    for (const auto& tile : layout_.layout.tiles) {
      for (const auto& entry : tile) {
        if (!entry.size.name.empty()) elements_.AddName(entry.size.name, 1);
      }
    }
    for (size_t d = 0; d < sharding.dimensions.size(); ++d) {
      elements_.AddIndex(StrCat("i", d), sharding.dimensions[d]);
    }
    for (const std::string& condition : sharding.Conditions()) {
      LAYOUTCHECK_RETURN_IF_ERROR(elements_.Assume(condition));
    }
    for (const std::string& assumption : assumptions) LAYOUTCHECK_RETURN_IF_ERROR(elements_.Assume(assumption));
    return {};
  }

  // Returns the domain of the elements and the devices.
  Expected<ShardDomain> WithDevices() const {
    ShardDomain domain = elements_.Copy();
    domain.AddIndex(std::string(kDevice));
    std::string count = "1";
    for (const MeshAxis& axis : array_.sharding.mesh.axes) StrAppend(count, "*", ToString(axis.size));
    const std::vector<int64_t>& listed = array_.sharding.mesh.device_ids;
    if (!listed.empty()) count = StrCat(std::ranges::max(listed), " + 1");
    LAYOUTCHECK_RETURN_IF_ERROR(domain.Assume(StrCat(kDevice, " < ", count)));
    return domain;
  }

  // Returns F if the condition is `device == F` or `F == device` and F is without `device`.
  static std::optional<std::string> OwnerIn(const Formula& condition) {
    const FormulaNode& root = condition.nodes.back();
    if (root.op != FormulaOp::kEqual) return std::nullopt;
    for (const size_t side : {size_t{0}, size_t{1}}) {
      const FormulaNode& name = condition.nodes[root.operands[side]];
      if (name.op != FormulaOp::kName || condition.names[name.name] != kDevice) continue;
      std::string other = StrCat("(", FormulaText(condition, root.operands[1 - side]), ")");
      const auto parsed = ParseFormula(other);
      if (parsed && std::ranges::find(parsed->names, kDevice) == parsed->names.end()) return other;
    }
    return std::nullopt;
  }

  static std::string ToString(const SymbolicSize& size) { return size.name.empty() ? StrCat(size.value) : size.name; }

  ProofResult Result(std::string law) const {
    ProofResult result;
    result.layout = array_.sharding.text;
    result.law = std::move(law);
    SetNames(array_.sharding, result);
    return result;
  }

  static std::string WithOwner(const std::string& owner, const std::string& formula) {
    return StrCat("let ", kDevice, " = ", owner, " in ", formula);
  }

  // Returns a formula that is proved to be the number of the device of an element, or nothing. A formula for the offset
  // is easier to prove with it in place of `device` than under a condition on `device`.
  Expected<std::optional<std::string>> FindOwner() const {
    if (!array_.HasOneDevicePerElement()) return std::nullopt;
    const MeshSharding& mesh = array_.sharding.mesh;
    std::string number = "0";
    for (size_t axis = 0; axis < mesh.axes.size(); ++axis) {
      number = StrCat("(", number, ") * ", ToString(mesh.axes[axis].size));
      const std::vector<AxisUse> uses = UsesOf(mesh, axis);
      if (!uses.empty()) StrAppend(number, " + ", DigitText(uses[0]));
    }
    number = StrCat("(", number, ")");
    if (!mesh.device_ids.empty()) number = StrCat("[", StrJoin(mesh.device_ids, ", "), "][", number, "]");
    LAYOUTCHECK_TRY(const ProofResult proof, ProveOwner(number));
    return proof.verdict == ProofVerdict::kProved ? std::optional(number) : std::nullopt;
  }

  // Returns the coordinate along an axis of the device of an element, if its dimension is cut once and without blocks.
  std::string DigitText(const AxisUse& use) const {
    const std::vector<MeshAxis>& axes = array_.sharding.mesh.axes;
    std::string parts = "1";
    std::string minor = "1";
    for (size_t k = 0; k < use.cut->axes.size(); ++k) {
      const std::string size = ToString(axes[use.cut->axes[k].axis].size);
      StrAppend(parts, "*", size);
      if (k > use.axis) StrAppend(minor, "*", size);
    }
    const SymbolicSize& size = array_.sharding.dimensions[static_cast<size_t>(use.cut->dimension)];
    const std::string length =
        use.cut->length ? ToString(*use.cut->length) : StrCat(ToString(size), " ceildiv (", parts, ")");
    const std::string digit = StrCat("i", use.cut->dimension, " floordiv (", length, ") floordiv (", minor, ")");
    return use.axis == 0 ? digit : StrCat(digit, " mod ", ToString(axes[use.cut->axes[use.axis].axis].size));
  }

  // Proves that the formula is the number of the one device that holds the element.
  Expected<ProofResult> ProveOwner(const std::string& formula) const {
    ProofResult result = Result("formula-devices");
    result.verdict = ProofVerdict::kProved;
    LAYOUTCHECK_TRY(ProofResult proof, elements_.ProveFormula(
                                           formula, [array = array_](const auto& at) { return array.DeviceNumber(at); },
                                           StrCat(result.layout, ": the device of an element"), options_));
    AddClaimResult(std::move(proof), result);
    if (result.verdict == ProofVerdict::kRefuted) result.subexpression = "the number of the device";
    return result;
  }

  Expected<ProofResult> ProveDevices(const std::string& condition) const {
    ProofResult result = Result("formula-devices");
    result.verdict = ProofVerdict::kProved;
    const auto holds = [array = array_](const auto& at) {
      return at(SymbolicSize{{}, array.IsOn(at(std::string(kDevice)), at) ? 1 : 0});
    };
    LAYOUTCHECK_TRY(const ShardDomain domain, WithDevices());
    LAYOUTCHECK_TRY(ProofResult proof,
                    domain.ProveFormula(StrCat("(", condition, ") ? 1 : 0"), holds,
                                        StrCat(result.layout, ": the devices of an element"), options_));
    AddClaimResult(std::move(proof), result);
    if (result.verdict == ProofVerdict::kRefuted) Confirm(result);
    return result;
  }

  // Says which device holds the element of the counterexample or does not, according to core.
  void Confirm(ProofResult& result) const {
    const std::map<std::string, int64_t> values(result.counterexample.begin(), result.counterexample.end());
    const auto made = ShardingAt(array_.sharding, values);
    if (!made) return;
    std::vector<int64_t> coordinate;
    for (size_t d = 0; d < array_.rank(); ++d) coordinate.push_back(values.at(StrCat("i", d)));
    const int64_t device = values.at(std::string(kDevice));
    const bool holds = std::ranges::count(made->DevicesOf(coordinate), device) > 0;
    const auto expected = values.find("expected");
    if (expected != values.end() && (expected->second == 1) != holds) {
      result.verdict = ProofVerdict::kUnknown;
      result.reason = "a counterexample was found that core does not confirm";
      return;
    }
    std::erase_if(result.counterexample,
                  [](const auto& value) { return value.first == "expected" || value.first == "actual"; });
    const std::string_view verb = holds ? " holds the element, and the formula says that it does not"
                                        : " does not hold the element, and the formula says that it does";
    result.subexpression = StrCat("device ", device, verb);
  }

  // Proves that the formula is the linear index in the array of the devices for which the condition holds.
  Expected<ProofResult> ProveOffsetOnDevices(const std::string& condition, const std::string& formula) const {
    LAYOUTCHECK_TRY(const auto owner, FindOwner());
    if (owner) return ProveOffset(elements_, WithOwner(*owner, formula));
    LAYOUTCHECK_TRY(ShardDomain domain, WithDevices());
    LAYOUTCHECK_RETURN_IF_ERROR(domain.Assume(condition));
    return ProveOffset(domain, formula);
  }

  Expected<ProofResult> ProveOffset(const ShardDomain& domain, const std::string& formula) const {
    ProofResult result = Result("formula-offset");
    result.verdict = ProofVerdict::kProved;
    const auto offset = [array = array_, layout = layout_.layout,
                         local_offset = local_offset_]<class Int>(const ShardArguments<Int>& at) {
      BasicTiledLayout<Int> local = MapSizes<Int>(layout, at);
      std::vector<Int> coordinate;
      std::vector<std::string> index_names;
      for (size_t d = 0; d < array.rank(); ++d) {
        index_names.push_back(StrCat("i", d));
        local.dimensions[d] = array.LocalSize(d, at);
        coordinate.push_back(array.PlaceIn(d, at).coordinate[0]);
      }
      if (local_offset) {
        return OffsetBy<Int>(*local_offset, [&](const std::string& name) {
          const auto index = std::ranges::find(index_names, name);
          return index == index_names.end() ? at(name) : coordinate[static_cast<size_t>(index - index_names.begin())];
        });
      }
      const TiledIndexProgram<Int> program = TiledIndexCompiler<Int>().Compile(local);
      const std::vector<Int> computed = EvaluateProgram<Int>(program, coordinate);
      Int sum = at(SymbolicSize{{}, 0});
      for (const auto& [value, stride] : program.summands) sum = sum + computed[value] * stride;
      return sum;
    };
    LAYOUTCHECK_TRY(
        ProofResult proof,
        domain.ProveFormula(formula, offset, StrCat(result.layout, ": the linear index in the array of a device"),
                            options_));
    AddClaimResult(std::move(proof), result);
    return result;
  }

  ElementSharding array_;
  SymbolicLayout layout_;
  std::optional<Formula> local_offset_;  // of the local layout, if there is one
  const ProveOptions& options_;
  ShardDomain elements_;
};

}  // namespace

Expected<std::vector<ProofResult>> ProvePlaceFormula(std::string_view text, std::string_view formula,
                                                     const std::vector<std::string>& assumptions,
                                                     const ProveOptions& options) {
  auto sharding = ParseSymbolicSharding(text);
  if (!sharding) return MakeError(sharding.error().kind, StrCat(text, ": ", sharding.error().ToString()));
  if (!sharding->has_devices) {
    return UnsupportedError(text, ": {replicated} does not say how many devices there are");
  }
  if (sharding->mesh.device_ids.size() > kMaxListedDevices) {
    return UnsupportedError(text, ": expected devices that count 0, 1, 2, ... along the axes of a mesh, or at most ",
                            kMaxListedDevices, " devices in another order");
  }
  if (std::ranges::find(sharding->names, kDevice) != sharding->names.end()) {
    return ArgumentError(text, ": the name 'device' is kept for the number of a device: use another");
  }
  const auto formulas = ParseFormulas(formula);
  if (!formulas) return MakeError(formulas.error().kind, StrCat("--formula: ", formulas.error().ToString()));
  if (formulas->size() > 2) {
    return ArgumentError(
        "--formula: expected a condition on `device` that says whether it holds the element, and "
        "perhaps a linear index behind a comma, found ",
        formulas->size(), " formulas");
  }
  LAYOUTCHECK_TRY(SymbolicLayout layout, ParseSymbolicLayout(sharding->shape_text));
  std::optional<Formula> local_offset;
  if (formulas->size() == 2 && !sharding->local.empty()) {
    LAYOUTCHECK_TRY(const StridedFormula local, ReadOffsetFormula(sharding->local));
    LAYOUTCHECK_TRY(local_offset, ParseFormula(local.offset));
  }
  return PlaceFormulaProver(*std::move(sharding), std::move(layout), std::move(local_offset), options)
      .Prove(*formulas, assumptions);
}

}  // namespace layoutcheck
