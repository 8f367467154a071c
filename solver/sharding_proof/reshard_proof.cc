// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The laws reshard and shard-view: two shardings place every element alike.
#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/sharding_proof/element_sharding.h"
#include "layoutcheck/solver/sharding_proof/prove_sharding.h"
#include "layoutcheck/solver/sharding_proof/shard_question.h"
#include "layoutcheck/solver/sharding_proof/sharded_views.h"
#include "layoutcheck/solver/sharding_proof/symbolic_sharding.h"

namespace layoutcheck {
namespace {

// Limit of devices of a mesh that is compared device by device. It bounds the number of paths.
constexpr size_t kMaxDevicesInTable = 64;

// Words for the values of claims about tables and about membership, which say nothing to a reader.
constexpr std::string_view kSetOfDevices = "the set of devices";

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

// Returns the number of the element's parts, in row-major order of all cuts. Each number has paths of its own.
template <class Int>
size_t NumberOfParts(const ElementSharding& side, const ShardArguments<Int>& at) {
  std::vector<Int> coordinate;
  for (size_t d = 0; d < side.sharding.dimensions.size(); ++d) coordinate.push_back(side.Index(d, at));
  const ShardCuts<Int> cuts = at.CutsOf(side.sharding);
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
  ReshardProver(SymbolicSharding before, SymbolicSharding after, const ProveOptions& options)
      : before_{std::move(before), {}}, after_{std::move(after), {}}, options_(options) {
    if (!HaveSameSizes(before_.sharding, after_.sharding)) after_.viewed = ViewedOf(before_.sharding, after_.sharding);
  }

  Expected<ProofResult> Prove(const std::vector<std::string>& assumptions) {
    result_.layout = before_.sharding.text;
    result_.law = IsView() ? "shard-view" : "reshard";
    result_.verdict = ProofVerdict::kProved;
    for (const ElementSharding* side : {&before_, &after_}) {
      domain_.AddNames(side->sharding, 1);
      for (const std::string& name : side->sharding.names) {
        if (std::ranges::find(result_.for_all, name) == result_.for_all.end()) result_.for_all.push_back(name);
        std::string& range = result_.ranges[name];
        if (range.empty() || side->sharding.positive.contains(name)) {
          range = side->sharding.positive.contains(name) ? kPositiveRange : kNotNegativeRange;
        }
      }
    }
    const std::vector<SymbolicSize>& sizes = before_.sharding.dimensions;
    for (size_t d = 0; d < sizes.size(); ++d) domain_.AddIndex(StrCat("i", d), sizes[d]);
    for (const std::string& assumption : assumptions) LAYOUTCHECK_RETURN_IF_ERROR(domain_.Assume(assumption));
    for (const ElementSharding* side : {&before_, &after_}) {
      for (const std::string& condition : side->sharding.Conditions()) {
        LAYOUTCHECK_RETURN_IF_ERROR(domain_.Assume(condition));
      }
    }
    if (IsView()) LAYOUTCHECK_RETURN_IF_ERROR(domain_.Assume(SameCount(after_.sharding, after_.viewed)));
    LAYOUTCHECK_RETURN_IF_ERROR(AddDevices());
    LAYOUTCHECK_RETURN_IF_ERROR(IsView() ? AddViewOffset() : AddCoordinates(0, sizes.size()));
    if (result_.verdict == ProofVerdict::kRefuted) Confirm();
    std::erase_if(result_.counterexample, [&](const auto& value) { return value.first == device_; });
    return std::move(result_);
  }

 private:
  bool IsView() const { return !after_.viewed.view_of.empty(); }

  // Adds the claims about dimensions [first, last) of the array before, which have the same sizes in both.
  Expected<void> AddCoordinates(size_t first, size_t last) {
    for (size_t d = first; d < last; ++d) {
      LAYOUTCHECK_RETURN_IF_ERROR(Add(Claim(StrCat("the coordinate in dimension ", d, " of the array of a device"),
                                            [this, d](const ElementSharding& side, const auto& at) {
                                              return side.PlaceIn(InSide(d, side), at).coordinate[0];
                                            })));
    }
    return {};
  }

  // Returns the number that dimension d of the array before, which is not a viewed one, has in this array.
  size_t InSide(size_t d, const ElementSharding& side) const {
    return d < after_.viewed.first ? d : d + side.rank() - before_.rank();
  }

  // Adds the claims that make the offsets in the row-major array of a device the same: the coordinates in the
  // dimensions that keep their sizes, the number in the viewed ones, and the sizes of what is behind another dimension.
  Expected<void> AddViewOffset() {
    const size_t first = after_.viewed.first;
    const size_t behind = after_.rank() - after_.viewed.last;
    LAYOUTCHECK_RETURN_IF_ERROR(AddCoordinates(0, first));
    LAYOUTCHECK_RETURN_IF_ERROR(AddCoordinates(before_.rank() - behind, before_.rank()));
    LAYOUTCHECK_RETURN_IF_ERROR(Add(
        Claim("the offset in the viewed dimensions of the array of a device",
              [=](const auto& side, const auto& at) { return side.LocalNumber(first, side.rank() - behind, at); })));
    if (first > 0) LAYOUTCHECK_RETURN_IF_ERROR(AddLocalSize(first));
    if (behind > 0) LAYOUTCHECK_RETURN_IF_ERROR(AddLocalSize(after_.viewed.last));
    return {};
  }

  // Adds the claim that the arrays of a device have as many elements from this dimension of the view on.
  Expected<void> AddLocalSize(size_t first) {
    const bool is_behind = first == after_.viewed.last;
    return Add(Claim("the number of elements of a device in the dimensions that are viewed or behind them",
                     [=, rank = after_.rank()](const ElementSharding& side, const auto& at) {
                       auto size = at(SymbolicSize{{}, 1});
                       const size_t begin = is_behind ? first + side.rank() - rank : first;
                       for (size_t d = begin; d < side.rank(); ++d) size = size * side.LocalSize(d, at);
                       return size;
                     }));
  }

  // Returns the claim that value(sharding, arguments) is the same for both.
  template <class Value>
  ShardClaim Claim(std::string subject, const Value& value) const {
    const auto of = [&value](const ElementSharding& side) {
      return [value, side](const auto& at) { return value(side, at); };
    };
    return domain_.Claim(std::move(subject), ShardRelation::kEquals, of(before_), of(after_));
  }

  Expected<void> AddDevices() {
    const MeshSharding& before = before_.sharding.mesh;
    const MeshSharding& after = after_.sharding.mesh;
    if (AreOneMesh(before, after) && !HasParts(before) && !HasParts(after)) return AddAxes();
    if (AllNumbers(before) && AllNumbers(after)) return AddTables();
    if (std::max(before.device_ids.size(), after.device_ids.size()) <= kMaxListedDevices) return AddMembership();
    return UnsupportedError("expected meshes without names, or at most ", kMaxListedDevices,
                            " devices in another order: found ", before_.sharding.text, " and ", after_.sharding.text);
  }

  // Adds the claims about each axis of the mesh. Those about replicas are first, because their counterexamples are
  // small.
  Expected<void> AddAxes() {
    std::vector<ShardClaim> claims;
    for (size_t axis = 0; axis < before_.sharding.mesh.axes.size(); ++axis) {
      const bool is_used = !UsesOf(before_.sharding.mesh, axis).empty();
      const bool is_used_after = !UsesOf(after_.sharding.mesh, axis).empty();
      if (is_used && is_used_after) {
        claims.push_back(
            Claim(StrCat("the coordinate along axis ", axis, " of the mesh"), [axis](const auto& side, const auto& at) {
              return side.CoordinateAlong(UsesOf(side.sharding.mesh, axis)[0], at);
            }));
      } else if (is_used || is_used_after) {
        LAYOUTCHECK_RETURN_IF_ERROR(Add(domain_.Claim(
            StrCat("the number of devices along axis ", axis, ", which hold the same elements in one sharding only"),
            ShardRelation::kEquals, [size = before_.sharding.mesh.axes[axis].size](const auto& at) { return at(size); },
            [](const auto& at) { return at(SymbolicSize{{}, 1}); })));
      }
    }
    for (const ShardClaim& claim : claims) LAYOUTCHECK_RETURN_IF_ERROR(Add(claim));
    return {};
  }

  // Adds the claims that the meshes have equally many devices, and that any of them holds the element in both or in
  // neither.
  Expected<void> AddMembership() {
    LAYOUTCHECK_RETURN_IF_ERROR(
        Add(Claim("the number of devices", [](const auto& side, const auto& at) { return side.DeviceCount(at); })));
    if (before_.HasOneDevicePerElement() && after_.HasOneDevicePerElement()) {
      return Add(Claim(std::string(kSetOfDevices),
                       [](const ElementSharding& side, const auto& at) { return side.DeviceNumber(at); }));
    }
    while (result_.ranges.contains(device_)) device_ += '_';
    domain_.AddIndex(device_);
    return Add(Claim(std::string(kSetOfDevices), [device = device_](const auto& side, const auto& at) {
      const bool is_there = !side.sharding.mesh.device_ids.empty() || at(device) < side.DeviceCount(at);
      const bool is_on = is_there && side.IsOn(at(device), at);
      return at(SymbolicSize{{}, is_on ? 1 : 0});
    }));
  }

  // Adds the claim that the devices are the same, as numbers of sets of devices in tables.
  Expected<void> AddTables() {
    std::map<std::vector<int64_t>, int64_t> sets;
    LAYOUTCHECK_TRY(const std::vector<int64_t> before, TableOf(before_.sharding, sets));
    LAYOUTCHECK_TRY(const std::vector<int64_t> after, TableOf(after_.sharding, sets));
    const auto set_of = [](const ElementSharding& side, const std::vector<int64_t>& table) {
      return [side, table](const auto& at) { return at(SymbolicSize{{}, table[NumberOfParts(side, at)]}); };
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

  Expected<void> Add(const ShardClaim& claim) {
    if (result_.verdict == ProofVerdict::kRefuted) return {};
    LAYOUTCHECK_TRY(ProofResult proof, domain_.Prove(claim, StrCat(result_.layout, ", ", result_.law), options_));
    if (proof.verdict == ProofVerdict::kRefuted) proof.subexpression = claim.subject;
    AddClaimResult(std::move(proof), result_);
    return {};
  }

  // Evaluates both shardings at the counterexample.
  void Confirm() {
    std::map<std::string, int64_t> values(result_.counterexample.begin(), result_.counterexample.end());
    std::map<std::string, size_t> numbers;
    std::vector<int64_t> arguments;
    for (const auto& [name, value] : values) {
      numbers[name] = arguments.size();
      arguments.push_back(value);
    }
    const ShardArguments<int64_t> at{arguments, numbers};
    const auto coordinate_in = [&](const ElementSharding& side) {
      std::vector<int64_t> coordinate;
      for (size_t d = 0; d < side.sharding.dimensions.size(); ++d) coordinate.push_back(side.Index(d, at));
      return coordinate;
    };
    const auto before = ShardingAt(before_.sharding, values);
    const auto after = ShardingAt(after_.sharding, values);
    if (before && after) {
      const auto devices = before->DevicesOf(coordinate_in(before_));
      const auto devices_after = after->DevicesOf(coordinate_in(after_));
      if (result_.subexpression == kSetOfDevices) DescribeDevices(devices, devices_after);
      const bool have_other_places =
          IsView() ? OffsetIn(*before, coordinate_in(before_)) != OffsetIn(*after, coordinate_in(after_))
                   : before->LocalCoordinate(coordinate_in(before_)) != after->LocalCoordinate(coordinate_in(after_));
      if (devices != devices_after || have_other_places || before->devices() != after->devices()) return;
    }
    result_.verdict = ProofVerdict::kUnknown;
    result_.reason = "a counterexample was found that core does not confirm";
  }

  // Returns the offset of an element in the row-major array of a device.
  static int64_t OffsetIn(const Sharding& sharding, const std::vector<int64_t>& coordinate) {
    const std::vector<int64_t> sizes = *sharding.LocalSizes(sharding.DevicesOf(coordinate)[0]);
    const std::vector<int64_t> local = sharding.LocalCoordinate(coordinate);
    int64_t offset = 0;
    for (size_t d = 0; d < sizes.size(); ++d) offset = offset * sizes[d] + local[d];
    return offset;
  }

  // Names the devices in place of the values of a claim.
  void DescribeDevices(const std::vector<int64_t>& before, const std::vector<int64_t>& after) {
    std::erase_if(result_.counterexample,
                  [](const auto& value) { return value.first == "expected" || value.first == "actual"; });
    result_.subexpression = StrCat("on ", DevicesText(before), ", expected on ", DevicesText(after));
  }

  ElementSharding before_;
  ElementSharding after_;
  const ProveOptions& options_;
  ShardDomain domain_;
  std::string device_ = "device";  // name of the number of a device, in claims about membership
  ProofResult result_;
};

// Proves that both arrays are free views of `split`, which has a dimension per factor of their sizes. Returns nothing
// if that is not so, or not shown.
std::optional<ProofResult> ProveViewsOf(const SymbolicSharding& split, const SymbolicSharding& from,
                                        const SymbolicSharding& to, const std::vector<std::string>& assumptions,
                                        const ProveOptions& options) {
  std::optional<ProofResult> result;
  for (const SymbolicSharding* array : {&from, &to}) {
    auto proof = ReshardProver(*array, split, options).Prove(assumptions);
    // An assumption may have a name of the other array.
    if (!proof || proof->verdict != ProofVerdict::kProved) return std::nullopt;
    if (!result) {
      result = *std::move(proof);
      continue;
    }
    for (const std::string& name : proof->for_all) {
      if (std::ranges::find(result->for_all, name) == result->for_all.end()) result->for_all.push_back(name);
      result->ranges.emplace(name, proof->ranges[name]);
    }
    AddClaimResult(*std::move(proof), *result);
  }
  return result;
}

// Proves that one array is a free view of the other if their dimensions are products of the same factors in the same
// order. Returns nothing for other arrays, and where it is not shown.
std::optional<ProofResult> ProveByFactors(const SymbolicSharding& from, const SymbolicSharding& to,
                                          const std::vector<std::string>& assumptions, const ProveOptions& options) {
  const std::vector<SymbolicSize> factors = FactorsOf(from);
  if (factors.size() == from.dimensions.size() || factors.size() == to.dimensions.size() || HaveSameSizes(from, to) ||
      !std::ranges::equal(factors, FactorsOf(to), AreEqual)) {
    return std::nullopt;
  }
  for (const SymbolicSharding* array : {&from, &to}) {
    // Parts of a given length would have a condition of their own in the array that is split.
    if (std::ranges::any_of(array->mesh.cuts, [](const MeshCut& cut) { return cut.length.has_value(); })) continue;
    if (auto result = ProveViewsOf(SplitIntoFactors(*array), from, to, assumptions, options)) return result;
  }
  return std::nullopt;
}

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
  if (!HaveSameSizes(from, to)) {
    for (const SymbolicSharding* array : {&from, &to}) {
      if (!array->local.empty()) {
        return UnsupportedError("expected row-major arrays of devices for a view, found local=", array->local);
      }
    }
    const auto is_zero = [](const SymbolicSize& size) { return size.name.empty() && size.value == 0; };
    for (const SymbolicSharding* array : {&from, &to}) {
      if (std::ranges::any_of(array->dimensions, is_zero)) {
        return UnsupportedError("expected arrays with elements, found ", array->text);
      }
    }
    const auto is_number = [](const SymbolicSize& size) { return size.name.empty(); };
    if (std::ranges::all_of(from.dimensions, is_number) && std::ranges::all_of(to.dimensions, is_number)) {
      const auto count = [](const SymbolicSharding& array) {
        CheckedInt64 product = 1;
        for (const SymbolicSize& size : array.dimensions) product = product * CheckedInt64(size.value);
        return product.overflow ? -1 : product.value;
      };
      if (count(from) != count(to)) {
        return ArgumentError("expected as many elements as ", from.shape_text, " has, found ", to.shape_text);
      }
    }
  }
  if (auto by_factors = ProveByFactors(from, to, assumptions, options)) return *std::move(by_factors);
  // A proof is easier from the array with fewer dimensions, whose elements are those of the other. A counterexample has
  // the index in `before`.
  if (to.dimensions.size() < from.dimensions.size()) {
    LAYOUTCHECK_TRY(ProofResult result, ReshardProver(to, from, options).Prove(assumptions));
    result.layout = from.text;
    if (result.verdict == ProofVerdict::kProved) return result;
  }
  return ReshardProver(from, to, options).Prove(assumptions);
}

}  // namespace layoutcheck
