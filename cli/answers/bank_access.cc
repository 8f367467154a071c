// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/answers/bank_access.h"
#include <algorithm>
#include <functional>
#include <utility>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/text_cursor.h"
#include "layoutcheck/core/hlo/element_type.h"
#include "layoutcheck/core/linear/linear_algebra.h"

namespace layoutcheck {
namespace {

constexpr int64_t kMostLanes = 1024;
constexpr size_t kLanesOfWarp = 32;

bool IsWordByte(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::unexpected<Error> Invalid(std::string message) {
  return MakeError(ErrorKind::kInvalidArgument, std::move(message));
}

// Returns the place of the lane among the dimensions of the layout.
Expected<size_t> LaneDimension(const AnyLayout& layout, const std::optional<LinearLayout>& linear,
                               const std::string& input) {
  if (linear) {
    if (const std::optional<size_t> found = linear->FindInput(input)) return *found;
    std::vector<std::string> names;
    for (const LinearInput& known : linear->inputs()) names.push_back(known.name);
    return Invalid(StrCat("expected an input of the layout (", StrJoin(names, ", "), "), found '", input, "'"));
  }
  if (input != "lane")
    return Invalid(StrCat("expected 'lane', the first dimension of the layout, found '", input, "'"));
  if (layout.Dimensions().empty()) return Invalid("expected a layout with a dimension, which counts the lanes");
  return 0;
}

// Returns, per lane, the offset in the memory's layout of the element that the first layout gives.
Expected<std::vector<int64_t>> OffsetsIn(const AnyLayout& memory, const LinearLayout& layout,
                                         const std::vector<std::vector<int64_t>>& coordinates) {
  std::vector<int64_t> offsets;
  const CoreForms forms = memory.Forms();
  const bool to_array = forms.linear && forms.linear->FindInput("offset");
  if (to_array) {
    LAYOUTCHECK_TRY(const LinearLayout to_offset, InvertAndCompose(layout, *forms.linear));
    const size_t offset = *to_offset.FindOutput("offset");
    for (const std::vector<int64_t>& coordinate : coordinates) {
      offsets.push_back(to_offset.OutputParts(static_cast<uint64_t>(to_offset.Index(coordinate)))[offset]);
    }
    return offsets;
  }
  const std::vector<int64_t> sizes = memory.Dimensions();
  std::vector<int64_t> outputs;
  for (const LinearOutput& output : layout.outputs()) outputs.push_back(static_cast<int64_t>(output.size()));
  if (!std::ranges::equal(outputs, sizes, std::less_equal())) {
    return Invalid(StrCat("expected a layout of the memory with at least the sizes ", SizesText(outputs),
                          " of the outputs before 'in', found ", SizesText(sizes)));
  }
  for (const std::vector<int64_t>& coordinate : coordinates) {
    offsets.push_back(memory.Index(layout.OutputParts(static_cast<uint64_t>(layout.Index(coordinate)))));
  }
  return offsets;
}

std::string ElementTypeOf(const AnyLayout& layout, const BankAccess& access) {
  if (!access.element_type.empty()) return access.element_type;
  const CoreForms forms = layout.Forms();
  return std::string(ElementTypeName(forms.shape && *forms.shape ? (*forms.shape)->element_type : ElementType::kF32));
}

// Reads the bytes that a lane accesses, "16 bytes".
Expected<int64_t> TakeAccessSize(TextCursor& cursor) {
  cursor.SkipBlanks();
  const int64_t column = cursor.column();
  LAYOUTCHECK_TRY(const int64_t bytes, cursor.TakeInteger());
  if (!IsAccessSize(bytes)) {
    return MakeError(ErrorKind::kSyntax, StrCat("expected 1, 2, 4, 8 or 16 bytes per lane, found ", bytes), column);
  }
  if (!cursor.Take("bytes") && !cursor.Take("byte")) return cursor.Unexpected("'bytes' after the number");
  return bytes;
}

// Reads what follows "addresses".
Expected<BankAccess> TakeAddresses(TextCursor& cursor) {
  BankAccess access;
  access.input = "lane";
  std::vector<int64_t> columns;  // per lane
  do {
    cursor.SkipBlanks();
    columns.push_back(cursor.column());
    if (access.addresses.size() == kLanesOfWarp) {
      return MakeError(ErrorKind::kSyntax, StrCat("expected at most ", kLanesOfWarp, " addresses, one per lane"),
                       columns.back());
    }
    LAYOUTCHECK_TRY(const int64_t address, cursor.TakeInteger());
    access.addresses.push_back(address);
  } while (cursor.Take(","));
  LAYOUTCHECK_TRY(const int64_t bytes, TakeAccessSize(cursor));
  access.bytes = bytes;
  if (!cursor.AtEnd()) return cursor.Unexpected("the end of the text");
  for (size_t lane = 0; lane < columns.size(); ++lane) {
    const int64_t address = access.addresses[lane];
    if (address >= 0 && address % access.bytes == 0) continue;
    const std::string what = access.bytes == 1
                                 ? "an address from 0 on"
                                 : StrCat("a multiple of ", access.bytes,
                                          " from 0 on, as the hardware aligns accesses of ", access.bytes, " bytes");
    return MakeError(ErrorKind::kSyntax, StrCat("expected ", what, ", found ", address, " for lane ", lane),
                     columns[lane]);
  }
  return access;
}

// Adds the conflicts of loads and of stores to an access with its addresses.
Expected<AccessedBanks> FindConflicts(AccessedBanks banks) {
  LAYOUTCHECK_TRY(BankConflicts loads, FindBankConflicts(banks.addresses, banks.bytes, AccessKind::kLoad));
  LAYOUTCHECK_TRY(BankConflicts stores, FindBankConflicts(banks.addresses, banks.bytes, AccessKind::kStore));
  banks.loads = std::move(loads);
  banks.stores = std::move(stores);
  return banks;
}

}  // namespace

Expected<BankAccess> ParseBankAccess(std::string_view text) {
  TextCursor cursor(text);
  BankAccess access;
  cursor.SkipBlanks();
  access.input = cursor.TakeWhile(IsWordByte);
  if (access.input.empty()) {
    return cursor.Unexpected(
        "the input that counts lanes or a list of addresses, such as 'lane -> 16 bytes' or 'addresses 0,16 16 bytes'");
  }
  if (access.input == "addresses" && !cursor.Sees("->")) return TakeAddresses(cursor);
  if (!cursor.Take("->")) return cursor.Unexpected(StrCat("'->' after '", access.input, "'"));
  LAYOUTCHECK_TRY(access.bytes, TakeAccessSize(cursor));
  if (cursor.Take("of ")) {
    cursor.SkipBlanks();
    const int64_t column = cursor.column();
    access.element_type = cursor.TakeWhile(IsWordByte);
    const std::optional<ElementType> type = ElementTypeFromName(access.element_type);
    if (!type || !IsArrayElementType(*type)) {
      return MakeError(ErrorKind::kSyntax,
                       StrCat("expected the type of an array, such as f16, found '", access.element_type, "'"), column);
    }
  }
  if (cursor.Take("in ")) {
    cursor.SkipBlanks();
    auto memory = ReadLayout(cursor.rest());
    if (!memory) {
      Error error = memory.error();
      if (error.column > 0) error.column += static_cast<int64_t>(cursor.position());
      return std::unexpected(std::move(error));
    }
    access.memory = *std::move(memory);
    return access;
  }
  if (!cursor.AtEnd()) return cursor.Unexpected("'of TYPE', 'in LAYOUT' or the end of the text");
  return access;
}

Expected<AccessedBanks> BanksOfAddresses(const BankAccess& access) {
  AccessedBanks banks{access.input, access.bytes, "", "", access.addresses, {}, {}};
  return FindConflicts(std::move(banks));
}

Expected<AccessedBanks> BanksOf(const AnyLayout& layout, const BankAccess& access) {
  if (access.ListsAddresses()) return BanksOfAddresses(access);
  const std::optional<LinearLayout> linear = layout.Forms().linear;
  LAYOUTCHECK_TRY(const size_t dimension, LaneDimension(layout, linear, access.input));
  const std::vector<int64_t> sizes = layout.Dimensions();
  if (std::ranges::find(sizes, 0) != sizes.end()) return Invalid("expected a layout with an element");
  const int64_t lanes = sizes[dimension];
  if (lanes > kMostLanes) return Invalid(StrCat("expected at most ", kMostLanes, " lanes, found ", lanes));
  std::vector<std::vector<int64_t>> coordinates;
  for (int64_t lane = 0; lane < lanes; ++lane) {
    coordinates.emplace_back(sizes.size(), 0)[dimension] = lane;
  }
  AccessedBanks banks{access.input,
                      access.bytes,
                      ElementTypeOf(layout, access),
                      access.memory ? access.memory->Text() : "",
                      {},
                      {},
                      {}};
  std::vector<int64_t> offsets;
  if (access.memory && !linear) {
    return MakeError(ErrorKind::kUnsupported, "expected a layout in bits where the access has 'in LAYOUT'");
  }
  if (access.memory) {
    LAYOUTCHECK_TRY(offsets, OffsetsIn(*access.memory, *linear, coordinates));
  } else {
    for (const std::vector<int64_t>& coordinate : coordinates) offsets.push_back(layout.Index(coordinate));
  }
  const int64_t bits = BitWidth(*ElementTypeFromName(banks.element_type));
  for (size_t lane = 0; lane < offsets.size(); ++lane) {
    const CheckedInt64 address = CheckedInt64(offsets[lane]) * CheckedInt64(bits);
    if (address.overflow || address.value % 8 != 0) {
      return Invalid(StrCat("the element of lane ", lane, " at offset ", offsets[lane], " in ", banks.element_type,
                            " begins at no byte that fits int64"));
    }
    banks.addresses.push_back(address.value / 8);
  }
  return FindConflicts(std::move(banks));
}

}  // namespace layoutcheck
