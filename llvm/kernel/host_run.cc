// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel/host_run.h"
#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/process/temporary_directory.h"
#include "layoutcheck/llvm/code_proof/native_run.h"
#include "layoutcheck/llvm/source/gpu_prelude.h"

namespace layoutcheck {
namespace {

using Question = HostRun::Question;

// Numbers of the report that the child process prints, in their order.
enum Entry : size_t {
  kStopped,  // 0: all threads returned; a signal; or kBarrier
  kStoppedArray,
  kStoppedByte,
  kStoppedThread,
  kStoring = kStoppedThread + 6,
  kFirstStoring,
  kSecondStoring = kFirstStoring + 6,
  kValues = kSecondStoring + 6,
  kEntries = kValues + 2 * HostResult::kFillings,
};
constexpr int64_t kBarrier = -1;
constexpr int64_t kLargestFilled = 64 << 20;  // bytes

// Runs the threads. Expects the constants of DriverConstants. The kernel is called by layoutcheck_thread.
constexpr std::string_view kDriver = R"(
#include <signal.h>
#include <string.h>
void layoutcheck_thread(const unsigned* numbers, void** arrays);
static unsigned char* starts[ARRAYS];
static unsigned numbers[6];
static long long report[ENTRIES];
static void end(long long why) {
  report[STOPPED] = why;
  for (int k = 0; k < 6; ++k) report[STOPPED_THREAD + k] = numbers[k];
  layoutcheck_begin();
  for (int k = 0; k < ENTRIES; ++k) layoutcheck_signed(report[k]);
  printf("\n");
  fflush(stdout);
  _exit(0);
}
void layoutcheck_barrier(void) { end(-1); }
static const long long kGuard = 1LL << 34;
static void caught(int number, siginfo_t* info, void* context) {
  long long address = (long long)info->si_addr;
  report[STOPPED_ARRAY] = -1;
  for (int k = 0; k < ARRAYS && number == SIGSEGV; ++k) {
    long long byte = address - (long long)starts[k];
    if (address == 0 || byte < -kGuard || byte >= kGuard + kBytes[k] || (byte >= 0 && byte < kBytes[k])) continue;
    report[STOPPED_ARRAY] = k;
    report[STOPPED_BYTE] = byte;
  }
  end(number);
}
static void place_arrays(int at_begin) {
  long long page = sysconf(_SC_PAGESIZE);
  for (int k = 0; k < ARRAYS; ++k) {
    long long whole = (kBytes[k] + page - 1) / page * page;
    char* memory = mmap(0, whole + 2 * kGuard, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory + kGuard, whole, PROT_READ | PROT_WRITE) != 0) _exit(125);
    starts[k] = (unsigned char*)memory + kGuard + (at_begin ? 0 : whole - kBytes[k]);
  }
}
// HostMark
static unsigned char mark(unsigned long long filling, unsigned long long array, unsigned long long byte) {
  unsigned long long mixed = (byte + 1) * 0x9E3779B97F4A7C15u ^ (array + 1) * 0xBF58476D1CE4E5B9u ^
                             (filling + 1) * 0x94D049BB133111EBu;
  return (mixed ^ mixed >> 29) * 0xD6E8FEB86659FD93u >> 56;
}
static void fill(unsigned long long filling) {
  for (unsigned long long k = 0; k < ARRAYS; ++k) {
    for (unsigned long long byte = 0; (long long)byte < kBytes[k]; ++byte) starts[k][byte] = mark(filling, k, byte);
  }
}
static void fill_numbers(void) {
  for (int k = 0; k < NUMBERS; ++k) {
    const long long* array = kNumbers + 5 * k;
    for (long long element = 0; element < kBytes[array[0]] / array[1]; ++element) {
      long long number = array[2] + array[3] * (element % array[4]);
      memcpy(starts[array[0]] + element * array[1], &number, array[1]);
    }
  }
}
static void run(void) {
  void* arrays[ARRAYS];
  memcpy(arrays, starts, sizeof arrays);
  layoutcheck_thread(numbers, arrays);
}
// Runs the thread with zeros at the place and then with ones: it stores there if one of them is not left as it is.
static void run_twice(void) {
  unsigned char* place = starts[ARRAY] + PLACE;
  int stores = 0;
  for (int byte = 0; byte < 256; byte += 255) {
    memset(place, byte, PLACE_BYTES);
    run();
    for (int k = 0; k < PLACE_BYTES; ++k) stores |= place[k] != byte;
  }
  if (!stores) return;
  long long count = report[STORING]++;
  for (int k = 0; k < 6 && count < 2; ++k) report[(count ? SECOND_STORING : FIRST_STORING) + k] = numbers[k];
}
static void run_threads(void (*run_one)(void)) {
  for (int k = 0; k < ONLY; ++k) {
    memcpy(numbers, kOnly + 6 * k, sizeof numbers);
    run_one();
  }
  if (ONLY) return;
  for (numbers[5] = 0; numbers[5] < kBlocks[2]; ++numbers[5])
    for (numbers[4] = 0; numbers[4] < kBlocks[1]; ++numbers[4])
      for (numbers[3] = 0; numbers[3] < kBlocks[0]; ++numbers[3])
        for (numbers[2] = 0; numbers[2] < kThreads[2]; ++numbers[2])
          for (numbers[1] = 0; numbers[1] < kThreads[1]; ++numbers[1])
            for (numbers[0] = 0; numbers[0] < kThreads[0]; ++numbers[0]) run_one();
}
void layoutcheck_kernel(void) {
  struct sigaction action = {0};
  action.sa_sigaction = caught;
  action.sa_flags = SA_SIGINFO;
  int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT};
  for (int k = 0; k < 6; ++k) sigaction(signals[k], &action, 0);
  for (int at_begin = QUESTION == 0 ? 0 : 1; at_begin < 2; ++at_begin) {
    place_arrays(at_begin);
    if (FILLED) fill(0);
    fill_numbers();
    if (QUESTION < 2) run_threads(run);
  }
  if (QUESTION == 3) run_threads(run_twice);
  for (int filling = 0; QUESTION == 2 && filling < 4; ++filling) {
    fill(filling);
    fill_numbers();
    run_threads(run);
    memcpy(&report[VALUES + 2 * filling], starts[ARRAY] + PLACE, PLACE_BYTES);
  }
  end(0);
}
)";

