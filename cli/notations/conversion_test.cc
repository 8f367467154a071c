// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/notations/conversion.h"
#include <gtest/gtest.h>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/index_stepper.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/testing/small_scopes.h"
#include "layoutcheck/core/tiling/offset_table.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/properties/generate/exhaustive_scope.h"
#include "layoutcheck/properties/generate/layout_generator.h"

namespace layoutcheck {
namespace {

using Coordinate = std::vector<int64_t>;

// Evaluates formulas as MLIR and C do: + - bind less than * / % floordiv mod, and all associate to the left.
class Formula {
 public:
  explicit Formula(std::string_view text) : text_(text) {
    Sum();
    EXPECT_EQ(at_, text_.size()) << text;
  }

  int64_t operator()(const Coordinate& i) const {
    std::vector<int64_t> stack;
    for (const auto& [code, number] : code_) {
      if (code == 'c') {
        stack.push_back(number);
      } else if (code == 'i') {
        stack.push_back(i.at(static_cast<size_t>(number)));
      } else {
        const int64_t b = stack.back();
        stack.pop_back();
        int64_t& a = stack.back();
        switch (code) {
          case '+': a += b; break;
          case '-': a -= b; break;
          case '*': a *= b; break;
          case '/': a /= b; break;
          default: a %= b; break;
        }
      }
    }
    return stack.at(0);
  }

 private:
  bool Take(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  void Sum() {
    Product();
    for (;;) {
      const bool plus = Take(" + ");
      if (!plus && !Take(" - ")) return;
      Product();
      code_.emplace_back(plus ? '+' : '-', 0);
    }
  }
  void Product() {
    Operand();
    for (;;) {
      const char code = Take(" * ")                         ? '*'
                        : Take(" / ") || Take(" floordiv ") ? '/'
                        : Take(" % ") || Take(" mod ")      ? '%'
                                                            : ' ';
      if (code == ' ') return;
      Operand();
      code_.emplace_back(code, 0);
    }
  }
  void Operand() {
    if (Take("(")) {
      Sum();
      EXPECT_TRUE(Take(")")) << text_;
      return;
    }
    const char code = Take("d") || Take("i") ? 'i' : 'c';
    int64_t number = 0;
    const auto read = std::from_chars(text_.data() + at_, text_.data() + text_.size(), number);
    EXPECT_EQ(read.ec, std::errc()) << text_;
    at_ = static_cast<size_t>(read.ptr - text_.data());
    code_.emplace_back(code, number);
  }

  std::string_view text_;
  size_t at_ = 0;
  std::vector<std::pair<char, int64_t>> code_;
};

std::string_view Between(std::string_view text, std::string_view before, std::string_view after) {
  const size_t begin = text.find(before) + before.size();
  return text.substr(begin, text.rfind(after) - begin);
}

// Returns the coordinate at each address of memory that is row major over digits, each a (dimension, size). The most
// significant digit of a dimension comes first.
std::vector<Coordinate> CoordinatesInMemory(const std::vector<std::pair<size_t, int64_t>>& digits, size_t rank) {
  std::vector<Coordinate> coordinates(1, Coordinate(rank, 0));
  for (const auto& [dimension, size] : digits) {
    std::vector<Coordinate> next;
    for (const Coordinate& coordinate : coordinates) {
      for (int64_t digit = 0; digit < size; ++digit) {
        next.push_back(coordinate);
        next.back()[dimension] = coordinate[dimension] * size + digit;
      }
    }
    coordinates = std::move(next);
  }
  return coordinates;
}

int64_t UpTo(int64_t size, int64_t block) { return (size + block - 1) / block; }

std::vector<std::pair<size_t, int64_t>> DigitsOfTag(std::string_view tag, const Coordinate& sizes) {
  std::vector<std::pair<size_t, int64_t>> blocks;
  std::vector<int64_t> total(sizes.size(), 1);
  std::vector<std::pair<size_t, int64_t>> digits;
  size_t letters = 0;
  while (letters < tag.size() && std::isalpha(static_cast<unsigned char>(tag[letters]))) ++letters;
  for (size_t at = letters; at < tag.size(); ++at) {
    int64_t block = 0;
    at = static_cast<size_t>(std::from_chars(tag.data() + at, tag.data() + tag.size(), block).ptr - tag.data());
    const auto d = static_cast<size_t>(tag[at] - 'a');
    blocks.emplace_back(d, block);
    total[d] *= block;
  }
  for (const char letter : tag.substr(0, letters)) {
    const auto d = static_cast<size_t>(std::tolower(static_cast<unsigned char>(letter)) - 'a');
    EXPECT_EQ(total[d] > 1, std::isupper(static_cast<unsigned char>(letter)) != 0) << tag;
    digits.emplace_back(d, UpTo(sizes[d], total[d]));
  }
  digits.insert(digits.end(), blocks.begin(), blocks.end());
  return digits;
}

// Returns the digits that attributes of tensor.pack describe.
std::vector<std::pair<size_t, int64_t>> DigitsOfPack(const Json& parts, const Coordinate& sizes) {
  std::vector<int64_t> tiles(sizes.size(), 1);
  std::vector<std::pair<size_t, int64_t>> inner;
  for (size_t k = 0; k < parts["inner_tiles"].size(); ++k) {
    inner.emplace_back(parts["inner_dims_pos"][k].get<size_t>(), parts["inner_tiles"][k].get<int64_t>());
    tiles[inner.back().first] = inner.back().second;
  }
  std::vector<std::pair<size_t, int64_t>> digits;
  for (const Json& d : parts["outer_dims_perm"]) {
    digits.emplace_back(d.get<size_t>(), UpTo(sizes[d.get<size_t>()], tiles[d.get<size_t>()]));
  }
  digits.insert(digits.end(), inner.begin(), inner.end());
  return digits;
}

struct Elements {
  Coordinate sizes;
  std::map<Coordinate, int64_t> offsets;
  int64_t padded = 0;
};

template <class Visit>
void ForEachCoordinate(const Coordinate& sizes, const Visit& visit) {
  ForEachIndex(sizes, [&](std::span<const int64_t> i) { visit(Coordinate(i.begin(), i.end())); });
}

// Computes the offsets through IndexOf, which conversions do not use.
Elements ElementsOf(const AnyLayout& layout, const Coordinate& sizes) {
  Elements elements{sizes, {}, layout.Sizes().padded_elements};
  ForEachCoordinate(sizes, [&](const Coordinate& i) {
    elements.offsets[i] = layout.IndexOf(StrCat("(", StrJoin(i, ","), ")")).value();
  });
  return elements;
}

struct Tally {
  std::array<int64_t, std::size(kConversionTargets)> converted{};
  std::array<int64_t, std::size(kConversionTargets)> refused{};
  std::array<int64_t, std::size(kConversionTargets)> undecided{};
  int64_t points = 0;

