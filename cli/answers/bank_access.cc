// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/answers/bank_access.h"
#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/text_cursor.h"
#include "layoutcheck/core/hlo/element_type.h"
#include "layoutcheck/core/linear/linear_algebra.h"

namespace layoutcheck {
namespace {

constexpr int64_t kMostLanes = 1024;
constexpr size_t kMostListed = 8;  // banks in the text

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
    const Expected<LinearLayout> to_offset = InvertAndCompose(layout, *forms.linear);
    if (!to_offset) return std::unexpected(to_offset.error());
    const size_t offset = *to_offset->FindOutput("offset");
    for (const std::vector<int64_t>& coordinate : coordinates) {
      offsets.push_back(to_offset->OutputParts(static_cast<uint64_t>(to_offset->Index(coordinate)))[offset]);
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

// Returns "lanes 0-3,8" for sorted lanes.
std::string LaneList(const std::vector<int64_t>& lanes) {
  std::string text = lanes.size() == 1 ? "lane " : "lanes ";
  for (size_t k = 0; k < lanes.size();) {
    size_t end = k + 1;
    while (end < lanes.size() && lanes[end] == lanes[end - 1] + 1) ++end;
    StrAppend(text, k > 0 ? "," : "", lanes[k]);
    if (end > k + 1) StrAppend(text, end > k + 2 ? "-" : ",", lanes[end - 1]);
    k = end;
  }
  return text;
}

// Says why the first two words of a bank conflict.
std::string WhyText(const AccessedBanks& banks, const BankConflict& conflict) {
  const int64_t distance = (conflict.words[1] - conflict.words[0]) * kBankBytes;
  std::string text = StrCat("lanes ", conflict.lanes[0].front(), " and ", conflict.lanes[1].front(), " access words ",
                            conflict.words[0], " and ", conflict.words[1], ", ", distance,
                            " bytes apart: a multiple of ", kBanks * kBankBytes, ", which is once through all banks");
  const bool power_of_two = (banks.addresses.size() & (banks.addresses.size() - 1)) == 0;
  const std::vector<int64_t> bits = power_of_two ? LaneBitsWithinBanks(banks.addresses) : std::vector<int64_t>();
  if (!bits.empty()) {
    StrAppend(text, "; ", bits.size() == 1 ? "bit " : "each of the bits ", StrJoin(bits, ","),
              " of the lane moves the address by such a multiple");
  }
  return text;
}

}  // namespace

Expected<BankAccess> ParseBankAccess(std::string_view text) {
  TextCursor cursor(text);
  BankAccess access;
  cursor.SkipBlanks();
  access.input = cursor.TakeWhile(IsWordByte);
  if (access.input.empty()) return cursor.Unexpected("the input that counts lanes, such as 'lane -> 16 bytes'");
  if (!cursor.Take("->")) return cursor.Unexpected(StrCat("'->' after '", access.input, "'"));
  const Expected<int64_t> bytes = cursor.TakeInteger();
  if (!bytes) return std::unexpected(bytes.error());
  access.bytes = *bytes;
  if (!cursor.Take("bytes") && !cursor.Take("byte")) return cursor.Unexpected("'bytes' after the number");
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

Expected<AccessedBanks> BanksOf(const AnyLayout& layout, const BankAccess& access) {
  const std::optional<LinearLayout> linear = layout.Forms().linear;
  const Expected<size_t> dimension = LaneDimension(layout, linear, access.input);
  if (!dimension) return std::unexpected(dimension.error());
  const std::vector<int64_t> sizes = layout.Dimensions();
  if (std::ranges::find(sizes, 0) != sizes.end()) return Invalid("expected a layout with an element");
  const int64_t lanes = sizes[*dimension];
  if (lanes > kMostLanes) return Invalid(StrCat("expected at most ", kMostLanes, " lanes, found ", lanes));
  std::vector<std::vector<int64_t>> coordinates;
  for (int64_t lane = 0; lane < lanes; ++lane) {
    coordinates.emplace_back(sizes.size(), 0)[*dimension] = lane;
  }
  AccessedBanks banks{
      access.input, access.bytes, ElementTypeOf(layout, access), access.memory ? access.memory->Text() : "", {}, {}};
  std::vector<int64_t> offsets;
  if (access.memory && !linear) {
    return MakeError(ErrorKind::kUnsupported, "expected a layout in bits where the access has 'in LAYOUT'");
  }
  if (access.memory) {
    Expected<std::vector<int64_t>> in_memory = OffsetsIn(*access.memory, *linear, coordinates);
    if (!in_memory) return std::unexpected(in_memory.error());
    offsets = *std::move(in_memory);
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
  Expected<BankConflicts> conflicts = FindBankConflicts(banks.addresses, access.bytes);
  if (!conflicts) return std::unexpected(conflicts.error());
  banks.conflicts = *std::move(conflicts);
  return banks;
}

std::vector<Fact> BanksFacts(const AccessedBanks& banks) {
  const BankConflicts& conflicts = banks.conflicts;
  std::vector<Fact> facts;
  const auto add = [&](std::string name, std::string value) { facts.push_back({std::move(name), std::move(value)}); };
  const auto phases = static_cast<int64_t>(conflicts.phases.size());
  add("access", StrCat(banks.addresses.size(), banks.addresses.size() == 1 ? " lane of " : " lanes of ", banks.bytes,
                       banks.bytes == 1 ? " byte" : " bytes", ", elements ", banks.element_type, ", ", phases,
                       phases == 1 ? " phase of " : " phases of ", conflicts.phases.front().lane_count,
                       conflicts.phases.front().lane_count == 1 ? " lane" : " lanes"));
  if (!banks.memory.empty()) add("in memory", banks.memory);
  if (conflicts.degree <= 1) {
    add("bank conflicts", "none");
    return facts;
  }
  const auto worst = std::ranges::find(conflicts.phases, conflicts.degree, &AccessPhase::passes);
  add("bank conflicts", StrCat(conflicts.degree, "-way, ", conflicts.passes, " passes where ", phases, " would do"));
  add("worst phase",
      StrCat("lanes ", worst->first_lane, " to ", worst->first_lane + worst->lane_count - 1, ", ",
             worst->conflicts.size(), worst->conflicts.size() == 1 ? " bank" : " banks", " with several words"));
  const size_t listed = std::min(kMostListed, worst->conflicts.size());
  for (const BankConflict& conflict : std::span(worst->conflicts).first(listed)) {
    std::vector<int64_t> lanes;
    for (const std::vector<int64_t>& of_word : conflict.lanes)
      lanes.insert(lanes.end(), of_word.begin(), of_word.end());
    std::ranges::sort(lanes);
    add(StrCat("bank ", conflict.bank), StrCat(conflict.words.size(), " words, ", LaneList(lanes)));
  }
  if (listed < worst->conflicts.size()) add("", StrCat("and ", worst->conflicts.size() - listed, " banks more"));
  add("why", WhyText(banks, worst->conflicts.front()));
  return facts;
}

std::string BanksText(const AccessedBanks& banks) {
  std::string text;
  for (const auto& [name, value] : BanksFacts(banks)) {
    std::string line = StrCat("  ", name);
    line.resize(20, ' ');
    StrAppend(text, line, value, "\n");
  }
  return text;
}

Json BanksJson(const AccessedBanks& banks) {
  Json phases = Json::array();
  for (const AccessPhase& phase : banks.conflicts.phases) {
    Json conflicts = Json::array();
    for (const BankConflict& conflict : phase.conflicts) {
      conflicts.push_back({{"bank", conflict.bank}, {"words", conflict.words}, {"lanes", conflict.lanes}});
    }
    phases.push_back({{"first_lane", phase.first_lane},
                      {"lanes", phase.lane_count},
                      {"passes", phase.passes},
                      {"conflicts", std::move(conflicts)}});
  }
  return {{"input", banks.input},
          {"bytes", banks.bytes},
          {"element_type", banks.element_type},
          {"addresses", banks.addresses},
          {"degree", banks.conflicts.degree},
          {"passes", banks.conflicts.passes},
          {"phases", std::move(phases)}};
}

}  // namespace layoutcheck
