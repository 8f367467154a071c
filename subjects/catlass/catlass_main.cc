// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The layouts of CATLASS on the host: reads one request per line and answers each with one line. Tags and nestings are
// types, so each has instances of its own. `tla` asks include/tla and `tags` the older classes of
// include/catlass/layout:
//
//     tla make zN 16 20 40              tag, bits of an element, rows, columns; the answer is a layout
//     tags offset zN 16 20 40 1 5       the same and a coordinate
//     tags capacity zN 16 20 40
//     tla at (n,(n,n)) 2 2 3 1 4 2 0 1  nesting, extents, strides and a coordinate per mode of a layout; one offset
//     tla table (n,n) 2 3 3 1           the offsets of all elements, the last mode fastest
//     tla elements (n,n) 2 3 3 1        the product of the logical extents, originShape
//
// An answer that begins with "-" is the reason why there is none.
#include <cstdint>
#include <iostream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>
#include "tla/layout.hpp"

namespace {

namespace tags = Catlass::layout;

constexpr int64_t kLargestIndex = std::numeric_limits<uint32_t>::max();

template <class T>
struct Type {
  using type = T;
};

// Returns the text of an integer or of nested tuples, such as "(4,(2,3))".
template <class T>
std::string Text(const T& value) {
  if constexpr (tla::is_tuple<T>::value) {
    std::string text;
    tla::for_each(value, [&](const auto& part) { text += (text.empty() ? "" : ",") + Text(part); });
    return "(" + text + ")";
  } else {
    return std::to_string(static_cast<int64_t>(value));
  }
}

// Calls use(Type<Element>()) for an element of this width. One of 4 bits is a float of Ascend 950, of which MakeLayout
// knows that two share a byte.
template <class Use>
std::string WithElement(int64_t bits, Use use) {
  switch (bits) {
    case 4: return use(Type<float4_e2m1x2_t>());
    case 8: return use(Type<int8_t>());
    case 16: return use(Type<uint16_t>());
    case 32: return use(Type<float>());
    case 64: return use(Type<double>());
    default: return "-no element of " + std::to_string(bits) + " bits";
  }
}

// Calls use(Type<Tag>()) for the class of this name. CATLASS's MakeLayout rejects nN at compile time.
template <class Use>
std::string WithTag(const std::string& name, Use use) {
  if (name == "RowMajor") return use(Type<tags::RowMajor>());
  if (name == "ColumnMajor") return use(Type<tags::ColumnMajor>());
  if (name == "VectorLayout") return use(Type<tags::VectorLayout>());
  if (name == "zN") return use(Type<tags::zN>());
  if (name == "nZ") return use(Type<tags::nZ>());
  if (name == "zZ") return use(Type<tags::zZ>());
  if (name == "nN") return use(Type<tags::nN>());
  if (name == "L0C") return use(Type<tags::L0C>());
  if (name == "Weight4BitnZ") return use(Type<tags::Weight4BitnZ>());
  return "-no tag " + name;
}

struct TagQuestion {
  std::string operation;
  std::string tag;
  int64_t bits = 0;
  int64_t rows = 0;
  int64_t columns = 0;
  std::vector<int64_t> coordinate;
};

// ---- include/tla

template <class Size, class Layout>
std::string OfLayout(const TagQuestion& question, const Layout& layout) {
  if (question.operation == "make") return Text(layout.shape()) + ":" + Text(layout.stride());
  if (question.operation != "offset") return "-TLA has no " + question.operation;
  if (question.coordinate.size() != Layout::rank) return "-one integer per mode is needed";
  const auto at = [&](size_t mode) { return static_cast<Size>(question.coordinate[mode]); };
  if constexpr (Layout::rank == 1) {
    return std::to_string(static_cast<int64_t>(layout(tla::MakeCoord(at(0)))));
  } else {
    return std::to_string(static_cast<int64_t>(layout(tla::MakeCoord(at(0), at(1)))));
  }
}

// Sizes are uint32_t, as in CATLASS's GemmCoord, and int64_t only where they do not fit.
template <class Element, class Tag>
std::string OfTla(const TagQuestion& question) {
  const auto with = [&](auto size) {
    using Size = decltype(size);
    return OfLayout<Size>(
        question, tla::MakeLayout<Element, Tag>(static_cast<Size>(question.rows), static_cast<Size>(question.columns)));
  };
  return question.rows > kLargestIndex || question.columns > kLargestIndex ? with(int64_t()) : with(uint32_t());
}

// The layouts of MX scales, which are bytes of float8_e8m0_t. The name is that of layoutcheck: MxScale, a tag, and for
// RowMajor and ColumnMajor the matrix.
std::string OfMxScale(const TagQuestion& question) {
  if (question.bits != 8) return "-scales have 8 bits";
  const auto with = [&](auto tag, auto is_b) -> std::string {
    const auto of_size = [&](auto size) {
      using Size = decltype(size);
      using Tag = typename decltype(tag)::type;
      return OfLayout<Size>(question, tla::MakeMxScaleLayout<float8_e8m0_t, Tag, decltype(is_b)::value>(
                                          static_cast<Size>(question.rows), static_cast<Size>(question.columns)));
    };
    return question.rows > kLargestIndex || question.columns > kLargestIndex ? of_size(int64_t()) : of_size(uint32_t());
  };
  const std::string name = question.tag.substr(7);
  if (name == "RowMajorA") return with(Type<tags::RowMajor>(), std::false_type());
  if (name == "RowMajorB") return with(Type<tags::RowMajor>(), std::true_type());
  if (name == "ColumnMajorA") return with(Type<tags::ColumnMajor>(), std::false_type());
  if (name == "ColumnMajorB") return with(Type<tags::ColumnMajor>(), std::true_type());
  if (name == "zZ") return with(Type<tags::zZ>(), std::false_type());
  if (name == "nN") return with(Type<tags::nN>(), std::true_type());
  return "-no tag " + question.tag;
}

// ---- include/catlass/layout

template <class Layout>
std::string OfClass(const TagQuestion& question, const Layout& layout) {
  if (question.operation == "make") {
    if constexpr (Layout::RANK == 1) return "(" + Text(layout.shape(0)) + "):(" + Text(layout.stride(0)) + ")";
    const auto pairs = [](const auto& part) {
      if constexpr (Layout::RANK == 4) {
        return "((" + Text(part(0)) + "," + Text(part(1)) + "),(" + Text(part(2)) + "," + Text(part(3)) + "))";
      } else {
        return "(" + Text(part(0)) + "," + Text(part(1)) + ")";
      }
    };
    return pairs([&](int k) { return layout.shape(k); }) + ":" + pairs([&](int k) { return layout.stride(k); });
  }
  if (question.operation == "offset") {
    const auto at = [&](size_t mode) { return static_cast<uint32_t>(question.coordinate[mode]); };
    if (question.coordinate.size() != (Layout::RANK == 1 ? 1 : 2)) return "-one integer per dimension is needed";
    if constexpr (Layout::RANK == 1) {
      return std::to_string(layout.GetOffset(Catlass::MakeCoord(at(0))));
    } else {
      return std::to_string(layout.GetOffset(Catlass::MatrixCoord(at(0), at(1))));
    }
  }
  return "-no " + question.operation;
}

template <class T, class = void>
struct HasCapacity : std::false_type {};
template <class T>
struct HasCapacity<T, std::void_t<decltype(std::declval<const T&>().Capacity())>> : std::true_type {};

template <class Element, class Tag>
std::string OfTags(const TagQuestion& question) {
  if (question.rows > kLargestIndex || question.columns > kLargestIndex) return "-sizes are uint32_t";
  const auto rows = static_cast<uint32_t>(question.rows);
  const auto columns = static_cast<uint32_t>(question.columns);
  const Tag layout = [&] {
    if constexpr (std::is_same_v<Tag, tags::VectorLayout>) {
      return Tag(columns);
    } else {
      return Tag::template MakeLayout<Element>(rows, columns);
    }
  }();
  if (question.operation == "capacity") {
    if constexpr (HasCapacity<Tag>::value) return std::to_string(layout.Capacity());
    return "-the class has no Capacity";
  }
  return OfClass(question, layout);
}

std::string OfTag(const std::string& side, const std::string& operation, std::istream& in) {
  TagQuestion question;
  question.operation = operation;
  in >> question.tag >> question.bits >> question.rows >> question.columns;
  for (int64_t index = 0; in >> index;) question.coordinate.push_back(index);
  if (question.tag.rfind("MxScale", 0) == 0) {
    return side == "tla" ? OfMxScale(question) : "-the older classes have no MX scales";
  }
  return WithElement(question.bits, [&](auto element) {
    return WithTag(question.tag, [&](auto tag) -> std::string {
      using Element = typename decltype(element)::type;
      using Tag = typename decltype(tag)::type;
      if (side == "tags") return OfTags<Element, Tag>(question);
      if constexpr (std::is_same_v<Tag, tags::nN>)
        return "-tla::MakeLayout takes no nN";
      else
        return OfTla<Element, Tag>(question);
    });
  });
}

// ---- layouts by shape and stride

using Pair = tla::tuple<uint32_t, uint32_t>;

template <class Layout>
int64_t OffsetAt(const Layout& layout, const uint32_t (&index)[Layout::rank]) {
  if constexpr (Layout::rank == 1) return layout(tla::MakeCoord(index[0]));
  if constexpr (Layout::rank == 2) return layout(tla::MakeCoord(index[0], index[1]));
  if constexpr (Layout::rank == 3) return layout(tla::MakeCoord(index[0], index[1], index[2]));
}

template <class T>
std::string Nesting() {
  if constexpr (tla::is_tuple<T>::value) {
    std::string text;
    tla::for_each(T{}, [&](const auto& part) {
      text += (text.empty() ? "" : ",") + Nesting<std::remove_cv_t<std::remove_reference_t<decltype(part)>>>();
    });
    return "(" + text + ")";
  } else {
    return "n";
  }
}

// Reads integers into tuples that are nested like the argument. Extents are uint32_t and strides int64_t, as in
// CATLASS's TagToLayout.
template <class Integer>
struct Reader {
  static Integer Read(std::istream& in, uint32_t) {
    int64_t value = 0;
    in >> value;
    return static_cast<Integer>(value);
  }
  template <class... T>
  static auto Read(std::istream& in, tla::tuple<T...>) {
    return tla::tuple<decltype(Read(in, T{}))...>{Read(in, T{})...};
  }
};

// Returns the offsets of all coordinates, the last mode fastest.
template <class Layout>
std::string Table(const Layout& layout, const std::vector<int64_t>& sizes) {
  int64_t count = 1;
  for (const int64_t size : sizes) count *= size;
  std::string text;
  for (int64_t number = 0; number < count; ++number) {
    int64_t rest = number;
    uint32_t index[Layout::rank];
    for (int k = Layout::rank; k-- > 0; rest /= sizes[k]) index[k] = static_cast<uint32_t>(rest % sizes[k]);
    text += (number == 0 ? "" : ",") + std::to_string(OffsetAt(layout, index));
  }
  return "(" + text + ")";
}

template <class Nested>
std::string OfNesting(const std::string& operation, std::istream& in) {
  const auto shape = Reader<uint32_t>::Read(in, Nested{});
  const auto stride = Reader<int64_t>::Read(in, Nested{});
  const auto layout = tla::MakeLayout(shape, stride);
  constexpr int rank = decltype(layout)::rank;
  if (operation == "at") {
    uint32_t index[rank];
    for (uint32_t& coordinate : index) in >> coordinate;
    return std::to_string(OffsetAt(layout, index));
  }
  std::vector<int64_t> sizes;
  tla::for_each(layout.originShape(), [&](const auto& size) { sizes.push_back(size); });
  if (operation == "table") return Table(layout, sizes);
  int64_t elements = 1;
  for (const int64_t size : sizes) elements *= size;
  return std::to_string(elements);
}

template <class... Nested>
std::string OfAnyNesting(const std::string& operation, std::istream& in) {
  std::string nesting;
  in >> nesting;
  std::string answer = "-no instance for this nesting";
  ((nesting == Nesting<Nested>() ? void(answer = OfNesting<Nested>(operation, in)) : void()), ...);
  return answer;
}

std::string Answer(std::istream& in) {
  std::string side;
  std::string operation;
  in >> side >> operation;
  if (operation != "at" && operation != "table" && operation != "elements") return OfTag(side, operation, in);
  using N = uint32_t;
  using tla::tuple;
  return OfAnyNesting<tuple<N>, tuple<Pair>, tuple<N, N>, tuple<N, Pair>, tuple<Pair, N>, tuple<Pair, Pair>,
                      tuple<N, N, N>, tuple<N, N, Pair>, tuple<N, Pair, N>, tuple<N, Pair, Pair>, tuple<Pair, N, N>,
                      tuple<Pair, N, Pair>, tuple<Pair, Pair, N>, tuple<Pair, Pair, Pair>>(operation, in);
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream request(line);
    std::cout << Answer(request) << '\n' << std::flush;
  }
  return 0;
}