std::string Numbers(std::span<const int64_t> numbers) {
  std::vector<std::string> texts;
  for (const int64_t number : numbers) texts.push_back(StrCat(number));
  return StrJoin(texts, ",");
}

std::string DriverConstants(const HostRun& run) {
  std::vector<int64_t> bytes;
  for (const auto& [name, size] : run.arrays) bytes.push_back(size);
  const bool is_filled = std::ranges::all_of(bytes, [](int64_t size) { return size <= kLargestFilled; });
  const std::pair<std::string_view, int64_t> constants[] = {{"ARRAYS", run.arrays.size()},
                                                            {"QUESTION", static_cast<int64_t>(run.question)},
                                                            {"ARRAY", run.array},
                                                            {"PLACE", run.place},
                                                            {"PLACE_BYTES", run.bytes},
                                                            {"ONLY", run.only.size()},
                                                            {"FILLED", is_filled ? 1 : 0},
                                                            {"NUMBERS", run.numbers.size()},
                                                            {"STOPPED", kStopped},
                                                            {"STOPPED_ARRAY", kStoppedArray},
                                                            {"STOPPED_BYTE", kStoppedByte},
                                                            {"STOPPED_THREAD", kStoppedThread},
                                                            {"STORING", kStoring},
                                                            {"FIRST_STORING", kFirstStoring},
                                                            {"SECOND_STORING", kSecondStoring},
                                                            {"VALUES", kValues},
                                                            {"ENTRIES", kEntries}};
  std::string text;
  for (const auto& [name, value] : constants) StrAppend(text, "#define ", name, " ", value, "\n");
  std::vector<int64_t> only;
  for (const HostThread& thread : run.only) {
    only.insert(only.end(), thread.thread.begin(), thread.thread.end());
    only.insert(only.end(), thread.block.begin(), thread.block.end());
  }
  StrAppend(text, "static const long long kBytes[] = {", Numbers(bytes), "};\n");
  std::vector<int64_t> numbers;  // five per array
  for (const auto& [array, held] : run.numbers) {
    const NumberPattern& pattern = held.pattern;
    numbers.insert(numbers.end(),
                   {static_cast<int64_t>(array), held.bytes, pattern.first, pattern.step, pattern.period});
  }
  StrAppend(text, "static const long long kNumbers[] = {", Numbers(numbers), numbers.empty() ? "0" : "", "};\n");
  StrAppend(text, "static const unsigned kOnly[] = {", Numbers(only), only.empty() ? "0" : "", "};\n");
  StrAppend(text, "static const unsigned kThreads[] = {", Numbers(run.threads), "};\n");
  StrAppend(text, "static const unsigned kBlocks[] = {", Numbers(run.blocks), "};\n");
  return text;
}

