#include "layoutcheck/solver/formula_proof/formula_search.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <random>
#include <set>
#include <span>

#include "layoutcheck/solver/formula_proof/formula_dictionary.h"

namespace layoutcheck {
namespace {

constexpr size_t kMaxSamples = 400;
constexpr int64_t kFreeIndexLimit = int64_t{1} << 40;  // of an index without a dimension
constexpr int kIndicesOfAShape = 12;
// Other indices that are tried for a smaller shape.
constexpr int64_t kFewTries = 9;
constexpr int64_t kMoreTries = 60;

class Search {
 public:
  Search(const FormulaQuestion& question, PointEvaluator& evaluator, const PointPredicate& wrong, int64_t budget)
      : question_(question),
        evaluator_(evaluator),
        wrong_(wrong),
        budget_(budget),
        dictionary_(MakeFormulaDictionary(question)),
        name_count_(question.names().size()),
        point_(question.variables.size()) {}

  SearchResult Run() {
    if (!SmallShapes() && !GridShapes() && !TileShapes()) RandomShapes();
    return std::move(result_);
  }

 private:
  // Whether the search is over: found, or nothing left to spend.
  bool Try() {
    ++spent_;
    if (!evaluator_.IsInDomain(point_)) return spent_ >= budget_;
    if (result_.samples.size() < kMaxSamples && (spent_ < 50 || spent_ % 37 == 0)) result_.samples.push_back(point_);
    if (wrong_(point_)) {
      result_.found = point_;
      return true;
    }
    return spent_ >= budget_;
  }

  int64_t SizeOf(const FormulaIndex& index) const {
    if (!index.size) return kFreeIndexLimit;
    return index.size->variable ? point_[*index.size->variable] : index.size->number;
  }

  // Every index below its size, as long as the sizes are small.
  bool AllIndices(size_t k) {
    if (k == question_.indices.size()) return Try();
    const FormulaIndex& index = question_.indices[k];
    const int64_t size = std::min<int64_t>(SizeOf(index), index.size ? SizeOf(index) : 6);
    for (int64_t i = 0; i < size; ++i) {
      point_[index.variable] = i;
      if (AllIndices(k + 1)) return true;
    }
    return false;
  }

  // The first, second, last, middle element and those around tiles, in every dimension.
  bool CornerIndices(size_t k) {
    if (k == question_.indices.size()) return Try();
    const FormulaIndex& index = question_.indices[k];
    const int64_t size = SizeOf(index);
    const bool few = question_.indices.size() > 3;
    std::vector<int64_t> corners = {size - 1, 0};
    if (!few) corners.insert(corners.end(), {size / 2, size - 2, 1});
    if (!few) {
      for (const int64_t tile : dictionary_.tiles) {
        if (tile < size && corners.size() < 9) corners.insert(corners.end(), {(size - 1) / tile * tile, tile - 1});
      }
    }
    for (const int64_t i : corners) {
      if (i < 0 || i >= size) continue;
      point_[index.variable] = i;
      if (CornerIndices(k + 1)) return true;
    }
    return false;
  }

  // Calls visit(), until it returns true, with every choice of a value of `values` for every name.
  template <class Visit>
  bool AllNames(size_t k, std::span<const int64_t> values, const Visit& visit) {
    if (k == name_count_) return visit();
    for (const int64_t value : values) {
      point_[k] = value;
      if (AllNames(k + 1, values, visit)) return true;
    }
    return false;
  }

  // All indices of all shapes of sizes up to 3, or fewer where there are many names.
  bool SmallShapes() {
    const int64_t limit = budget_;
    budget_ = std::min(budget_, spent_ + budget_ / 4);
    const std::vector<int64_t> sizes = name_count_ <= 3 ? std::vector<int64_t>{1, 2, 3, 0} : std::vector<int64_t>{1, 2};
    AllNames(0, sizes, [&] { return AllIndices(0); });
    budget_ = limit;
    return Over();
  }

  // The last index of every shape of sizes up to a bound: conditions on sizes alone are often true of one that is not
  // near any constant.
  bool GridShapes() {
    if (name_count_ < 2 || name_count_ > 4) return Over();
    const int64_t limit = budget_;
    budget_ = std::min(budget_, spent_ + budget_ / 4);
    // 48^2, 16^3 and 8^4 shapes.
    std::vector<int64_t> sizes(name_count_ == 2 ? 48 : name_count_ == 3 ? 16 : 8);
    std::iota(sizes.begin(), sizes.end(), 1);
    AllNames(0, sizes, [&] {
      for (const FormulaIndex& index : question_.indices) point_[index.variable] = SizeOf(index) - 1;
      return Try();
    });
    budget_ = limit;
    return Over();
  }

