// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/run/reach.h"
#include <variant>
#include <vector>
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {
namespace {

constexpr int kLeastBits = 8;
constexpr int kMostBits = 62;
// binary digits of the limit that are found
constexpr int kDigits = 8;

Shape ArrayOf(ElementType type, int64_t elements) { return Shape::Array(type, {elements}, Layout({0})); }

bool AnswersLast(Subject& subject, ElementType type, int64_t elements) {
  const std::vector<int64_t> last = {elements - 1};
  return !std::holds_alternative<Declined>(subject.Offset(ArrayOf(type, elements), last));
}

}  // namespace

Reach ReachOf(Subject& subject) {
  Reach reach;
  reach.has_tables = !std::holds_alternative<Declined>(subject.Table(ArrayOf(ElementType::kF32, 2)));
  reach.has_offsets = AnswersLast(subject, ElementType::kF32, 2);
  // A subject that declines even these says nothing about sizes: it may take other layouts only.
  if (!reach.has_offsets || !AnswersLast(subject, ElementType::kS8, int64_t{1} << kLeastBits)) return reach;
  if (AnswersLast(subject, ElementType::kS8, int64_t{1} << kMostBits)) return reach;
  int answered = kLeastBits;
  for (int declined = kMostBits; declined - answered > 1;) {
    const int middle = answered + (declined - answered) / 2;
    (AnswersLast(subject, ElementType::kS8, int64_t{1} << middle) ? answered : declined) = middle;
  }
  int64_t most = int64_t{1} << answered;
  for (int64_t step = most / 2; step >= (most >> kDigits) && step > 0; step /= 2) {
    if (AnswersLast(subject, ElementType::kS8, most + step)) most += step;
  }
  const bool counts_bytes = most / 4 > 0 && !AnswersLast(subject, ElementType::kF32, most);
  (counts_bytes ? reach.max_array_bytes : reach.max_array_elements) = most;
  return reach;
}

}  // namespace layoutcheck
