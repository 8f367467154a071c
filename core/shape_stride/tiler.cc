// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/shape_stride/tiler.h"
#include <algorithm>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

bool HasLayout(const Tiler& tiler) {
  return tiler.kind == Tiler::Kind::kLayout || std::ranges::any_of(tiler.modes, HasLayout);
}

}  // namespace

std::string ToString(const Tiler& tiler) {
  switch (tiler.kind) {
    case Tiler::Kind::kLayout: return ToString(tiler.layout);
    case Tiler::Kind::kExtent: return ToString(tiler.layout.shape);
    case Tiler::Kind::kKeep: return "_";
    case Tiler::Kind::kModes: break;
  }
  const bool layouts = HasLayout(tiler);
  std::string out = layouts ? "<" : "(";
  for (size_t i = 0; i < tiler.modes.size(); ++i) {
    StrAppend(out, i == 0 ? "" : (layouts ? ";" : ","), ToString(tiler.modes[i]));
  }
  out.push_back(layouts ? '>' : ')');
  return out;
}

}  // namespace layoutcheck
