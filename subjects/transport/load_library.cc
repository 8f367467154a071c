// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loading and unloading of the shared library of a LibrarySubject.
#include <dlfcn.h>
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <ranges>
#include <string_view>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/subjects/transport/coverage_counters.h"
#include "layoutcheck/subjects/transport/library_subject.h"

namespace layoutcheck {
namespace {

constexpr const char* kSymbol = "layoutcheck_get_subject";
constexpr size_t kFirstTextRoom = size_t{64} << 10;

std::optional<int64_t> LimitFrom(int64_t limit) {
  if (limit == 0) return std::nullopt;
  return limit == LAYOUTCHECK_AT_MOST_ZERO ? 0 : limit;
}

// Reads the member `notations`, in which words that are unknown count for nothing.
Notations NotationsFrom(const char* words) {
  if (words == nullptr) return {};
  Notations notations{.hlo = false};
  for (const auto part : std::views::split(std::string_view(words), ',')) {
    const std::string_view word(part.begin(), part.end());
    notations.hlo |= word == "hlo";
    notations.shape_stride |= word == "shape-stride";
  }
  return notations;
}

}  // namespace

Expected<void> LibrarySubject::RequireLoading([[maybe_unused]] const std::string& path) {
#ifdef LAYOUTCHECK_STATIC
  // dlopen() would look for the very C library with which the program was linked.
  return UnavailableError("cannot load the library ", path, ": this program was linked without dynamic dependencies; ",
                          "take that of a package or of a wheel");
#else
  return {};
#endif
}

Expected<std::unique_ptr<LibrarySubject>> LibrarySubject::Load(const std::string& path, CallRecord* record) {
  if (path.empty()) return MakeError(ErrorKind::kInvalidArgument, "expected a file after 'lib:'");
  LAYOUTCHECK_RETURN_IF_ERROR(RequireLoading(path));
  const std::string file = path.find('/') == std::string::npos ? "./" + path : path;
  ForgetCounters();
  const NotedCall noted(record, "load", "", "");
  void* const handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* const why = dlerror();
    return MakeError(ErrorKind::kUnavailable, StrCat("cannot load the library: ", why == nullptr ? file : why));
  }
  const auto fail = [&](std::string why) {
    dlclose(handle);
    return MakeError(ErrorKind::kUnavailable, std::move(why));
  };
  void* const symbol = dlsym(handle, kSymbol);
  if (symbol == nullptr) {
    return fail(StrCat(path, " has no function ", kSymbol, ": expected a library with layoutcheck/subject.h"));
  }
  if (Dl_info info; dladdr(symbol, &info) != 0) SetLibraryBase(reinterpret_cast<uintptr_t>(info.dli_fbase));
  const layoutcheck_subject* const subject = reinterpret_cast<decltype(&layoutcheck_get_subject)>(symbol)();
  if (subject == nullptr) return fail(StrCat(path, ": ", kSymbol, " returned null"));
  if (subject->abi != LAYOUTCHECK_SUBJECT_ABI) {
    return fail(StrCat(path, " has version ", subject->abi, " of layoutcheck/subject.h: expected version ",
                       LAYOUTCHECK_SUBJECT_ABI));
  }
  if (subject->struct_size < offsetof(layoutcheck_subject, parse)) {
    return fail(StrCat(path, ": struct_size is ", subject->struct_size, ": expected sizeof(layoutcheck_subject), ",
                       sizeof(layoutcheck_subject)));
  }
  if (subject->name == nullptr) return fail(StrCat(path, ": the subject has no name"));
  std::unique_ptr<LibrarySubject> loaded(new LibrarySubject(handle, *subject));  // the constructor is private
  loaded->record_ = record;
  const layoutcheck_subject& has = loaded->operations_;
  if (has.parse == nullptr && has.offset == nullptr && has.table == nullptr && has.coordinate == nullptr &&
      has.size == nullptr && has.relayout == nullptr && has.make == nullptr && has.apply == nullptr &&
      has.bitcast == nullptr && has.equal == nullptr && has.edit == nullptr && has.view == nullptr &&
      has.make_tensor == nullptr && has.shard == nullptr && has.reshard == nullptr) {
    return MakeError(ErrorKind::kUnavailable, StrCat(path, ": every operation of the subject is null"));
  }
  for (const int64_t limit : {has.max_rank, has.max_tiles, has.max_table_elements}) {
    if (limit >= LAYOUTCHECK_AT_MOST_ZERO) continue;
    return MakeError(ErrorKind::kUnavailable, StrCat(path, ": a limit of the subject is ", limit,
                                                     ": expected 0 for none, or LAYOUTCHECK_AT_MOST_ZERO"));
  }
  return loaded;
}

LibrarySubject::LibrarySubject(void* handle, const layoutcheck_subject& operations)
    : handle_(handle), text_(kFirstTextRoom) {
  // Members missing in an older, shorter struct become null.
  std::memcpy(&operations_, &operations, std::min<size_t>(operations.struct_size, sizeof(operations_)));
  notations_ = NotationsFrom(operations_.notations);
  info_.name = operations_.name;
  if (operations_.version != nullptr) info_.version = operations_.version;
  info_.max_rank = LimitFrom(operations_.max_rank);
  info_.max_tiles = LimitFrom(operations_.max_tiles);
  info_.max_table_elements = LimitFrom(operations_.max_table_elements);
}

LibrarySubject::~LibrarySubject() {
  ForgetCounters();
  dlclose(handle_);
}

}  // namespace layoutcheck
