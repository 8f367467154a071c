// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/linear/linear_text.h"
#include <bit>
#include <set>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/text_cursor.h"

namespace layoutcheck {
namespace {

// An integer of the text with its place.
struct PlacedInteger {
  int64_t value = 0;
  int64_t column = 0;
};

struct PlacedImage {
  std::vector<PlacedInteger> parts;
  int64_t column = 0;
};

// Parses a text. The images are placed in the outputs after the sizes of these, which the text has last, are known.
class LinearTextReader {
 public:
  explicit LinearTextReader(std::string_view text) : cursor_(text, TextCursor::kBlanksOfLines) {}

  Expected<LinearLayout> Run() {
    if (!cursor_.Take("ll")) return cursor_.Unexpected("'ll{'");
    if (auto read = cursor_.TakeList("{", "}", "the inputs", [&] { return Input(); }); !read)
      return std::unexpected(read.error());
    if (!cursor_.Take("->")) return cursor_.Unexpected("'->' after the inputs");
    if (auto read = cursor_.TakeList("[", "]", "the outputs", [&] { return Output(); }); !read)
      return std::unexpected(read.error());
    if (!cursor_.AtEnd()) return cursor_.Unexpected("end of text after the outputs");
    return Layout();
  }

 private:
  Expected<PlacedInteger> Integer(std::string_view what) {
    const int64_t column = cursor_.NextColumn();
    LAYOUTCHECK_TRY(const int64_t value, cursor_.TakeInteger(what));
    return PlacedInteger{value, column};
  }

  // Reads a name that is not yet in `names`.
  Expected<std::string> Name(std::set<std::string>& names, std::string_view kind) {
    const int64_t column = cursor_.NextColumn();
    if (cursor_.AtDigit()) return cursor_.Unexpected(StrCat("the name of an ", kind));
    std::string name(cursor_.TakeWhile(TextCursor::IsWordByte));
    if (name.empty()) return cursor_.Unexpected(StrCat("the name of an ", kind));
    if (!names.insert(name).second) {
      return ErrorAt(column, LayoutError("expected different names, found another ", kind, " named '", name, "'"));
    }
    return name;
  }

  Expected<void> Input() {
    LAYOUTCHECK_TRY(const std::string name, Name(input_names_, "input"));
    inputs_.push_back({name, {}});
    if (!cursor_.Take(":")) return cursor_.Unexpected(StrCat("':' after '", name, "'"));
    images_.emplace_back();
    return cursor_.TakeList("[", "]", "the images", [&] { return Image(); });
  }

  Expected<void> Image() {
    cursor_.SkipBlanks();
    PlacedImage image{{}, cursor_.column()};
    const auto add = [&]() -> Expected<void> {
      LAYOUTCHECK_TRY(const PlacedInteger part, Integer("an integer or '(' in the images"));
      image.parts.push_back(part);
      return {};
    };
    LAYOUTCHECK_RETURN_IF_ERROR(cursor_.Sees("(") ? cursor_.TakeList("(", ")", "an image", add) : add());
    if (++bits_ > LinearLayout::kMaxBits) {
      return ErrorAt(image.column,
                     LayoutError("expected at most ", LinearLayout::kMaxBits, " bits of all inputs together"));
    }
    images_.back().push_back(std::move(image));
    return {};
  }

  Expected<void> Output() {
    const int64_t column = cursor_.NextColumn();
    std::string name = DefaultOutputName(outputs_.size());
    if (TextCursor::IsWordByte(cursor_.byte()) && !cursor_.AtDigit()) {
      LAYOUTCHECK_TRY(name, Name(output_names_, "output"));
      if (!cursor_.Take(":")) return cursor_.Unexpected(StrCat("':' after '", name, "'"));
    } else if (!output_names_.insert(name).second) {
      return ErrorAt(
          column, LayoutError("expected different names, found '", name, "' before the output of that default name"));
    }
    LAYOUTCHECK_TRY(const PlacedInteger size, Integer("the size of an output"));
    if (size.value < 1 || !std::has_single_bit(static_cast<uint64_t>(size.value))) {
      return ErrorAt(size.column,
                     LayoutError("expected a power of two as the size of output '", name, "', found ", size.value));
    }
    const auto bits = static_cast<size_t>(std::countr_zero(static_cast<uint64_t>(size.value)));
    output_bits_ += bits;
    if (output_bits_ > LinearLayout::kMaxBits) {
      return ErrorAt(size.column, LayoutError("expected at most ", LinearLayout::kMaxBits,
                                              " bits of all outputs together, found ", output_bits_));
    }
    outputs_.push_back({std::move(name), bits});
    return {};
  }

  // Returns the linear index of an image.
  Expected<uint64_t> Placed(const PlacedImage& image) const {
    if (image.parts.size() != outputs_.size()) {
      return ErrorAt(image.column,
                     LayoutError("expected ", outputs_.size(), outputs_.size() == 1 ? " integer" : " integers",
                                 " in the image, one per output, found ", image.parts.size()));
    }
    uint64_t index = 0;
    for (size_t k = 0; k < outputs_.size(); ++k) {
      const auto [value, column] = image.parts[k];
      if (value < 0 || static_cast<uint64_t>(value) >= outputs_[k].size()) {
        return ErrorAt(column, LayoutError("the image ", value, " is outside output '", outputs_[k].name, "' of size ",
                                           outputs_[k].size(), ": expected 0 to ", outputs_[k].size() - 1));
      }
      index = index << outputs_[k].bits | static_cast<uint64_t>(value);
    }
    return index;
  }

  Expected<LinearLayout> Layout() {
    for (size_t k = 0; k < inputs_.size(); ++k) {
      for (const PlacedImage& image : images_[k]) {
        LAYOUTCHECK_TRY(const uint64_t placed, Placed(image));
        inputs_[k].images.push_back(placed);
      }
    }
    return LinearLayout::Create(std::move(inputs_), std::move(outputs_));
  }

  TextCursor cursor_;
  std::set<std::string> input_names_;
  std::set<std::string> output_names_;
  std::vector<LinearInput> inputs_;
  std::vector<std::vector<PlacedImage>> images_;  // per input
  std::vector<LinearOutput> outputs_;
  size_t bits_ = 0;
  size_t output_bits_ = 0;
};

}  // namespace

bool IsLinearText(std::string_view text) {
  TextCursor cursor(text, TextCursor::kBlanksOfLines);
  return cursor.Take("ll") && !TextCursor::IsWordByte(cursor.byte());
}

Expected<LinearLayout> ParseLinearLayout(std::string_view text) { return LinearTextReader(text).Run(); }

std::string ToString(const LinearLayout& layout) {
  std::string text = "ll{";
  for (const LinearInput& input : layout.inputs()) {
    StrAppend(text, &input == layout.inputs().data() ? "" : ",", input.name, ":[");
    for (size_t bit = 0; bit < input.images.size(); ++bit) {
      const std::string parts = StrJoin(layout.OutputParts(input.images[bit]), ",");
      StrAppend(text, bit > 0 ? "," : "", layout.outputs().size() == 1 ? parts : StrCat("(", parts, ")"));
    }
    text += ']';
  }
  text += "} -> [";
  for (size_t k = 0; k < layout.outputs().size(); ++k) {
    const LinearOutput& output = layout.outputs()[k];
    StrAppend(text, k > 0 ? "," : "");
    if (output.name != DefaultOutputName(k)) StrAppend(text, output.name, ":");
    StrAppend(text, output.size());
  }
  text += ']';
  return text;
}

}  // namespace layoutcheck
