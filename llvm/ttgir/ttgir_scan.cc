// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/ttgir/ttgir_scan.h"
#include <algorithm>
#include <charconv>
#include <map>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/ttgir/ttgir_facts.h"
#include "layoutcheck/llvm/ttgir/ttgir_rules.h"
#include "layoutcheck/llvm/ttgir/ttgir_types.h"

namespace layoutcheck {
namespace {

// Returns the number at the beginning of an attribute's text, "4 : i32", or `otherwise`.
int64_t IntegerOf(const TtirAttributes& attributes, std::string_view name, int64_t otherwise) {
  const auto found = attributes.find(name);
  if (found == attributes.end()) return otherwise;
  int64_t value = 0;
  const char* const end = found->second.data() + found->second.size();
  return std::from_chars(found->second.data(), end, value).ec == std::errc() ? value : otherwise;
}

// Returns the version of an NVIDIA GPU, 90 for "cuda:90", or nothing for another target.
std::optional<int64_t> CudaVersion(std::string_view target) {
  constexpr std::string_view kCuda = "cuda:";
  if (!target.starts_with(kCuda)) return std::nullopt;
  int64_t version = 0;
  const auto result = std::from_chars(target.data() + kCuda.size(), target.data() + target.size(), version);
  return result.ec == std::errc() ? std::optional(version) : std::nullopt;
}

std::string BufferText(const TtgirBufferType& type) { return StrCat(type.ShapeText(), " ", type.encoding); }

int64_t SizeOf(std::span<const int64_t> shape) {
  int64_t size = 1;  // at most 2^40, by the parsers of types
  for (const int64_t part : shape) size *= part;
  return size;
}

// Collects the rows of one function.
class FunctionScan {
 public:
  FunctionScan(const TtirFunction& function, const TtgirScan& module, TtgirLayouts& layouts)
      : function_(function), module_(module), layouts_(layouts), uses_(function), cuda_(CudaVersion(module.target)) {
    scan_.name = function.name;
    scan_.line = function.line;
  }

  TtgirFunction Run() {
    for (const TtirValue& value : function_.values) {
      if (value.type.is_tensor()) AddTensor(value);
    }
    for (const TtgirUses::Place& place : uses_.places()) {
      const std::string& name = place.op->name;
      if (name == "ttg.convert_layout") AddConvert(place);
      if (name == "ttg.local_alloc" || name == "ttng.tmem_alloc") AddBuffer(*place.op);
      AddAccess(place);
    }
    FindBrokenRules(scan_, uses_, layouts_, scan_.findings);
    std::ranges::stable_sort(scan_.findings, {}, [](const TtgirFinding& finding) {
      return finding.op == nullptr ? std::pair<size_t, size_t>() : std::pair(finding.op->line, finding.op->column);
    });
    std::ranges::stable_sort(scan_.tensors, std::greater<>(), &TtgirTensors::thread_bytes);
    return std::move(scan_);
  }

 private:
  void AddUnreadable(const TtirOp* op, std::string message) {
    scan_.findings.push_back({"unreadable", op, true, std::move(message)});
  }

  // Returns the layout of a tensor. Errors: those of TtgirLayouts; another number of lanes than the module has.
  Expected<LinearLayout> LayoutOf(const TtirType& type) {
    LAYOUTCHECK_TRY(LinearLayout layout, layouts_.OfTensor(type.encoding, type.shape));
    const auto lane = layout.FindInput("lane");
    const auto lanes = lane ? static_cast<int64_t>(layout.inputs()[*lane].size()) : 1;
    if (module_.lanes > 0 && lanes != module_.lanes) {
      return ArgumentError("expected ", module_.lanes, " lanes per warp as the module has, found ", lanes);
    }
    return layout;
  }

  void AddTensor(const TtirValue& value) {
    std::string text = ShapeAndLayout(value.type);
    const auto [known, is_new] = rows_.emplace(text, scan_.tensors.size());
    if (!is_new) {
      scan_.tensors[known->second].values.push_back(&value);
      return;
    }
    TtgirTensors& row = scan_.tensors.emplace_back();
    row.type = std::move(text);
    row.values.push_back(&value);
    row.layout = layouts_.Expanded(value.type.encoding).value_or(value.type.encoding);
    const auto layout = LayoutOf(value.type);
    const auto element_bytes = ElementBytes(value.type);
    if (!layout) return AddUnreadable(value.definition, StrCat(row.type, ": ", layout.error().ToString()));
    if (!element_bytes) {
      return AddUnreadable(value.definition, StrCat(row.type, ": the size of '", value.type.element, "' is not known"));
    }
    row.element_bytes = *element_bytes;
    row.registers = static_cast<int64_t>(layout->inputs()[*layout->FindInput("register")].size());
    row.copies = ReplicationOf(*layout);
  }

  void AddBuffer(const TtirOp& op) {
    if (op.results.empty()) return;
    const auto type = ParseBufferType(op.results[0]->type.element);
    if (!type) return AddUnreadable(&op, type.error().ToString());
    auto bytes = BufferBytes(*type, layouts_);
    if (!bytes) AddUnreadable(&op, StrCat(BufferText(*type), ": ", bytes.error().ToString()));
    scan_.buffers.push_back({.op = &op,
                             .type = BufferText(*type),
                             .layout = layouts_.Expanded(type->encoding).value_or(type->encoding),
                             .is_shared = op.name == "ttg.local_alloc",
                             .bytes = bytes ? std::optional(*bytes) : std::nullopt});
  }

