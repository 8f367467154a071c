// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel_proof/kernel_laws.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/kernel/stored_elements.h"
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {
namespace {

// Returns "(2,130)" for numbers, and "an element" for expressions.
std::string Text(std::span<const SymbolicInteger> element) {
  std::vector<std::string> numbers;
  for (const SymbolicInteger& coordinate : element) {
    const auto number = coordinate.number();
    if (!number) return "an element";
    numbers.push_back(ToDecimal(*number));
  }
  return StrCat("element (", StrJoin(numbers, ","), ")");
}

// Returns "byte 4" for a place of the array, or "place 4" if elements share a byte.
std::string Text(const KernelTensor& tensor, const SymbolicInteger& place) {
  const auto number = place.number();
  const std::string_view unit = tensor.places_per_byte() == 1 ? "byte" : "place";
  return number ? StrCat(unit, " ", ToDecimal(*number)) : StrCat("another ", unit);
}

// Calls visit(place, number of places behind the first one) for each element of the array that the store covers.
template <class Visit>
void ForEachElement(const KernelStore& store, const KernelTensor& tensor, Visit visit) {
  if (store.bytes % tensor.element_bytes() != 0) {
    throw FunctionUnknown{StrCat("a store of a part of an element at ", store.place)};
  }
  FunctionRun::SetPlace("the place", "what is stored", store.place);
  ForEachElementOf(tensor, store.offset, store.bytes, visit);
}

const KernelTensor& TensorOf(const KernelModel::Point& point, const KernelStore& store) {
  return point.tensors[static_cast<size_t>(store.array)];
}

}  // namespace

namespace {

// Throws FunctionFault: an element of `from` is stored at a place of `to` where another belongs.
[[noreturn]] void Misplaced(const std::string& element, const std::string& from, const std::string& to,
                            const std::string& why, std::string_view place) {
  throw FunctionFault{StrCat(element, " of ", from, " is stored in ", to, why, ", at ", place)};
}

// Checks the element that the store brings from the place, by the map.
void CheckSource(const KernelModel& model, const KernelModel::Point& point, const SymbolicValues& values,
                 const SourceMap& map, const KernelStore& store, const ArrayPlace& from,
                 std::span<const SymbolicInteger> index, const ElementReader& numbers) {
  const std::string& to = model.array_names()[map.to];
  const auto array = static_cast<size_t>(from.array);
  const SymbolicInteger right = SourcePlace(map, point.tensors, values, index, numbers);
  if (array == map.from.array && right == from.place) return;
  Misplaced(Text(point.tensors[array], from.place), model.array_names()[array], StrCat(Text(index), " of ", to),
            StrCat(", where ", Text(point.tensors[map.from.array], right), " of ", model.array_names()[map.from.array],
                   " belongs"),
            store.place);
}

// Checks that the store brings the element of this index, which `from` has at one place. That needs no
// index of a place, which is a quotient by strides.
void CheckStrided(const KernelTensor& from, const std::string& from_name, const std::string& to,
                  const KernelStore& store, const SymbolicInteger& place, std::span<const SymbolicInteger> index) {
  for (size_t d = 0; d < index.size(); ++d) {
    if (index[d] < from.sizes()[d]) continue;
    throw FunctionFault{StrCat("element ", Text(index), " of ", to, " is stored, which ", from_name,
                               " does not have, at ", store.place)};
  }
  const SymbolicInteger right = from.PlaceOf(index);
  if (right == place) return;
  Misplaced(Text(from, place), from_name, StrCat(Text(index), " of ", to),
            StrCat(", where ", Text(from, right), " belongs"), store.place);
}

}  // namespace

void CheckElement(const KernelModel& model, const KernelModel::Point& point, const SymbolicValues& values,
                  const KernelStore& store, int64_t at, const ElementReader& numbers) {
  const KernelTensor& to = TensorOf(point, store);
  const std::string& to_name = model.array_names()[static_cast<size_t>(store.array)];
  const SymbolicInteger place = to.PlaceOfByte(store.offset) + at;
  const auto source = SourceAt(point.tensors, store, at);
  if (!source) {
    if (!to.ElementAt(place)) return;
    throw FunctionFault{StrCat("what is stored in ", to_name, " is ",
                               store.is_garbage ? store.unknown : StrCat("no element of an array, at ", store.place))};
  }
  if (const SourceMap* const map = model.SourceOf(static_cast<size_t>(store.array)); map != nullptr) {
    const auto index = to.ElementAt(place);
    if (index) CheckSource(model, point, values, *map, store, *source, *index, numbers);
    return;
  }
  const KernelTensor& from = point.tensors[static_cast<size_t>(source->array)];
  const std::string& from_name = model.array_names()[static_cast<size_t>(source->array)];
  if (from.value_bits() != to.value_bits() || from.sizes().size() != to.sizes().size()) {
    throw FunctionUnknown{
        StrCat(from_name, " and ", to_name, " have other elements or ranks; --source says what belongs where")};
  }
  if (from.has_strides()) {
    const auto index = to.ElementAt(place);
    if (index) CheckStrided(from, from_name, to_name, store, source->place, *index);
    return;
  }
  const auto element = from.ElementAt(source->place);
  if (!element) {
    if (!to.ElementAt(place)) return;
    throw FunctionFault{StrCat("padding of ", from_name, " is stored as an element of ", to_name, " at ", store.place)};
  }
  for (size_t d = 0; d < element->size(); ++d) {
    if ((*element)[d] >= to.sizes()[d]) {
      Misplaced(Text(*element), from_name, to_name, ", which does not have it", store.place);
    }
  }
  const SymbolicInteger right = to.PlaceOf(*element);
  if (right == place) return;
  Misplaced(Text(*element), from_name, to_name, StrCat(" at ", Text(to, place), ", not at ", Text(to, right)),
            store.place);
}

void CheckRelayout(const KernelModel& model, const KernelModel::Point& point, const SymbolicValues& values,
                   const std::vector<KernelStore>& stores, const ElementReader& numbers) {
  for (const KernelStore& store : stores) {
    ForEachElement(store, TensorOf(point, store),
                   [&](const SymbolicInteger&, int64_t at) { CheckElement(model, point, values, store, at, numbers); });
  }
}

void CheckOwner(const ThreadGuess& guess, const KernelModel::Point& point, const SymbolicValues& values,
                const std::vector<KernelStore>& stores) {
  for (size_t k = 0; k < stores.size(); ++k) {
    const KernelTensor& tensor = TensorOf(point, stores[k]);
    ForEachElement(stores[k], tensor, [&](const SymbolicInteger& place, int64_t) {
      const auto element = tensor.ElementAt(place);
      if (!element) return;
      const auto owner = OwnerOf(guess, point, values, static_cast<size_t>(stores[k].array), *element);
      if (!owner) throw FunctionFault{"the guess does not fit the launch"};
      // Two iterations of a loop are compared where both are on the path, or by their numbers.
      const LoopPosition& position = stores[k].position;
      const auto& iteration = position.iteration;
      const bool fits = owner->iteration || !iteration || iteration->number();
      // Stores at one place of the source are told apart from those of a loop before it by the place.
      const bool is_apart = !owner->place.empty() && !owner->iteration && !iteration;
      if (!fits || (position.is_behind_loop && !is_apart)) throw FunctionUnknown{"the guess does not fit the loops"};
      if (!owner->place.empty() && owner->place != stores[k].place) {
        throw FunctionFault{"another place in the code stores the element by the guess"};
      }
      if (!owner->IsThread(values)) throw FunctionFault{"another thread stores the element by the guess"};
      if (owner->iteration && iteration && !(*owner->iteration == *iteration)) {
        throw FunctionFault{"another iteration stores the element by the guess"};
      }
      if (!owner->region) return;
      if (!stores[k].region) throw FunctionUnknown{"the guess does not fit the guarded regions"};
      if (!(*owner->region == static_cast<int64_t>(*stores[k].region))) {
        throw FunctionFault{"another part of the code stores the element by the guess"};
      }
    });
    for (size_t other = 0; other < k; ++other) {
      if (stores[other].array != stores[k].array) continue;
      const bool apart = stores[other].offset + stores[other].bytes <= stores[k].offset ||
                         stores[k].offset + stores[k].bytes <= stores[other].offset;
      if (!apart) throw FunctionFault{StrCat("one thread stores twice at one place, at ", stores[k].place)};
    }
  }
}

bool IsStored(const KernelModel::Point& point, const std::vector<KernelStore>& stores, size_t array,
              std::span<const SymbolicInteger> element) {
  const KernelTensor& tensor = point.tensors[array];
  const SymbolicInteger place = tensor.PlaceOf(element);
  for (const KernelStore& store : stores) {
    if (static_cast<size_t>(store.array) != array) continue;
    const SymbolicInteger first = tensor.PlaceOfByte(store.offset);
    const int64_t places = store.bytes * tensor.places_per_byte();
    if (places == tensor.element_bytes()) {
      if (first == place) return true;
    } else if (first <= place && place < first + places) {
      return true;
    }
  }
  return false;
}

}  // namespace layoutcheck