// Returns the source without the launches of kernels, `<<<grid, block>>>`, which are no C++. Lines stay where they are.
std::string WithoutLaunches(std::string text) {
  constexpr size_t kBrackets = 3;
  for (size_t begin = text.find("<<<"); begin != std::string::npos; begin = text.find("<<<", begin)) {
    const size_t end = text.find(">>>", begin);
    if (end == std::string::npos) break;
    for (; begin < end + kBrackets; ++begin) text[begin] = text[begin] == '\n' ? '\n' : ' ';
  }
  return text;
}

// The kernel's source with a function that calls it. An array is a pointer to whatever the kernel expects.
std::string Source(const HostRun& run) {
  std::string text = GpuPrelude(GpuTarget::kHost);
  // Where an array must end at a page, it may begin anywhere.
  const bool traps_alignment = run.question == Question::kAlignment;
  if (!traps_alignment) {
    text += "#pragma clang attribute push(__attribute__((no_sanitize(\"alignment\"))), apply_to = function)\n";
  }
  StrAppend(text, "#line 1 \"", std::filesystem::absolute(run.file).string(), "\"\n", WithoutLaunches(run.source),
            "\n");
  if (!traps_alignment) text += "#pragma clang attribute pop\n";
  text += R"(
struct layoutcheck_pointer {
  void* place;
  template <class T> operator T*() const { return (T*)place; }
};
struct layoutcheck_any {
  template <class T> operator T() const { return T(); }
};
template <class... Numbers> struct layoutcheck_list {
  long long numbers[sizeof...(Numbers)];
  template <class T> operator T*() const {
    static __remove_cv(T) converted[sizeof...(Numbers)];
    for (unsigned long k = 0; k < sizeof...(Numbers); ++k) converted[k] = numbers[k];
    return converted;
  }
};
template <class... Numbers> layoutcheck_list(Numbers...) -> layoutcheck_list<Numbers...>;
extern "C" void layoutcheck_kernel(void);
extern "C" void layoutcheck_thread(const unsigned* numbers, void** arrays) {
  threadIdx = {numbers[0], numbers[1], numbers[2]};
  blockIdx = {numbers[3], numbers[4], numbers[5]};
)";
  StrAppend(text, "  blockDim = dim3(", Numbers(run.threads), ");\n  gridDim = dim3(", Numbers(run.blocks), ");\n");
  for (size_t k = 0; k < run.arrays.size(); ++k) {
    StrAppend(text, "  layoutcheck_pointer layoutcheck_array_", run.arrays[k].first, "{arrays[", k, "]};\n");
  }
  return StrCat(text, "  ", run.call, ";\n}\n");
}

HostThread ThreadAt(std::span<const Int128> report, size_t entry) {
  HostThread thread;
  for (size_t k = 0; k < 3; ++k) {
    thread.thread[k] = static_cast<int64_t>(report[entry + k]);
    thread.block[k] = static_cast<int64_t>(report[entry + 3 + k]);
  }
  return thread;
}