  void AddConvert(const TtgirUses::Place& place) {
    const TtirOp& op = *place.op;
    if (op.operands.size() != 1 || op.results.size() != 1) return AddUnreadable(&op, "expected one operand and result");
    TtgirConvert& row = scan_.converts.emplace_back(TtgirConvert{.op = &op, .loops = place.loops});
    const auto from = LayoutOf(op.operands[0]->type);
    const auto to = LayoutOf(op.results[0]->type);
    const auto element_bytes = ElementBytes(op.results[0]->type);
    if (!from || !to || !element_bytes) return;  // a finding about the type
    const auto movement = MovementBetween(*from, *to);
    if (!movement) return AddUnreadable(&op, movement.error().ToString());
    row.element_bytes = *element_bytes;
    row.movement = *movement;
    if (movement->warps == 0 && movement->blocks == 0) return;
    row.shared_bytes = SizeOf(op.results[0]->type.shape) * *element_bytes;
    if (!cuda_ || movement->blocks > 0) return;
    row.store_passes = LeastStorePasses(*from, *element_bytes).value_or(0);  // at most 2^32 places do not overflow
    row.load_passes = LeastLoadPasses(*to, *element_bytes).value_or(0);
  }

  // Adds a row if the operation copies a tensor to a buffer or back.
  void AddAccess(const TtgirUses::Place& place) {
    const TtirOp& op = *place.op;
    const TtirValue* tensor = nullptr;
    const TtirValue* buffer = nullptr;
    const bool is_load = op.name == "ttg.local_load";
    const bool is_copy = op.name == "ttg.async_copy_global_to_local";
    if (is_load && !op.operands.empty() && op.results.size() == 1) {
      buffer = op.operands[0];
      tensor = op.results[0];
    } else if (op.name == "ttg.local_alloc" && op.operands.size() == 1 && op.results.size() == 1) {
      tensor = op.operands[0];
      buffer = op.results[0];
    } else if ((op.name == "ttg.local_store" || is_copy) && op.operands.size() >= 2) {
      tensor = op.operands[0];
      buffer = op.operands[1];
    }
    if (tensor == nullptr) return;
    const auto type = ParseBufferType(buffer->type.element);
    if (!type) return AddUnreadable(&op, type.error().ToString());
    const auto element_bytes = ElementBytes(type->element);
    if (!element_bytes) return AddUnreadable(&op, StrCat("the size of '", type->element, "' is not known"));
    TtgirAccess& row = scan_.accesses.emplace_back(
        TtgirAccess{.op = &op,
                    .loops = place.loops,
                    .tensor = tensor,
                    .buffer = BufferText(*type),
                    .buffer_layout = layouts_.Expanded(type->encoding).value_or(type->encoding),
                    .bytes = SizeOf(tensor->type.shape) * *element_bytes,
                    .access = std::nullopt});
    if (!cuda_ || is_copy) return;
    const auto registers = LayoutOf(tensor->type);
    const Expected<TritonLayout>& shared = layouts_.Find(type->encoding, type->whole_shape);
    if (!registers) return;  // a finding about the type
    if (!shared) return AddUnreadable(&op, StrCat(row.buffer, ": ", shared.error().ToString()));
    const auto* const linear = std::get_if<LinearLayout>(&*shared);
    if (linear == nullptr) return;  // padding, of which no passes are known
    const int64_t first_with_matrices = is_load ? 75 : 90;
    auto access = FindBufferAccess(*registers, *linear, *element_bytes,
                                   is_load ? AccessKind::kLoad : AccessKind::kStore, *cuda_ >= first_with_matrices);
    if (!access) return AddUnreadable(&op, access.error().ToString());
    row.access = *access;
  }

  const TtirFunction& function_;
  const TtgirScan& module_;
  TtgirLayouts& layouts_;
  TtgirUses uses_;
  std::optional<int64_t> cuda_;
  TtgirFunction scan_;
  std::map<std::string, size_t> rows_;  // places in scan_.tensors by the text of the type
};

}  // namespace

std::string ValueText(const TtirValue& value) {
  const bool is_one_of_several = value.definition != nullptr && value.definition->results.size() > 1;
  if (!is_one_of_several) return StrCat("%", value.name);
  return StrCat("%", value.name, "#", value.number);
}

std::string OpText(const TtirOp& op) { return op.results.empty() ? op.name : ValueText(*op.results[0]); }

Expected<TtgirScan> ScanTtgir(const TtirModule& module) {
  TtgirScan scan;
  scan.warps = IntegerOf(module.attributes, "ttg.num-warps", 0);
  scan.lanes = IntegerOf(module.attributes, "ttg.threads-per-warp", 0);
  scan.blocks = IntegerOf(module.attributes, "ttg.num-ctas", 1);
  if (const auto target = module.attributes.find("ttg.target"); target != module.attributes.end()) {
    scan.target = target->second;
    std::erase(scan.target, '"');
  }
  if (scan.warps < 1) {
    return UnsupportedError(
        "expected TTGIR, a module with the attribute \"ttg.num-warps\"; TTIR has no layouts: see the files .ttgir");
  }
  TtgirLayouts layouts(module.aliases);
  for (const TtirFunction& function : module.functions) {
    scan.functions.push_back(FunctionScan(function, scan, layouts).Run());
  }
  return scan;
}

}  // namespace layoutcheck
