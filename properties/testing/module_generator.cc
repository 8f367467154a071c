// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/testing/module_generator.h"
#include <algorithm>
#include <random>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/properties/module/module_facts.h"
#include "layoutcheck/properties/testing/moved_elements.h"

namespace layoutcheck {
namespace {

// Draws the instructions of one computation after another.
class Drawer {
 public:
  explicit Drawer(uint64_t seed) : random_(seed) {}

  DrawnModule Draw();

 private:
  size_t Below(size_t bound) { return static_cast<size_t>(random_() % bound); }
  Layout DrawLayout(size_t rank);
  Shape DrawShape();
  std::vector<int64_t> DrawPermutation(size_t rank);
  std::string Name() { return StrCat("v", next_name_++); }
  // Appends an instruction and returns its number.
  size_t Add(DrawnComputation& computation, std::string opcode, Shape shape, std::vector<size_t> operands);
  // Appends an operation on a value that is an array.
  size_t AddStep(DrawnComputation& computation, size_t operand);
  size_t AddBitcast(DrawnComputation& computation, size_t operand);
  size_t AddTranspose(DrawnComputation& computation, size_t operand);
  size_t AddReshape(DrawnComputation& computation, size_t operand);
  size_t AddFusion(DrawnComputation& entry, size_t operand);
  size_t AddWhile(DrawnComputation& entry, size_t operand);
  size_t AddElementOfTuple(DrawnComputation& entry, size_t operand);
  // Returns an array of the computation.
  size_t AnyArray(const DrawnComputation& computation);

