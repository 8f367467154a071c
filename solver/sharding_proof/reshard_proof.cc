// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The law reshard: two shardings place every element alike.
#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/sharding_proof/prove_sharding.h"
#include "layoutcheck/solver/sharding_proof/shard_question.h"
#include "layoutcheck/solver/sharding_proof/symbolic_sharding.h"

namespace layoutcheck {
namespace {

// Limit of devices of a mesh that is compared device by device. It bounds the number of paths.
constexpr size_t kMaxDevicesInTable = 64;

// Words for the value of the claim about tables, which is the number of a set.
constexpr std::string_view kSetOfDevices = "the set of devices";

bool AreEqual(const SymbolicSize& a, const SymbolicSize& b) { return a.name == b.name && a.value == b.value; }

bool AllNumbers(const MeshSharding& mesh) {
  return std::ranges::all_of(mesh.axes, [](const MeshAxis& axis) { return axis.size.name.empty(); }) &&
         std::ranges::all_of(mesh.cuts, [](const MeshCut& cut) { return cut.blocks.name.empty(); });
}

bool HasParts(const MeshSharding& mesh) {
  return std::ranges::any_of(mesh.cuts,
                             [](const MeshCut& cut) { return !std::ranges::all_of(cut.axes, &AxisPart::is_whole); });
}

bool AreOneMesh(const MeshSharding& a, const MeshSharding& b) {
  return a.device_ids == b.device_ids && std::ranges::equal(a.axes, b.axes, [](const MeshAxis& x, const MeshAxis& y) {
           return AreEqual(x.size, y.size);
         });
}

// A cut along an axis: its number among the cuts of its dimension, and the number of the axis among its axes.
struct AxisUse {
  const MeshCut* cut;
  size_t number;
  size_t axis;
};

// Returns the use of the axis, or nothing if every device along it holds the same elements.
std::optional<AxisUse> UseOf(const MeshSharding& mesh, size_t axis) {
  std::map<int64_t, size_t> cuts;  // number of cuts so far, by dimension
  for (const MeshCut& cut : mesh.cuts) {
    const size_t number = cuts[cut.dimension]++;
    for (size_t k = 0; k < cut.axes.size(); ++k) {
      if (cut.axes[k].axis == axis) return AxisUse{&cut, number, k};
    }
  }
  return std::nullopt;
}

template <class Int>
ShardPlace<Int> PlaceInDimension(const SymbolicSharding& sharding, size_t dimension, const ShardArguments<Int>& at) {
  return PlaceOf<Int>(at.CutsOf(sharding.Only(dimension)), std::vector<Int>{at(StrCat("i", dimension))});
}

// Returns the coordinate along the axis of the devices that hold the element.
template <class Int>
Int AxisCoordinate(const SymbolicSharding& sharding, size_t axis, const ShardArguments<Int>& at) {
  const AxisUse use = *UseOf(sharding.mesh, axis);
  Int part = PlaceInDimension(sharding, static_cast<size_t>(use.cut->dimension), at).parts[use.number];
  Int minor = at(SymbolicSize{{}, 1});
  for (size_t k = use.axis + 1; k < use.cut->axes.size(); ++k) {
    minor = minor * at(sharding.mesh.axes[use.cut->axes[k].axis].size);
  }
  part = FloorDiv(part, minor);
  return use.axis == 0 ? part : Mod(part, at(sharding.mesh.axes[axis].size));
}

// Returns the number of the element's parts, in row-major order of all cuts. Each number has paths of its own.
template <class Int>
size_t NumberOfParts(const SymbolicSharding& sharding, const ShardArguments<Int>& at) {
  std::vector<Int> coordinate;
  for (size_t d = 0; d < sharding.dimensions.size(); ++d) coordinate.push_back(at(StrCat("i", d)));
  const ShardCuts<Int> cuts = at.CutsOf(sharding);
  const ShardPlace<Int> place = PlaceOf<Int>(cuts, coordinate);
  size_t number = 0;
  for (size_t k = 0; k < place.parts.size(); ++k) {
    int64_t part = 0;
    int64_t parts = 1;
    while (Int(parts) < cuts.cuts[k].parts) {
      if (Int(parts) <= place.parts[k]) part = parts;
      ++parts;
    }
    number = number * static_cast<size_t>(parts) + static_cast<size_t>(part);
  }
  return number;
}

// Returns "devices 0, 4".
std::string DevicesText(const std::vector<int64_t>& devices) {
  return StrCat(devices.size() == 1 ? "device " : "devices ", StrJoin(devices, ", "));
}

class ReshardProver {
 public:
  ReshardProver(const SymbolicSharding& before, const SymbolicSharding& after, const ProveOptions& options)
      : before_(before), after_(after), options_(options) {}

