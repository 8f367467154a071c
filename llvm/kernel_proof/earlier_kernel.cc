// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel_proof/earlier_kernel.h"
#include <algorithm>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {
namespace {

// Returns the part of a store that begins `at` bytes behind it and has `bytes` bytes.
KernelStore PartOf(const KernelStore& store, int64_t at, int64_t bytes) {
  KernelStore part = store;
  part.offset = store.offset + at;
  part.bytes = bytes;
  if (store.from >= 0) part.from_offset = store.from_offset + at;
  return part;
}

// Returns the number of the array, or the number of arrays if there is none of this name.
size_t ArrayOf(const KernelModel& model, const std::string& name) {
  return static_cast<size_t>(std::ranges::find(model.array_names(), name) - model.array_names().begin());
}

// Returns the values that are not about a thread of another kernel.
SymbolicValues SizesOf(const KernelModel& model, const SymbolicValues& values) {
  SymbolicValues sizes;
  for (const auto& [name, value] : values) {
    const bool is_size = std::ranges::find(model.names(), name) != model.names().end();
    if (is_size || name == kPattern) sizes.emplace(name, value);
  }
  return sizes;
}

}  // namespace

std::vector<std::string> EarlierKernel::Names() const {
  std::vector<std::string> names = before_ ? before_->Names() : std::vector<std::string>();
  names.push_back(ended_.model.name());
  return names;
}

std::string EarlierKernel::WhyNoTrace() const {
  if (!ended_.why_no_trace.empty()) return ended_.why_no_trace;
  return before_ ? before_->WhyNoTrace() : "";
}

std::vector<std::string> EarlierKernel::Where() const {
  std::vector<std::string> where = before_ ? before_->Where() : std::vector<std::string>();
  where.insert(where.end(), ended_.where.begin(), ended_.where.end());
  return where;
}

void EarlierKernel::CompleteLater(ProofResult& result) const {
  ended_.rests_on.CompleteLater(ended_.model.name(), result);
  if (before_) before_->CompleteLater(result);
}

bool EarlierKernel::IsAsked(const SymbolicValues& values) const {
  return ended_.model.At(SizesOf(ended_.model, values)) && (!before_ || before_->IsAsked(values));
}

std::vector<KernelStore> EarlierKernel::Trace(const KernelModel& later, const KernelModel::Point& point,
                                              const SymbolicValues& values, const KernelStore& store) const {
  std::vector<KernelStore> parts;
  if (!IsAsked(values)) return parts;
  const int64_t bytes = point.tensors[static_cast<size_t>(store.array)].element_bytes();
  if (store.from < 0 || store.bytes % bytes != 0) return {store};
  for (int64_t at = 0; at < store.bytes; at += bytes) {
    KernelStore& part = parts.emplace_back(PartOf(store, at, bytes));
    TracePart(later, values, part);
  }
  return parts;
}

bool EarlierKernel::TracePart(const KernelModel& later, const SymbolicValues& values, KernelStore& part) const {
  const KernelModel& model = ended_.model;
  const std::string& name = later.array_names()[static_cast<size_t>(part.from)];
  const size_t array = ArrayOf(model, name);
  if (!ended_.written.contains(array)) return before_ && before_->TracePart(later, values, part);
  const SymbolicValues sizes = SizesOf(model, values);
  const auto stored = StoreAt(array, sizes, part);
  if (!stored) {
    if (before_ && before_->TracePart(later, values, part)) return true;
    part.unknown = StrCat("read of ", name, ", where no thread of ", StrJoin(Names(), " or "), " stores");
    part.is_garbage = true;
    part.from = -1;
    return false;
  }
  KernelStore source = *stored;
  if (source.from >= 0) {
    if (ended_.written.contains(static_cast<size_t>(source.from))) {
      throw FunctionUnknown{StrCat("what ", model.name(), " reads of ",
                                   model.array_names()[static_cast<size_t>(source.from)],
                                   ", to which its threads store, too")};
    }
    source = PartOf(source, 0, source.bytes);
    source.from_offset = source.from_offset + (part.from_offset - source.offset);
    if (before_) before_->TracePart(model, sizes, source);
  }
  part.unknown = source.unknown;
  part.is_computed = source.is_computed;
  part.is_constant = source.is_constant;
  part.is_garbage = source.is_garbage;
  part.from_offset = source.from_offset;
  part.from = source.from;
  if (source.from < 0) return true;
  part.from = static_cast<int64_t>(ArrayOf(later, model.array_names()[static_cast<size_t>(source.from)]));
  return true;
}

std::optional<KernelStore> EarlierKernel::StoreAt(size_t array, const SymbolicValues& sizes,
                                                  const KernelStore& part) const {
  const KernelModel& model = ended_.model;
  const auto point = model.At(sizes);  // IsAsked()
  if (!point->why_no_thread_runs.empty()) return std::nullopt;
  const int64_t bytes = point->tensors[array].element_bytes();
  const KernelTensor& tensor = point->tensors[array];
  const auto element = tensor.ElementAt(tensor.PlaceOfByte(FloorDiv(part.from_offset, bytes) * bytes));
  if (!element) throw FunctionUnknown{StrCat("padding of ", model.array_names()[array], ", which threads may store")};
  const auto owner = OwnerOf(ended_.guess, *point, sizes, array, *element);
  if (!owner) throw FunctionUnknown{StrCat("which thread of ", model.name(), " stores an element")};
  const SymbolicValues thread = owner->In(sizes);
  if (!model.IsThread(*point, thread)) return std::nullopt;
  const KernelRun run = model.RunRegions(*point, thread, KernelModel::Bounds::kProved, owner->Regions());
  for (const KernelStore& store : run.stores) {
    const bool is_there = static_cast<size_t>(store.array) == array && store.offset <= part.from_offset &&
                          part.from_offset + part.bytes <= store.offset + store.bytes;
    if (is_there) return store;
  }
  if (part.bytes > bytes) throw FunctionUnknown{StrCat("elements of ", model.array_names()[array], " in parts")};
  return std::nullopt;
}

}  // namespace layoutcheck
