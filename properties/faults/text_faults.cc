// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Faults in parsers and printers.
#include <algorithm>
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/properties/faults/fault.h"

namespace layoutcheck {
namespace {

using Plant = std::function<void(FaultHooks&)>;
// Returns a fault that changes the parsed shape before it is printed.
Plant InShape(void (*change)(Shape&)) {
  return [change](FaultHooks& hooks) {
    hooks.parse = [change](const std::string&, ParseAnswer& answer) {
      if (!answer.ok) return;
      auto shape = ParseShape(answer.text);
      if (!shape || !shape->layout) return;
      change(*shape);
      answer.text = ToString(*shape);
    };
  };
}

Plant InAnswer(void (*change)(const std::string& text, ParseAnswer&)) {
  return [change](FaultHooks& hooks) { hooks.parse = change; };
}

Plant InText(void (*change)(std::string& text)) {
  return [change](FaultHooks& hooks) { hooks.text = change; };
}

void Reject(ParseAnswer& answer, std::string why) { answer = {false, "", std::move(why)}; }

void ReplaceAll(std::string& text, std::string_view what, std::string_view by) {
  std::string result;
  size_t begin = 0;
  for (size_t at = 0; (at = text.find(what, begin)) != std::string::npos; begin = at + what.size()) {
    result.append(text, begin, at - begin);
    result.append(by);
  }
  text = result.append(text, begin);
}

void EraseAll(std::string& text, std::string_view what) { ReplaceAll(text, what, ""); }

std::vector<Fault> PrinterFaults() {
  return {
      {"text-element-size-lost", "text", "XLA #45077: E(n) is not where it should be after a round trip",
       InShape([](Shape& s) { s.layout->element_size_in_bits = 0; })},
      {"text-memory-space-lost", "text", "XLA #39826: parts of the layout are lost on the way",
       InShape([](Shape& s) { s.layout->memory_space = 0; })},
      {"text-tail-padding-lost", "text", "XLA 1247e10595: L(n) is not carried over",
       InShape([](Shape& s) { s.layout->tail_padding_alignment_in_elements = 1; })},
      {"text-metadata-lost", "text", "XLA 6fe272a221: the C interface loses M(n)",
       InShape([](Shape& s) { s.layout->dynamic_shape_metadata_prefix_bytes = 0; })},
      {"text-splits-lost", "text", "XLA 35895df309: split configurations are forgotten",
       InShape([](Shape& s) { s.layout->split_configs.clear(); })},
      {"text-later-tiles-lost", "text", "XLA #47350: sub-tiles are dropped on conversion", InShape([](Shape& s) {
         if (s.layout->tiles.size() > 1) s.layout->tiles.resize(1);
       })},
      {"text-tiles-lost", "text", "JAX a930721b26: the layout is ignored when a text is read",
       InShape([](Shape& s) { s.layout->tiles.clear(); })},
      {"text-order-lost", "text", "XLA 202d6104fb: the parser drops the layout, the default takes its place",
       InShape([](Shape& s) { std::ranges::sort(s.layout->minor_to_major, std::ranges::greater()); })},
      {"text-dynamic-lost", "text", "XLA c23ec9a737: dynamic flags are not carried over",
       InShape([](Shape& s) { s.dynamic_dimensions.assign(s.dimensions.size(), false); })},
      {"text-dynamic-in-wrong-place", "text", "XLA c23ec9a737: dynamic flags are not permuted with the dimensions",
       InShape([](Shape& s) { std::reverse(s.dynamic_dimensions.begin(), s.dynamic_dimensions.end()); })},
      {"text-combine-as-one", "text", "LayoutProto: * does not survive a round trip", InShape([](Shape& s) {
         for (Tile& tile : s.layout->tiles) std::ranges::replace(tile.dimensions, Tile::kCombineDimension, int64_t{1});
       })},
      {"text-element-size-uint4", "text", "XLA 4386e9238b: E(n) stored in a narrow integer",
       InShape([](Shape& s) { s.layout->element_size_in_bits %= 16; })},
      {"text-metadata-uint8", "text", "tensorflow #127324: a number of the text stored in a narrow integer",
       InShape([](Shape& s) { s.layout->dynamic_shape_metadata_prefix_bytes %= 256; })},
      {"text-dimension-int32", "text", "tensorflow #127324: 2^32 + 1 becomes 1", InShape([](Shape& s) {
         for (int64_t& size : s.dimensions) size = static_cast<uint32_t>(size);
       })},
      {"text-tile-entries-swapped", "text", "CUTLASS #1559: the printer changes what was read", InShape([](Shape& s) {
         for (Tile& tile : s.layout->tiles) {
           if (tile.dimensions.size() == 2 && tile.dimensions[0] > 0) std::swap(tile.dimensions[0], tile.dimensions[1]);
         }
       })},
      {"text-second-split-lost", "text", "XLA cbb23d1d64: split indices are cut", InShape([](Shape& s) {
         for (SplitConfig& split : s.layout->split_configs) split.split_indices.resize(1);
       })},
      {"text-scalar-layout-not-printed", "text", "XLA 2ae65414c4: the layout of a scalar is not printed",
       InAnswer([](const std::string&, ParseAnswer& answer) {
         if (answer.ok && answer.text.find("[]{") != std::string::npos) answer.text.resize(answer.text.find('{'));
       })},
      {"text-default-layout-not-printed", "text", "pypto #1261: a value that is the default is lost",
       InAnswer([](const std::string&, ParseAnswer& answer) {
         const auto shape = ParseShape(answer.text);
         if (answer.ok && shape && shape->layout == MakeDescendingLayout(shape->rank()) &&
             answer.text.find('{') != std::string::npos) {
           answer.text.resize(answer.text.find('{'));
         }
       })},
      {"text-trailing-comma", "text", "tensor-layouts 15f9200: a trailing comma in tuples of one",
       InAnswer([](const std::string&, ParseAnswer& answer) {
         const auto shape = ParseShape(answer.text);
         if (answer.ok && shape && shape->rank() == 1) answer.text.insert(answer.text.find(']'), ",");
       })},
  };
}

std::vector<Fault> RejectingParserFaults() {
  return {
      {"text-type-after-tuple-unknown", "text", "XLA 2ca45fe7c7: bf16 and every later type is not recognized",
       InAnswer([](const std::string& text, ParseAnswer& answer) {
         if (answer.ok && answer.text.starts_with("bf16") && !text.empty()) Reject(answer, "unknown type");
       })},
      {"text-bounded-rejected", "text", "XLA #40750 review: dynamic dimensions are refused",
       InAnswer([](const std::string&, ParseAnswer& answer) {
         if (answer.ok && answer.text.find("<=") != std::string::npos) Reject(answer, "expected an integer");
       })},
      {"text-scalar-tile-rejected", "text", "XLA before 1f375f52d4: a tile with more entries than dimensions",
       InAnswer([](const std::string&, ParseAnswer& answer) {
         if (answer.ok && answer.text.find("[]{:T") != std::string::npos)
           Reject(answer, "tile rank exceeds shape rank");
       })},
      {"text-zero-size-rejected", "text", "XLA #45969: a dimension of size 0 is refused",
       InAnswer([](const std::string&, ParseAnswer& answer) {
         const auto shape = ParseShape(answer.text);
         if (answer.ok && shape && std::ranges::count(shape->dimensions, 0) > 0)
           Reject(answer, "dimension must be positive");
       })},
      {"text-combine-rejected", "text", "XLA: -1 and * are not the same, * is refused",
       InAnswer([](const std::string&, ParseAnswer& answer) {
         if (answer.ok && answer.text.find('*') != std::string::npos) Reject(answer, "tile dimension must be positive");
       })},
      {"text-comments-rejected", "text", "XLA 1aed304dfe: comments are not skipped",
       InAnswer([](const std::string& text, ParseAnswer& answer) {
         if (answer.ok && text.find("/*") != std::string::npos) Reject(answer, "unexpected character");
       })},
      {"text-tabs-rejected", "text", "white space other than blanks is refused",
       InAnswer([](const std::string& text, ParseAnswer& answer) {
         if (answer.ok && text.find('\t') != std::string::npos) Reject(answer, "unexpected character");
       })},
  };
}

std::vector<Fault> AcceptingParserFaults() {
  return {
      {"text-duplicate-order-accepted", "text", "minor_to_major is not checked to be a permutation",
       InAnswer([](const std::string& text, ParseAnswer& answer) {
         if (!answer.ok && answer.error.find("minor_to_major") != std::string::npos) answer = {true, text, ""};
       })},
      {"text-missing-order-accepted", "text", "XLA a602c702a9: a mismatch is silently ignored",
       InAnswer([](const std::string& text, ParseAnswer& answer) {
         if (!answer.ok && answer.error.find("expected a layout of") != std::string::npos) answer = {true, text, ""};
       })},
      {"text-end-ignored", "text", "trailing text after the shape is ignored", InText([](std::string& text) {
         const size_t end = text.rfind('}');
         if (end != std::string::npos) text.resize(end + 1);
       })},
      {"text-doubled-comma-accepted", "text", "an empty entry of a list is skipped",
       InText([](std::string& text) { ReplaceAll(text, ",,", ","); })},
      {"text-missing-bracket-accepted", "text", "a closing bracket at the end is not required",
       InText([](std::string& text) {
         if (!text.empty() && text.find('{') != std::string::npos && text.find('}') == std::string::npos) text += '}';
       })},
      {"text-doubled-parenthesis-accepted", "text", "nested parentheses are read as one", InText([](std::string& text) {
         ReplaceAll(text, "((", "(");
         ReplaceAll(text, "))", ")");
       })},
      {"text-blanks-in-names-accepted", "text", "blanks are removed before the text is read, so that 1 2 is 12",
       InText([](std::string& text) { EraseAll(text, " "); })},
      {"text-unknown-type-accepted", "text", "XLA cb0c24822f: an unknown element type is not noticed",
       InText([](std::string& text) {
         if (text.starts_with('[')) text.insert(0, "f32");
       })},
      {"text-doubled-colon-accepted", "text", "a colon with nothing after it is accepted",
       InText([](std::string& text) { ReplaceAll(text, "::", ":"); })},
  };
}

std::vector<Fault> MakeFaults() {
  return JoinFaults({PrinterFaults(), RejectingParserFaults(), AcceptingParserFaults()});
}

}  // namespace

std::span<const Fault> TextFaults() {
  static const std::vector<Fault> faults = MakeFaults();
  return faults;
}

}  // namespace layoutcheck
