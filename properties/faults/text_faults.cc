// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Faults in parsers and printers.
#include <algorithm>
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/properties/faults/fault.h"

namespace layoutcheck {
namespace {

// Returns a fault that changes the parsed shape before it is printed.
Change<ParseQuestion> InShape(void (*change)(Shape&)) {
  return [change](const ParseQuestion&, ParseAnswer& answer) {
    auto shape = answer.ok ? ParseShape(answer.text) : std::unexpected(Error{});
    if (!shape || !shape->layout) return;
    change(*shape);
    answer.text = ToString(*shape);
  };
}

// Returns a fault that refuses the accepted texts whose canonical text, or as written, has this part.
Change<ParseQuestion> Rejected(const char* why, std::string_view part, bool as_written = false) {
  return [why, part, as_written](const ParseQuestion& q, ParseAnswer& answer) {
    if (answer.ok && (as_written ? q.text : answer.text).contains(part)) answer = {false, "", why};
  };
}

// Returns a fault that accepts texts that are refused with these words.
Change<ParseQuestion> Accepted(const char* words) {
  return [words](const ParseQuestion& q, ParseAnswer& answer) {
    if (!answer.ok && answer.error.find(words) != std::string::npos) answer = {true, std::string(q.text), ""};
  };
}

void ReplaceAll(std::string& text, std::string_view what, std::string_view by) {
  std::string result;
  size_t begin = 0;
  for (size_t at = 0; (at = text.find(what, begin)) != std::string::npos; begin = at + what.size()) {
    result.append(text, begin, at - begin);
    result.append(by);
  }
  text = result.append(text, begin);
}

std::vector<Fault> PrinterFaults() {
  return {
      {"text-element-size-lost", "XLA #45077: E(n) is not where it should be after a round trip",
       InShape([](Shape& s) { s.layout->element_size_in_bits = 0; })},
      {"text-memory-space-lost", "XLA #39826: parts of the layout are lost on the way",
       InShape([](Shape& s) { s.layout->memory_space = 0; })},
      {"text-tail-padding-lost", "XLA 1247e10595: L(n) is not carried over",
       InShape([](Shape& s) { s.layout->tail_padding_alignment_in_elements = 1; })},
      {"text-metadata-lost", "XLA 6fe272a221: the C interface loses M(n)",
       InShape([](Shape& s) { s.layout->dynamic_shape_metadata_prefix_bytes = 0; })},
      {"text-splits-lost", "XLA 35895df309: split configurations are forgotten",
       InShape([](Shape& s) { s.layout->split_configs.clear(); })},
      {"text-later-tiles-lost", "XLA #47350: sub-tiles are dropped on conversion",
       InShape([](Shape& s) { KeepTiles(s, 1); })},
      {"text-tiles-lost", "JAX a930721b26: the layout is ignored when a text is read", InShape(DropTiles)},
      {"text-order-lost", "XLA 202d6104fb: the parser drops the layout, the default takes its place",
       InShape(MakeRowMajor)},
      {"text-dynamic-lost", "XLA c23ec9a737: dynamic flags are not carried over",
       InShape([](Shape& s) { s.dynamic_dimensions.assign(s.dimensions.size(), false); })},
      {"text-dynamic-in-wrong-place", "XLA c23ec9a737: dynamic flags are not permuted with the dimensions",
       InShape([](Shape& s) { std::reverse(s.dynamic_dimensions.begin(), s.dynamic_dimensions.end()); })},
      {"text-combine-as-one", "LayoutProto: * does not survive a round trip", InShape(CombineNothing)},
      {"text-element-size-uint4", "XLA 4386e9238b: E(n) stored in a narrow integer",
       InShape([](Shape& s) { s.layout->element_size_in_bits %= 16; })},
      {"text-metadata-uint8", "tensorflow #127324: a number of the text stored in a narrow integer",
       InShape([](Shape& s) { s.layout->dynamic_shape_metadata_prefix_bytes %= 256; })},
      {"text-dimension-int32", "tensorflow #127324: 2^32 + 1 becomes 1", InShape([](Shape& s) {
         for (int64_t& size : s.dimensions) size = static_cast<uint32_t>(size);
       })},
      {"text-tile-entries-swapped", "CUTLASS #1559: the printer changes what was read", InShape([](Shape& s) {
         for (Tile& tile : s.layout->tiles) {
           if (tile.dimensions.size() == 2 && tile.dimensions[0] > 0) std::swap(tile.dimensions[0], tile.dimensions[1]);
         }
       })},
      {"text-second-split-lost", "XLA cbb23d1d64: split indices are cut", InShape([](Shape& s) {
         for (SplitConfig& split : s.layout->split_configs) split.split_indices.resize(1);
       })},
      {"text-scalar-layout-not-printed", "XLA 2ae65414c4: the layout of a scalar is not printed",
       [](const ParseQuestion&, ParseAnswer& answer) {
         if (answer.ok && answer.text.find("[]{") != std::string::npos) answer.text.resize(answer.text.find('{'));
       }},
      {"text-default-layout-not-printed", "pypto #1261: a value that is the default is lost",
       [](const ParseQuestion&, ParseAnswer& answer) {
         const auto shape = ParseShape(answer.text);
         if (answer.ok && shape && shape->layout == MakeDescendingLayout(shape->rank()) &&
             answer.text.find('{') != std::string::npos) {
           answer.text.resize(answer.text.find('{'));
         }
       }},
      {"text-trailing-comma", "tensor-layouts 15f9200: a trailing comma in tuples of one",
       [](const ParseQuestion&, ParseAnswer& answer) {
         const auto shape = ParseShape(answer.text);
         if (answer.ok && shape && shape->rank() == 1) answer.text.insert(answer.text.find(']'), ",");
       }},
  };
}

std::vector<Fault> RejectingParserFaults() {
  return {
      {"text-type-after-tuple-unknown", "XLA 2ca45fe7c7: bf16 and every later type is not recognized",
       Rejected("unknown type", "bf16")},
      {"text-bounded-rejected", "XLA #40750 review: dynamic dimensions are refused",
       Rejected("expected an integer", "<=")},
      {"text-scalar-tile-rejected", "XLA before 1f375f52d4: a tile with more entries than dimensions",
       Rejected("tile rank exceeds shape rank", "[]{:T")},
      {"text-zero-size-rejected", "XLA #45969: a dimension of size 0 is refused",
       [](const ParseQuestion&, ParseAnswer& answer) {
         const auto shape = ParseShape(answer.text);
         if (!answer.ok || !shape || std::ranges::count(shape->dimensions, 0) == 0) return;
         answer = {false, "", "dimension must be positive"};
       }},
      {"text-combine-rejected", "XLA: -1 and * are not the same, * is refused",
       Rejected("tile dimension must be positive", "*")},
      {"text-comments-rejected", "XLA 1aed304dfe: comments are not skipped",
       Rejected("unexpected character", "/*", /*as_written=*/true)},
      {"text-tabs-rejected", "white space other than blanks is refused",
       Rejected("unexpected character", "\t", /*as_written=*/true)},
  };
}

std::vector<Fault> AcceptingParserFaults() {
  return {
      {"text-duplicate-order-accepted", "minor_to_major is not checked to be a permutation",
       Accepted("minor_to_major")},
      {"text-missing-order-accepted", "XLA a602c702a9: a mismatch is silently ignored",
       Accepted("expected a layout of")},
      {"text-end-ignored", "trailing text after the shape is ignored",
       [](std::string& text) {
         const size_t end = text.rfind('}');
         if (end != std::string::npos) text.resize(end + 1);
       }},
      {"text-doubled-comma-accepted", "an empty entry of a list is skipped",
       [](std::string& text) { ReplaceAll(text, ",,", ","); }},
      {"text-missing-bracket-accepted", "a closing bracket at the end is not required",
       [](std::string& text) {
         if (!text.empty() && text.find('{') != std::string::npos && text.find('}') == std::string::npos) text += '}';
       }},
      {"text-doubled-parenthesis-accepted", "nested parentheses are read as one",
       [](std::string& text) {
         ReplaceAll(text, "((", "(");
         ReplaceAll(text, "))", ")");
       }},
      {"text-blanks-in-names-accepted", "blanks are removed before the text is read, so that 1 2 is 12",
       [](std::string& text) { ReplaceAll(text, " ", ""); }},
      {"text-unknown-type-accepted", "XLA cb0c24822f: an unknown element type is not noticed",
       [](std::string& text) {
         if (text.starts_with('[')) text.insert(0, "f32");
       }},
      {"text-doubled-colon-accepted", "a colon with nothing after it is accepted",
       [](std::string& text) { ReplaceAll(text, "::", ":"); }},
  };
}

}  // namespace

std::vector<Fault> TextFaults() {
  return JoinFaults({PrinterFaults(), RejectingParserFaults(), AcceptingParserFaults()});
}

}  // namespace layoutcheck