  // Corners of shapes whose sizes are around tiles.
  bool TileShapes() {
    const int64_t limit = budget_;
    budget_ = std::min(budget_, spent_ + budget_ / 3);
    std::vector<int64_t> sizes;
    for (const int64_t constant : dictionary_.constants) {
      if (constant > 4096 || sizes.size() > 12) continue;
      for (const int64_t size : {constant + 1, constant, constant - 1, 2 * constant + 1}) {
        if (std::ranges::find(sizes, size) == sizes.end()) sizes.push_back(size);
      }
    }
    if (sizes.empty()) sizes = {4, 5, 7, 16};
    AllNames(0, sizes, [&] { return CornerIndices(0); });
    budget_ = limit;
    return Over();
  }

  bool RandomShapes() {
    while (!Over()) {
      DrawNames();
      for (int k = 0; k < kIndicesOfAShape && !Over(); ++k) {
        DrawIndices();
        if (Try()) return true;
      }
      ++spent_;  // a question without any point ends, too
    }
    return true;
  }

  bool Over() const { return result_.found.has_value() || spent_ >= budget_; }

  int64_t Below(int64_t bound) {
    return static_cast<int64_t>(random_() % static_cast<uint64_t>(std::max<int64_t>(bound, 1)));
  }
  int64_t Pick(const std::vector<int64_t>& values) { return values[static_cast<size_t>(Below(std::ssize(values)))]; }

  // Sizes whose product stays below 2^62 or so: one may be huge, not all.
  void DrawNames() {
    int bits = 62;
    const auto large = static_cast<size_t>(Below(static_cast<int64_t>(name_count_) + 1));
    for (size_t k = 0; k < name_count_; ++k) {
      const int64_t share = std::max<int64_t>(bits / static_cast<int64_t>(name_count_ - k), 1);
      int64_t value = 1;
      switch (Below(8)) {
        case 0: value = 1 + Below(5); break;
        case 1: value = Pick(dictionary_.tiles) * (1 + Below(4)) + Below(3) - 1; break;
        case 2: value = Pick(dictionary_.values); break;
        case 3: value = k > 0 ? point_[static_cast<size_t>(Below(static_cast<int64_t>(k)))] + Below(4) / 3 : 7; break;
        case 4: value = Pick(dictionary_.tiles) << Below(k == large ? 24 : 8); break;
        case 5:
          value = k > 0 ? point_[static_cast<size_t>(Below(static_cast<int64_t>(k)))] * (1 + Below(4))
                        : Pick(dictionary_.values);
          break;
        default:
          value = int64_t{1} << Below(k == large ? std::min<int64_t>(share + 20, 40) : std::min<int64_t>(share, 32));
          value += Below(value);
          break;
      }
      // A tile size is seldom large.
      if (question_.variables[k].kind == FormulaVariable::Kind::kTileSize && value > 4096) value = 1 + value % 300;
      if (value >= int64_t{1} << std::min(bits, 61)) value = 1 + Below(4);
      point_[k] = std::max(value, question_.variables[k].least);
      bits = std::max(bits - static_cast<int>(std::bit_width(static_cast<uint64_t>(point_[k]))) + 1, 2);
    }
  }

  void DrawIndices() {
    int64_t previous = 0;
    for (const FormulaIndex& index : question_.indices) {
      const int64_t size = SizeOf(index);
      if (size < 1) return;
      int64_t value = 0;
      switch (Below(8)) {
        case 0: value = Below(3); break;
        case 1: value = size - 1 - Below(2); break;
        case 2: value = Pick(dictionary_.values); break;
        case 3: {
          const int64_t tile = Pick(dictionary_.tiles);
          value = (Below(size) / tile + Below(2)) * tile - Below(2);
          break;
        }
        case 4: {
          const int64_t tile = Pick(dictionary_.tiles);
          value = (size - 1) / tile * tile - Below(2);
          break;
        }
        case 5: value = previous; break;
        default: value = Below(size); break;
      }
      point_[index.variable] = std::clamp<int64_t>(value, 0, size - 1);
      previous = point_[index.variable];
    }
  }

