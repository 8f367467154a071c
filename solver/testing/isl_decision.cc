// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/testing/isl_decision.h"
#include <isl/ctx.h>
#include <isl/map.h>
#include <isl/options.h>
#include <isl/point.h>
#include <isl/set.h>
#include <isl/val.h>
#include <memory>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/tiling/mixed_radix.h"
#include "layoutcheck/core/tiling/tiled_index.h"
#include "layoutcheck/solver/layout_proof/padded_box.h"

namespace layoutcheck {
namespace {

struct Free {
  void operator()(isl_ctx* context) const { isl_ctx_free(context); }
  void operator()(isl_map* map) const { isl_map_free(map); }
  void operator()(isl_set* set) const { isl_set_free(set); }
};
using Context = std::unique_ptr<isl_ctx, Free>;
using Map = std::unique_ptr<isl_map, Free>;
using Set = std::unique_ptr<isl_set, Free>;

Context MakeContext(uint64_t max_operations) {
  Context context(isl_ctx_alloc());
  isl_options_set_on_error(context.get(), ISL_ON_ERROR_CONTINUE);
  isl_ctx_set_max_operations(context.get(), max_operations);
  return context;
}

}  // namespace

std::string IslMapText(const TiledLayout& layout, const std::vector<int64_t>& domain) {
  const auto program = TiledIndexCompiler<int64_t>().Compile(layout);
  std::vector<std::string> values(program.value_count, "0");
  std::vector<std::string> names;
  std::vector<std::string> bounds;
  for (size_t d = 0; d < domain.size(); ++d) {
    values[d] = StrCat("i", d);
    names.push_back(values[d]);
    bounds.push_back(StrCat("0 <= i", d, " < ", domain[d]));
  }
  for (const auto& step : program.steps) {
    if (step.combine) {
      values[step.result] = StrCat("((", values[step.a], ")*", step.size, " + ", values[step.b], ")");
    } else {
      values[step.result] = StrCat("floor((", values[step.a], ")/", step.size, ")");
      values[step.result + 1] = StrCat("((", values[step.a], ") mod ", step.size, ")");
    }
  }
  std::vector<std::string> terms = {"0"};
  for (const auto& [value, stride] : program.summands) terms.push_back(StrCat("(", values[value], ")*", stride));
  return StrCat("{ [", StrJoin(names, ","), "] -> [", StrJoin(terms, " + "),
                "] : ", bounds.empty() ? "true" : StrJoin(bounds, " and "), " }");
}

std::optional<IslDecision> DecideWithIsl(const TiledLayout& layout, uint64_t max_operations) {
  const Context context = MakeContext(max_operations);
  const int64_t padded_elements = BasicTiledIndex<int64_t>(layout).padded_elements();
  const std::string text = IslMapText(layout, layout.dimensions);
  const Set addresses(isl_set_read_from_str(context.get(), StrCat("{ [p] : 0 <= p < ", padded_elements, " }").c_str()));
  const Map map(isl_map_read_from_str(context.get(), text.c_str()));
  const Set image(isl_map_range(isl_map_copy(map.get())));

  const TiledLayout full = WithLeadingDimensions<int64_t>(layout, 1);
  const auto chain = MakeMixedRadix(full);
  if (!chain) return std::nullopt;
  const std::vector<int64_t> box = PaddedBoxOf(*chain).sizes;
  const Map box_map(isl_map_read_from_str(context.get(), IslMapText(full, box).c_str()));
  const Set box_image(isl_map_range(isl_map_copy(box_map.get())));
  const isl_bool injective = isl_map_is_injective(map.get());
  const isl_bool in_bounds = isl_set_is_subset(image.get(), addresses.get());
  const isl_bool box_injective = isl_map_is_injective(box_map.get());
  const isl_bool box_in_bounds = isl_set_is_subset(box_image.get(), addresses.get());
  for (const isl_bool answer : {injective, in_bounds, box_injective, box_in_bounds}) {
    if (answer == isl_bool_error) return std::nullopt;
  }
  // The layout is onto if there are as many points as offsets and each has an offset of its own. To decide whether the
  // two sets are equal, isl would complement the image, which takes minutes even for small arrays.
  CheckedInt64 points = 1;
  for (const int64_t size : box) points = points * size;
  const bool onto = box_injective == isl_bool_true && box_in_bounds == isl_bool_true && !points.overflow &&
                    points.value == padded_elements;
  return IslDecision{injective == isl_bool_true, in_bounds == isl_bool_true, onto};
}

std::optional<int64_t> OffsetByIsl(const TiledLayout& layout, const std::vector<int64_t>& index) {
  const Context context = MakeContext(/*max_operations=*/0);
  const Set point(isl_set_read_from_str(context.get(), StrCat("{ [", StrJoin(index, ","), "] }").c_str()));
  const Map map(isl_map_read_from_str(context.get(), IslMapText(layout, layout.dimensions).c_str()));
  const Set image(isl_set_apply(isl_set_copy(point.get()), isl_map_copy(map.get())));
  if (isl_set_is_singleton(image.get()) != isl_bool_true) return std::nullopt;
  isl_point* const offset = isl_set_sample_point(isl_set_copy(image.get()));
  isl_val* const value = isl_point_get_coordinate_val(offset, isl_dim_set, 0);
  const int64_t result = isl_val_get_num_si(value);
  isl_val_free(value);
  isl_point_free(offset);
  return result;
}

}  // namespace layoutcheck
