// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Faults in MLIR's memref types: their text, and the strides of views.
#include <cstdlib>
#include "layoutcheck/properties/faults/fault.h"
#include "layoutcheck/properties/mlir/memref_type.h"

namespace layoutcheck {
namespace {

// Returns a fault that changes the answers to one of the functions.
std::function<void(FaultHooks&)> In(std::string_view function,
                                    std::function<void(std::span<const std::string>, ApplyAnswer&)> change) {
  return [function, change = std::move(change)](FaultHooks& hooks) {
    hooks.apply = [function, change](std::string_view asked, std::span<const std::string> arguments,
                                     ApplyAnswer& answer) {
      if (asked == function) change(arguments, answer);
    };
  };
}

std::function<void(std::span<const std::string>, ApplyAnswer&)> InLayout(void (*change)(StridedLayoutAttr&)) {
  return [change](std::span<const std::string>, ApplyAnswer& answer) {
    auto type = answer.layout ? MemRefType::Parse(*answer.layout) : std::unexpected(Error{});
    auto* layout = type ? std::get_if<StridedLayoutAttr>(&type->layout) : nullptr;
    if (layout == nullptr) return;
    change(*layout);
    answer.layout = type->ToString();
  };
}

std::vector<Fault> MakeFaults() {
  return {
      {"memref-sign-dropped", "memref", "a negative stride is printed without its sign",
       In("memref-type", InLayout([](StridedLayoutAttr& layout) {
            for (MemRefInteger& stride : layout.strides) stride = stride ? MemRefInteger(std::abs(*stride)) : stride;
          }))},
      {"memref-sign-refused", "memref", "a negative stride is refused",
       In("memref-type",
          [](std::span<const std::string> arguments, ApplyAnswer& answer) {
            if (arguments[0].find("[-") != std::string::npos) answer = {{}, {}, "a stride below 0"};
          })},
      {"memref-offset-dropped", "memref", "an offset is read and not printed",
       In("memref-type", InLayout([](StridedLayoutAttr& layout) { layout.offset = 0; }))},
      {"memref-parenthesis-dropped", "memref",
       "tensorflow/mlir #201: an expression is printed with a parenthesis too few",
       In("memref-type",
          [](std::span<const std::string>, ApplyAnswer& answer) {
            const size_t end = answer.layout ? answer.layout->find("))>") : std::string::npos;
            if (end != std::string::npos) answer.layout->erase(end, 1);
          })},
      {"memref-view-offset-wraps", "memref", "MLIR 19: the offset of a subview wraps at 2^64",
       In("memref-view",
          [](std::span<const std::string> arguments, ApplyAnswer& answer) {
            if (answer.rejected && arguments[1] == "subview") answer = {"memref<1xf32, strided<[1]>>", {}, {}};
          })},
      {"memref-view-transposed-strides", "memref", "the strides of a transpose stay where they were",
       In("memref-view",
          [](std::span<const std::string> arguments, ApplyAnswer& answer) {
            const auto type = MemRefType::Parse(arguments[0]);
            auto view = answer.layout ? MemRefType::Parse(*answer.layout) : std::unexpected(Error{});
            if (arguments[1] != "transpose" || !type || !view) return;
            if (const auto strides = type->Strides()) view->layout = *strides;
            answer.layout = view->ToString();
          })},
  };
}

}  // namespace

std::span<const Fault> MemRefFaults() {
  static const std::vector<Fault> faults = MakeFaults();
  return faults;
}

}  // namespace layoutcheck