  void Print(const char* what) const {
    std::printf("%s:", what);
    for (size_t t = 0; t < converted.size(); ++t) {
      std::printf(" %s %lld converted, %lld refused, %lld undecided;", std::string(kConversionTargets[t]).c_str(),
                  static_cast<long long>(converted[t]), static_cast<long long>(refused[t]),
                  static_cast<long long>(undecided[t]));
    }
    std::printf(" %lld points, 0 differences\n", static_cast<long long>(points));
  }
};

// Checks that the printed text, read independently, has the same offsets and, unless a formula, the same allocation.
void CheckConversions(const std::string& text, const AnyLayout& layout, const Elements& elements, Tally& tally) {
  for (size_t t = 0; t < std::size(kConversionTargets); ++t) {
    const auto target = static_cast<ConversionTarget>(t);
    const auto conversion = Convert(layout, target, ElementType::kF32);
    if (!conversion) {
      const bool unsupported = conversion.error().kind == ErrorKind::kUnsupported;
      ++(unsupported ? tally.refused : tally.undecided)[t];
      ASSERT_FALSE(conversion.error().message.empty());
      ASSERT_EQ(conversion.error().message.find("report"), std::string::npos) << conversion.error().message;
      ASSERT_TRUE(unsupported || target == ConversionTarget::kHlo) << text << ": " << conversion.error().message;
      ASSERT_TRUE(target != ConversionTarget::kAffine && target != ConversionTarget::kC) << text;
      continue;
    }
    ++tally.converted[t];
    tally.points += static_cast<int64_t>(elements.offsets.size());
    const std::string& out = conversion->text;
    SCOPED_TRACE(StrCat(text, " to ", kConversionTargets[t], ": ", out));
    if (target == ConversionTarget::kAffine || target == ConversionTarget::kC) {
      const Formula formula(target == ConversionTarget::kC ? Between(out, "return ", ";") : Between(out, "-> (", ")>"));
      for (const auto& [i, offset] : elements.offsets) ASSERT_EQ(formula(i), offset) << StrJoin(i, ",");
    } else if (target == ConversionTarget::kHlo || target == ConversionTarget::kShapeStride ||
               target == ConversionTarget::kLinear) {
      const auto read = ReadLayout(out);
      ASSERT_TRUE(read.has_value()) << read.error().ToString();
      for (const auto& [i, offset] : elements.offsets) {
        ASSERT_EQ((*read)->IndexOf(StrCat("(", StrJoin(i, ","), ")")).value(), offset) << StrJoin(i, ",");
      }
      // A layout in bits allocates a power of two.
      const int64_t padded = (*read)->Sizes().padded_elements;
      ASSERT_TRUE(target == ConversionTarget::kLinear ? padded >= elements.padded : padded == elements.padded)
          << padded;
    } else {
      const auto memory =
          CoordinatesInMemory(target == ConversionTarget::kPack ? DigitsOfPack(conversion->parts, elements.sizes)
                                                                : DigitsOfTag(out, elements.sizes),
                              elements.sizes.size());
      ASSERT_EQ(static_cast<int64_t>(memory.size()), elements.padded);
      for (const auto& [i, offset] : elements.offsets) ASSERT_EQ(memory.at(static_cast<size_t>(offset)), i);
    }
  }
}

void CheckHlo(const Shape& shape, Tally& tally) {
  const auto layout = ReadLayout(ToString(shape));
  ASSERT_TRUE(layout.has_value()) << ToString(shape);
  Elements elements{shape.dimensions, {}, (*layout)->Sizes().padded_elements};
  const std::vector<int64_t> offsets = AllOffsets(shape).value();
  size_t n = 0;
  ForEachCoordinate(shape.dimensions, [&](const Coordinate& i) { elements.offsets[i] = offsets[n++]; });
  CheckConversions(ToString(shape), **layout, elements, tally);
}

TEST(Conversion, EveryTiledLayoutOfASmallScope) {
  Tally tally;
#ifdef LAYOUTCHECK_SANITIZED
  const ExhaustiveScope scope{2, {0, 1, 3}, 2, 2, {2, 3}};
#else
  const ExhaustiveScope scope{2, {0, 1, 2, 3, 4, 5}, 2, 2, {1, 2, 3}};
#endif
  CountedChoices choices;
  int64_t layouts = 0;
  do {
    if (layouts++ % 11 == 0)
      CheckHlo(DrawFromScope(choices, scope), tally);
    else
      DrawFromScope(choices, scope);
  } while (choices.Advance() && !HasFatalFailure());
  tally.Print(StrCat("every 11th of ", scope.ToString()).c_str());
  EXPECT_GT(tally.converted[static_cast<size_t>(ConversionTarget::kPack)], layouts / 11 / 10);
}

TEST(Conversion, RandomTiledLayouts) {
#ifdef LAYOUTCHECK_SANITIZED
  constexpr uint64_t kLayouts = 300;
#else
  constexpr uint64_t kLayouts = 3000;
#endif
  Tally tally;
  LayoutScope scope;
  scope.max_elements = 300;
  scope.max_padded_elements = 3000;
  for (uint64_t n = 0; n < kLayouts && !HasFatalFailure(); ++n) {
    RandomChoices choices(7, n);
    CheckHlo(DrawLayout(choices, scope), tally);
  }
  tally.Print("random tiled layouts");
}

// Formulas are built without overflow and compared around every boundary for sizes up to int64.
TEST(Conversion, HugeLayouts) {
  Tally tally;
  for (uint64_t n = 0; n < 60 && !HasFatalFailure(); ++n) {
    RandomChoices choices(8, n);
    const Shape shape = DrawHugeLayout(choices, LayoutScope{});
    const auto layout = ReadLayout(ToString(shape));
    ASSERT_TRUE(layout.has_value()) << ToString(shape);
    Elements elements{shape.dimensions, {}, 0};
    Coordinate last;
    for (const int64_t size : shape.dimensions) last.push_back(size - 1);
    elements.offsets[last] = (*layout)->IndexOf(StrCat("(", StrJoin(last, ","), ")")).value();
    for (const auto target : {ConversionTarget::kAffine, ConversionTarget::kC}) {
      const auto conversion = Convert(**layout, target, ElementType::kF32);
      ASSERT_TRUE(conversion.has_value()) << ToString(shape);
      const Formula formula(target == ConversionTarget::kC ? Between(conversion->text, "return ", ";")
                                                           : Between(conversion->text, "-> (", ")>"));
      ASSERT_EQ(formula(last), elements.offsets[last]) << conversion->text;
      ++tally.points;
    }
  }
  std::printf("%lld huge formulas, 0 differences\n", static_cast<long long>(tally.points));
}

TEST(Conversion, EveryShapeStrideLayoutOfASmallScope) {
  Tally tally;
#ifdef LAYOUTCHECK_SANITIZED
  const std::vector<int64_t> extents = {1, 2};
  const std::vector<int64_t> strides = {-1, 0, 1, 2, 4};
#else
  const std::vector<int64_t> extents = {1, 2, 3};
  const std::vector<int64_t> strides = {-2, 0, 1, 2, 3, 4, 6, 9};
#endif
  ForEachTuple(3, extents, [&](const std::vector<int64_t>& s) {
    ForEachTuple(3, strides, [&](const std::vector<int64_t>& d) {
      if (HasFatalFailure()) return;
      const std::string text = StrCat("((", s[0], ",", s[1], "),", s[2], "):((", d[0], ",", d[1], "),", d[2], ")");
      const auto layout = ReadLayout(text);
      ASSERT_TRUE(layout.has_value()) << text;
      CheckConversions(text, **layout, ElementsOf(**layout, {s[0] * s[1], s[2]}), tally);
    });
  });
  tally.Print("((a,b),c) layouts");
}

TEST(Conversion, FractalAndPaddedLayouts) {
  Tally tally;
  for (const char* tag : {"RowMajor", "ColumnMajor", "zN", "nZ", "zZ", "nN", "L0C"}) {
    for (const char* type : {"s8", "f16", "f32", "f64"}) {
      for (const int64_t rows : {1, 5, 16, 17}) {
        for (const int64_t columns : {1, 7, 32, 33}) {
          const std::string text = StrCat(tag, ":", type, "[", rows, ",", columns, "]");
          const auto layout = ReadLayout(text);
          ASSERT_TRUE(layout.has_value()) << text;
          CheckConversions(text, **layout, ElementsOf(**layout, {rows, columns}), tally);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
  for (const auto& order : {"0,1,2", "2,1,0", "1,0,2"}) {
    ForEachTuple(3, {2, 3, 5}, [&](const std::vector<int64_t>& padded) {
      const std::string text = StrCat("f32[2,1,2]{", order, "}pad[", StrJoin(padded, ","), "]=0");
      const auto layout = ReadLayout(text);
      ASSERT_TRUE(layout.has_value()) << text;
      CheckConversions(text, **layout, ElementsOf(**layout, {2, 1, 2}), tally);
    });
  }
  for (size_t t = 0; t < tally.refused.size(); ++t) {
    const auto target = static_cast<ConversionTarget>(t);
    if (target == ConversionTarget::kTtg) continue;     // these have no threads
    if (target == ConversionTarget::kLinear) continue;  // most sizes are no powers of two
    EXPECT_EQ(tally.refused[t] + tally.undecided[t], 0) << kConversionTargets[t];
  }
  tally.Print("fractal and padded layouts");
}

// All C functions compile without warnings into one program, which prints every index.
}  // namespace
}  // namespace layoutcheck
