// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Laws of the operations `equal` and `edit`. Expected results of edits come from a list of the array's dimensions in
// which each has an identity of its own, so that an edit is an erasure, an insertion or a move in a list.
#include <algorithm>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/hlo/validate.h"
#include "layoutcheck/properties/model/law.h"
#include "layoutcheck/properties/model/laws_internal.h"

namespace layoutcheck {
namespace {

using Integers = std::vector<int64_t>;

// A change of one part of a shape, as `equal` names the part.
struct Change {
  std::string_view part;
  void (*apply)(Shape& shape);
};

constexpr Change kChanges[] = {
    {"dimensions",
     [](Shape& s) {
       if (s.rank() > 0) s.dimensions[0] = s.dimensions[0] == 1 ? 2 : 1;
     }},
    {"dynamic",
     [](Shape& s) {
       if (s.rank() > 0) s.dynamic_dimensions.back() = !s.dynamic_dimensions.back();
     }},
    {"element_type",
     [](Shape& s) { s.element_type = s.element_type == ElementType::kF32 ? ElementType::kS32 : ElementType::kF32; }},
    {"layout", [](Shape& s) { std::ranges::reverse(s.layout->minor_to_major); }},
    {"tiles",
     [](Shape& s) {
       if (s.layout->tiles.empty()) {
         s.layout->tiles.push_back({{2}});
       } else {
         s.layout->tiles.pop_back();
       }
     }},
    {"tiles", [](Shape& s) { s.layout->tiles.push_back({{3}}); }},
    {"tail_padding",
     [](Shape& s) {
       int64_t& alignment = s.layout->tail_padding_alignment_in_elements;
       alignment = alignment == 8 ? 1 : 8;
     }},
    {"element_size", [](Shape& s) { s.layout->element_size_in_bits = s.layout->element_size_in_bits == 0 ? 64 : 0; }},
    {"memory_space", [](Shape& s) { s.layout->memory_space = s.layout->memory_space == 0 ? 5 : 0; }},
    {"split_configs",
     [](Shape& s) {
       if (!s.layout->split_configs.empty()) {
         s.layout->split_configs.clear();
       } else if (s.rank() > 0 && s.dimensions[static_cast<size_t>(s.layout->Major(0))] > 1) {
         s.layout->split_configs.push_back({0, {1}});
       }
     }},
};

// Returns the canonical text of the shape without a part, and without M(n), which no comparison looks at.
std::string TextWithout(Shape shape, std::string_view part) {
  if (part == "dimensions") std::ranges::fill(shape.dimensions, 0);
  if (part == "dimensions" || part == "dynamic") {
    shape.dynamic_dimensions.assign(shape.dynamic_dimensions.size(), false);
  }
  if (part == "element_type") shape.element_type = ElementType::kF32;
  if (part == "layout") shape.layout.reset();
  if (!shape.layout) return ToString(shape);
  if (part == "tiles") shape.layout->tiles.clear();
  if (part == "tail_padding") shape.layout->tail_padding_alignment_in_elements = 1;
  if (part == "element_size") shape.layout->element_size_in_bits = 0;
  if (part == "memory_space") shape.layout->memory_space = 0;
  if (part == "split_configs") shape.layout->split_configs.clear();
  shape.layout->dynamic_shape_metadata_prefix_bytes = 0;
  return ToString(shape);
}

// Asks if two shapes are equal without a part; an empty name ignores nothing.
LawResult CheckEqual(Subject& subject, const Shape& a, const Shape& b, std::string_view part) {
  std::vector<std::string> ignored;
  if (!part.empty()) ignored.emplace_back(part);
  const auto answer = subject.AreEqual(a, b, ignored);
  if (auto unanswered = Unanswered(answer)) return *std::move(unanswered);
  const bool actual = std::get<bool>(answer);
  const bool expected = TextWithout(a, part) == TextWithout(b, part);
  if (actual == expected) return LawResult::Agree();
  const std::string list = part.empty() ? "" : StrCat("\"", part, "\"");
  return LawResult::Disagree(expected ? "true" : "false", actual ? "true" : "false")
      .On(StrCat(R"({"op":"equal","a":")", ToString(a), R"(","b":")", ToString(b), R"(","ignore":[)", list, "]}"));
}

template <class Case>
LawResult CheckEquality(Subject& subject, const Case& checked) {
  const Shape& shape = checked.shape;
  LawResult result = CheckEqual(subject, shape, shape, "");
  std::string_view other_part = "memory_space";
  for (const Change& change : kChanges) {
    if (result.verdict != LawResult::Verdict::kAgree) return result;
    Shape changed = shape;
    change.apply(changed);
    if (!ValidateShape(changed, MissingLayout::kAllowed)) continue;
    result = CheckEqual(subject, shape, changed, "");
    if (result.verdict == LawResult::Verdict::kAgree) result = CheckEqual(subject, changed, shape, change.part);
    if (result.verdict == LawResult::Verdict::kAgree) result = CheckEqual(subject, changed, changed, other_part);
    if (result.verdict == LawResult::Verdict::kAgree) result = CheckEqual(subject, shape, changed, other_part);
    other_part = change.part;
  }
  return result;
}

struct Dimension {
  int64_t size;
  bool dynamic;
};

// An array as the list of its dimensions and their order in memory. Entries of both lists are indices of `all`.
class DimensionList {
 public:
  explicit DimensionList(const Shape& shape) : shape_(shape) {
    for (int64_t d = 0; d < shape.rank(); ++d) {
      all_.push_back({shape.dimensions[static_cast<size_t>(d)], shape.dynamic_dimensions[static_cast<size_t>(d)]});
      logical_.push_back(d);
    }
    major_to_minor_.assign(shape.layout->minor_to_major.rbegin(), shape.layout->minor_to_major.rend());
  }

