// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/triton/tensor_descriptors.h"
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/triton/ttir_arithmetic.h"
#include "layoutcheck/llvm/ttir/ttir_types.h"

namespace layoutcheck {
namespace {

constexpr std::string_view kDescriptor = "!tt.tensordesc<";
constexpr int64_t kStrideBytes = 16;  // the strides of a descriptor are multiples of it

struct Descriptor {
  TtirValue* base = nullptr;
  std::vector<TtirValue*> sizes;
  std::vector<TtirValue*> strides;  // in elements
};

// Returns the type of a block of the descriptor, of which an argument has this type; nothing for another argument.
std::optional<TtirType> BlockOf(const TtirType& type) {
  std::string_view text = type.element;
  if (type.is_tensor() || type.is_pointer || !text.starts_with(kDescriptor)) return std::nullopt;
  text = text.substr(kDescriptor.size(), text.size() - kDescriptor.size() - 1);
  const auto block = ParseTtirType(text.starts_with("tensor<") ? std::string(text) : StrCat("tensor<", text, ">"));
  return block && block->is_tensor() ? std::optional(*block) : std::nullopt;
}

class Expansion {
 public:
  explicit Expansion(TtirFunction& function) : function_(function) {}

  void Run() {
    ExpandArguments();
    ExpandBlocks(function_.blocks);
  }

 private:
  // Triton passes the sizes and strides of a descriptor behind it.
  void ExpandArguments() {
    std::vector<TtirValue*>& arguments = function_.arguments;
    for (size_t k = 0; k < arguments.size(); ++k) {
      const auto block = BlockOf(arguments[k]->type);
      const size_t rank = block ? block->shape.size() : 0;
      if (rank == 0 || arguments.size() - k <= 2 * rank) continue;
      const auto sizes = arguments.begin() + static_cast<ptrdiff_t>(k) + 1;
      const auto strides = sizes + static_cast<ptrdiff_t>(rank);
      const std::vector<TtirValue*> numbers(sizes, strides + static_cast<ptrdiff_t>(rank));
      if (std::ranges::any_of(numbers, [](const TtirValue* value) { return !IsInteger(value->type); })) continue;
      TtirValue& base = function_.values.emplace_back(
          TtirValue{.name = arguments[k]->name, .type = {.shape = {}, .element = block->element, .is_pointer = true}});
      known_[arguments[k]] = {.base = &base,
                              .sizes = {numbers.begin(), numbers.begin() + static_cast<ptrdiff_t>(rank)},
                              .strides = {numbers.begin() + static_cast<ptrdiff_t>(rank), numbers.end()}};
      arguments[k] = &base;
    }
  }

  void ExpandBlocks(std::vector<TtirBlock>& blocks) {
    for (TtirBlock& block : blocks) {
      std::vector<std::unique_ptr<TtirOp>> ops;
      for (auto& op : block.ops) {
        for (auto& region : op->regions) ExpandBlocks(region);
        ops_ = &ops;
        place_ = op->place;
        if (!ExpandOp(*op)) ops.push_back(std::move(op));
      }
      block.ops = std::move(ops);
    }
  }

  // Adds what the operation on a descriptor does. Returns false if it is another operation, or cannot be expanded.
  bool ExpandOp(const TtirOp& op) {
    if (op.name == "tt.make_tensor_descriptor") return AddDescriptor(op);
    const bool is_load = op.name == "tt.descriptor_load" || op.name == "tt.descriptor_gather";
    const bool is_store = op.name == "tt.descriptor_store" || op.name == "tt.descriptor_scatter";
    if (!is_load && !is_store && op.name != "tt.descriptor_reduce") return false;
    const auto found = op.operands.empty() ? known_.end() : known_.find(op.operands[0]);
    if (found == known_.end() || op.results.size() != (is_load ? 1 : 0)) return false;
    const Descriptor& descriptor = found->second;
    const size_t rank = descriptor.sizes.size();
    if (op.operands.size() != 1 + rank + (is_load ? 0 : 1)) return false;
    TtirType block = is_load ? op.results[0]->type : op.operands.back()->type;
    if (block.shape.size() != rank) return false;
    std::string atomic;
    if (op.name == "tt.descriptor_reduce") {
      const bool is_float = !block.element.starts_with('i');
      if (op.words.empty() || (is_float && op.words[0] != "add")) return false;
      atomic = is_float ? "fadd" : op.words[0];
    }
    const auto [pointer, mask] = AddPlaces(descriptor, op, block);
    if (is_load) {
      TtirValue* const padding = Add("arith.constant", {}, block, {"dense<0>"});
      TtirOp& load = AddOp("tt.load", {pointer, mask, padding});
      load.results = {op.results[0]};
      op.results[0]->definition = &load;
    } else if (is_store) {
      AddOp("tt.store", {pointer, op.operands.back(), mask});
    } else {
      TtirOp& reduce = AddOp("tt.atomic_rmw", {pointer, op.operands.back(), mask});
      reduce.words = {atomic};
      AddResult(reduce, block);
    }
    return true;
  }

