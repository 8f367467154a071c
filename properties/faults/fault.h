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
#include <vector>
#include "layoutcheck/core/tiling/tiled_layout.h"
#include "layoutcheck/properties/model/subject.h"

namespace layoutcheck {

// The places at which a faulty subject may differ from the reference. A fault sets one or two of them.
struct FaultHooks {
  using Coordinate = Subject::Coordinate;

  // Changes the layout from which linear indices are computed.
  std::function<void(Shape&)> distort;
  // Computes a linear index in place of the closed formula.
  std::function<int64_t(const TiledLayout&, std::span<const int64_t> index)> formula;
  // Changes a linear index that was computed.
  std::function<int64_t(const Shape&, int64_t offset)> offset;
  // Makes every question about the offsets of a layout fail if it returns a failure.
  std::function<std::optional<Failed>(const Shape&)> refuse;
  std::function<void(const Shape&, SizeAnswer&)> size;
  // Answers if the reference refuses a size.
  std::function<SizeAnswer(const Shape&)> refused_size;
  std::function<void(const Shape&, int64_t offset, std::optional<Coordinate>&)> coordinate;
  // Change both layouts before the array is moved, and the moved array.
  std::function<void(Shape& from, Shape& to)> relayout_distort;
  std::function<void(const Shape& from, const Shape& to, std::span<const int64_t> data, std::vector<int64_t>& moved)>
      relayout;
  // Change the answers to `bitcast`, `equal` and `edit`.
  std::function<void(const Shape& from, const Shape& to, std::optional<std::span<const int64_t>> transpose, bool&)>
      bitcast;
  std::function<void(const Shape& a, const Shape& b, std::span<const std::string> ignored_parts, bool&)> equal;
  std::function<void(std::string_view function, const Shape& shape, std::span<const int64_t> arguments, EditAnswer&)>
      edit;
  // Change the text before it is read, and the answer.
  std::function<void(std::string& text)> text;
  std::function<void(const std::string& text, ParseAnswer&)> parse;
  // Change the result of a function of the algebra, and of MakeLayout.
  std::function<void(std::string_view function, std::span<const std::string> arguments, ApplyAnswer&)> apply;
  std::function<void(std::string_view tag, int64_t bits, std::span<const int64_t> sizes, std::string& layout)> make;
  // Changes the answer about a view.
  std::function<void(const ViewQuestion&, ViewAnswer&)> view;
};

struct Fault {
  std::string_view name;        // "drop-last-tile"
  std::string_view kind;        // that of its list: "index", "family", "size", ...
  std::string_view stands_for;  // one line about the real bug
  std::function<void(FaultHooks& hooks)> plant;
};

std::span<const Fault> IndexFaults();
std::span<const Fault> FamilyFaults();  // show only in layouts of one family
std::span<const Fault> SizeFaults();
std::span<const Fault> CoordinateFaults();
std::span<const Fault> RelayoutFaults();
std::span<const Fault> EditFaults();  // faults of bitcast, equal and edit
std::span<const Fault> TextFaults();
std::span<const Fault> AffineFaults();
std::span<const Fault> MemRefFaults();
std::span<const Fault> AlgebraFaults();  // found by the laws of the algebra alone

// Returns the faults of all lists, in order.
std::vector<Fault> JoinFaults(std::vector<std::vector<Fault>> lists);

// Returns all faults except the algebra's.
std::vector<Fault> AllFaults();

// Returns the reference with this fault, which answers every operation.
std::unique_ptr<Subject> MakeFaultySubject(const Fault& fault);

}  // namespace layoutcheck
