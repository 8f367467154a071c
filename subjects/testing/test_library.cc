// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A library for tests with the mistake or the notations that the environment variable LAYOUTCHECK_TEST_LIBRARY names.
#include <unistd.h>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include "layoutcheck/subject.h"

namespace {

bool Behaves(std::string_view how) {
  const char* const wanted = std::getenv("LAYOUTCHECK_TEST_LIBRARY");
  return wanted != nullptr && how == wanted;
}

// Returns the notations to declare, if the variable has some behind this prefix.
std::optional<std::string_view> NotationsAfter(std::string_view prefix) {
  const char* const wanted = std::getenv("LAYOUTCHECK_TEST_LIBRARY");
  if (wanted == nullptr || !std::string_view(wanted).starts_with(prefix)) return std::nullopt;
  return std::string_view(wanted).substr(prefix.size());
}

// Runs when the library is closed.
__attribute__((destructor)) void AtEnd() {
  if (Behaves("exit-at-end")) _exit(0);
}

int Say(int status, layoutcheck_text* text, std::string_view words) {
  text->size = words.size();
  std::memcpy(text->data, words.data(), std::min(words.size(), text->capacity));
  return status;
}

int Parse(const char*, const char* text, size_t size, layoutcheck_text* answer) {
  if (Behaves("crash-in-parse")) std::raise(SIGSEGV);
  if (Behaves("exit-in-parse")) std::exit(0);
  if (Behaves("print")) std::printf("hello from the library");
  if (Behaves("endless-text")) {
    answer->size = size_t{1} << 40;
    return LAYOUTCHECK_OK;
  }
  // All texts are accepted as they are, except those of one letter.
  if (size == 1) return Say(LAYOUTCHECK_REJECTED, answer, "too short");
  return Say(LAYOUTCHECK_OK, answer, std::string_view(text, size));
}

int Offset(const layoutcheck_layout* layout, const int64_t* coordinate, int64_t* offset, layoutcheck_text* why) {
  if (Behaves("throw")) throw std::runtime_error("no such tile");
  if (Behaves("status")) return 77;
  if (Behaves("error")) return Say(LAYOUTCHECK_ERROR, why, "out of memory");
  if (Behaves("silent")) return LAYOUTCHECK_UNSUPPORTED;
  if (Behaves("say-layout")) return Say(LAYOUTCHECK_UNSUPPORTED, why, layout->text);
  *offset = coordinate[0];
  return LAYOUTCHECK_OK;
}

int Table(const layoutcheck_layout* layout, int64_t* offsets, size_t count, layoutcheck_text*) {
  if (Behaves("crash") && layout->tile_count > 0) std::raise(SIGSEGV);
  if (Behaves("kill") && layout->tile_count > 0) std::raise(SIGKILL);
  if (Behaves("exit") && layout->tile_count > 0) std::exit(0);
  if (Behaves("_exit") && layout->tile_count > 0) _exit(0);
  if (Behaves("print")) std::printf("hello from the library");
  if (Behaves("hang") && layout->tile_count > 0) {
    for (;;) std::raise(SIGSTOP);
  }
  if (Behaves("unwritten")) return LAYOUTCHECK_OK;
  std::fill_n(offsets, count, 0);
  if (Behaves("overrun")) offsets[count] = 0;
  return LAYOUTCHECK_OK;
}

int Coordinate(const layoutcheck_layout* layout, int64_t offset, int64_t* coordinate, layoutcheck_text*) {
  if (Behaves("overrun")) coordinate[layout->rank] = 0;
  if (offset > 0) return LAYOUTCHECK_PADDING;
  std::fill_n(coordinate, layout->rank, 0);
  return LAYOUTCHECK_OK;
}

int Relayout(const layoutcheck_layout*, const layoutcheck_layout*, const int64_t*, size_t, int64_t* moved,
             size_t moved_count, layoutcheck_text*) {
  if (Behaves("overrun")) moved[moved_count] = 0;
  return LAYOUTCHECK_OK;
}

int Make(const char* tag, int64_t, int64_t rows, int64_t, layoutcheck_text* layout) {
  // The text has as many letters as the layout has rows, as far as a test looks.
  return Say(LAYOUTCHECK_OK, layout, std::string(static_cast<size_t>(std::min<int64_t>(rows, 100000)), tag[0]));
}

// Answers that the sizes are those of an array in row-major order.
int MakeTensor(const char*, int64_t, const int64_t* sizes, size_t size_count, layoutcheck_text* layout) {
  std::string shape;
  std::string strides;
  int64_t stride = 1;
  for (size_t d = size_count; d-- > 0; stride *= sizes[d]) {
    shape.insert(0, std::to_string(sizes[d]) + (shape.empty() ? "" : ","));
    strides.insert(0, std::to_string(stride) + (strides.empty() ? "" : ","));
  }
  return Say(LAYOUTCHECK_OK, layout, "(" + shape + "):(" + strides + ")");
}

int Apply(const char* function, const char* const* arguments, size_t argument_count, int64_t* value,
          layoutcheck_text* answer) {
  if (Behaves("throw")) throw std::runtime_error("no such function");
  if (Behaves("status")) return LAYOUTCHECK_PADDING;
  if (Behaves("hang")) {
    for (;;) std::raise(SIGSTOP);
  }
  if (argument_count == 0) return Say(LAYOUTCHECK_REJECTED, answer, function);
  if (argument_count == 1) return Say(LAYOUTCHECK_OK, answer, arguments[0]);
  *value = static_cast<int64_t>(argument_count);
  return LAYOUTCHECK_VALUE;
}

// Answers whether the first dimension stays the first.
int Bitcast(const layoutcheck_layout*, const layoutcheck_layout*, const int64_t* transpose, int* bitcast,
            layoutcheck_text*) {
  *bitcast = Behaves("flag") ? 7 : transpose == nullptr || transpose[0] == 0;
  return LAYOUTCHECK_OK;
}

// Answers whether a part with the name of b's element type is ignored.
int Equal(const layoutcheck_layout*, const layoutcheck_layout* b, const char* const* ignored, size_t ignored_count,
          int* equal, layoutcheck_text* why) {
  if (ignored_count == 0) return Say(LAYOUTCHECK_UNSUPPORTED, why, "nothing is ignored");
  *equal = std::string(ignored[ignored_count - 1]) == b->element_type;
  return LAYOUTCHECK_OK;
}

// Writes as many letters as the first argument says.
int Edit(const char* function, const layoutcheck_layout* layout, const int64_t* arguments, size_t argument_count,
         layoutcheck_text* answer) {
  if (argument_count == 0) return Say(LAYOUTCHECK_REJECTED, answer, layout->text);
  return Say(LAYOUTCHECK_OK, answer, std::string(static_cast<size_t>(arguments[0]), function[0]));
}

// Answers that a slice has its layout as text and its first coordinate as offset, and gives the first coordinate of
// each element of a view. Tiles are rejected.
int View(const layoutcheck_view* view, layoutcheck_view_answer* answer) {
  if (view->kind == LAYOUTCHECK_TILE_VIEW) {
    return Say(LAYOUTCHECK_REJECTED, answer->layout, view->outer_tile == nullptr ? "whole" : "view");
  }
  if (view->kind == LAYOUTCHECK_SLICE) {
    answer->offset = view->at[view->rank - 1];
    answer->valid[0] = view->at[0] == LAYOUTCHECK_KEEP ? view->extents[0] : 0;
    return Say(LAYOUTCHECK_OK, answer->layout, view->layout);
  }
  for (size_t i = 0; i < view->coordinate_count; ++i) {
    answer->offsets[i] = view->at[0] + view->coordinates[i * static_cast<size_t>(view->kept_rank)];
  }
  return LAYOUTCHECK_OFFSETS;
}

// Answers that each device but the first holds no part, and that the first one holds the first element of a vector.
int Shard(const layoutcheck_shard* shard, layoutcheck_shard_answer* answer, layoutcheck_text* why) {
  if (Behaves("say-layout")) return Say(LAYOUTCHECK_UNSUPPORTED, why, shard->sharding);
  if (Behaves("many-elements")) answer->count = answer->capacity + 1;
  if (Behaves("overrun")) answer->elements[answer->capacity] = 0;
  if (Behaves("many-elements") || Behaves("overrun")) return LAYOUTCHECK_ELEMENTS;
  if (Behaves("unwritten")) return LAYOUTCHECK_OK;
  if (shard->device > 0) return LAYOUTCHECK_NO_PART;
  if (shard->rank == 1) {
    answer->elements[answer->count++] = 0;
    return LAYOUTCHECK_ELEMENTS;
  }
  for (int64_t d = 0; d < shard->rank; ++d) answer->shape[d] = shard->dimensions[d];
  return LAYOUTCHECK_OK;
}

int Reshard(const layoutcheck_shard* from, const layoutcheck_shard* to, layoutcheck_shard_answer* answer,
            layoutcheck_text* why) {
  if (Behaves("say-layout")) return Say(LAYOUTCHECK_UNSUPPORTED, why, to->sharding);
  if (Behaves("many-elements")) answer->count = answer->capacity + 1;
  if (Behaves("overrun")) answer->elements[answer->capacity] = 0;
  if (!Behaves("many-elements")) answer->elements[answer->count++] = from->device;
  return Behaves("unwritten") ? LAYOUTCHECK_OK : LAYOUTCHECK_ELEMENTS;
}

}  // namespace

