// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel/kernel_model.h"
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>
#include <algorithm>
#include <charconv>
#include <set>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/ir/code_parts.h"
#include "layoutcheck/llvm/kernel/shared_memory.h"
#include "layoutcheck/llvm/kernel/stored_elements.h"
#include "layoutcheck/llvm/kernel/thread_of_element.h"
#include "layoutcheck/solver/paths/followed_code.h"
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {
namespace {

constexpr int64_t kFarThread = int64_t{1} << 31;

bool IsName(const std::string& value) { return value[0] != '-' && !(value[0] >= '0' && value[0] <= '9'); }

}  // namespace

std::string ThreadName(std::string_view what, size_t axis) { return StrCat(what, "_", kAxes.substr(axis, 1)); }

void KernelModel::AddName(const std::string& name) {
  if (std::ranges::find(derived_, name, &std::pair<std::string, Formula>::first) != derived_.end()) return;
  if (std::ranges::find(names_, name) == names_.end()) names_.push_back(name);
}

Expected<void> KernelModel::AddArray(const std::pair<std::string, std::string>& array) {
  auto layout = ParseArrayLayout(array.second);
  if (!layout) return MakeError(layout.error().kind, StrCat("--array ", array.first, ": ", layout.error().ToString()));
  for (const std::string& name : layout->names) AddName(name);
  for (const Formula& stride : layout->strides) {
    for (const std::string& name : stride.names) AddName(name);
  }
  array_names_.push_back(array.first);
  layouts_.push_back(*std::move(layout));
  return {};
}

Expected<void> KernelModel::BindArguments(const KernelRequest& request, const llvm::Function& function) {
  auto arguments = ParseCodeArguments(request.arguments, "");
  if (!arguments) return MakeError(arguments.error().kind, StrCat("--args: ", arguments.error().ToString()));
  for (CodeArgument& argument : *arguments) {
    if (argument.kind != CodeArgument::Kind::kValue) continue;
    const auto array =
        std::ranges::find(request.arrays, argument.values[0], &std::pair<std::string, std::string>::first);
    if (array == request.arrays.end()) continue;
    LAYOUTCHECK_RETURN_IF_ERROR(AddArray(*array));
    argument.kind = CodeArgument::Kind::kTensor;
  }
  for (const auto& [name, layout] : request.arrays) {
    if (std::ranges::find(array_names_, name) == array_names_.end()) {
      return MakeError(ErrorKind::kInvalidArgument, StrCat("--array ", name, ": expected its name in --args, too"));
    }
  }
  auto call = BindCode(function, *arguments, std::nullopt);
  if (!call) return MakeError(call.error().kind, StrCat(request.file, ": ", call.error().message));
  call_ = *std::move(call);
  for (const std::string& value : call_.values) {
    if (IsName(value)) AddName(value);
  }
  own_arrays_ = array_names_.size();
  for (const auto& array : request.earlier_arrays) {
    if (std::ranges::find(array_names_, array.first) != array_names_.end()) continue;
    LAYOUTCHECK_RETURN_IF_ERROR(AddArray(array));
  }
  for (const std::string& name : request.earlier_names) AddName(name);
  return {};
}

Expected<std::vector<Formula>> KernelModel::ReadFormulas(std::string_view option, const std::string& text) {
  std::vector<Formula> formulas;
  for (const std::string_view part : SplitAtCommas(text)) {
    LAYOUTCHECK_TRY(auto formula, ParseFormulaOf(option, std::string(part), names_));
    formulas.push_back(std::move(formula));
  }
  if (formulas.size() > kAxes.size()) {
    return MakeError(ErrorKind::kInvalidArgument, StrCat(option, ": expected at most 3 formulas, for x, y and z"));
  }
  return formulas;
}

Expected<void> KernelModel::ReadLaunch(const KernelRequest& request) {
  if (request.grid.empty() != request.block.empty()) {
    return MakeError(ErrorKind::kInvalidArgument, "expected both --grid and --block, or neither");
  }
  if (!request.grid.empty()) {
    LAYOUTCHECK_TRY(auto grid, ReadFormulas("--grid", request.grid));
    LAYOUTCHECK_TRY(auto block, ReadFormulas("--block", request.block));
    grid_ = std::move(grid);
    block_ = std::move(block);
  }
  if (call_.code.function->getParent()->getTargetTriple().starts_with("amdgcn")) limits_ = kHipLimits;
  if (call_.code.function->hasFnAttribute(kBlockAttribute)) limits_ = kTritonLimits;
  CodeParts parts;
  AddParts(*call_.code.function, parts);
  literals_ = std::move(parts.literals);
  has_barrier_ = parts.has_barrier;
  has_warp_barrier_ = parts.has_warp_barrier;
  has_shared_memory_ = parts.has_shared_memory;
  if (!request.shared.empty()) {
    LAYOUTCHECK_TRY(shared_bytes_, ReadFormulas("--shared", request.shared));
  }
  for (const llvm::Function* const function : parts.functions) {
    if (!function->isDeclaration()) guarded_regions_.emplace(function, *function);
  }
  for (size_t axis = 0; axis < kAxes.size(); ++axis) {
    const auto reads = [&](std::string_view name) {
      return parts.registers.contains(StrCat(name, ".", kAxes.substr(axis, 1)));
    };
    // A thread whose number the code never reads is one of many that do the same. Without a launch, there is one in a
    // direction of which the code reads no number.
    const bool is_read = reads("tid") || reads("ctaid") || reads("ntid") || reads("nctaid");
    if (!is_read && (!has_launch() || axis >= std::max(grid_.size(), block_.size()))) continue;
    thread_names_.push_back(ThreadName("thread", axis));
    thread_names_.push_back(ThreadName("block", axis));
    if (has_launch()) continue;
    thread_names_.push_back(ThreadName("block_dim", axis));
    if (reads("nctaid")) thread_names_.push_back(ThreadName("grid_dim", axis));
  }
  return {};
}

Expected<KernelModel> KernelModel::Make(const KernelRequest& request, const CodeModule& module) {
  KernelModel model;
  model.name_ = request.function;
  model.title_ = StrCat(request.file, ": ", request.function, "(", request.arguments, ")",
                        request.earlier_kernels.empty() ? "" : ", after ", StrJoin(request.earlier_kernels, " and "));
  model.source_ = module.source();
  model.assumption_texts_ = request.assumptions;
  model.max_bytes_ = request.max_bytes.value_or(kLargestArray);
  const auto function = module.Find(request.function);
  if (!function) return MakeError(function.error().kind, StrCat(request.file, ": ", function.error().message));
  for (const auto& [name, text] : request.derived) {
    auto formula = ParseFormula(text);
    if (!formula) return MakeError(formula.error().kind, StrCat("'", text, "': ", formula.error().ToString()));
    for (const std::string& known : formula->names) model.AddName(known);
    model.derived_.emplace_back(name, *std::move(formula));
  }
  LAYOUTCHECK_RETURN_IF_ERROR(model.BindArguments(request, **function));
  for (const std::string& text : request.values) {
    LAYOUTCHECK_RETURN_IF_ERROR(model.numbers_->Add(text, model.array_names_, model.layouts_, model.names_));
  }
  for (const std::string& text : request.sources) {
    LAYOUTCHECK_TRY(auto map, ParseSourceMap(text, model.array_names_, model.layouts_, model.names_));
    if (model.SourceOf(map.to) != nullptr) {
      return MakeError(ErrorKind::kInvalidArgument,
                       StrCat("--source: expected one map of ", model.array_names_[map.to]));
    }
    for (const ElementFormulas& read : map.lookups) model.numbers_->Follow(read.array, model.layouts_[read.array]);
    model.sources_.push_back(std::move(map));
  }
  for (const std::string& text : request.assumptions) {
    LAYOUTCHECK_TRY(auto assumption, ParseFormulaOf("--assume", text, model.names_));
    model.assumptions_.push_back(std::move(assumption));
  }
  LAYOUTCHECK_RETURN_IF_ERROR(model.ReadLaunch(request));
  if (!request.thread.empty()) {
    std::vector<std::string> names = model.names_;
    size_t rank = 0;
    for (const ArrayLayout& layout : model.layouts_) rank = std::max(rank, layout.layout.dimensions.size());
    for (size_t d = 0; d < rank; ++d) names.push_back(StrCat("i", d));
    names.insert(names.end(), {kLinearIndex, kPlace});
    LAYOUTCHECK_TRY(model.thread_formulas_, ParseThread(request.thread, model.thread_names_, std::move(names)));
  }
  return model;
}

std::optional<SymbolicValues> KernelModel::WithDerived(SymbolicValues values) const {
  for (const auto& [name, formula] : derived_) {
    const SymbolicInteger value = ValueOf(formula, values);
    const bool is_of_array = std::ranges::any_of(
        layouts_, [&](const auto& layout) { return std::ranges::find(layout.names, name) != layout.names.end(); });
    if (is_of_array && value < 0) return std::nullopt;
    const auto [known, is_new] = values.try_emplace(name, value);
    if (!is_new && !(known->second == value)) return std::nullopt;
  }
  return values;
}

std::optional<KernelModel::Point> KernelModel::At(const SymbolicValues& given) const {
  const auto with_derived = WithDerived(given);
  if (!with_derived) return std::nullopt;
  const SymbolicValues& values = *with_derived;
  Point point;
  point.tensors.reserve(layouts_.size());
  for (const ArrayLayout& layout : layouts_) {
    for (const std::string& name : layout.names) {
      if (layout.IsTileName(name) && values.at(name) < 1) return std::nullopt;  // no layout
    }
    point.tensors.emplace_back(layout, values);
    if (point.tensors.back().bytes() > max_bytes_) return std::nullopt;
  }
  for (const ArgumentLimit& limit : call_.limits) {
    // Sizes of arrays, which are bounded, are far below the largest values of 64 bits.
    // A formula may be negative.
    const bool is_derived = !derived_.empty() && !given.contains(limit.name) && values.contains(limit.name);
    if (is_derived && values.at(limit.name) < static_cast<int64_t>(limit.least)) return std::nullopt;
    const bool is_bound = limit.name[0] != '_' && limit.largest < std::numeric_limits<int64_t>::max();
    if (is_bound && values.at(limit.name) > static_cast<int64_t>(limit.largest)) return std::nullopt;
  }
  for (size_t axis = 0; axis < kAxes.size(); ++axis) {
    if (has_launch()) {
      const auto value = [&](const std::vector<Formula>& formulas) {
        return axis < formulas.size() ? ValueOf(formulas[axis], values) : SymbolicInteger(1);
      };
      point.block[axis] = value(block_);
      point.grid[axis] = value(grid_);
    } else {
      const auto value = [&](std::string_view what) -> std::optional<SymbolicInteger> {
        const auto known = values.find(ThreadName(what, axis));
        return known == values.end() ? std::nullopt : std::optional(known->second);
      };
      point.block[axis] = value("block_dim");
      point.grid[axis] = value("grid_dim");
    }
  }
  point.why_no_thread_runs = WhyNoThreadRuns(limits_, point.block, point.grid);
  if (!has_launch() && !point.why_no_thread_runs.empty()) return std::nullopt;
  return point;
}

bool KernelModel::HasFarThread(const Point& point) {
  if (!point.why_no_thread_runs.empty()) return false;
  for (size_t axis = 0; axis < kAxes.size(); ++axis) {
    if (*point.grid[axis] * *point.block[axis] > kFarThread) return true;
  }
  return false;
}

bool KernelModel::IsThread(const Point& point, const SymbolicValues& values) const {
  if (!point.why_no_thread_runs.empty()) return false;
  for (size_t axis = 0; axis < kAxes.size(); ++axis) {
    const auto thread = values.find(ThreadName("thread", axis));
    const auto block = values.find(ThreadName("block", axis));
    const SymbolicInteger threads = point.block[axis].value_or(limits_.threads[axis]);
    if (thread != values.end() && (thread->second < 0 || thread->second >= threads)) return false;
    if (block == values.end()) continue;
    if (block->second < 0 || block->second >= point.grid[axis].value_or(limits_.blocks[axis])) return false;
    const SymbolicInteger all = (point.grid[axis] ? *point.grid[axis] : block->second + 1) * threads;
    if (leaves_out_far_threads_ ? all > kFarThread : !point.grid[axis] && all > limits_.threads_of_a_launch)
      return false;
  }
  return true;
}

SymbolicInteger KernelModel::NumberInBlock(const Point& point, const SymbolicValues& values) {
  SymbolicInteger number = 0;
  SymbolicInteger threads = 1;
  for (size_t axis = 0; axis < kAxes.size(); ++axis) {
    const auto known = values.find(ThreadName("thread", axis));
    if (known == values.end()) continue;  // there is one thread in this direction
    number += known->second * threads;
    threads *= point.block[axis].value_or(1);
  }
  return number;
}

SymbolicValues KernelModel::ThreadOfBlock(const Point& point, SymbolicValues values, SymbolicInteger number) {
  std::vector<std::pair<SymbolicInteger*, SymbolicInteger>> directions;  // with their numbers of threads
  for (size_t axis = 0; axis < kAxes.size(); ++axis) {
    const auto known = values.find(ThreadName("thread", axis));
    if (known != values.end()) directions.emplace_back(&known->second, point.block[axis].value_or(1));
  }
  const bool is_first = number.number() == Int128{0};
  for (size_t k = 0; k < directions.size(); ++k) {
    const bool is_divided = !is_first && k + 1 < directions.size();
    *directions[k].first = is_divided ? Mod(number, directions[k].second) : number;
    if (is_divided) number = FloorDiv(number, directions[k].second);
  }
  return values;
}

const SourceMap* KernelModel::SourceOf(size_t array) const {
  const auto found = std::ranges::find(sources_, array, &SourceMap::to);
  return found == sources_.end() ? nullptr : &*found;
}

bool KernelModel::LearnFromRuns() {
  bool is_new = !loop_variables_->wanted.empty();
  for (const auto& [variable, form] : std::exchange(loop_variables_->wanted, {})) {
    loop_variables_->forms[variable] = form;
  }
  for (const size_t array : std::exchange(*wanted_, {})) {
    is_new = numbers_->Follow(array, layouts_[array]) || is_new;
  }
  return is_new;
}

std::vector<std::pair<std::string, int64_t>> KernelModel::NumbersRead(const Point& point,
                                                                      const SymbolicValues& values) const {
  std::vector<std::pair<std::string, int64_t>> numbers;
  KernelThread thread = ThreadAt(point, values, Bounds::kChecked);
  thread.element_reader = [&, reader = thread.element_reader](int64_t array, const SymbolicInteger& offset, int width) {
    const auto number = reader(array, offset, width);
    const auto element = point.tensors[static_cast<size_t>(array)].ElementAt(offset);
    if (!number || !element) return number;
    std::vector<std::string> index;
    for (const SymbolicInteger& coordinate : *element) index.push_back(StrCat(NumberOf(coordinate)));
    const std::string name = StrCat(array_names_[static_cast<size_t>(array)], "[", StrJoin(index, ","), "]");
    const bool is_known = std::ranges::any_of(numbers, [&](const auto& read) { return read.first == name; });
    if (!is_known) numbers.emplace_back(name, NumberOf(*number));
    return number;
  };
  // A fault of the thread, such as the one that is shown, ends the run and does not matter.
  IsFollowed([&] { (void)RunKernel(call_.code, thread); });
  return numbers;
}

KernelRun KernelModel::Settled(KernelRun run, const Point& point) {
  for (KernelStore& store : run.stores) SettleStore(point.tensors, store);
  return run;
}

bool KernelModel::has_many_regions() const {
  const bool counts_results = !follows_stored_values_;
  return std::ranges::any_of(guarded_regions_, [&](const auto& entry) { return entry.second.AreMany(counts_results); });
}

KernelRun KernelModel::RunRegions(const Point& point, const SymbolicValues& values, Bounds bounds,
                                  const std::optional<std::set<size_t>>& regions, bool ends_behind) const {
  KernelThread thread = ThreadAt(point, values, bounds);
  thread.regions = regions;
  thread.ends_behind_regions = ends_behind;
  thread.steps_over_results = regions && !follows_stored_values_;
  KernelRun run = Settled(RunKernel(call_.code, thread), point);
  if (FunctionRun::IsOnNames()) FunctionRun::SetPlace(nullptr);
  return run;
}

KernelRun KernelModel::RunGuessed(const Point& point, const SymbolicValues& values, bool unknown_condition) const {
  KernelThread thread = ThreadAt(point, values, Bounds::kChecked);
  thread.unknown_condition = unknown_condition;
  return Settled(RunKernel(call_.code, thread), point);
}

KernelRun KernelModel::RunOther(const Point& point, const SymbolicValues& values, OtherThread other) const {
  KernelThread thread = ThreadAt(point, values, Bounds::kProved);
  thread.needs_all_stores = false;
  thread.last_barrier = other.last_barrier;
  thread.regions = std::move(other.regions);
  thread.steps_over_results = !follows_stored_values_;
  thread.regions_interval = other.regions_interval;
  thread.shared_reader = std::move(other.reader);
  return Settled(RunKernel(call_.code, thread), point);
}

KernelThread KernelModel::ThreadAt(const Point& point, const SymbolicValues& given, Bounds bounds) const {
  // There is a point, so that each has a value.
  const SymbolicValues values = derived_.empty() ? given : WithDerived(given).value_or(given);
  KernelThread thread{.array_names = array_names_, .guarded_regions = &guarded_regions_};
  thread.records_positions = has_shared_memory_;
  thread.loop_variables = loop_variables_.get();
  for (const std::string& value : call_.values) {
    int64_t number = 0;
    if (!IsName(value)) std::from_chars(value.data(), value.data() + value.size(), number);
    thread.arguments.push_back(IsName(value) ? values.at(value) : SymbolicInteger(number));
  }
  if (!shared_bytes_.empty()) thread.shared_bytes = ValueOf(shared_bytes_[0], values);
  if (shared_writers_ != nullptr) thread.shared_reader = ReaderOf(*this, point, given, *shared_writers_);
  thread.element_reader = [](int64_t, const SymbolicInteger&, int) { return std::nullopt; };
  if (numbers_->are_followed()) {
    std::vector<SymbolicInteger> sizes;
    for (const KernelTensor& tensor : point.tensors) sizes.push_back(tensor.bytes());
    thread.element_reader = numbers_->ReaderAt(values, std::move(sizes));
  }
  if (access_filter_) {
    thread.access_filter = [this](std::string_view memory, std::string_view subject, std::string_view place) {
      const std::vector<size_t> followed = numbers_->arrays();
      const auto is_memory = [&](size_t array) { return array_names_[array] == memory; };
      return std::ranges::any_of(followed, is_memory) || access_filter_(memory, subject, place);
    };
  }
  thread.note_place = [this](int64_t array) { wanted_->insert(static_cast<size_t>(array)); };
  thread.needs_all_stores = bounds == Bounds::kProved;
  thread.follows_exact = follows_exact_;
  thread.checks_shared = bounds == Bounds::kChecked;
  for (const KernelTensor& tensor : point.tensors) {
    thread.array_bytes.push_back(bounds == Bounds::kChecked ? std::optional(tensor.bytes()) : std::nullopt);
  }
  for (size_t axis = 0; axis < kAxes.size(); ++axis) {
    const auto set = [&](std::string_view name, std::string_view what) {
      const auto known = values.find(ThreadName(what, axis));
      if (known != values.end()) thread.registers.emplace(StrCat(name, ".", kAxes.substr(axis, 1)), known->second);
    };
    set("tid", "thread");
    set("ctaid", "block");
    if (point.block[axis]) thread.registers.emplace(StrCat("ntid.", kAxes.substr(axis, 1)), *point.block[axis]);
    if (point.grid[axis]) thread.registers.emplace(StrCat("nctaid.", kAxes.substr(axis, 1)), *point.grid[axis]);
  }
  if (const auto known = values.find(kIteration); known != values.end()) thread.iteration = known->second;
  return thread;
}

}  // namespace layoutcheck