  Expected<ProofResult> Prove(const std::vector<std::string>& assumptions) {
    result_.layout = before_.text;
    result_.law = "reshard";
    result_.verdict = ProofVerdict::kProved;
    for (const SymbolicSharding* sharding : {&before_, &after_}) {
      domain_.AddNames(*sharding, 1);
      for (const std::string& name : sharding->names) {
        if (std::ranges::find(result_.for_all, name) == result_.for_all.end()) result_.for_all.push_back(name);
        std::string& range = result_.ranges[name];
        if (range.empty() || sharding->positive.contains(name)) {
          range = sharding->positive.contains(name) ? kPositiveRange : kNotNegativeRange;
        }
      }
    }
    for (size_t d = 0; d < before_.dimensions.size(); ++d) domain_.AddIndex(StrCat("i", d), before_.dimensions[d]);
    for (const std::string& assumption : assumptions) LAYOUTCHECK_RETURN_IF_ERROR(domain_.Assume(assumption));
    LAYOUTCHECK_RETURN_IF_ERROR(AddDevices());
    for (size_t d = 0; d < before_.dimensions.size(); ++d) LAYOUTCHECK_RETURN_IF_ERROR(AddCoordinate(d));
    if (result_.verdict == ProofVerdict::kRefuted) Confirm();
    return std::move(result_);
  }

 private:
  Expected<void> AddDevices() {
    const bool have_numbers = AllNumbers(before_.mesh) && AllNumbers(after_.mesh);
    const bool have_parts = HasParts(before_.mesh) || HasParts(after_.mesh);
    if (AreOneMesh(before_.mesh, after_.mesh) && !have_parts) return AddAxes();
    if (have_numbers) return AddTables();
    return UnsupportedError(
        "expected shardings over one mesh whose axes are used whole, or meshes without names: found ", before_.text,
        " and ", after_.text);
  }

  // Adds the claims about each axis of the mesh. Those about replicas are first, because their counterexamples are
  // small.
  Expected<void> AddAxes() {
    std::vector<ShardClaim> claims;
    for (size_t axis = 0; axis < before_.mesh.axes.size(); ++axis) {
      const bool is_used = UseOf(before_.mesh, axis).has_value();
      const bool is_used_after = UseOf(after_.mesh, axis).has_value();
      if (is_used && is_used_after) {
        claims.push_back(domain_.Claim(
            StrCat("the coordinate along axis ", axis, " of the mesh"), ShardRelation::kEquals,
            [axis, sharding = before_](const auto& at) { return AxisCoordinate(sharding, axis, at); },
            [axis, sharding = after_](const auto& at) { return AxisCoordinate(sharding, axis, at); }));
      } else if (is_used || is_used_after) {
        LAYOUTCHECK_RETURN_IF_ERROR(Add(domain_.Claim(
            StrCat("the number of devices along axis ", axis, ", which hold the same elements in one sharding only"),
            ShardRelation::kEquals, [size = before_.mesh.axes[axis].size](const auto& at) { return at(size); },
            [](const auto& at) { return at(SymbolicSize{{}, 1}); })));
      }
    }
    for (const ShardClaim& claim : claims) LAYOUTCHECK_RETURN_IF_ERROR(Add(claim));
    return {};
  }

  // Adds the claim that the devices are the same, as numbers of sets of devices in tables.
  Expected<void> AddTables() {
    std::map<std::vector<int64_t>, int64_t> sets;
    LAYOUTCHECK_TRY(const std::vector<int64_t> before, TableOf(before_, sets));
    LAYOUTCHECK_TRY(const std::vector<int64_t> after, TableOf(after_, sets));
    const auto set_of = [](const SymbolicSharding& sharding, const std::vector<int64_t>& table) {
      return [sharding, table](const auto& at) { return at(SymbolicSize{{}, table[NumberOfParts(sharding, at)]}); };
    };
    return Add(domain_.Claim(std::string(kSetOfDevices), ShardRelation::kEquals, set_of(before_, before),
                             set_of(after_, after)));
  }