  std::mt19937_64 random_;
  size_t next_name_ = 0;
  DrawnModule module_;
};

Layout Drawer::DrawLayout(size_t rank) {
  static const std::vector<std::vector<Tile>> kTiles = {
      {}, {}, {}, {Tile{{4}}}, {Tile{{2, 2}}}, {Tile{{2, 4}}}, {Tile{{2, 4}}, Tile{{2, 1}}}, {Tile{{8}}}};
  const auto& tiles = kTiles[Below(kTiles.size())];
  const bool fits = tiles.empty() || tiles[0].dimensions.size() <= rank;
  return Layout(DrawPermutation(rank), fits ? tiles : std::vector<Tile>());
}

Shape Drawer::DrawShape() {
  static constexpr ElementType kTypes[] = {ElementType::kF32, ElementType::kF32, ElementType::kBF16, ElementType::kS8};
  std::vector<int64_t> dimensions(1 + Below(3));
  for (int64_t& size : dimensions) size = 1 + static_cast<int64_t>(Below(6));
  Layout layout = DrawLayout(dimensions.size());
  return Shape::Array(kTypes[Below(4)], std::move(dimensions), std::move(layout));
}

std::vector<int64_t> Drawer::DrawPermutation(size_t rank) {
  std::vector<int64_t> permutation(rank);
  for (size_t k = 0; k < rank; ++k) permutation[k] = static_cast<int64_t>(k);
  for (size_t k = rank; k > 1; --k) std::swap(permutation[k - 1], permutation[Below(k)]);
  return permutation;
}

size_t Drawer::Add(DrawnComputation& computation, std::string opcode, Shape shape, std::vector<size_t> operands) {
  computation.instructions.push_back(
      {.name = Name(), .opcode = std::move(opcode), .shape = std::move(shape), .operands = std::move(operands)});
  return computation.instructions.size() - 1;
}

// Returns the size of a dimension that can be split off a number of elements.
int64_t DivisorOf(int64_t elements, size_t choice) {
  std::vector<int64_t> divisors;
  for (int64_t size = 1; size <= elements; ++size) {
    if (elements % size == 0) divisors.push_back(size);
  }
  return divisors[choice % divisors.size()];
}

size_t Drawer::AddReshape(DrawnComputation& computation, size_t operand) {
  const Shape from = computation.instructions[operand].shape;
  int64_t elements = *ElementsIn(from);
  std::vector<int64_t> dimensions;
  for (size_t k = Below(3); k > 0; --k) {
    dimensions.push_back(DivisorOf(elements, Below(64)));
    elements /= dimensions.back();
  }
  dimensions.push_back(elements);
  Layout layout = DrawLayout(dimensions.size());
  return Add(computation, "reshape", Shape::Array(from.element_type, dimensions, std::move(layout)), {operand});
}

size_t Drawer::AddTranspose(DrawnComputation& computation, size_t operand) {
  const Shape from = computation.instructions[operand].shape;
  const std::vector<int64_t> permutation = DrawPermutation(from.dimensions.size());
  Shape shape = from;
  for (size_t d = 0; d < permutation.size(); ++d) {
    shape.dimensions[d] = from.dimensions[static_cast<size_t>(permutation[d])];
    std::ranges::replace(shape.layout->minor_to_major, permutation[d], -1 - static_cast<int64_t>(d));
  }
  // So far the elements stay in place.
  for (int64_t& dimension : shape.layout->minor_to_major) dimension = -1 - dimension;
  if (Below(2) == 0) shape.layout = DrawLayout(permutation.size());
  const size_t added = Add(computation, "transpose", std::move(shape), {operand});
  computation.instructions[added].permutation = permutation;
  return added;
}

// Appends a right bitcast: a transpose or reshape in place, or another shape with as many bytes.
size_t Drawer::AddBitcast(DrawnComputation& computation, size_t operand) {
  for (int attempt = 0; attempt < 30; ++attempt) {
    const Shape& from = computation.instructions[operand].shape;
    Shape shape = DrawShape();
    if (Below(4) != 0) {
      DrawnComputation trial = {.name = "", .instructions = {computation.instructions[operand]}};
      shape = trial.instructions[Below(2) == 0 ? AddTranspose(trial, 0) : AddReshape(trial, 0)].shape;
    }
    if (TruthOfBitcast(from, shape) == BitcastTruth::kRight) {
      return Add(computation, "bitcast", std::move(shape), {operand});
    }
  }
  return AddReshape(computation, operand);
}

size_t Drawer::AddStep(DrawnComputation& computation, size_t operand) {
  Shape shape = computation.instructions[operand].shape;
  switch (Below(7)) {
    case 0: return Add(computation, "negate", std::move(shape), {operand});
    case 1: return Add(computation, "add", std::move(shape), {operand, operand});
    case 2: shape.layout = DrawLayout(shape.dimensions.size()); return Add(computation, "copy", shape, {operand});
    case 3: return AddTranspose(computation, operand);
    case 4: return AddReshape(computation, operand);
    default: return AddBitcast(computation, operand);
  }
}

size_t Drawer::AddFusion(DrawnComputation& entry, size_t operand) {
  DrawnComputation fused{.name = StrCat("fused_", Name())};
  size_t last = Add(fused, "parameter", entry.instructions[operand].shape, {});
  for (size_t steps = 1 + Below(3); steps > 0; --steps) last = AddStep(fused, last);
  Shape shape = fused.instructions[last].shape;
  module_.computations.push_back(std::move(fused));
  const size_t added = Add(entry, "fusion", std::move(shape), {operand});
  entry.instructions[added].calls = {module_.computations.size() - 1};
  return added;
}

size_t Drawer::AddWhile(DrawnComputation& entry, size_t operand) {
  const Shape shape = entry.instructions[operand].shape;
  DrawnComputation body{.name = StrCat("body_", Name())};
  Add(body, "negate", shape, {Add(body, "parameter", shape, {})});
  DrawnComputation condition{.name = StrCat("condition_", Name())};
  Add(condition, "parameter", shape, {});
  Add(condition, "constant", Shape::Array(ElementType::kPred, {}, Layout()), {});
  module_.computations.push_back(std::move(body));
  module_.computations.push_back(std::move(condition));
  const size_t added = Add(entry, "while", shape, {operand});
  entry.instructions[added].calls = {module_.computations.size() - 2, module_.computations.size() - 1};
  return added;
}

size_t Drawer::AddElementOfTuple(DrawnComputation& entry, size_t operand) {
  const size_t other = AnyArray(entry);
  const std::vector<Shape> elements = {entry.instructions[operand].shape, entry.instructions[other].shape};
  const size_t tuple = Add(entry, "tuple", Shape::Tuple(elements), {operand, other});
  const size_t number = Below(2);
  const size_t added = Add(entry, "get-tuple-element", elements[number], {tuple});
  entry.instructions[added].number = static_cast<int64_t>(number);
  return added;
}

size_t Drawer::AnyArray(const DrawnComputation& computation) {
  while (true) {
    const size_t any = Below(computation.instructions.size());
    if (computation.instructions[any].shape.IsArray()) return any;
  }
}

DrawnModule Drawer::Draw() {
  DrawnComputation entry{.name = "entry"};
  for (int64_t k = 0; k < 2; ++k) {
    entry.instructions[Add(entry, "parameter", DrawShape(), {})].number = k;
  }
  for (size_t steps = 4 + Below(8); steps > 0; --steps) {
    const size_t operand = AnyArray(entry);
    switch (Below(8)) {
      case 0: AddFusion(entry, operand); break;
      case 1: AddWhile(entry, operand); break;
      case 2: AddElementOfTuple(entry, operand); break;
      default: AddStep(entry, operand);
    }
  }
  std::vector<bool> is_used(entry.instructions.size());
  for (const DrawnInstruction& instruction : entry.instructions) {
    for (const size_t operand : instruction.operands) is_used[operand] = true;
  }
  std::vector<size_t> unused;
  std::vector<Shape> elements;
  for (size_t k = 0; k < is_used.size(); ++k) {
    if (is_used[k]) continue;
    unused.push_back(k);
    elements.push_back(entry.instructions[k].shape);
  }
  Add(entry, "tuple", Shape::Tuple(std::move(elements)), std::move(unused));
  module_.computations.push_back(std::move(entry));
  return std::move(module_);
}

Shape WithoutLayout(Shape shape) {
  shape.layout.reset();
  for (Shape& element : shape.elements) element = WithoutLayout(std::move(element));
  return shape;
}

// Prints the parts of a module; counts the places.
class Printer {
 public:
  Printer(const DrawnModule& module, std::optional<SeededFault> fault) : module_(module), fault_(fault) {}

