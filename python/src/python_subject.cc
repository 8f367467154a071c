// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "python_subject.h"
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/set.h>
#include <nanobind/stl/string.h>
#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include "layoutcheck/core/hlo/printer.h"

namespace layoutcheck::python {
namespace nb = nanobind;

namespace {

using OneDimension = nb::ndarray<const int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using TwoDimensions = nb::ndarray<const int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Returns an array of NumPy that owns these integers.
nb::object ArrayOf(std::unique_ptr<int64_t[]> integers, std::initializer_list<size_t> shape) {
  int64_t* const data = integers.get();
  nb::capsule owner(data, [](void* owned) noexcept { delete[] static_cast<int64_t*>(owned); });
  (void)integers.release();  // by the capsule now
  return nb::cast(nb::ndarray<nb::numpy, int64_t>(data, shape, std::move(owner)));
}

nb::object ArrayOf(std::span<const int64_t> integers) {
  auto copy = std::make_unique<int64_t[]>(integers.size());
  std::ranges::copy(integers, copy.get());
  return ArrayOf(std::move(copy), {integers.size()});
}

std::vector<int64_t> IntegersOf(nb::handle array) {
  const auto integers = nb::cast<OneDimension>(array);
  return {integers.data(), integers.data() + integers.size()};
}

// Returns text of this project's own, which is UTF-8.
nb::str PythonText(std::string_view text) { return nb::str(text.data(), text.size()); }
nb::str PythonText(const Shape& shape) { return PythonText(ToString(shape)); }

nb::list TextsOf(std::span<const std::string> texts) {
  nb::list list;
  for (const std::string& text : texts) list.append(PythonText(text));
  return list;
}

nb::list NumbersOf(std::span<const int64_t> numbers) {
  nb::list list;
  for (const int64_t number : numbers) list.append(number);
  return list;
}

// Returns the bytes of an object of Python's type of that name.
std::string BytesOf(nb::handle bytes) {
  const auto object = nb::cast<nb::bytes>(bytes);
  return {object.c_str(), object.size()};
}

std::optional<std::string> OptionalBytes(nb::handle bytes) {
  if (bytes.is_none()) return std::nullopt;
  return BytesOf(bytes);
}

std::optional<int64_t> OptionalInteger(nb::handle integer) { return nb::cast<std::optional<int64_t>>(integer); }

Failed::Kind KindOf(std::string_view name) {
  if (name == "crash") return Failed::Kind::kCrash;
  if (name == "timeout") return Failed::Kind::kTimeout;
  return name == "protocol" ? Failed::Kind::kProtocol : Failed::Kind::kError;
}

}  // namespace

void Interruption::Keep() {
  is_over_ = true;
  if (!error_.is_none()) return;
  try {
    throw;
  } catch (const nb::python_error& error) {
    error_ = nb::borrow(error.value());
  } catch (const std::exception& error) {
    error_ = nb::handle(PyExc_RuntimeError)(error.what());
  }
}

void Interruption::CheckSignals() {
  const nb::gil_scoped_acquire lock;
  try {
    if (PyErr_CheckSignals() != 0) nb::raise_python_error();
  } catch (const nb::python_error&) {
    Keep();
  }
}

PythonSubject::PythonSubject(nb::object adapter, Interruption& interruption, std::function<bool(const Shape&)> is_asked)
    : adapter_(std::move(adapter)), interruption_(interruption), is_asked_(std::move(is_asked)) {
  info_.name = nb::cast<std::string>(adapter_.attr("name"));
  info_.version = nb::cast<std::string>(adapter_.attr("version"));
  operations_ = nb::cast<std::set<std::string, std::less<>>>(adapter_.attr("operations"));
  const auto limits = nb::cast<nb::dict>(adapter_.attr("limits"));
  const auto limit = [&](const char* name) {
    return limits.contains(name) ? OptionalInteger(limits[name]) : std::nullopt;
  };
  info_.max_rank = limit("max_rank");
  info_.max_tiles = limit("max_tiles");
  info_.max_table_elements = limit("max_table_elements");
  info_.max_questions = limit("max_questions");
}

PythonSubject::~PythonSubject() {
  const nb::gil_scoped_acquire lock;
  adapter_.reset();
}

template <class T, class Call, class Read>
Answer<T> PythonSubject::Ask(std::string_view operation, Call call, Read read) {
  if (!operations_.contains(operation)) return Declined{"no " + std::string(operation)};
  const nb::gil_scoped_acquire lock;
  if (interruption_.is_over()) return Declined{"the run has ended"};
  ++requests_;
  try {
    const auto answer = nb::cast<nb::tuple>(call());
    switch (nb::cast<int>(answer[0])) {
      case 0: return read(nb::handle(answer[1]));
      case 1: return Declined{BytesOf(answer[1])};
      default: break;
    }
    return Failed{KindOf(nb::cast<std::string>(answer[1])), BytesOf(answer[2]), BytesOf(answer[3])};
  } catch (const std::exception&) {
    interruption_.Keep();
    return Declined{"the run has ended"};
  }
}

template <class T, class Call, class Read>
Answer<T> PythonSubject::AskAbout(const Shape& shape, std::string_view operation, Call call, Read read) {
  if (!is_asked_(shape)) return Declined{"another layout than those to check"};
  return Ask<T>(operation, std::move(call), std::move(read));
}

Answer<ParseAnswer> PythonSubject::Parse(std::string_view kind, std::string_view text) {
  return Ask<ParseAnswer>(
      "parse",
      [&]() -> nb::object {
        const auto decoded =
            nb::steal(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), nullptr));
        if (!decoded.is_valid()) {
          PyErr_Clear();
          constexpr std::string_view kWhy = "the text is not UTF-8";
          return nb::make_tuple(1, nb::bytes(kWhy.data(), kWhy.size()));
        }
        return adapter_.attr("parse")(PythonText(kind), decoded);
      },
      [](nb::handle answer) {
        const auto ok = nb::cast<bool>(answer[0]);
        return ok ? ParseAnswer{true, BytesOf(answer[1]), ""} : ParseAnswer{false, "", BytesOf(answer[1])};
      });
}

