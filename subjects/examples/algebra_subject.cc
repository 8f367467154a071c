// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A few functions of CuTe and TLA as a shared library: shows how to answer with a layout, a number, or a rejection, and
// how to be asked about layouts in shape:stride notation.
//
//   c++ -std=c++20 -O2 -shared -fPIC -I INSTALLED/include algebra_subject.cc -o algebra_subject.so
//   layoutcheck check --subject lib:algebra_subject.so
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/subject.h"

namespace {

struct Mode {
  int64_t extent;
  int64_t stride;
};
using Modes = std::vector<Mode>;

int Say(int status, layoutcheck_text* text, std::string_view words) {
  text->size = words.size();
  std::memcpy(text->data, words.data(), std::min(words.size(), text->capacity));
  return status;
}

std::vector<int64_t> NumbersIn(std::string_view text) {
  std::vector<int64_t> numbers;
  const std::string terminated(text);
  for (const char* at = terminated.c_str(); *at != '\0';) {
    char* end = nullptr;
    const int64_t number = std::strtoll(at, &end, 10);
    if (end == at) {
      ++at;
    } else {
      numbers.push_back(number);
      at = end;
    }
  }
  return numbers;
}

// Reads "((4,2),3):((1,4),8)" without its nesting. Returns nothing for other notations.
std::optional<Modes> Read(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos || text.find_first_not_of("0123456789-,:() ") != std::string_view::npos)
    return {};
  const std::vector<int64_t> extents = NumbersIn(text.substr(0, colon));
  const std::vector<int64_t> strides = NumbersIn(text.substr(colon + 1));
  if (extents.size() != strides.size()) return {};
  Modes modes;
  for (size_t k = 0; k < extents.size(); ++k) modes.push_back({extents[k], strides[k]});
  return modes;
}

std::string Text(const Modes& modes) {
  std::string extents = "(";
  std::string strides = "(";
  for (const Mode& mode : modes) {
    const char* const comma = &mode == &modes.front() ? "" : ",";
    extents += comma + std::to_string(mode.extent);
    strides += comma + std::to_string(mode.stride);
  }
  return extents + "):" + strides + ")";
}

Modes Coalesce(const Modes& modes) {
  Modes result;
  for (const Mode& mode : modes) {
    if (mode.extent == 1) continue;
    if (!result.empty() && result.back().extent * result.back().stride == mode.stride) {
      result.back().extent *= mode.extent;
    } else {
      result.push_back(mode);
    }
  }
  if (result.empty()) result.push_back({1, 0});
  return result;
}

// Computes an offset from the layout's text, "((2,2),(2,3)):((2,12),(1,4))", in which the integers of a mode multiply
// to the size of its dimension.
int Offset(const layoutcheck_layout* layout, const int64_t* coordinate, int64_t* offset, layoutcheck_text* why) {
  const auto modes = Read(layout->text);
  if (!modes) return Say(LAYOUTCHECK_UNSUPPORTED, why, "only layouts of plain integers");
  *offset = 0;
  auto mode = modes->begin();
  for (int64_t d = 0; d < layout->rank; ++d) {
    int64_t size = 1;
    do {
      *offset += coordinate[d] / size % mode->extent * mode->stride;
      size *= mode->extent;
      ++mode;
    } while (size < layout->dimensions[d]);
  }
  return LAYOUTCHECK_OK;
}

int Apply(const char* function, const char* const* arguments, size_t argument_count, int64_t* value,
          layoutcheck_text* answer) {
  const std::string_view name = function;
  auto modes = argument_count == 0 ? std::nullopt : Read(arguments[0]);
  if (!modes) return Say(LAYOUTCHECK_UNSUPPORTED, answer, "only layouts of plain integers");
  if (name == "size" || name == "cosize") {
    *value = 1;
    for (const Mode& mode : *modes) {
      if (name == "size") *value *= mode.extent;
      if (name == "cosize") *value += (mode.extent - 1) * std::abs(mode.stride);
    }
    return LAYOUTCHECK_VALUE;
  }
  if (name == "coalesce") return Say(LAYOUTCHECK_OK, answer, Text(Coalesce(*modes)));
  if (name == "downcast" && argument_count == 2) {
    const int64_t factor = std::atoll(arguments[1]);
    const auto is_unit = [](const Mode& mode) { return std::abs(mode.stride) == 1; };
    if (std::count_if(modes->begin(), modes->end(), is_unit) != 1) {
      return Say(LAYOUTCHECK_REJECTED, answer, "not one mode of stride 1");
    }
    for (Mode& mode : *modes) (mode.stride == 1 ? mode.extent : mode.stride) *= factor;
    return Say(LAYOUTCHECK_OK, answer, Text(*modes));
  }
  return Say(LAYOUTCHECK_UNSUPPORTED, answer, "no such function");
}

int Make(const char* tag, int64_t element_bits, int64_t rows, int64_t columns, layoutcheck_text* layout) {
  if (std::string_view(tag) != "zN") return Say(LAYOUTCHECK_UNSUPPORTED, layout, "only zN");
  const int64_t c0 = 256 / element_bits;
  const int64_t down = (rows + 15) / 16;
  const int64_t across = (columns + c0 - 1) / c0;
  const auto text = [](int64_t number) { return std::to_string(number); };
  return Say(LAYOUTCHECK_OK, layout,
             "((16," + text(down) + "),(" + text(c0) + "," + text(across) + ")):((" + text(c0) + "," + text(16 * c0) +
                 "),(1," + text(16 * down * c0) + "))");
}

}  // namespace

const layoutcheck_subject* layoutcheck_get_subject() {
  static constexpr layoutcheck_subject kSubject = {
      .abi = LAYOUTCHECK_SUBJECT_ABI,
      .struct_size = sizeof(layoutcheck_subject),
      .name = "algebra_subject",
      .version = "1",
      .offset = Offset,
      .make = Make,
      .apply = Apply,
      .notations = "shape-stride",
  };
  return &kSubject;
}
