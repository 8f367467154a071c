// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "python_subject.h"
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/set.h>
#include <nanobind/stl/string.h>
#include <algorithm>
#include <array>
#include <memory>
#include <type_traits>
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

// These functions call the adapter's method for a question.
nb::object CallMethod(const nb::object& adapter, const ParseQuestion& q) {
  const auto text = nb::steal(PyUnicode_DecodeUTF8(q.text.data(), static_cast<Py_ssize_t>(q.text.size()), nullptr));
  if (text.is_valid()) return adapter.attr("parse")(PythonText(q.kind), text);
  PyErr_Clear();
  constexpr std::string_view kWhy = "the text is not UTF-8";
  return nb::make_tuple(1, nb::bytes(kWhy.data(), kWhy.size()));
}
nb::object CallMethod(const nb::object& adapter, const TableQuestion& q) {
  return adapter.attr("table")(PythonText(q.shape));
}
nb::object CallMethod(const nb::object& adapter, const SizeQuestion& q) {
  return adapter.attr("size")(PythonText(q.shape));
}
nb::object CallMethod(const nb::object& adapter, const RelayoutQuestion& q) {
  return adapter.attr("relayout")(PythonText(q.from), PythonText(q.to), ArrayOf(q.data));
}
nb::object CallMethod(const nb::object& adapter, const BitcastQuestion& q) {
  const nb::object permutation = q.transpose ? nb::object(NumbersOf(*q.transpose)) : nb::none();
  return adapter.attr("bitcast")(PythonText(q.from), PythonText(q.to), permutation);
}
nb::object CallMethod(const nb::object& adapter, const EqualQuestion& q) {
  return adapter.attr("equal")(PythonText(q.a), PythonText(q.b), TextsOf(q.ignored_parts));
}
nb::object CallMethod(const nb::object& adapter, const EditQuestion& q) {
  return adapter.attr("edit")(PythonText(q.function), PythonText(q.shape), NumbersOf(q.arguments));
}
nb::object CallMethod(const nb::object& adapter, const ApplyQuestion& q) {
  return adapter.attr("apply")(PythonText(q.function), TextsOf(q.arguments));
}
nb::object CallMethod(const nb::object& adapter, const ShardQuestion& q) {
  return adapter.attr("shard")(PythonText(q.layout), q.device);
}
nb::object CallMethod(const nb::object& adapter, const ReshardQuestion& q) {
  return adapter.attr("reshard")(PythonText(q.from_layout), PythonText(q.to_layout), q.device);
}

// Returns the part of a device: None for no part, or its shape, its ranges and the numbers of its elements, each of
// them None if it is not told.
ShardAnswer ShardIn(nb::handle answer) {
  ShardAnswer part;
  part.has_part = !answer.is_none();
  if (!part.has_part) return part;
  if (!answer[0].is_none()) part.shape = IntegersOf(answer[0]);
  if (!answer[1].is_none()) {
    std::vector<IndexRange> ranges;
    for (const nb::handle pair : answer[1]) {
      ranges.push_back({nb::cast<int64_t>(pair[0]), nb::cast<int64_t>(pair[1])});
    }
    part.elements = std::move(ranges);
  } else if (!answer[2].is_none()) {
    part.elements = IntegersOf(answer[2]);
  }
  return part;
}

// Returns the answer that a method gives.
template <class T>
T ResultIn(nb::handle answer) {
  if constexpr (std::is_same_v<T, ParseAnswer>) {
    const auto ok = nb::cast<bool>(answer[0]);
    return ok ? ParseAnswer{true, BytesOf(answer[1]), ""} : ParseAnswer{false, "", BytesOf(answer[1])};
  } else if constexpr (std::is_same_v<T, SizeAnswer>) {
    return {OptionalInteger(answer[0]), OptionalInteger(answer[1]), OptionalInteger(answer[2]),
            OptionalInteger(answer[3])};
  } else if constexpr (std::is_same_v<T, EditAnswer>) {
    return {OptionalBytes(answer[0]), OptionalBytes(answer[1])};
  } else if constexpr (std::is_same_v<T, ApplyAnswer>) {
    return {OptionalBytes(answer[0]), OptionalInteger(answer[1]), OptionalBytes(answer[2])};
  } else if constexpr (std::is_same_v<T, ShardAnswer>) {
    return ShardIn(answer);
  } else if constexpr (std::is_same_v<T, bool>) {
    return nb::cast<bool>(answer);
  } else {
    return IntegersOf(answer);
  }
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
Answer<T> PythonSubject::AskAdapter(std::string_view operation, Call call, Read read) {
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
  return AskAdapter<T>(operation, std::move(call), std::move(read));
}

Answer<int64_t> PythonSubject::Ask(const OffsetQuestion& q) {
  const Coordinate one(q.coordinate.begin(), q.coordinate.end());
  return IfAnswered(Offsets(q.shape, std::span(&one, 1)),
                    [](const std::vector<int64_t>& offsets) -> Answer<int64_t> { return offsets.front(); });
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

Answer<std::optional<Subject::Coordinate>> PythonSubject::Ask(const CoordinateQuestion& q) {
  using FoundCoordinate = std::optional<Coordinate>;
  return IfAnswered(CoordinatesAt(q.shape, std::span(&q.offset, 1)),
                    [](const CoordinateList& coordinates) -> Answer<FoundCoordinate> {
                      const auto coordinate = coordinates[0];
                      if (!coordinate) return FoundCoordinate();
                      return FoundCoordinate(Coordinate(coordinate->begin(), coordinate->end()));
                    });
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

Answer<std::string> PythonSubject::Ask(const MakeQuestion& q) {
  if (q.sizes.size() != 2) return Declined{"make takes rows and columns"};
  return AskAdapter<std::string>(
      "make", [&] { return adapter_.attr("make")(PythonText(q.tag), q.element_bits, q.sizes[0], q.sizes[1]); },
      BytesOf);
}

template <class Question>
Answer<typename Question::Result> PythonSubject::Ask(const Question& q) {
  using T = Question::Result;
  const auto call = [&]() -> nb::object { return CallMethod(adapter_, q); };
  if constexpr (std::is_same_v<Question, TableQuestion> || std::is_same_v<Question, SizeQuestion>) {
    return AskAbout<T>(q.shape, Question::kOperation, call, ResultIn<T>);
  }
  return AskAdapter<T>(Question::kOperation, call, ResultIn<T>);
}

}  // namespace layoutcheck::python
