// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/sharding_proof/symbolic_sharding.h"
#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <variant>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/text_cursor.h"
#include "layoutcheck/core/formula/formula.h"
#include "layoutcheck/core/formula/formula_value.h"
#include "layoutcheck/core/sharding/hlo_sharding.h"
#include "layoutcheck/core/sharding/local_layout.h"
#include "layoutcheck/core/sharding/sharded_array.h"
#include "layoutcheck/core/sharding/sharding_reader.h"
#include "layoutcheck/core/sharding/sharding_text.h"
#include "layoutcheck/solver/formula_laws/strided_formula.h"
#include "layoutcheck/solver/layout_proof/symbolic_layout.h"

namespace layoutcheck {
namespace {

// Returns a sharding with the same parts on the same devices, over a mesh with one axis per tile dimension.
Expected<MeshSharding> MeshOf(const HloSharding& sharding, size_t rank) {
  const std::vector<int64_t> ones(rank, 1);
  LAYOUTCHECK_RETURN_IF_ERROR(MakeSharding(sharding, ones, /*device_count=*/1));
  MeshSharding mesh;
  if (sharding.kind == HloSharding::Kind::kReplicated) return mesh;
  if (sharding.kind == HloSharding::Kind::kMaximal) {
    mesh.axes.push_back({{}, {{}, 1}});
    mesh.device_ids = {sharding.maximal_device};
    return mesh;
  }
  for (size_t k = 0; k < sharding.tile_dimensions.size(); ++k) {
    mesh.axes.push_back({{}, {{}, sharding.tile_dimensions[k]}});
    if (k >= rank || sharding.tile_dimensions[k] == 1) continue;
    mesh.cuts.push_back({static_cast<int64_t>(k), {{.axis = k}}});
  }
  std::vector<int64_t> in_order(sharding.devices.size());
  std::iota(in_order.begin(), in_order.end(), 0);
  if (sharding.devices != in_order) mesh.device_ids = sharding.devices;
  return mesh;
}

// Returns values of all names with which the sharding can be made, if it can be made at all. The size of an axis is the
// least number that its parts divide, and the size of a shard has room for any dimension.
std::map<std::string, int64_t> LeastValues(const SymbolicSharding& sharding) {
  std::map<std::string, int64_t> values;
  for (const std::string& name : sharding.names) values[name] = 1;
  const auto take = [&](const AxisPart& part) {
    const SymbolicSize& size = sharding.mesh.axes[part.axis].size;
    if (part.is_whole || size.name.empty() || part.pre > Sharding::kMaxDevices || part.size > Sharding::kMaxDevices) {
      return;
    }
    int64_t& value = values[size.name];
    value = std::min(std::lcm(value, part.pre * part.size), int64_t{1} << 30);
  };
  for (const MeshCut& cut : sharding.mesh.cuts) {
    std::ranges::for_each(cut.axes, take);
    if (cut.length && !cut.length->name.empty()) values[cut.length->name] = int64_t{1} << 40;
  }
  std::ranges::for_each(sharding.mesh.replicated, take);
  return values;
}

// Returns a formula as a factor of a product.
std::string AsFactor(const std::string& formula) {
  return std::ranges::all_of(formula, TextCursor::IsWordByte) ? formula : StrCat("(", formula, ")");
}

// Returns a formula without the parentheses around it, if there are any.
std::string_view WithoutParentheses(std::string_view formula) {
  if (!formula.starts_with('(')) return formula;
  size_t end = 1;  // behind the parenthesis that closes the first one
  for (int depth = 1; depth > 0 && end < formula.size(); ++end) {
    depth += (formula[end] == '(' ? 1 : 0) - (formula[end] == ')' ? 1 : 0);
  }
  return end == formula.size() ? formula.substr(1, formula.size() - 2) : formula;
}

// The products among the sizes of a shape.
struct ProductSizes {
  std::string shape;  // with a name of the same length in place of each product
  std::map<std::string, std::vector<SymbolicSize>> products;
};

// Reads the factors of a product that begins at this column. Errors (syntax): a factor that is neither a name nor a
// number >= 1; no name.
Expected<std::vector<SymbolicSize>> ReadFactors(std::string_view text, int64_t column) {
  constexpr std::string_view kExpected = "expected a product of names and numbers, such as S*H or 2*B";
  std::vector<SymbolicSize> factors;
  TextCursor cursor(text);
  do {
    const int64_t at = column - 1 + cursor.NextColumn();
    auto factor = layoutcheck::ReadSize(cursor, "a factor");
    if (!factor) return SyntaxErrorAt(at, kExpected);
    factors.push_back(*std::move(factor));
  } while (cursor.Take("*"));
  if (!cursor.AtEnd()) return SyntaxErrorAt(column - 1 + cursor.NextColumn(), "expected '*' or the end of the product");
  const bool has_name = std::ranges::any_of(factors, [](const SymbolicSize& factor) { return !factor.name.empty(); });
  if (!has_name) return SyntaxErrorAt(column, kExpected);
  return factors;
}

// Returns a name of `length` letters for a product: its factors from the first name on, then those before it.
std::string NameOf(std::vector<SymbolicSize> factors, size_t length) {
  std::ranges::rotate(factors,
                      std::ranges::find_if(factors, [](const SymbolicSize& factor) { return !factor.name.empty(); }));
  std::string name;
  for (const SymbolicSize& factor : factors) StrAppend(name, name.empty() ? "" : "_", layoutcheck::ToString(factor));
  name.resize(std::max(name.size(), length), '_');
  return name;
}

std::string ProductOf(const std::vector<SymbolicSize>& factors) {
  std::string text;
  for (const SymbolicSize& factor : factors) StrAppend(text, text.empty() ? "" : "*", layoutcheck::ToString(factor));
  return text;
}

// Reads the products in the brackets of a shape. Errors: those of ReadFactors; a product whose name is another name of
// the text (invalid argument).
Expected<ProductSizes> ReadProducts(std::string_view shape, std::string_view text) {
  ProductSizes result{std::string(shape), {}};
  const size_t end = std::min(shape.find(']'), shape.size());
  size_t next = std::min(shape.find('['), end) + 1;
  for (size_t begin = next; begin <= end; begin = next) {
    next = std::min(shape.find(',', begin), end) + 1;
    const std::string_view size = shape.substr(begin, next - 1 - begin);
    if (!size.contains('*')) continue;
    const auto column = static_cast<int64_t>(begin) + 1;
    LAYOUTCHECK_TRY(std::vector<SymbolicSize> factors, ReadFactors(size, column));
    constexpr size_t kMostLetters = 18;  // of a name in a shape
    if (size.size() > kMostLetters) {
      return SyntaxErrorAt(column, "expected a product of at most ", kMostLetters, " characters, found '",
                           size.substr(0, 40), "'");
    }
    std::string name = NameOf(factors, size.size());
    const std::string product = ProductOf(factors);
    const auto [known, is_new] = result.products.emplace(name, std::move(factors));
    if (text.contains(name) || ProductOf(known->second) != product) {
      return ErrorAt(column, ArgumentError("the name '", name, "' is kept for the product ", ProductOf(known->second),
                                           ": use other names"));
    }
    result.shape.replace(begin, size.size(), name);
  }
  return result;
}

// Reads the local layout.
Expected<void> ReadLocal(const ShardingText& sharding, SymbolicSharding& result) {
  if (IsNamedStridedText(sharding.local)) {
    auto formula = ReadStridedFormula(sharding.local);
    if (!formula) {
      return ErrorAt(sharding.local_column + std::max<int64_t>(formula.error().column - 1, 0), formula.error());
    }
    result.local = sharding.local;
    for (const std::string& size : formula->extents) result.local_sizes.emplace_back(WithoutParentheses(size));
    for (std::string& name : formula->names) {
      if (std::ranges::find(result.names, name) == result.names.end()) result.names.push_back(std::move(name));
    }
  } else {
    LAYOUTCHECK_TRY(const LocalLayout local, LocalLayout::Parse(sharding.local, sharding.local_column));
    result.local = local.text();
    for (const int64_t size : local.sizes()) result.local_sizes.push_back(StrCat(size));
  }
  if (result.local_sizes.size() == result.dimensions.size()) return {};
  return MakeError(ErrorKind::kInvalidLayout,
                   StrCat("expected a local layout with one mode per dimension of the array, which has ",
                          result.dimensions.size(), ", found ", result.local_sizes.size()),
                   sharding.local_column);
}

// Requires that the local layout has room for each dimension whose condition has no name.
Expected<void> RequireRoom(const SymbolicSharding& sharding, int64_t column) {
  for (size_t d = 0; d < sharding.local_sizes.size(); ++d) {
    const std::string condition = sharding.RoomCondition(d);
    LAYOUTCHECK_TRY(const Formula formula, ParseFormula(condition));
    if (!formula.names.empty()) continue;
    const FormulaValue<int64_t> holds = FormulaEvaluator<int64_t>(formula)({});
    if (holds.ok() && holds.value != 0) continue;
    return MakeError(
        ErrorKind::kInvalidLayout,
        StrCat("expected room for dimension ", d, " of the array of a device, but ", condition, " does not hold"),
        column);
  }
  return {};
}

Expected<void> CheckNames(const SymbolicSharding& sharding, int64_t column) {
  for (const std::string& name : sharding.names) {
    for (const std::string_view kept : {"i", "d", "part", "local"}) {
      if (!name.starts_with(kept) || name.find_first_not_of("0123456789", kept.size()) != std::string::npos) continue;
      if (kept.size() == 1 && name == kept) continue;
      return ErrorAt(column, ArgumentError("the name '", name,
                                           "' is kept for an index, a dimension, a part or an index in a part: use "
                                           "another"));
    }
  }
  return {};
}

}  // namespace

std::string SymbolicSharding::RoomCondition(size_t dimension) const {
  std::string parts;
  std::string needed = layoutcheck::ToString(dimensions[dimension]);
  for (const MeshCut& cut : mesh.cuts) {
    if (!std::cmp_equal(cut.dimension, dimension)) continue;
    if (cut.length) {
      needed = layoutcheck::ToString(*cut.length);  // the array of a device is as large as a shard
    } else {
      parts += TimesParts(cut);
    }
  }
  const std::string& room = local_sizes[dimension];
  return StrCat(needed, " <= ", parts.empty() ? room : AsFactor(room), parts);
}

std::string SymbolicSharding::TimesParts(const MeshCut& cut) const {
  std::string factors;
  for (const AxisPart& part : cut.axes) {
    StrAppend(factors, "*", part.is_whole ? layoutcheck::ToString(mesh.axes[part.axis].size) : StrCat(part.size));
  }
  return factors;
}

std::optional<std::string> SymbolicSharding::LargestSize(size_t dimension) const {
  std::string size = layoutcheck::ToString(dimensions[dimension]);
  for (const MeshCut& cut : mesh.cuts) {
    if (!std::cmp_equal(cut.dimension, dimension)) continue;
    if (!cut.blocks.name.empty() || cut.blocks.value != 1) return std::nullopt;
    const std::string parts = TimesParts(cut);
    if (cut.length) {
      size = layoutcheck::ToString(*cut.length);
    } else if (!parts.empty()) {
      size = StrCat(AsFactor(size), " ceildiv ", AsFactor(parts.substr(1)));
    }
  }
  return size;
}

std::vector<SymbolicSize> SymbolicSharding::FactorsOf(size_t dimension) const {
  const auto product = products.find(dimensions[dimension].name);
  return product == products.end() ? std::vector{dimensions[dimension]} : product->second;
}

std::vector<std::string> SymbolicSharding::Conditions() const {
  std::vector<std::string> conditions;
  for (const auto& [name, factors] : products) conditions.push_back(StrCat(name, " == ", ProductOf(factors)));
  for (const MeshCut& cut : mesh.cuts) {
    const SymbolicSize& size = dimensions[static_cast<size_t>(cut.dimension)];
    if (!cut.length || (size.name.empty() && cut.length->name.empty())) continue;
    conditions.push_back(
        StrCat(layoutcheck::ToString(size), " <= ", layoutcheck::ToString(*cut.length), TimesParts(cut)));
  }
  for (size_t d = 0; d < local_sizes.size(); ++d) {
    if (local_sizes[d] == LargestSize(d)) continue;
    std::string condition = RoomCondition(d);
    const bool has_name = std::ranges::any_of(condition, TextCursor::IsLetter);
    if (has_name) conditions.push_back(std::move(condition));
  }
  const auto add = [&](const AxisPart& part) {
    const SymbolicSize& size = mesh.axes[part.axis].size;
    if (part.is_whole || size.name.empty()) return;
    conditions.push_back(StrCat(size.name, " mod ", part.pre * part.size, " == 0"));
  };
  for (const MeshCut& cut : mesh.cuts) std::ranges::for_each(cut.axes, add);
  std::ranges::for_each(mesh.replicated, add);
  return conditions;
}

SymbolicSharding SymbolicSharding::Only(size_t dimension) const {
  SymbolicSharding result = *this;
  result.dimensions = {dimensions[dimension]};
  std::erase_if(result.mesh.cuts, [&](const MeshCut& cut) { return !std::cmp_equal(cut.dimension, dimension); });
  for (MeshCut& cut : result.mesh.cuts) cut.dimension = 0;
  result.local.clear();
  result.local_sizes.clear();
  result.products.clear();
  std::set<std::string> used = {dimensions[dimension].name};
  for (const MeshCut& cut : result.mesh.cuts) {
    used.insert(cut.blocks.name);
    if (cut.length) used.insert(cut.length->name);
    for (const AxisPart& part : cut.axes) used.insert(mesh.axes[part.axis].size.name);
  }
  std::erase_if(result.names, [&](const std::string& name) { return !used.contains(name); });
  return result;
}

Expected<SymbolicSharding> ParseSymbolicSharding(std::string_view text) {
  const std::optional<size_t> position = FindSharding(text);
  if (!position) return MakeError(ErrorKind::kSyntax, "expected a sharding behind the shape");
  const std::string_view shape = text.substr(0, text.find_last_not_of(" \t\r\n", *position - 1) + 1);
  LAYOUTCHECK_TRY(const ProductSizes sizes, ReadProducts(shape, text));
  LAYOUTCHECK_TRY(const SymbolicLayout layout, ParseSymbolicLayout(sizes.shape));
  SymbolicSharding result{std::string(text), sizes.shape, layout.layout.dimensions, {}, {}, {}};
  result.products = sizes.products;
  if (result.dimensions.empty())
    return UnsupportedError("expected an array with at least one dimension, found ", shape);
  const size_t rank = result.dimensions.size();
  LAYOUTCHECK_TRY(const ShardingText sharding, ReadSharding(text, *position, static_cast<int64_t>(rank)));
  if (const auto* hlo = std::get_if<HloSharding>(&sharding.form)) {
    auto mesh = MeshOf(*hlo, rank);
    if (!mesh) return ErrorAt(sharding.column, std::move(mesh.error()));
    result.mesh = *std::move(mesh);
    result.has_devices = hlo->kind != HloSharding::Kind::kReplicated;
  } else {
    result.mesh = std::get<MeshSharding>(sharding.form);
  }
  const auto add = [&](const SymbolicSize& size) {
    if (size.name.empty()) return false;
    if (std::ranges::find(result.names, size.name) == result.names.end()) result.names.push_back(size.name);
    return true;
  };
  std::ranges::for_each(result.dimensions, add);
  for (const MeshAxis& axis : result.mesh.axes) {
    if (add(axis.size)) result.positive.insert(axis.size.name);
  }
  for (const MeshCut& cut : result.mesh.cuts) {
    if (add(cut.blocks)) result.positive.insert(cut.blocks.name);
    if (cut.length && add(*cut.length)) result.positive.insert(cut.length->name);
  }
  for (const auto& [name, factors] : sizes.products) std::ranges::for_each(factors, add);
  if (!sharding.local.empty()) {
    LAYOUTCHECK_RETURN_IF_ERROR(ReadLocal(sharding, result));
    LAYOUTCHECK_RETURN_IF_ERROR(RequireRoom(result, sharding.local_column));
  }
  LAYOUTCHECK_RETURN_IF_ERROR(CheckNames(result, sharding.column));
  if (auto made = ShardingAt(result, LeastValues(result)); !made) {
    return ErrorAt(sharding.column, std::move(made.error()));
  }
  if (!result.local.empty() && result.names.empty()) {
    LAYOUTCHECK_RETURN_IF_ERROR(ParseSharded(text, /*device_count=*/1));  // the local layout has room for each device
  }
  return result;
}

Expected<Sharding> ShardingAt(const SymbolicSharding& sharding, const std::map<std::string, int64_t>& values) {
  const auto at = [&](SymbolicSize& size) {
    if (!size.name.empty()) size = {{}, values.at(size.name)};
  };
  MeshSharding mesh = sharding.mesh;
  for (MeshAxis& axis : mesh.axes) at(axis.size);
  for (MeshCut& cut : mesh.cuts) {
    at(cut.blocks);
    if (cut.length) at(*cut.length);
  }
  std::vector<int64_t> dimensions;
  for (SymbolicSize size : sharding.dimensions) {
    at(size);
    dimensions.push_back(size.value);
  }
  return MakeSharding(mesh, dimensions);
}

}  // namespace layoutcheck