  bool AddDescriptor(const TtirOp& op) {
    if (op.results.size() != 1 || op.operands.size() < 3 || op.operands.size() % 2 != 1) return false;
    const auto sizes = op.operands.begin() + 1;
    const auto strides = sizes + static_cast<ptrdiff_t>(op.operands.size() / 2);
    const Descriptor& descriptor = known_[op.results[0]] = {
        .base = op.operands[0], .sizes = {sizes, strides}, .strides = {strides, op.operands.end()}};
    op.results[0]->definition = nullptr;  // the operation is not kept
    const int64_t bytes = ElementBytes(descriptor.base->type.element);
    if (bytes == 0 || bytes >= kStrideBytes) return true;
    for (size_t d = 0; d + 1 < descriptor.strides.size(); ++d) {
      TtirValue* const rest = Add("arith.remsi", {descriptor.strides[d], Number(kStrideBytes / bytes)}, Scalar("i64"));
      AddOp("llvm.intr.assume", {Add("arith.cmpi", {rest, Number(0)}, Scalar("i1"), {"eq"})});
    }
    return true;
  }

  // Returns the pointers of the elements of a block, and which of them are inside of the descriptor's sizes.
  std::pair<TtirValue*, TtirValue*> AddPlaces(const Descriptor& descriptor, const TtirOp& op, const TtirType& block) {
    const TtirType places{.shape = block.shape, .element = "i64"};
    const TtirType truths{.shape = block.shape, .element = "i1"};
    const TtirType pointers{.shape = block.shape, .element = descriptor.base->type.element, .is_pointer = true};
    TtirValue* pointer = Add("tt.splat", {descriptor.base}, pointers);
    TtirValue* mask = nullptr;
    const auto require = [&](const char* predicate, TtirValue* index, TtirValue* bound) {
      TtirValue* const holds = Add("arith.cmpi", {index, bound}, truths, {predicate});
      mask = mask == nullptr ? holds : Add("arith.andi", {mask, holds}, truths);
    };
    for (size_t d = 0; d < block.shape.size(); ++d) {
      TtirValue* const index = Add("tt.broadcast", {AddIndex(*op.operands[1 + d], block.shape, d)}, places);
      require("sge", index, Number(0));
      require("slt", index, Widened(*descriptor.sizes[d]));
      pointer =
          Add("tt.addptr", {pointer, Add("arith.muli", {index, Widened(*descriptor.strides[d])}, places)}, pointers);
    }
    return {pointer, mask};
  }

  // Returns the indices along one dimension, as a tensor that has one element in the others. A gather says each of its
  // rows; otherwise, the offset is the first one.
  TtirValue* AddIndex(TtirValue& offset, const std::vector<int64_t>& shape, size_t dimension) {
    TtirType type{.shape = {shape[dimension]}, .element = "i64"};
    TtirValue* index = nullptr;
    if (offset.type.is_tensor()) {
      index = Widened(offset);
    } else {
      TtirOp& range = AddOp("tt.make_range", {});
      range.attributes = {{"start", "0 : i32"}, {"end", StrCat(shape[dimension], " : i32")}};
      TtirValue* const numbers = AddResult(range, {.shape = type.shape, .element = "i32"});
      index = Add("arith.addi", {Add("arith.extsi", {numbers}, type), Widened(offset)}, type);
    }
    for (size_t d = 0; d < shape.size(); ++d) {
      if (d == dimension) continue;
      type.shape.insert(type.shape.begin() + static_cast<ptrdiff_t>(d), 1);
      TtirOp& expand = AddOp("tt.expand_dims", {index});
      expand.attributes = {{"axis", StrCat(d, " : i32")}};
      index = AddResult(expand, type);
    }
    return index;
  }

  static bool IsInteger(const TtirType& type) { return type == Scalar("i32") || type == Scalar("i64"); }
  static TtirType Scalar(const std::string& element) { return {.shape = {}, .element = element}; }
  TtirValue* Number(int64_t number) { return Add("arith.constant", {}, Scalar("i64"), {StrCat(number)}); }
  // Returns the integer as one of 64 bits.
  TtirValue* Widened(TtirValue& value) {
    return value.type.element == "i64" ? &value
                                       : Add("arith.extsi", {&value}, {.shape = value.type.shape, .element = "i64"});
  }

  TtirOp& AddOp(const std::string& name, std::vector<TtirValue*> operands) {
    TtirOp& op = *ops_->emplace_back(std::make_unique<TtirOp>());
    op.name = name;
    op.operands = std::move(operands);
    for (const TtirValue* const operand : op.operands) op.operand_types.push_back(operand->type);
    op.place = place_;
    return op;
  }

  TtirValue* AddResult(TtirOp& op, const TtirType& type) {
    TtirValue& value = function_.values.emplace_back(TtirValue{.name = "", .type = type, .definition = &op});
    op.results.push_back(&value);
    return &value;
  }

  // Adds an operation with one result. A scalar among tensors stands for a tensor of it.
  TtirValue* Add(const std::string& name, std::vector<TtirValue*> operands, const TtirType& type,
                 std::vector<std::string> words = {}) {
    TtirOp& op = AddOp(name, std::move(operands));
    op.words = std::move(words);
    return AddResult(op, type);
  }

  TtirFunction& function_;
  std::map<const TtirValue*, Descriptor> known_;
  std::vector<std::unique_ptr<TtirOp>>* ops_ = nullptr;  // the operations of the current block so far
  std::string place_;                                    // place of the operation that is expanded
};

}  // namespace

void ExpandDescriptors(TtirFunction& function) { Expansion(function).Run(); }

}  // namespace layoutcheck