  const Integers& major_to_minor() const { return major_to_minor_; }
  const Dimension& at(int64_t d) const { return all_[static_cast<size_t>(d)]; }

  void Move(int64_t dimension, bool to_major) {
    std::erase(major_to_minor_, dimension);
    major_to_minor_.insert(to_major ? major_to_minor_.begin() : major_to_minor_.end(), dimension);
  }
  void Delete(int64_t dimension) {
    std::erase(logical_, dimension);
    std::erase(major_to_minor_, dimension);
  }
  // Inserts a static dimension before logical position `at`, and in memory before the dimension `minor` (-1: at the
  // minor end).
  void Insert(int64_t at, int64_t size, int64_t minor) {
    const auto dimension = static_cast<int64_t>(all_.size());
    all_.push_back({size, false});
    logical_.insert(logical_.begin() + at, dimension);
    major_to_minor_.insert(std::ranges::find(major_to_minor_, minor), dimension);
  }
  void Permute(const Integers& permutation) {
    Integers permuted;
    for (const int64_t d : permutation) permuted.push_back(logical_[static_cast<size_t>(d)]);
    logical_ = std::move(permuted);
  }

  // Returns the array. Its other fields are those of the original, or none if only the order is kept.
  Shape Take(bool only_order = false) const {
    Shape shape = shape_;
    shape.dimensions.clear();
    shape.dynamic_dimensions.clear();
    for (const int64_t d : logical_) {
      shape.dimensions.push_back(at(d).size);
      shape.dynamic_dimensions.push_back(at(d).dynamic);
    }
    if (only_order) shape.layout = Layout();
    shape.layout->minor_to_major.clear();
    for (size_t k = major_to_minor_.size(); k-- > 0;) {
      shape.layout->minor_to_major.push_back(std::ranges::find(logical_, major_to_minor_[k]) - logical_.begin());
    }
    return shape;
  }