Answer<int64_t> PythonSubject::Offset(const Shape& shape, std::span<const int64_t> coordinate) {
  const Coordinate one(coordinate.begin(), coordinate.end());
  auto answer = Offsets(shape, std::span(&one, 1));
  if (auto* declined = std::get_if<Declined>(&answer)) return std::move(*declined);
  if (auto* failed = std::get_if<Failed>(&answer)) return std::move(*failed);
  return std::get<std::vector<int64_t>>(answer).front();
}

Answer<std::vector<int64_t>> PythonSubject::Offsets(const Shape& shape, std::span<const Coordinate> coordinates) {
  return AskAbout<std::vector<int64_t>>(
      shape, "offset",
      [&] {
        const size_t rank = shape.dimensions.size();
        auto integers = std::make_unique<int64_t[]>(rank * coordinates.size());
        for (size_t k = 0; k < coordinates.size(); ++k) {
          for (size_t d = 0; d < rank; ++d) integers[d * coordinates.size() + k] = coordinates[k][d];
        }
        return adapter_.attr("offsets")(PythonText(shape), ArrayOf(std::move(integers), {rank, coordinates.size()}));
      },
      IntegersOf);
}

Answer<std::vector<int64_t>> PythonSubject::Table(const Shape& shape) {
  return AskAbout<std::vector<int64_t>>(
      shape, "table", [&] { return adapter_.attr("table")(PythonText(shape)); }, IntegersOf);
}

Answer<std::optional<Subject::Coordinate>> PythonSubject::CoordinateAt(const Shape& shape, int64_t offset) {
  auto answer = CoordinatesAt(shape, std::span(&offset, 1));
  if (auto* declined = std::get_if<Declined>(&answer)) return std::move(*declined);
  if (auto* failed = std::get_if<Failed>(&answer)) return std::move(*failed);
  const auto coordinate = std::get<CoordinateList>(answer)[0];
  if (!coordinate) return std::optional<Coordinate>();
  return std::optional(Coordinate(coordinate->begin(), coordinate->end()));
}

