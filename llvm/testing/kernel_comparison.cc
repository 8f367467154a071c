// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/testing/kernel_comparison.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <fstream>
#include <set>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/kernel/derived_sizes.h"
#include "layoutcheck/llvm/kernel/kernel_model.h"
#include "layoutcheck/llvm/kernel/shared_memory.h"
#include "layoutcheck/llvm/kernel_proof/launch_simulation.h"
#include "layoutcheck/solver/paths/followed_code.h"
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {
namespace {

using Kind = KernelStatement::Kind;

// The launch in the model.
class ModeledLaunch {
 public:
  ModeledLaunch(const SeededKernel& seeded, KernelModel& model, ModelMistake mistake)
      : kernel_(seeded.kernel), truth_(seeded.truth), model_(model), mistake_(mistake) {}

  KernelComparison Compare() {
    const Simulation simulation = Simulate(model_, {1});
    CompareVerdicts(simulation);
    bool are_followed = true;
    SharedIntervals intervals;
    for (size_t thread = 0; thread < truth_.threads.size(); ++thread) {
      are_followed = Follow([&] {
                       const KernelRun run = RunOf(thread);
                       intervals.Add(run);
                       CompareAccesses(thread, run);
                     }) &&
                     are_followed;
    }
    if (!are_followed) return std::move(result_);
    CheckThreads(simulation, intervals);
    if (result_.is_race_excluded && truth_.races.empty() && truth_.has_ended) {
      model_.SetSharedWriters(&simulation.writers);
      for (size_t thread = 0; thread < truth_.threads.size(); ++thread) {
        Follow([&] { CompareValues(thread, RunOf(thread)); });
      }
    }
    return std::move(result_);
  }

 private:
  void Expect(bool holds, const std::string& difference) {
    if (!holds) result_.verdicts.push_back(difference);
  }

  // Calls f(), which runs threads. A thread of a random kernel breaks nothing.
  template <class F>
  bool Follow(F f) {
    try {
      return IsFollowed([&] {
        try {
          f();
        } catch (const FunctionFault& fault) {
          Expect(false, StrCat("the model says: ", fault.text));
          throw;
        }
      });
    } catch (const FunctionEnd&) {
      return false;
    }
  }

  SymbolicValues ValuesOf(size_t thread) const {
    const int64_t in_block = static_cast<int64_t>(thread) % kernel_.threads();
    SymbolicValues values{{"thread_x", in_block % kernel_.block[0]},
                          {"block_x", static_cast<int64_t>(thread) / kernel_.threads()}};
    if (kernel_.block[1] > 1) {
      values.emplace("thread_y", in_block / kernel_.block[0]);
      values.emplace("block_y", 0);
    }
    return values;
  }

  KernelModel::Point PointOf(size_t thread) const { return *model_.At(ValuesOf(thread)); }
  KernelRun RunOf(size_t thread) const {
    return model_.RunRegions(PointOf(thread), ValuesOf(thread), KernelModel::Bounds::kChecked, std::nullopt);
  }

  bool HasAtomics(int array) const {
    return std::ranges::any_of(truth_.threads, [array](const std::vector<ThreadEvent>& events) {
      return std::ranges::any_of(
          events, [array](const ThreadEvent& event) { return event.kind == Kind::kAtomicAdd && event.array == array; });
    });
  }

  // Returns true if the masks of two barriers have a part of their lanes in common. Such barriers may order two lanes
  // only together, about which the model decides nothing.
  bool DoMasksOverlap() const {
    std::set<int64_t> masks;
    for (const std::vector<ThreadEvent>& events : truth_.threads) {
      for (const ThreadEvent& event : events) {
        if (event.kind == Kind::kWarpBarrier) masks.insert(event.literal);
      }
    }
    return std::ranges::any_of(masks, [&](int64_t a) {
      return std::ranges::any_of(masks, [a](int64_t b) { return (a & b) != 0 && (a & b) != a && (a & b) != b; });
    });
  }

  void CompareVerdicts(const Simulation& simulation) {
    result_.is_race_found = simulation.race.has_value();
    Expect(!simulation.race || !truth_.races.empty(),
           StrCat("there is no race, but the model finds that ", simulation.race ? simulation.race->text : ""));
    Expect(simulation.race || truth_.races.empty() || DoMasksOverlap(), "the model does not find a race");
    Expect(!simulation.divergence || truth_.barriers > KernelTruth::Barriers::kReturned,
           StrCat("all threads reach the same barriers or return, but the model finds that ",
                  simulation.divergence ? simulation.divergence->text : ""));
    Expect(simulation.divergence || truth_.barriers != KernelTruth::Barriers::kDiverge,
           "the model does not find that threads reach different barriers");
    if (HasAtomics(1) || mistake_ == ModelMistake::kSharedIsGlobal) return;
    const int64_t most = std::ranges::max(truth_.stores);
    Expect(simulation.stored_twice.has_value() == (most > 1), StrCat("an element is stored at most ", most, " times"));
    const int64_t least = std::ranges::min(truth_.stores);
    Expect(simulation.not_stored.has_value() == (least == 0),
           StrCat("an element is stored at least ", least, " times"));
  }

  // Compares what is checked of each thread against all others.
  void CheckThreads(const Simulation& simulation, const SharedIntervals& intervals) {
    bool is_race_free = true;
    bool are_uniform = true;
    bool is_fault = false;
    for (size_t thread = 0; thread < truth_.threads.size(); ++thread) {
      const auto check = [&](auto claim) {
        try {
          return IsFollowed([&] {
            try {
              claim(PointOf(thread), ValuesOf(thread), RunOf(thread));
            } catch (const FunctionFault&) {
              is_fault = true;
              throw;
            }
          });
        } catch (const FunctionEnd&) {
          return false;
        }
      };
      is_fault = false;
      is_race_free = check([&](const auto& point, const auto& values, const KernelRun& run) {
                       CheckSharedRaces(model_, point, values, simulation.writers, intervals, run);
                     }) &&
                     is_race_free;
      Expect(!is_fault || !truth_.races.empty(), StrCat("thread ", thread, " is said to race"));
      is_fault = false;
      are_uniform = check([&](const auto& point, const auto& values, const KernelRun& run) {
                      CheckUniformBarriers(model_, point, values, run, intervals);
                    }) &&
                    are_uniform;
      Expect(!is_fault || truth_.barriers > KernelTruth::Barriers::kReturned,
             StrCat("thread ", thread, " is said to reach other barriers than thread 0"));
    }
    Expect(!is_race_free || (!truth_.races.contains(2) && !truth_.races.contains(3)),
           "no thread is found to race in shared memory, although there is a race");
    Expect(!are_uniform || truth_.barriers != KernelTruth::Barriers::kDiverge,
           "threads are said to reach the same barriers");
    result_.is_race_excluded = is_race_free;
  }

  // Compares the accesses, element by element: the model may take an access to a pair as two.
  void CompareAccesses(size_t thread, const KernelRun& run) {
    const bool has_one_name = kernel_.shared_memory == RandomKernel::SharedMemory::kAliased;
    const int64_t size = kernel_.element_bytes;
    const auto add = [size](std::vector<std::string>& to, const std::string& what, int64_t offset, int64_t bytes,
                            int64_t interval) {
      for (int64_t at = 0; at < bytes; at += size) {
        to.push_back(StrCat(what, " of ", std::min(size, bytes - at), " bytes at ", offset + at, " behind ", interval,
                            " barriers"));
      }
    };
    std::vector<std::string> found;
    for (const KernelStore& store : run.stores) {
      add(found, store.is_atomic ? "out: atomic" : "out: store", NumberOf(store.offset), store.bytes,
          NumberOf(store.interval));
    }
    for (const ArrayRead& read : run.reads) {
      add(found, read.object == 0 ? "in: read" : "out: read", NumberOf(read.offset), read.bytes,
          NumberOf(read.interval));
    }
    for (const SharedAccess& access : run.shared) {
      constexpr std::array<std::string_view, 3> kVerbs{": read", ": store", ": atomic"};
      const std::string name = has_one_name ? "s" : access.name.substr(0, 1);
      add(found, StrCat(name, kVerbs[static_cast<size_t>(access.kind)]), NumberOf(access.offset), access.bytes,
          NumberOf(access.interval));
    }
    std::array<std::vector<std::string>, 3> expected;  // stores, reads, shared
    for (const ThreadEvent& event : truth_.threads[thread]) {
      if (event.kind != Kind::kLoad && event.kind != Kind::kStore && event.kind != Kind::kAtomicAdd) continue;
      constexpr std::array<std::string_view, 4> kNames{"in", "out", "s", "r"};
      const std::string_view name = has_one_name && event.array == 3 ? "s" : kNames[static_cast<size_t>(event.array)];
      const bool is_read = event.kind == Kind::kLoad;
      const std::string_view verb = is_read ? ": read" : event.kind == Kind::kStore ? ": store" : ": atomic";
      add(expected[event.array >= 2 ? 2
                   : is_read        ? 1
                                    : 0],
          StrCat(name, verb), event.index * size, event.count * size, event.barriers);
    }
    std::vector<std::string> all;
    for (const auto& part : expected) all.insert(all.end(), part.begin(), part.end());
    if (found == all) return;
    result_.accesses.push_back(
        StrCat("thread ", thread, " does:\n", StrJoin(found, "\n"), "\nand not:\n", StrJoin(all, "\n")));
  }

  void CompareValues(size_t thread, const KernelRun& run) {
    std::vector<std::optional<KernelValue>>
        values;  // one per element that is stored in out; none of an atomic operation
    for (const ThreadEvent& event : truth_.threads[thread]) {
      if (event.array != 1 || event.kind == Kind::kLoad) continue;
      values.insert(values.end(), event.values.begin(), event.values.end());
      if (event.kind == Kind::kAtomicAdd) values.emplace_back();
    }
    size_t number = 0;
    for (const KernelStore& store : run.stores) {
      for (int64_t part = 0; part < store.bytes / kernel_.element_bytes && number < values.size(); ++part, ++number) {
        if (values[number]) CompareValue(store, *values[number], part, thread);
      }
    }
  }

  void CompareValue(const KernelStore& store, const KernelValue& value, int64_t part, size_t thread) {
    // Other threads may have stored to out before.
    const bool is_known = store.is_constant || store.is_garbage || store.from == 0;
    ++(is_known ? result_.values : result_.unknown_values);
    if (!is_known) return;
    const int64_t index = NumberOf(store.from_offset) / kernel_.element_bytes + part;
    const bool is_right = store.is_constant ? value.kind == KernelValue::Kind::kConstant
                          : store.is_garbage
                              ? value.kind == KernelValue::Kind::kGarbage
                              : value.kind == KernelValue::Kind::kElement && value.array == 0 && value.index == index;
    Expect(is_right, StrCat("thread ", thread, " is said to store ",
                            store.is_constant  ? "a constant"
                            : store.is_garbage ? "what nobody has written"
                                               : StrCat("element ", index, " of in"),
                            " at byte ", NumberOf(store.offset) + part * kernel_.element_bytes, " of out"));
  }

  const RandomKernel& kernel_;
  const KernelTruth& truth_;
  KernelModel& model_;
  ModelMistake mistake_;
  KernelComparison result_;
};

}  // namespace

KernelFile::KernelFile(std::span<const SeededKernel> kernels, ModelMistake mistake) : mistake_(mistake) {
  std::string text;
  for (const SeededKernel& seeded : kernels) text += SourceOf(seeded.kernel, mistake);
  std::ofstream(path()) << text;
  auto module = CodeModule::Read(path(), {.flags = {"-w"}, .for_device = true});
  EXPECT_TRUE(module.has_value()) << module.error().ToString();
  if (module) module_.emplace(*std::move(module));
}

KernelRequest RequestOf(const SeededKernel& seeded, const std::string& file, ModelMistake mistake, bool is_symbolic) {
  const RandomKernel& kernel = seeded.kernel;
  const std::string elements =
      is_symbolic ? StrCat(kernel.elements, "*G") : StrCat(kernel.elements * seeded.launch.blocks);
  const bool has_shared = mistake == ModelMistake::kSharedIsGlobal;
  const std::string more = has_shared ? StrCat("+", kernel.shared[0] + kernel.shared[1]) : "";
  const std::string type = StrCat("s", 8 * kernel.element_bytes);
  KernelRequest request{
      .file = file,
      .function = kernel.name,
      .arrays = {{"in", StrCat(type, "[", elements, "]{0}")}, {"out", StrCat(type, "[", elements, more, "]{0}")}},
      .arguments = is_symbolic ? "in,out,n" : StrCat("in,out,", seeded.launch.argument),
      .grid = is_symbolic ? "G" : StrCat(seeded.launch.blocks),
      .block = StrCat(kernel.block[0]),
      .max_bytes = int64_t{1} << 20};
  if (kernel.block[1] > 1) StrAppend(request.block, ",", kernel.block[1]);
  if (kernel.dynamic_bytes() > 0) request.shared = StrCat(kernel.dynamic_bytes());
  return request;
}

KernelComparison CompareOnNumbers(const SeededKernel& seeded, const KernelFile& file) {
  KernelComparison none;
  if (file.module() == nullptr) return none;
  auto request = NameFormulas(RequestOf(seeded, file.path(), file.mistake(), /*is_symbolic=*/false));
  auto model = request ? KernelModel::Make(*request, *file.module()) : std::unexpected(request.error());
  if (!model) {
    none.verdicts.push_back(model.error().ToString());
    return none;
  }
  return ModeledLaunch(seeded, *model, file.mistake()).Compare();
}

}  // namespace layoutcheck
