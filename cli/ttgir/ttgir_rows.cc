// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/ttgir/ttgir_rows.h"
#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include "layoutcheck/llvm/ttgir/ttgir_types.h"

namespace layoutcheck {
namespace {

Json OptionalNumber(const std::optional<int64_t>& number) { return number ? Json(*number) : Json(); }

// Makes the rows of one function.
class RowMaker {
 public:
  RowMaker(const std::string& file, const TtgirLayouts& layouts, const TtgirFunction& function)
      : file_(file), layouts_(layouts), function_(function) {}

  Json Buffer(const TtgirBuffer& buffer) const {
    Json row = Row("buffer", *buffer.op);
    row["shape"] = buffer.type;
    row["layout"] = buffer.layout;
    row["memory"] = buffer.is_shared ? "shared" : "tensor";
    row["bytes"] = OptionalNumber(buffer.bytes);
    AddSource(*buffer.op, row);
    return row;
  }

  Json Convert(const TtgirConvert& convert) const {
    Json row = Row("convert", *convert.op);
    const bool has_types = !convert.op->operands.empty() && !convert.op->results.empty();
    if (has_types) {
      const TtirType& from = convert.op->operands[0]->type;
      const TtirType& to = convert.op->results[0]->type;
      row["from"] = ShapeAndLayout(from);
      row["to"] = ShapeAndLayout(to);
      row["from_layout"] = LayoutText(from.encoding);
      row["to_layout"] = LayoutText(to.encoding);
    }
    row["loops"] = convert.loops;
    if (convert.element_bytes > 0) {
      const Movement& moved = convert.movement;
      row["kept_bytes"] = moved.kept * convert.element_bytes;
      row["lane_bytes"] = moved.lanes * convert.element_bytes;
      row["warp_bytes"] = moved.warps * convert.element_bytes;
      row["block_bytes"] = moved.blocks * convert.element_bytes;
      row["moved_bytes"] = convert.moved_bytes();
      row["shared_bytes"] = convert.shared_bytes;
      row["least_store_passes"] = OptionalNumber(convert.store_passes);
      row["least_load_passes"] = OptionalNumber(convert.load_passes);
    }
    AddSource(*convert.op, row);
    return row;
  }

  Json Access(const TtgirAccess& access) const {
    Json row = Row("access", *access.op);
    row["opcode"] = access.op->name;
    row["tensor"] = ShapeAndLayout(access.tensor->type);
    row["buffer"] = access.buffer;
    row["tensor_layout"] = LayoutText(access.tensor->type.encoding);
    row["buffer_layout"] = access.buffer_layout;
    row["loops"] = access.loops;
    row["bytes"] = access.bytes;
    if (access.access) {
      row["lane_bytes"] = access.access->lane_bytes;
      row["transposed_matrices"] = access.access->has_matrices;
      row["passes"] = access.access->passes;
      row["conflict_free_passes"] = access.access->conflict_free_passes;
      row["least_passes"] = access.access->least_passes;
    }
    AddSource(*access.op, row);
    return row;
  }

  Json Finding(const TtgirFinding& finding, std::span<const std::string> requirements) const {
    const auto rule = std::ranges::find(TtgirRules(), finding.rule, &TtgirRule::name);
    const bool is_required =
        rule != TtgirRules().end() && std::ranges::find(requirements, rule->requirement) != requirements.end();
    Json row{{"type", "finding"},
             {"rule", finding.rule},
             {"file", file_},
             {"line", finding.op == nullptr ? function_.line : finding.op->line},
             {"column", finding.op == nullptr ? size_t{1} : finding.op->column},
             {"computation", function_.name}};
    if (finding.op != nullptr) {
      const TtirOp& op = *finding.op;
      row["instruction"] = OpText(op);
      if (!op.results.empty()) row["opcode"] = op.name;
      if (!op.results.empty() && op.results[0]->type.is_tensor()) row["shape"] = ShapeAndLayout(op.results[0]->type);
    }
    row["severity"] = finding.is_undecided ? "undecided" : is_required ? "error" : "advice";
    row["message"] = finding.message;
    if (finding.op != nullptr) AddSource(*finding.op, row);
    return row;
  }

