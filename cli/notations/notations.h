// The notations that a LAYOUT argument can be written in. For each: whether a text is meant in it (in core for those
// with their own mark), and its reader.
#ifndef LAYOUTCHECK_CLI_NOTATIONS_NOTATIONS_H_
#define LAYOUTCHECK_CLI_NOTATIONS_NOTATIONS_H_

#include <memory>
#include <string_view>

#include "layoutcheck/cli/notations/notation.h"

namespace layoutcheck {

// "f32[3,5]{1,0:T(2,2)}": an XLA array shape with its layout.
bool IsHloText(std::string_view text);
Expected<std::unique_ptr<AnyLayout>> ReadHloLayout(std::string_view text);

// "f32[2,3]{0,1}pad[3,5]=0": a layout of 2017 with padded dimensions.
bool IsPaddedText(std::string_view text);
Expected<std::unique_ptr<AnyLayout>> ReadPaddedLayout(std::string_view text);

// "((4,2),(4,3)):((4,16),(1,32))": a CuTe or CATLASS TLA layout. Its allocation reaches from offset 0 (or the smallest
// one, where strides are negative) to the largest; there is no element type, so no bytes. With a swizzle or an offset
// before it, "Sw<2,0,3> o 0 o (8,8):(8,1)", a composed layout.
Expected<std::unique_ptr<AnyLayout>> ReadShapeStrideLayout(std::string_view text);

// "zN:f16[20,40]": a tag of CATLASS TLA, an element type, rows and columns. Coordinates are row,column.
Expected<std::unique_ptr<AnyLayout>> ReadFractalLayout(std::string_view text);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CLI_NOTATIONS_NOTATIONS_H_