  PrintedModule Print();

 private:
  bool IsHere() { return fault_ && printed_.places == fault_->place; }
  void AppendShape(const Shape& shape, std::string_view place);
  void AppendOperand(const DrawnComputation& computation, const DrawnInstruction& user, size_t operand);
  void AppendAttributes(const DrawnInstruction& instruction);
  // Appends the shapes of the parameters and of the root.
  void AppendSignature(const DrawnComputation& computation, bool with_layouts, std::string_view place);

  const DrawnModule& module_;
  std::optional<SeededFault> fault_;
  PrintedModule printed_;
};

void Printer::AppendShape(const Shape& shape, std::string_view place) {
  std::optional<Shape> changed;
  if (IsHere() && fault_->kind != FaultKind::kOperand) changed = Changed(shape, fault_->kind);
  // Entry layouts may leave tiles out, so that tiles are no fault where there are none.
  const Shape& first = shape.IsTuple() ? shape.elements[0] : shape;
  if (place == "entry layout" && fault_ && fault_->kind == FaultKind::kTile && first.layout->tiles.empty()) {
    changed.reset();
  }
  if (changed) printed_.fault_place = place;
  ++printed_.places;
  printed_.text += ToString(changed ? *changed : shape);
}

void Printer::AppendOperand(const DrawnComputation& computation, const DrawnInstruction& user, size_t operand) {
  const std::string place = StrCat("operand of a ", user.opcode);
  const Shape& shape = computation.instructions[operand].shape;
  const std::string* name = &computation.instructions[operand].name;
  if (IsHere() && fault_->kind == FaultKind::kOperand) {
    for (const DrawnInstruction& other : computation.instructions) {
      if (&other == &user) break;
      if (LayoutsAgree(other.shape, shape)) continue;
      name = &other.name;
      printed_.fault_place = place;
    }
  }
  AppendShape(shape, place);
  StrAppend(printed_.text, " %", *name);
}

void Printer::AppendAttributes(const DrawnInstruction& instruction) {
  if (instruction.opcode == "transpose") {
    StrAppend(printed_.text, ", dimensions={", StrJoin(instruction.permutation, ","), "}");
  } else if (instruction.opcode == "fusion") {
    StrAppend(printed_.text, ", kind=kLoop, calls=%", module_.computations[instruction.calls[0]].name);
  } else if (instruction.opcode == "while") {
    StrAppend(printed_.text, ", condition=%", module_.computations[instruction.calls[1]].name, ", body=%",
              module_.computations[instruction.calls[0]].name);
  } else if (instruction.opcode == "get-tuple-element") {
    StrAppend(printed_.text, ", index=", instruction.number);
  }
}

void Printer::AppendSignature(const DrawnComputation& computation, bool with_layouts, std::string_view place) {
  printed_.text += "(";
  std::string_view separator;
  for (const DrawnInstruction& instruction : computation.instructions) {
    if (instruction.opcode != "parameter") continue;
    StrAppend(printed_.text, separator, with_layouts ? "" : "p: ");
    AppendShape(with_layouts ? instruction.shape : WithoutLayout(instruction.shape), place);
    separator = ", ";
  }
  printed_.text += with_layouts ? ")->" : ") -> ";
  const Shape& root = computation.instructions.back().shape;
  AppendShape(with_layouts ? root : WithoutLayout(root), place);
}

PrintedModule Printer::Print() {
  printed_.text = "HloModule m, is_scheduled=true, entry_computation_layout={";
  AppendSignature(module_.entry(), true, "entry layout");
  printed_.text += "}\n";
  for (const DrawnComputation& computation : module_.computations) {
    const bool is_entry = &computation == &module_.entry();
    StrAppend(printed_.text, "\n", is_entry ? "ENTRY %" : "%", computation.name, " ");
    AppendSignature(computation, false, "head");
    printed_.text += " {\n";
    for (const DrawnInstruction& instruction : computation.instructions) {
      const bool is_root = &instruction == &computation.instructions.back();
      StrAppend(printed_.text, is_root ? "  ROOT %" : "  %", instruction.name, " = ");
      AppendShape(instruction.shape, StrCat("result of a ", instruction.opcode));
      StrAppend(printed_.text, " ", instruction.opcode, "(");
      if (instruction.opcode == "parameter") StrAppend(printed_.text, instruction.number);
      if (instruction.opcode == "constant") printed_.text += "false";
      for (size_t k = 0; k < instruction.operands.size(); ++k) {
        if (k > 0) printed_.text += ", ";
        AppendOperand(computation, instruction, instruction.operands[k]);
      }
      printed_.text += ")";
      AppendAttributes(instruction);
      printed_.text += "\n";
    }
    printed_.text += "}\n";
  }
  return std::move(printed_);
}

}  // namespace

DrawnModule DrawModule(uint64_t seed) { return Drawer(seed).Draw(); }

PrintedModule Print(const DrawnModule& module, std::optional<SeededFault> fault) {
  return Printer(module, fault).Print();
}

std::string_view FaultKindName(FaultKind kind) {
  constexpr std::string_view kNames[] = {"order", "tile", "size", "element type", "operand"};
  return kNames[static_cast<size_t>(kind)];
}

std::optional<Shape> Changed(const Shape& shape, FaultKind kind) {
  Shape changed = shape;
  for (Shape& element : changed.elements) {
    if (std::optional<Shape> other = Changed(element, kind)) return element = *std::move(other), changed;
  }
  if (shape.dimensions.empty()) return std::nullopt;
  switch (kind) {
    case FaultKind::kOrder:
      if (!shape.layout || shape.rank() < 2) return std::nullopt;
      std::ranges::rotate(changed.layout->minor_to_major, changed.layout->minor_to_major.begin() + 1);
      return changed;
    case FaultKind::kTile:
      if (!shape.layout) return std::nullopt;
      changed.layout->tiles.insert(changed.layout->tiles.begin(), Tile{{3}});
      return changed;
    case FaultKind::kSize: ++changed.dimensions[0]; return changed;
    case FaultKind::kElementType:
      changed.element_type = shape.element_type == ElementType::kS8 ? ElementType::kU32 : ElementType::kU8;
      return changed;
    case FaultKind::kOperand: return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace layoutcheck