  Json Tensors(const TtgirTensors& tensors) const {
    Json row{{"type", "tensor"},           {"file", file_},
             {"function", function_.name}, {"shape", tensors.type},
             {"layout", tensors.layout},   {"count", tensors.values.size()}};
    if (tensors.element_bytes > 0) {
      row["registers"] = tensors.registers;
      row["thread_bytes"] = tensors.thread_bytes();
      row["register_copies"] = tensors.copies.registers;
      row["lane_copies"] = tensors.copies.lanes;
      row["warp_copies"] = tensors.copies.warps;
      row["block_copies"] = tensors.copies.blocks;
    }
    Json names = Json::array();
    for (const TtirValue* const value : tensors.values) names.push_back(ValueText(*value));
    row["names"] = std::move(names);
    return row;
  }

 private:
  // Returns the text of a layout without aliases, or as it is written if it has one that is not defined.
  std::string LayoutText(const std::string& encoding) const { return layouts_.Expanded(encoding).value_or(encoding); }

  // Returns the members that all rows about an operation begin with.
  Json Row(std::string_view type, const TtirOp& op) const {
    return {
        {"type", type},      {"file", file_}, {"line", op.line}, {"column", op.column}, {"function", function_.name},
        {"name", OpText(op)}};
  }

  // Adds the place in the kernel's source, if the text has one.
  void AddSource(const TtirOp& op, Json& row) const {
    const size_t colon = op.place.rfind(':');
    if (colon == std::string::npos || op.place.substr(0, colon) == file_) return;
    int64_t line = 0;
    const char* const end = op.place.data() + op.place.size();
    if (std::from_chars(op.place.data() + colon + 1, end, line).ec != std::errc()) return;
    row["source_file"] = op.place.substr(0, colon);
    row["source_line"] = line;
  }

  const std::string& file_;
  const TtgirLayouts& layouts_;
  const TtgirFunction& function_;
};

// Returns the row of the function itself: totals, and the layouts that its module gives a name.
Json FunctionRow(const std::string& file, const TtirModule& module, const TtgirScan& scan,
                 const TtgirFunction& function) {
  int64_t tensors = 0;
  for (const TtgirTensors& row : function.tensors) tensors += std::ssize(row.values);
  int64_t shared = 0;
  for (const TtgirBuffer& buffer : function.buffers) {
    if (buffer.is_shared) shared += buffer.bytes.value_or(0);
  }
  Movement moved;  // in bytes
  int64_t through_shared = 0;
  for (const TtgirConvert& convert : function.converts) {
    moved.lanes += convert.movement.lanes * convert.element_bytes;
    moved.warps += convert.movement.warps * convert.element_bytes;
    moved.blocks += convert.movement.blocks * convert.element_bytes;
    through_shared += convert.shared_bytes;
  }
  Json layouts = Json::object();
  for (const auto& [alias, text] : module.aliases) {
    if (text.contains('<')) layouts[alias] = text;
  }
  return {{"type", "function"},           {"file", file},
          {"line", function.line},        {"name", function.name},
          {"target", scan.target},        {"warps", scan.warps},
          {"lanes", scan.lanes},          {"blocks", scan.blocks},
          {"tensors", tensors},           {"buffers", function.buffers.size()},
          {"shared_bytes", shared},       {"converts", function.converts.size()},
          {"lane_bytes", moved.lanes},    {"warp_bytes", moved.warps},
          {"block_bytes", moved.blocks},  {"converted_shared_bytes", through_shared},
          {"layouts", std::move(layouts)}};
}

}  // namespace

std::vector<TtgirRows> RowsOfModule(const std::string& file, const TtirModule& module, const TtgirScan& scan,
                                    std::span<const std::string> requirements) {
  std::vector<TtgirRows> all;
  const TtgirLayouts layouts(module.aliases);
  for (const TtgirFunction& function : scan.functions) {
    TtgirRows& rows = all.emplace_back();
    const RowMaker make(file, layouts, function);
    rows.function = FunctionRow(file, module, scan, function);
    for (const TtgirBuffer& buffer : function.buffers) rows.buffers.push_back(make.Buffer(buffer));
    for (const TtgirConvert& convert : function.converts) rows.converts.push_back(make.Convert(convert));
    for (const TtgirAccess& access : function.accesses) rows.accesses.push_back(make.Access(access));
    for (const TtgirFinding& finding : function.findings) rows.findings.push_back(make.Finding(finding, requirements));
    for (const TtgirTensors& tensors : function.tensors) rows.tensors.push_back(make.Tensors(tensors));
  }
  return all;
}

}  // namespace layoutcheck
