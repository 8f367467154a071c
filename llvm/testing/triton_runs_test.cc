// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares the threads of lowered TTIR with runs of the same kernels in Triton's interpreter mode. corpus/triton has
// some; tools/triton_runs.py writes others to a file that LAYOUTCHECK_TRITON_RUNS names.
#include <gtest/gtest.h>
#include <llvm/IR/Function.h>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/llvm/kernel/kernel_model.h"
#include "layoutcheck/llvm/triton/ttir_lowering.h"
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {
namespace {

// An element of an array.
struct Element {
  std::string array;
  int64_t number = 0;

  auto operator<=>(const Element&) const = default;
};

struct Store {
  bool is_atomic = false;
  std::optional<int64_t> value;  // nothing if it is not known
  int64_t count = 0;             // how often a program stores the element
};

// The accesses of one program.
struct Accesses {
  std::set<Element> reads;
  std::map<Element, Store> stores;

  // Adds a store to those of the element.
  void AddStore(const Element& element, bool is_atomic, std::optional<int64_t> value) {
    Store& store = stores[element];
    ++store.count;
    store.is_atomic = store.is_atomic || is_atomic;
    store.value = value;
  }
};

struct Counts {
  int64_t kernels = 0;
  int64_t left_out = 0;   // kernels with an operation that is not followed
  int64_t outside = 0;    // kernels with accesses outside of arrays
  int64_t accesses = 0;   // elements that were read or stored
  int64_t values = 0;     // stores whose value was compared
  int64_t no_values = 0;  // stores of whose value the model knows nothing
  int64_t differences = 0;
};

// One kernel in the interpreter mode of Triton and in the model of its threads.
class TritonRun {
 public:
  TritonRun(const Json& run, Counts& counts) : run_(run), counts_(counts) {}

  void Compare() {
    ++counts_.kernels;
    const auto module = LowerTtir(run_["ttir"].text(), run_["name"].text());
    if (!module) return Differ(module.error().ToString());
    const auto function = module->Find(run_["name"].text());
    if (!function) return LeaveOut(function.error().message);
    request_.function = run_["name"].text();
    request_.arguments = run_["args"].text();
    request_.grid = run_["grid"].text();
    request_.block = (*function)->getFnAttribute(kBlockAttribute).getValueAsString();
    request_.values = {run_["values"].text()};
    for (const auto& [name, layout] : run_["arrays"].items()) request_.arrays.emplace_back(name, layout.text());
    const auto model = KernelModel::Make(request_, *module);
    if (!model) return Differ(model.error().ToString());
    const bool has_outside = !run_["outside"].empty();
    counts_.outside += has_outside ? 1 : 0;
    std::vector<Accesses> programs;
    try {
      for (const Json& program : run_["programs"]) {
        programs.push_back(ModeledProgram(*model, program));
      }
    } catch (const FunctionUnknown& unknown) {
      return LeaveOut(unknown.text);
    } catch (const FunctionFault& fault) {
      if (!has_outside) Differ(StrCat("is said to be wrong: ", fault.text));
      return;
    }
    if (has_outside) return Differ("has accesses outside of arrays, which are not found");
    for (size_t k = 0; k < programs.size(); ++k) CompareProgram(run_["programs"].begin()[k], programs[k]);
  }

 private:
  void Differ(const std::string& what) {
    ++counts_.differences;
    ADD_FAILURE() << run_["name"].text() << " " << what;
  }

  void LeaveOut(const std::string& why) {
    ++counts_.left_out;
    if (std::getenv("LAYOUTCHECK_TRITON_RUNS") != nullptr) std::cout << run_["name"].text() << " " << why << "\n";
  }

  // Returns what the threads of a program do. Throws FunctionFault for an access outside of an array.
  Accesses ModeledProgram(const KernelModel& model, const Json& program) const {
    SymbolicValues values{{kPattern, run_["pattern"].get<int64_t>()},
                          {"block_x", program["block"][0].get<int64_t>()},
                          {"block_y", program["block"][1].get<int64_t>()}};
    Accesses accesses;
    RunThreads(model, *model.At(values), values, 0, accesses);
    return accesses;
  }

  // Runs the threads with all values of the names from `number` on.
  void RunThreads(const KernelModel& model, const KernelModel::Point& point, SymbolicValues& values, size_t number,
                  Accesses& accesses) const {
    const std::vector<std::string>& names = model.thread_names();
    while (number < names.size() && !names[number].starts_with("thread_")) ++number;
    if (number == names.size()) return AddThread(model, point, values, accesses);
    const int64_t count = NumberOf(*point.block[kAxes.find(names[number].back())]);
    for (int64_t k = 0; k < count; ++k) {
      values[names[number]] = k;
      RunThreads(model, point, values, number + 1, accesses);
    }
  }

  void AddThread(const KernelModel& model, const KernelModel::Point& point, const SymbolicValues& values,
                 Accesses& accesses) const {
    const KernelRun run = model.RunRegions(point, values, KernelModel::Bounds::kChecked, std::nullopt);
    const auto element_of = [&](int64_t array, const SymbolicInteger& offset) {
      const auto number = static_cast<size_t>(array);
      return Element{model.array_names()[number], NumberOf(offset) / point.tensors[number].element_bytes()};
    };
    for (const ArrayRead& read : run.reads) accesses.reads.insert(element_of(read.object, read.offset));
    for (const KernelStore& store : run.stores) {
      std::optional<int64_t> value;
      if (store.from >= 0) {
        const Element from = element_of(store.from, store.from_offset);
        // Elements of other arrays may have changed.
        if (const Json* const first = run_["first"].find(from.array)) value = first->get<int64_t>() + from.number;
      }
      accesses.AddStore(element_of(store.array, store.offset), store.is_atomic, value);
    }
  }

  void CompareProgram(const Json& program, const Accesses& modeled) {
    Accesses observed;
    for (const auto& [array, elements] : program["reads"].items()) {
      for (const Json& element : elements) observed.reads.insert({array, element.get<int64_t>()});
    }
    for (const auto& [array, stores] : program["stores"].items()) {
      for (const Json& store : stores) {
        const bool is_atomic = store.size() == 1;
        observed.AddStore({array, store[0].get<int64_t>()}, is_atomic,
                          is_atomic ? std::nullopt : store[1].as<int64_t>());
      }
    }
    const std::string where =
        StrCat("in program ", program["block"][0].get<int64_t>(), ",", program["block"][1].get<int64_t>(), " ");
    counts_.accesses += static_cast<int64_t>(observed.reads.size() + observed.stores.size());
    for (const Element& element : observed.reads) {
      if (run_["has_all_loads"].get<bool>() && !modeled.reads.contains(element))
        return Differ(StrCat(where, "reads ", Text(element), ", in the model not"));
    }
    for (const Element& element : modeled.reads) {
      if (!observed.reads.contains(element))
        return Differ(StrCat(where, "reads ", Text(element), " only in the model"));
    }
    for (const auto& [element, store] : observed.stores) {
      const auto found = modeled.stores.find(element);
      const Store none;
      const Store& other = found == modeled.stores.end() ? none : found->second;
      if (other.count != store.count || other.is_atomic != store.is_atomic) {
        return Differ(StrCat(where, "stores ", Text(element), " ", store.count, " times, in the model ", other.count));
      }
      if (store.count > 1 || store.is_atomic) continue;  // the threads of the model do not follow each other
      ++(other.value ? counts_.values : counts_.no_values);
      if (other.value && other.value != store.value) {
        return Differ(StrCat(where, "stores ", *store.value, " in ", Text(element), ", in the model ", *other.value));
      }
    }
    if (modeled.stores.size() != observed.stores.size()) Differ(StrCat(where, "stores elements only in the model"));
  }

  static std::string Text(const Element& element) { return StrCat(element.array, "[", element.number, "]"); }

  const Json& run_;
  Counts& counts_;
  KernelRequest request_;
};

TEST(TritonRuns, ThreadsDoWhatTheInterpreterModeDoes) {
  const char* const other = std::getenv("LAYOUTCHECK_TRITON_RUNS");
  std::ifstream file(other != nullptr ? std::string(other) : StrCat(LAYOUTCHECK_CORPUS, "/triton/runs.jsonl"));
  ASSERT_TRUE(file) << "there is no file of runs";
  Counts counts;
  for (std::string line; std::getline(file, line);) {
    const auto run = Json::Parse(line);
    ASSERT_TRUE(run.has_value());
    TritonRun(*run, counts).Compare();
  }
  EXPECT_GT(counts.kernels, 0);
  std::cout << counts.kernels << " kernels, " << counts.differences << " differences; " << counts.accesses
            << " accesses, " << counts.values << " stored values compared, " << counts.no_values << " not known; "
            << counts.outside << " kernels leave their arrays, " << counts.left_out << " are not followed\n";
}

}  // namespace
}  // namespace layoutcheck