Answer<CoordinateList> PythonSubject::CoordinatesAt(const Shape& shape, std::span<const int64_t> offsets) {
  return AskAbout<CoordinateList>(
      shape, "coordinate", [&] { return adapter_.attr("coordinates")(PythonText(shape), ArrayOf(offsets)); },
      [&](nb::handle answer) {
        // The coordinates as rows, and for each offset 1 for an element or 0 for padding.
        const auto rows = nb::cast<TwoDimensions>(answer[0]);
        const std::vector<int64_t> is_element = IntegersOf(answer[1]);
        const size_t rank = rows.shape(1);
        CoordinateList coordinates(offsets.size(), rank);
        for (size_t k = 0; k < is_element.size(); ++k) {
          if (is_element[k] == 0) {
            coordinates.AddPadding();
          } else {
            coordinates.AddElement(std::span(rows.data() + k * rank, rank));
          }
        }
        return coordinates;
      });
}

Answer<SizeAnswer> PythonSubject::Size(const Shape& shape) {
  return AskAbout<SizeAnswer>(
      shape, "size", [&] { return adapter_.attr("size")(PythonText(shape)); },
      [](nb::handle answer) {
        return SizeAnswer{OptionalInteger(answer[0]), OptionalInteger(answer[1]), OptionalInteger(answer[2]),
                          OptionalInteger(answer[3])};
      });
}

Answer<std::vector<int64_t>> PythonSubject::Relayout(const Shape& from, const Shape& to,
                                                     std::span<const int64_t> data) {
  return Ask<std::vector<int64_t>>(
      "relayout", [&] { return adapter_.attr("relayout")(PythonText(from), PythonText(to), ArrayOf(data)); },
      IntegersOf);
}

Answer<bool> PythonSubject::Bitcast(const Shape& from, const Shape& to,
                                    std::optional<std::span<const int64_t>> transpose) {
  return Ask<bool>(
      "bitcast",
      [&] {
        const nb::object permutation = transpose ? nb::object(NumbersOf(*transpose)) : nb::none();
        return adapter_.attr("bitcast")(PythonText(from), PythonText(to), permutation);
      },
      [](nb::handle answer) { return nb::cast<bool>(answer); });
}

Answer<bool> PythonSubject::AreEqual(const Shape& a, const Shape& b, std::span<const std::string> ignored_parts) {
  return Ask<bool>(
      "equal", [&] { return adapter_.attr("equal")(PythonText(a), PythonText(b), TextsOf(ignored_parts)); },
      [](nb::handle answer) { return nb::cast<bool>(answer); });
}

Answer<EditAnswer> PythonSubject::Edit(std::string_view function, const Shape& shape,
                                       std::span<const int64_t> arguments) {
  return Ask<EditAnswer>(
      "edit", [&] { return adapter_.attr("edit")(PythonText(function), PythonText(shape), NumbersOf(arguments)); },
      [](nb::handle answer) { return EditAnswer{OptionalBytes(answer[0]), OptionalBytes(answer[1])}; });
}

Answer<std::string> PythonSubject::Make(std::string_view tag, int64_t element_bits, std::span<const int64_t> sizes) {
  if (sizes.size() != 2) return Declined{"make takes rows and columns"};
  return Ask<std::string>(
      "make", [&] { return adapter_.attr("make")(PythonText(tag), element_bits, sizes[0], sizes[1]); }, BytesOf);
}

Answer<ApplyAnswer> PythonSubject::Apply(std::string_view function, std::span<const std::string> arguments) {
  return Ask<ApplyAnswer>(
      "apply", [&] { return adapter_.attr("apply")(PythonText(function), TextsOf(arguments)); },
      [](nb::handle answer) {
        return ApplyAnswer{OptionalBytes(answer[0]), OptionalInteger(answer[1]), OptionalBytes(answer[2])};
      });
}

}  // namespace layoutcheck::python