const layoutcheck_subject* layoutcheck_get_subject() {
  if (Behaves("null")) return nullptr;
  constexpr uint32_t kWholeSize = sizeof(layoutcheck_subject);
  static layoutcheck_subject subject;
  subject = {.abi = Behaves("later-version") ? 2 : LAYOUTCHECK_SUBJECT_ABI,
             .struct_size = Behaves("torn") ? 8u : kWholeSize,
             .name = Behaves("nameless") ? nullptr : "test_library",
             .max_rank = Behaves("limit") ? -2 : 3,
             .parse = Parse,
             .offset = Offset,
             .table = Table,
             .coordinate = Coordinate,
             .relayout = Relayout,
             .make = Make,
             .apply = Apply,
             .make_tensor = MakeTensor};
  if (Behaves("shards")) {
    subject.shard = Shard;
    subject.reshard = Reshard;
  }
  static std::string notations;
  const auto older = NotationsAfter("older, with notations ");
  const auto declared = NotationsAfter("notations ");
  if (older || declared) {
    notations = older ? *older : *declared;
    subject.notations = notations.c_str();
    if (older) subject.struct_size = offsetof(layoutcheck_subject, notations);
  }
  if (Behaves("edits") || older || declared) {
    subject.bitcast = Bitcast;
    subject.equal = Equal;
    subject.edit = Edit;
    subject.view = View;
  }
  if (Behaves("empty")) {
    subject.parse = nullptr;
    subject.offset = nullptr;
    subject.table = nullptr;
    subject.coordinate = nullptr;
    subject.relayout = nullptr;
    subject.make = nullptr;
    subject.apply = nullptr;
    subject.make_tensor = nullptr;
  }
  // A library built for an older struct, which ends with `table`.
  if (Behaves("shorter")) subject.struct_size = offsetof(layoutcheck_subject, coordinate);
  return &subject;
}