  const FormulaQuestion& question_;
  PointEvaluator& evaluator_;
  const PointPredicate& wrong_;
  int64_t budget_;
  int64_t spent_ = 0;
  FormulaDictionary dictionary_;
  size_t name_count_;
  FormulaPoint point_;
  SearchResult result_;
  std::mt19937_64 random_{20261121};
};

class ExtremeSearch {
 public:
  ExtremeSearch(const FormulaQuestion& question, const PointPredicate& in_scope, const PointPredicate& wrong)
      : question_(question), in_scope_(in_scope), wrong_(wrong), name_count_(question.names().size()) {
    const FormulaDictionary dictionary = MakeFormulaDictionary(question);
    std::set<int64_t> others = {1, 2, 3};
    for (const int64_t tile : dictionary.tiles) {
      if (others.size() < 8) others.insert({tile, tile + 1});
    }
    for (int k = 2; k <= 40; k += name_count_ <= 2 ? 1 : 6) others.insert(int64_t{1} << k);
    others_.assign(others.begin(), others.end());
  }

  std::optional<FormulaPoint> Run() {
    point_.assign(question_.variables.size(), 0);
    if (name_count_ == 0) return Corners(0) ? std::optional(point_) : std::nullopt;
    if (name_count_ <= 3) {
      for (size_t free = 0; free < name_count_; ++free) {
        if (Others(0, free)) return point_;
      }
    }
    for (size_t k = 0; k < name_count_; ++k) point_[k] = 1;
    return Largest([&](int64_t value) { std::fill_n(point_.begin(), name_count_, value); }) ? std::optional(point_)
                                                                                            : std::nullopt;
  }

 private:
  // Every choice of small sizes for the names other than `free`.
  bool Others(size_t k, size_t free) {
    if (k == name_count_) return Largest([&](int64_t value) { point_[free] = value; });
    if (k == free) return Others(k + 1, free);
    for (const int64_t value : others_) {
      point_[k] = value;
      if (Others(k + 1, free)) return true;
    }
    return false;
  }

  template <class Set>
  bool Largest(const Set& set) {
    for (const FormulaIndex& index : question_.indices) point_[index.variable] = 0;
    int64_t low = 0;
    int64_t high = int64_t{1} << 62;
    while (low < high) {
      const int64_t middle = low + (high - low + 1) / 2;
      set(middle);
      if (in_scope_(point_)) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    if (low == 0) return false;
    set(low);
    return Corners(0);
  }

  bool Corners(size_t k) {
    if (k == question_.indices.size()) return in_scope_(point_) && wrong_(point_);
    const FormulaIndex& index = question_.indices[k];
    if (!index.size) return false;
    const int64_t size = index.size->variable ? point_[*index.size->variable] : index.size->number;
    for (const int64_t value : {size - 1, int64_t{0}}) {
      point_[index.variable] = value;
      if (Corners(k + 1)) return true;
    }
    return false;
  }

  const FormulaQuestion& question_;
  const PointPredicate& in_scope_;
  const PointPredicate& wrong_;
  size_t name_count_;
  std::vector<int64_t> others_;
  FormulaPoint point_;
};

// Makes a wrong point smaller, one variable at a time.
class Minimizer {
 public:
  Minimizer(const FormulaQuestion& question, PointEvaluator& evaluator, const PointPredicate& wrong, FormulaPoint point,
            int64_t budget)
      : question_(question),
        evaluator_(evaluator),
        wrong_(wrong),
        budget_(budget),
        dictionary_(MakeFormulaDictionary(question)),
        best_(std::move(point)) {}

  FormulaPoint Run() {
    using Kind = FormulaVariable::Kind;
    for (bool smaller = true; smaller && budget_ > 0;) {
      smaller = false;
      for (const Kind kind : {Kind::kDimension, Kind::kTileSize}) {
        for (size_t k = 0; k < best_.size(); ++k) {
          if (question_.variables[k].kind == kind) smaller = MakeSmaller({k}) || smaller;
        }
        smaller = MakeEqualSmaller(kind) || smaller;
      }
      for (size_t k = 0; k < best_.size(); ++k) {
        if (question_.variables[k].kind == Kind::kIndex) smaller = MakeSmaller({k}) || smaller;
      }
    }
    return best_;
  }

 private:
  bool IsWrong(const FormulaPoint& point) {
    --budget_;
    return evaluator_.IsInDomain(point) && wrong_(point);
  }

