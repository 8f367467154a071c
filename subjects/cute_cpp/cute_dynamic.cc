// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CuTe's functions on layouts with run-time integers: reads one request per line and answers each with one line. The
// nesting of a layout is a type, so each function has one instance per nesting. A request such as
//
//     composition (n,n) 4 3 3 1 n 6 1
//
// has the function, a number if the function takes one, and for each layout its nesting, extents and strides. The
// answer is a layout, an integer, or "-" and a reason.
#include <cute/layout.hpp>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace cute;

using Pair = tuple<int, int>;
template <class... T>
struct Types {};
// Nestings of one to three modes, each an integer or a pair.
using Nested =
    Types<int, tuple<int>, tuple<Pair>, tuple<int, int>, tuple<int, Pair>, tuple<Pair, int>, tuple<Pair, Pair>,
          tuple<int, int, int>, tuple<int, int, Pair>, tuple<int, Pair, int>, tuple<int, Pair, Pair>,
          tuple<Pair, int, int>, tuple<Pair, int, Pair>, tuple<Pair, Pair, int>, tuple<Pair, Pair, Pair>>;
using Flat = Types<int, tuple<int>, tuple<int, int>, tuple<int, int, int>>;
// Nestings that CuTe's complement takes with run-time strides.
using OneInteger = Types<int, tuple<int>>;

// Returns the text of an integer or of nested tuples, such as "(4,(2,3))".
template <class T>
std::string Text(const T& value) {
  if constexpr (is_tuple<T>::value) {
    std::string text;
    for_each(value, [&](const auto& part) { text += (text.empty() ? "" : ",") + Text(part); });
    return "(" + text + ")";
  } else {
    return std::to_string(static_cast<long long>(value));
  }
}
template <class Shape, class Stride>
std::string Text(const Layout<Shape, Stride>& layout) {
  return Text(layout.shape()) + ":" + Text(layout.stride());
}

template <class T>
std::string Nesting() {
  if constexpr (is_tuple<T>::value) {
    std::string text;
    for_each(T{},
             [&](const auto& part) { text += (text.empty() ? "" : ",") + Nesting<remove_cvref_t<decltype(part)>>(); });
    return "(" + text + ")";
  } else {
    return "n";
  }
}

template <class T>
T Read(std::istream& in) {
  if constexpr (is_tuple<T>::value) {
    T value;
    for_each(make_seq<tuple_size<T>::value>{}, [&](auto k) { get<k>(value) = Read<tuple_element_t<k, T>>(in); });
    return value;
  } else {
    int value = 0;
    in >> value;
    return value;
  }
}

// Reads a layout with one of these nestings and returns use(layout).
template <class... T, class Use>
std::string With(std::istream& in, Types<T...>, Use use) {
  std::string nesting;
  in >> nesting;
  std::string answer = "-no instance for this nesting";
  const auto attempt = [&](auto type) {
    using Tuple = decltype(type);
    if (nesting != Nesting<Tuple>()) return;
    const Tuple shape = Read<Tuple>(in);
    const Tuple stride = Read<Tuple>(in);
    answer = use(make_layout(shape, stride));
  };
  (attempt(T{}), ...);
  return answer;
}

template <class First, class Second, class Function>
std::string OfTwo(std::istream& in, First first, Second second, Function function) {
  return With(in, first, [&](auto a) { return With(in, second, [&](auto b) { return Text(function(a, b)); }); });
}
template <class Function>
std::string OfOne(std::istream& in, Function function) {
  return With(in, Nested{}, [&](auto a) { return Text(function(a)); });
}

std::string Answer(std::istream& in) {
  std::string name;
  in >> name;
  if (name == "size") return OfOne(in, [](auto a) { return size(a); });
  if (name == "cosize") return OfOne(in, [](auto a) { return cosize(a); });
  if (name == "coalesce") return OfOne(in, [](auto a) { return coalesce(a); });
  if (name == "filter") return OfOne(in, [](auto a) { return filter(a); });
  if (name == "right_inverse") return OfOne(in, [](auto a) { return right_inverse(a); });
  if (name == "nullspace") return OfOne(in, [](auto a) { return nullspace(a); });
  if (name == "crd2idx") {
    int coordinate = 0;
    in >> coordinate;
    return OfOne(in, [&](auto a) { return a(coordinate); });
  }
  if (name == "complement") {
    int codomain = 0;
    in >> codomain;
    return With(in, OneInteger{}, [&](auto a) { return Text(complement(a, codomain)); });
  }
  if (name == "table") {
    return With(in, Flat{}, [](auto a) {
      std::string text;
      for (int k = 0; k < size(a); ++k) text += (k == 0 ? "" : ",") + std::to_string(a(k));
      return "(" + text + ")";
    });
  }
  if (name == "composition") return OfTwo(in, Nested{}, Flat{}, [](auto a, auto b) { return composition(a, b); });
  if (name == "logical_divide") {
    return OfTwo(in, Nested{}, OneInteger{}, [](auto a, auto b) { return logical_divide(a, b); });
  }
  if (name == "zipped_divide") {
    return OfTwo(in, Nested{}, OneInteger{}, [](auto a, auto b) { return zipped_divide(a, b); });
  }
  if (name == "tiled_divide") {
    return OfTwo(in, Nested{}, OneInteger{}, [](auto a, auto b) { return tiled_divide(a, b); });
  }
  if (name == "flat_divide") {
    return OfTwo(in, Nested{}, OneInteger{}, [](auto a, auto b) { return flat_divide(a, b); });
  }
  if (name == "logical_product") {
    return OfTwo(in, OneInteger{}, Flat{}, [](auto a, auto b) { return logical_product(a, b); });
  }
  return "-no function " + name;
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream request(line);
    std::cout << Answer(request) << '\n' << std::flush;
  }
  return 0;
}
