// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Seeded faults: subjects that are wrong as real code was. Tests measure the laws and generators by the faults found.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>
#include "layoutcheck/core/tiling/tiled_layout.h"
#include "layoutcheck/properties/model/question.h"

namespace layoutcheck {

// The places at which a faulty subject may differ from the reference, each with a type of its own, so that the
// parameters of a fault's function say what it changes.
using DistortLayout = std::function<void(Shape&)>;  // the layout from which linear indices are computed
using FaultyFormula =
    std::function<int64_t(const TiledLayout&, std::span<const int64_t> index)>;  // replaces the closed formula
using ChangeOffset = std::function<int64_t(const Shape&, int64_t offset)>;       // a linear index
using DistortMove = std::function<void(Shape& from, Shape& to)>;  // the layouts between which an array is moved
using ChangeText = std::function<void(std::string& text)>;        // before it is read
using ChangeSize = std::function<void(const Shape&, SizeAnswer&)>;
using ChangeCoordinate = std::function<void(const Shape&, int64_t offset, std::optional<Subject::Coordinate>&)>;
// The reference's answer to a question of another kind.
template <class Question>
using Change = std::function<void(const Question&, typename Question::Result&)>;
// Questions about the offsets of a layout fail if there is a failure, and those about its elements are declined.
using RefuseLayout = std::function<std::optional<Failed>(const Shape&)>;
using DeclineLayout = std::function<bool(const Shape&)>;
using RefusedSize = std::function<SizeAnswer(const Shape&)>;  // the size of a layout that the reference refuses

template <template <class...> class List, class... More>
using Places = List<DistortLayout, FaultyFormula, ChangeOffset, DistortMove, ChangeText, ChangeSize, ChangeCoordinate,
                    Change<ParseQuestion>, Change<RelayoutQuestion>, Change<BitcastQuestion>, Change<EqualQuestion>,
                    Change<EditQuestion>, Change<MakeQuestion>, Change<ApplyQuestion>, Change<ViewQuestion>,
                    Change<AxisInfoQuestion>, Change<ShardQuestion>, Change<ReshardQuestion>, More...>;
// A fault is planted by what it changes, or by a function that sets several of the hooks.
using FaultHooks = Places<std::tuple, RefuseLayout, DeclineLayout, RefusedSize>;
using Plant = Places<std::variant, std::function<void(FaultHooks&)>>;

// Changes of layouts that several faults have in common: the first tiles alone are kept, the order of the dimensions is
// row major, `*` is taken as 1.
void KeepTiles(Shape& shape, size_t most);
void DropTiles(Shape& shape);
void MakeRowMajor(Shape& shape);
void CombineNothing(Shape& shape);
// Returns a change of the layouts to which `applies`.
DistortLayout Where(bool (*applies)(const Shape&), void (*change)(Shape&));

struct Fault {
  std::string_view name;        // "drop-last-tile"
  std::string_view stands_for;  // one line about the real bug
  Plant plant;
  std::string_view kind = {};  // "index", "family", "size", ...: set by AllFaults and AlgebraFaults
};

// Returns the faults of all lists, in order.
std::vector<Fault> JoinFaults(std::vector<std::vector<Fault>> lists);

// The lists of faults. Each function returns a table, and is as long as the table is.
std::vector<Fault> IndexFaults();
std::vector<Fault> FormulaFaults();  // the part of IndexFaults in the closed formula
std::vector<Fault> SizeFaults();
std::vector<Fault> CoordinateFaults();
std::vector<Fault> RelayoutFaults();
std::vector<Fault> BitcastFaults();
std::vector<Fault> EqualityFaults();
std::vector<Fault> DimensionEditFaults();
std::vector<Fault> TextFaults();
std::vector<Fault> AffineFaults();      // faults in index arithmetic
std::vector<Fault> MemRefFaults();      // faults in MLIR's types
std::vector<Fault> FamilyFaults();      // show only in layouts of one family
std::vector<Fault> MiddleSizeFaults();  // show in arrays of 16 to 24 bits
std::vector<Fault> AlgebraFaults();     // found by the laws of the algebra alone

// Returns all faults except the algebra's.
std::vector<Fault> AllFaults();

// Returns the reference with this fault, which answers every operation.
std::unique_ptr<Subject> MakeFaultySubject(const Fault& fault);

}  // namespace layoutcheck