HostResult ResultOf(const HostRun& run, std::span<const Int128> report) {
  HostResult result;
  const auto stopped = static_cast<int>(report[kStopped]);
  if (stopped != 0) {
    result.has_barrier = stopped == kBarrier;
    result.is_trap = stopped == SIGILL || stopped == SIGTRAP;
    const auto array = static_cast<int64_t>(report[kStoppedArray]);
    result.has_left_array = !result.has_barrier && !result.is_trap && array >= 0;
    result.stopped = result.has_barrier ? "waited for other threads"
                     : result.is_trap   ? "ran into undefined behavior (a trap of -fsanitize=undefined)"
                                        : StrCat("was killed by signal ", stopped, " (", strsignal(stopped), ")");
    StrAppend(result.stopped, " in ", ThreadAt(report, kStoppedThread).ToString());
    if (result.has_left_array) {
      const auto& [name, bytes] = run.arrays[static_cast<size_t>(array)];
      StrAppend(result.stopped, ", at byte ", ToDecimal(report[kStoppedByte]), " of ", name, ", which has ", bytes,
                " bytes");
    }
  }
  result.storing_threads = static_cast<int64_t>(report[kStoring]);
  result.storing = {ThreadAt(report, kFirstStoring), ThreadAt(report, kSecondStoring)};
  for (size_t filling = 0; filling < HostResult::kFillings; ++filling) {
    for (int64_t byte = 0; byte < run.bytes; ++byte) {
      const Int128 entry = report[kValues + 2 * filling + static_cast<size_t>(byte / 8)];
      result.values[filling].push_back(static_cast<uint8_t>(entry >> (byte % 8 * 8) & 0xff));
    }
  }
  return result;
}

}  // namespace

std::string HostThread::ToString() const {
  return StrCat("thread (", Numbers(thread), ") of block (", Numbers(block), ")");
}

uint8_t HostMark(uint64_t filling, uint64_t array, uint64_t byte) {
  const uint64_t mixed =
      (byte + 1) * 0x9E3779B97F4A7C15U ^ (array + 1) * 0xBF58476D1CE4E5B9U ^ (filling + 1) * 0x94D049BB133111EBU;
  return static_cast<uint8_t>((mixed ^ mixed >> 29) * 0xD6E8FEB86659FD93U >> 56);
}

Expected<HostResult> RunOnHost(const HostRun& run) {
  const TemporaryDirectory directory;
  const std::string file = directory.path() + "/kernel.cc";
  if (directory.path().empty() || !WriteGpuHeaders(directory.path()) || !(std::ofstream(file) << Source(run)).flush()) {
    return MakeError(ErrorKind::kUnavailable, "no temporary files could be written");
  }
  // -fmax-type-align: an array may begin anywhere, and its vectors with it. -fno-sanitize=shift-base: a shift of a
  // negative number to the left is defined since C++20, and by compilers for GPUs before.
  NativeFunction function{.file = file,
                          .name = "layoutcheck_kernel",
                          .parameters = {},
                          .returns = std::vector<NativeType>(kEntries, NativeType{64, true}),
                          .compiler_flags = run.compiler_flags,
                          .prelude = {},
                          .support = StrCat(DriverConstants(run), kDriver)};
  const std::string folder = std::filesystem::absolute(run.file).parent_path().string();
  function.compiler_flags.insert(function.compiler_flags.end(), {"-isystem", directory.path(), "-iquote", folder});
  function.compiler_flags.emplace_back("-fno-sanitize=shift-base");
  if (run.question != Question::kAlignment) function.compiler_flags.emplace_back("-fmax-type-align=1");
  LAYOUTCHECK_TRY(const auto program, NativeProgram::Compile(function));
  LAYOUTCHECK_TRY(const auto ended, program.Call({}));
  if (ended.end != NativeResult::End::kReturned) return MakeError(ErrorKind::kUnavailable, ended.ToString());
  return ResultOf(run, ended.returned);
}

}  // namespace layoutcheck