  // Returns the number of the set of devices of each combination of parts.
  static Expected<std::vector<int64_t>> TableOf(const SymbolicSharding& sharding,
                                                std::map<std::vector<int64_t>, int64_t>& sets) {
    std::map<std::string, int64_t> ones;
    for (const std::string& name : sharding.names) ones[name] = 1;
    LAYOUTCHECK_TRY(const Sharding made, ShardingAt(sharding, ones));
    const std::vector<int64_t>& devices = made.devices_by_part();
    if (devices.size() > kMaxDevicesInTable) {
      return UnsupportedError("expected one mesh, or two of at most ", kMaxDevicesInTable, " devices, found one of ",
                              devices.size());
    }
    std::vector<int64_t> table;
    for (auto begin = devices.begin(); begin != devices.end(); begin += made.replicas()) {
      std::vector<int64_t> set(begin, begin + made.replicas());
      std::ranges::sort(set);
      table.push_back(sets.emplace(std::move(set), std::ssize(sets)).first->second);
    }
    return table;
  }

  Expected<void> AddCoordinate(size_t dimension) {
    const auto coordinate = [dimension](const SymbolicSharding& sharding) {
      return [dimension, sharding](const auto& at) { return PlaceInDimension(sharding, dimension, at).coordinate[0]; };
    };
    return Add(domain_.Claim(StrCat("the coordinate in dimension ", dimension, " of the array of a device"),
                             ShardRelation::kEquals, coordinate(before_), coordinate(after_)));
  }

  Expected<void> Add(const ShardClaim& claim) {
    if (result_.verdict == ProofVerdict::kRefuted) return {};
    LAYOUTCHECK_TRY(ProofResult proof, domain_.Prove(claim, StrCat(result_.layout, ", reshard"), options_));
    if (proof.verdict == ProofVerdict::kRefuted) proof.subexpression = claim.subject;
    AddClaimResult(std::move(proof), result_);
    return {};
  }

  // Evaluates both shardings at the counterexample.
  void Confirm() {
    std::map<std::string, int64_t> values(result_.counterexample.begin(), result_.counterexample.end());
    std::vector<int64_t> coordinate;
    for (size_t d = 0; d < before_.dimensions.size(); ++d) coordinate.push_back(values[StrCat("i", d)]);
    const auto before = ShardingAt(before_, values);
    const auto after = ShardingAt(after_, values);
    if (before && after && result_.subexpression == kSetOfDevices)
      DescribeDevices(before->DevicesOf(coordinate), after->DevicesOf(coordinate));
    const bool differ = before && after &&
                        (before->DevicesOf(coordinate) != after->DevicesOf(coordinate) ||
                         before->LocalCoordinate(coordinate) != after->LocalCoordinate(coordinate));
    if (differ) return;
    result_.verdict = ProofVerdict::kUnknown;
    result_.reason = "a counterexample was found that core does not confirm";
  }

  // Names the devices in place of the numbers of their sets.
  void DescribeDevices(const std::vector<int64_t>& before, const std::vector<int64_t>& after) {
    std::erase_if(result_.counterexample,
                  [](const auto& value) { return value.first == "expected" || value.first == "actual"; });
    result_.subexpression = StrCat("on ", DevicesText(before), ", expected on ", DevicesText(after));
  }

  const SymbolicSharding& before_;
  const SymbolicSharding& after_;
  const ProveOptions& options_;
  ShardDomain domain_;
  ProofResult result_;
};

}  // namespace

Expected<ProofResult> ProveReshard(std::string_view before, std::string_view after,
                                   const std::vector<std::string>& assumptions, const ProveOptions& options) {
  const auto parse = [](std::string_view text) -> Expected<SymbolicSharding> {
    auto parsed = ParseSymbolicSharding(text);
    if (!parsed) return MakeError(parsed.error().kind, StrCat(text, ": ", parsed.error().ToString()));
    if (!parsed->has_devices) return UnsupportedError(text, ": {replicated} does not say how many devices there are");
    return parsed;
  };
  LAYOUTCHECK_TRY(const SymbolicSharding from, parse(before));
  LAYOUTCHECK_TRY(const SymbolicSharding to, parse(after));
  if (!std::ranges::equal(from.dimensions, to.dimensions, AreEqual)) {
    return ArgumentError("expected the sizes of ", from.shape_text, " in the layout of --equals, found ",
                         to.shape_text);
  }
  return ReshardProver(from, to, options).Prove(assumptions);
}

}  // namespace layoutcheck