 private:
  const Shape& shape_;
  std::vector<Dimension> all_;
  Integers logical_;
  Integers major_to_minor_;
};

// An edit with its result, or nothing if it is to be rejected.
struct ExpectedEdit {
  std::string_view function;
  Integers arguments;
  std::optional<Shape> result;
};

std::vector<ExpectedEdit> EditsOf(const Shape& shape) {
  std::vector<ExpectedEdit> edits;
  const int64_t rank = shape.rank();
  const auto add = [&](std::string_view function, Integers arguments, const auto& change, bool only_order = false) {
    DimensionList list(shape);
    change(list);
    edits.push_back({function, std::move(arguments), list.Take(only_order)});
  };
  const Integers order = DimensionList(shape).major_to_minor();
  Integers some = {0, rank / 2, rank - 1};
  some.erase(std::unique(some.begin(), some.end()), some.end());
  if (rank == 0) some.clear();
  for (const int64_t d : some) {
    add("move-dim-to-major", {d}, [&](DimensionList& list) { list.Move(d, true); });
    add("move-dim-to-minor", {d}, [&](DimensionList& list) { list.Move(d, false); });
    add("delete-dimensions", {d}, [&](DimensionList& list) { list.Delete(d); });
    add("insert-dimension", {d, 3}, [&](DimensionList& list) { list.Insert(d, 3, d); }, true);
  }
  if (rank > 2) {
    add("delete-dimensions", {rank - 1, 0}, [&](DimensionList& list) {
      list.Delete(rank - 1);
      list.Delete(0);
    });
  }
  if (rank > 0) {
    Integers rotated(order.size());
    for (size_t k = 0; k < rotated.size(); ++k) rotated[k] = static_cast<int64_t>((k + 1) % rotated.size());
    add("permute-dimensions", rotated, [&](DimensionList& list) { list.Permute(rotated); });
    add("permute-dimensions", order, [&](DimensionList& list) { list.Permute(order); });
  }
  add("drop-unit-dimensions", {}, [&](DimensionList& list) {
    for (int64_t d = 0; d < rank; ++d) {
      if (list.at(d).size == 1) list.Delete(d);
    }
  });
  add("append-major-dimension", {2}, [&](DimensionList& l) { l.Insert(rank, 2, rank == 0 ? -1 : order[0]); });
  add("append-minor-dimension", {2}, [&](DimensionList& list) { list.Insert(rank, 2, -1); });
  add("prepend-major-dimension", {2}, [&](DimensionList& l) { l.Insert(0, 2, rank == 0 ? -1 : order[0]); }, true);
  add("insert-dimension", {rank, 1}, [&](DimensionList& list) { list.Insert(rank, 1, -1); }, true);
  edits.push_back({"move-dim-to-major", {rank}, std::nullopt});
  edits.push_back({"delete-dimensions", {-1}, std::nullopt});
  edits.push_back({"permute-dimensions", Integers(static_cast<size_t>(rank) + 1, 0), std::nullopt});
  // The array in memory order, and without tiles.
  add("descending-layout", {}, [&](DimensionList& list) { list.Permute(order); });
  edits.back().result->layout->dynamic_shape_metadata_prefix_bytes = 0;
  edits.push_back({"clear-tiles", {}, shape});
  edits.back().result->layout->tiles.clear();
  return edits;
}

template <class Case>
LawResult CheckEdits(Subject& subject, const Case& checked) {
  const Shape& shape = checked.shape;
  if (!shape.layout->split_configs.empty()) return LawResult::OutsideDomain();
  // A subject may have only some of the edits.
  LawResult unanswered = LawResult::OutsideDomain();
  bool answered = false;
  for (const ExpectedEdit& edit : EditsOf(shape)) {
    if (edit.result && !ValidateShape(*edit.result, MissingLayout::kAllowed)) continue;  // no longer fits int64
    const auto answer = subject.Edit(edit.function, shape, edit.arguments);
    if (const auto* declined = std::get_if<Declined>(&answer)) {
      unanswered = NotAnswered(*declined);
      continue;
    }
    answered = true;
    if (const auto* failed = std::get_if<Failed>(&answer)) {
      if (!edit.result && failed->kind == Failed::Kind::kError) continue;
      return NotAnswered(*failed);
    }
    const auto& actual = std::get<EditAnswer>(answer);
    const std::string expected = edit.result ? ToString(*edit.result) : "rejected";
    if (edit.result && actual.layout) {
      if (*actual.layout == expected) continue;
      const auto parsed = ParseShape(*actual.layout);
      if (parsed && *parsed == *edit.result) continue;
    }
    if (!edit.result && actual.rejected) continue;
    return LawResult::Disagree(expected, actual.layout ? *actual.layout : StrCat("rejected: ", *actual.rejected))
        .On(StrCat(R"({"op":"edit","function":")", edit.function, R"(","layout":")", checked.text, R"(","arguments":[)",
                   StrJoin(edit.arguments, ","), "]}"));
  }
  return answered ? LawResult::Agree() : unanswered;
}

}  // namespace

std::span<const Law> EditLaws() {
  static constexpr Law kLaws[] = {
      {"layout-equality",
       "Two shapes are equal without some parts if and only if their canonical texts without these parts are.",
       "every layout; M(n) is never compared", CheckEquality<LayoutCase>, CheckEquality<HugeCase>},
      {"layout-edits",
       "An edit leaves the dimensions that it does not name in their order, in the shape and in memory, and the other "
       "fields of the layout as they are, or if it inserts or prepends a dimension, none; dimensions that do not exist "
       "are rejected.",
       "layouts without split configs", CheckEdits<LayoutCase>, CheckEdits<HugeCase>},
  };
  return kLaws;
}

}  // namespace layoutcheck
