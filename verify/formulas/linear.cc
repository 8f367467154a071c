// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/verify/formulas/linear.h"
#include <algorithm>
#include <bit>
#include <set>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/text_cursor.h"

namespace layoutcheck::verify {
namespace {

constexpr size_t kMaxBits = 62;  // of all inputs together, and of all outputs together

class LinearReader {
 public:
  explicit LinearReader(std::string_view text) : cursor_(text, "") {}

  Expected<LinearLayout> Run() {
    auto taken = cursor_.Take("ll") ? cursor_.TakeList("{", "}", "the inputs", [&] { return TakeInput(); })
                                    : cursor_.Unexpected("'ll{'");
    if (!taken) return std::unexpected(taken.error());
    if (!cursor_.Take(" -> ")) return cursor_.Unexpected("' -> '");
    if (taken = cursor_.TakeList("[", "]", "the outputs", [&] { return TakeOutput(); }); !taken) {
      return std::unexpected(taken.error());
    }
    if (!cursor_.AtEnd()) return cursor_.Unexpected("the end of the layout");
    if (layout_.bits > kMaxBits || layout_.parts.size() > kMaxBits) {
      return cursor_.Fail(StrCat("expected at most ", kMaxBits, " bits of all inputs, and of all outputs"));
    }
    if (taken = AddImages(); !taken) return std::unexpected(taken.error());
    return std::move(layout_);
  }

 private:
  // Reads a name that is not yet in `names`.
  Expected<std::string> TakeName(std::set<std::string>& names) {
    std::string name(cursor_.AtDigit() ? "" : cursor_.TakeWhile(TextCursor::IsWordByte));
    if (name.empty() || !names.insert(name).second) return cursor_.Fail("expected different names");
    return name;
  }

  Expected<void> TakeInput() {
    LAYOUTCHECK_RETURN_IF_ERROR(TakeName(inputs_));
    if (!cursor_.Take(":")) return cursor_.Unexpected("':'");
    const size_t before = layout_.parts.size();
    const auto taken = cursor_.TakeList("[", "]", "the images", [&] { return TakeImage(); });
    layout_.input_bits.push_back(layout_.parts.size() - before);
    return taken;
  }

  Expected<void> TakeImage() {
    layout_.parts.emplace_back();
    const auto take_part = [&]() -> Expected<void> {
      const Expected<int64_t> part = cursor_.TakeInteger();
      if (!part) return cursor_.Unexpected("an image that fits int64");
      layout_.parts.back().push_back(*part);
      return {};
    };
    return cursor_.Sees("(") ? cursor_.TakeList("(", ")", "an image", take_part) : take_part();
  }

  Expected<void> TakeOutput() {
    if (TextCursor::IsWordByte(cursor_.byte()) && !cursor_.AtDigit()) {
      LAYOUTCHECK_RETURN_IF_ERROR(TakeName(outputs_));
      if (!cursor_.Take(":")) return cursor_.Unexpected("':'");
    } else if (!outputs_.insert(StrCat("dim", layout_.sizes.size())).second) {
      return cursor_.Fail("expected different names");
    }
    const Expected<int64_t> size = cursor_.TakeInteger();
    if (!size || *size < 1 || !std::has_single_bit(static_cast<uint64_t>(*size))) {
      return cursor_.Fail("expected a power of two as the size of an output");
    }
    layout_.sizes.push_back(*size);
    layout_.bits += static_cast<size_t>(std::countr_zero(static_cast<uint64_t>(*size)));
    return {};
  }

  Expected<void> AddImages() {
    for (const std::vector<int64_t>& parts : layout_.parts) {
      if (parts.size() != layout_.sizes.size()) return cursor_.Fail("expected images with one integer per output");
      uint64_t image = 0;  // is below 2^62, as the outputs have no more bits
      for (size_t k = 0; k < parts.size(); ++k) {
        if (parts[k] < 0 || parts[k] >= layout_.sizes[k]) return cursor_.Fail("expected images in the outputs");
        image = image * static_cast<uint64_t>(layout_.sizes[k]) + static_cast<uint64_t>(parts[k]);
      }
      layout_.images.push_back(image);
    }
    return {};
  }

  TextCursor cursor_;
  LinearLayout layout_;
  std::set<std::string> inputs_;
  std::set<std::string> outputs_;
};

// An exclusive or of images, and of which: bit k of `inputs` stands for image k.
struct Row {
  uint64_t value;
  uint64_t inputs;
};

// Returns exclusive ors of images that are independent and span the same, each the only one with its highest bit.
std::vector<Row> Eliminate(const std::vector<uint64_t>& images) {
  std::vector<Row> rows;
  const auto reduce = [](Row& row, const Row& by) {
    if ((row.value & std::bit_floor(by.value)) != 0) row = {row.value ^ by.value, row.inputs ^ by.inputs};
  };
  for (size_t k = 0; k < images.size(); ++k) {
    Row row{images[k], uint64_t{1} << k};
    for (const Row& by : rows) reduce(row, by);
    if (row.value == 0) continue;
    for (Row& other : rows) reduce(other, row);
    rows.push_back(row);
  }
  return rows;
}

// Checks that both layouts have the same number of inputs, and the same images of each.
Checked<void> CheckEqual(const LinearLayout& layout, const Claim& claim, int64_t law_line, Lines& lines) {
  if (claim.law != "equals") {
    return std::unexpected(Refusal{law_line, "expected the law equals, or one layout in bits"});
  }
  const auto other = ReadLinear(*claim.equals);
  if (!other) return std::unexpected(Refusal{law_line + 2, StrCat("equals: ", other.error())});
  if (lines.line() != "by images") return lines.RefuseLine("'by images'");
  if (layout.input_bits != other->input_bits) return lines.Refuse("expected inputs with as many bits as the other's");
  if (layout.images != other->images) return lines.Refuse("expected images that are those of the other layout");
  lines.Advance();
  return {};
}

}  // namespace

bool IsLinear(std::string_view text) { return text.starts_with("ll{"); }

std::expected<LinearLayout, std::string> ReadLinear(std::string_view text) {
  auto layout = LinearReader(text).Run();
  if (!layout) return std::unexpected(layout.error().ToString());
  return *std::move(layout);
}

std::vector<uint64_t> InverseOf(const LinearLayout& layout) {
  std::vector<uint64_t> inverse(layout.bits, 0);
  for (const Row& row : Eliminate(layout.images)) {
    inverse[static_cast<size_t>(std::bit_width(row.value) - 1)] = row.inputs;
  }
  return inverse;
}

Checked<void> CheckLinear(const Claim& claim, int64_t law_line, Lines& lines) {
  const auto layout = ReadLinear(*claim.layout);
  if (!layout) return std::unexpected(Refusal{law_line + 1, StrCat("layout: ", layout.error())});
  if (claim.equals) return CheckEqual(*layout, claim, law_line, lines);
  const bool is_injective = claim.law == "injective";
  if (!is_injective && claim.law != "onto") {
    return std::unexpected(Refusal{law_line, "expected the law injective or onto of a layout in bits"});
  }
  if (lines.line() != "by elimination") return lines.RefuseLine("'by elimination'");
  const size_t rank = Eliminate(layout->images).size();
  if (is_injective && rank < layout->images.size()) return lines.Refuse("expected images that are independent");
  if (!is_injective && rank < layout->bits) return lines.Refuse("expected images that span all indices");
  lines.Advance();
  return {};
}

}  // namespace layoutcheck::verify
