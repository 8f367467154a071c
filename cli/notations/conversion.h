// The same map from coordinates to linear indices in another notation: exact, or refused with the reason.
#ifndef LAYOUTCHECK_CLI_NOTATIONS_CONVERSION_H_
#define LAYOUTCHECK_CLI_NOTATIONS_CONVERSION_H_

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "layoutcheck/cli/base/command.h"
#include "layoutcheck/cli/notations/notation.h"
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/element_type.h"
#include "layoutcheck/core/shape_stride/swizzle.h"
#include "layoutcheck/core/tiling/index_expression.h"

namespace layoutcheck {

enum class ConversionTarget { kHlo, kShapeStride, kOneDnn, kAffine, kPack, kC };

// The names of --to, in the order of ConversionTarget.
inline constexpr std::string_view kConversionTargets[] = {"hlo", "shape-stride", "onednn", "affine", "pack", "c"};

struct Conversion {
  // One line without its end; for C the lines of a file.
  std::string text;
  // The parts of the text for programs: outer_dims_perm and the like. An empty object where the text has no parts.
  Json parts = Json::object();
};

// Proves that the expression, computed as IndexExpression::ToC() prints it and then swizzled, is the linear index of
// the layout at every coordinate within `sizes`. Returns why that was not proved; an empty text if it was.
using IndexProver =
    std::function<std::string(const LayoutValue& layout, std::span<const int64_t> sizes,
                              const IndexExpression& expression, const std::optional<Swizzle>& swizzle)>;

// The layout in the notation of the target, after it was compared with the layout: the text read back, or the formula
// that was printed evaluated, at every element, or in layouts of more than kMostCompared elements at the elements
// around every boundary. HLO text takes its element type from the layout, or is of `type` where the notation has none.
//
// HLO, shape:stride, oneDNN and pack also allocate the same memory. What does not place elements (memory space, element
// size, what padding holds) is carried only from HLO to HLO.
//
// Errors: unsupported where the target cannot say it; unavailable where none was found, but there may be one; invalid
// argument for a type that arrays cannot have.
//
// A function of C says in its comment how far it is known to be right. It is proved by `prove` where that is given.
Expected<Conversion> Convert(const LayoutValue& layout, ConversionTarget target, ElementType type,
                             const IndexProver& prove = {});
inline constexpr int64_t kMostCompared = int64_t{1} << 16;

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CLI_NOTATIONS_CONVERSION_H_