  // Values below `value`, ascending: all small ones and those of the dictionary.
  std::vector<int64_t> Smaller(int64_t value, int64_t least) const {
    std::vector<int64_t> values;
    for (int64_t v = least; v < std::min<int64_t>(value, 300); ++v) values.push_back(v);
    for (const std::vector<int64_t>& list : {dictionary_.values, dictionary_.tiles}) {
      for (const int64_t v : list) {
        if (v >= least && v < value) values.push_back(v);
      }
    }
    std::ranges::sort(values);
    const auto same = std::ranges::unique(values);
    values.erase(same.begin(), same.end());
    return values;
  }

  // Sets all of `variables`, which have one value, to a smaller one.
  bool MakeSmaller(const std::vector<size_t>& variables) {
    const auto accept = [&](int64_t value, int64_t tries) {
      FormulaPoint point = best_;
      for (const size_t variable : variables) point[variable] = value;
      return Accept(std::move(point), variables[0], tries);
    };
    const auto value = [&] { return best_[variables[0]]; };
    const int64_t least = question_.variables[variables[0]].least;
    const int64_t before = value();
    // By halves as long as it goes, then the least of all that are likely, then by halves again.
    const auto halve = [&] {
      for (int64_t step = (value() - least + 1) / 2; step > 0 && budget_ > 0;) {
        if (value() - step < least || !accept(value() - step, kFewTries)) step /= 2;
      }
    };
    halve();
    for (const int64_t candidate : Smaller(value(), least)) {
      if (budget_ <= 0 || accept(candidate, kMoreTries)) break;
    }
    halve();
    return value() < before;
  }

  // Names of one kind that are equal, as a formula may ask, made smaller together.
  bool MakeEqualSmaller(FormulaVariable::Kind kind) {
    for (size_t a = 0; a < best_.size(); ++a) {
      std::vector<size_t> equal;
      for (size_t b = a; b < best_.size(); ++b) {
        if (question_.variables[b].kind == kind && best_[b] == best_[a]) equal.push_back(b);
      }
      if (equal.size() >= 2 && question_.variables[a].kind == kind && MakeSmaller(equal)) return true;
    }
    return false;
  }

  // Whether the point is wrong, with its indices or, where they do not fit a size any more, others.
  bool Accept(FormulaPoint point, size_t changed, int64_t tries) {
    for (const FormulaIndex& index : question_.indices) {
      if (!index.size) continue;
      const int64_t size = index.size->variable ? point[*index.size->variable] : index.size->number;
      if (size < 1) return false;
      point[index.variable] = std::min(point[index.variable], size - 1);
    }
    if (IsWrong(point)) {
      best_ = std::move(point);
      return true;
    }
    if (question_.variables[changed].kind == FormulaVariable::Kind::kIndex) return false;
    // Another index of the smaller shape.
    return OtherIndices(point, 0, tries);
  }

  bool OtherIndices(FormulaPoint& point, size_t k, int64_t& tries) {
    if (k == question_.indices.size()) {
      if (--tries < 0 || budget_ <= 0) return false;
      if (!IsWrong(point)) return false;
      best_ = point;
      return true;
    }
    const FormulaIndex& index = question_.indices[k];
    const int64_t kept = point[index.variable];
    std::vector<int64_t> values = {kept};
    if (index.size) {
      const int64_t size = index.size->variable ? point[*index.size->variable] : index.size->number;
      values.push_back(size - 1);
      values.push_back(0);
      for (int64_t v = size - 2; v > std::max<int64_t>(size - 9, 0); --v) values.push_back(v);
    }
    for (const int64_t value : values) {
      if (tries < 0) break;
      point[index.variable] = value;
      if (OtherIndices(point, k + 1, tries)) return true;
    }
    point[index.variable] = kept;
    return false;
  }

  const FormulaQuestion& question_;
  PointEvaluator& evaluator_;
  const PointPredicate& wrong_;
  int64_t budget_;
  FormulaDictionary dictionary_;
  FormulaPoint best_;
};

}  // namespace

SearchResult SearchPoints(const FormulaQuestion& question, PointEvaluator& evaluator, const PointPredicate& wrong,
                          int64_t budget) {
  return Search(question, evaluator, wrong, budget).Run();
}

std::optional<FormulaPoint> SearchExtremes(const FormulaQuestion& question, const PointPredicate& in_scope,
                                           const PointPredicate& wrong) {
  return ExtremeSearch(question, in_scope, wrong).Run();
}

FormulaPoint MinimizePoint(const FormulaQuestion& question, PointEvaluator& evaluator, const PointPredicate& wrong,
                           FormulaPoint point, int64_t budget) {
  return Minimizer(question, evaluator, wrong, std::move(point), budget).Run();
}

}  // namespace layoutcheck
