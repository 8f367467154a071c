// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/fuzz/differential/investigator.h"
#include <algorithm>
#include <optional>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/fuzz/differential/minimize.h"
#include "layoutcheck/fuzz/differential/text_source.h"

namespace layoutcheck {
namespace {

// Calls for minimizing the failure of a process, each of which starts one.
constexpr int64_t kEvaluationsOfProcess = 400;
// Calls for reducing a sequence of texts, each of which starts a process.
constexpr int kCallsToReduce = 100;

Texts Concatenate(std::span<const std::shared_ptr<const Texts>> batches) {
  Texts all;
  for (const auto& batch : batches) all.insert(all.end(), batch->begin(), batch->end());
  return all;
}

std::string AfterRequests(size_t requests) { return StrCat("after ", requests, " requests"); }

}  // namespace

FaultyText Investigator::Minimize(const FaultyText& fault) {
  FaultyText smallest = fault;
  const auto holds = [&](std::string_view candidate) {
    if (Stopped()) return false;
    std::optional<Disagreement> again = asker_.Judge(candidate);
    if (!again || !SameCause(*again, fault.disagreement)) return false;
    smallest.disagreement = *std::move(again);
    return true;
  };
  const TextFault kind = fault.disagreement.fault;
  const bool of_process = kind == TextFault::kCrash || kind == TextFault::kTimeout;
  // Shows how fast this process is: a hang is recognized by waiting longer.
  if (kind == TextFault::kTimeout && !Stopped()) asker_.subject().Parses(TextKindName(kind_), BuiltInTexts(kind_));
  asker_.subject().SetMinimizing(true);
  smallest.text = MinimizeText(kind_, fault.text, holds,
                               of_process ? std::min(max_evaluations_, kEvaluationsOfProcess) : max_evaluations_);
  asker_.subject().SetMinimizing(false);
  if (const RunEnd end = end_(); end != RunEnd::kNone) {
    smallest.shrinking =
        StrCat(smallest.text == fault.text ? "not shrunk, because " : "not shrunk to the end, because ", InWords(end));
  }
  return smallest;
}

bool Investigator::IsTooLateFor(FaultyText& fault) const {
  const RunEnd end = asker_.subject().End();
  if (end != RunEnd::kNone) fault.repeats = StrCat("not asked again, because ", InWords(end));
  return end != RunEnd::kNone;
}

bool Investigator::Repeats(FaultyText& fault) {
  asker_.Restart();
  // After the end of the run, a hang is confirmed by a short wait.
  asker_.subject().SetMinimizing(Stopped());
  auto again = asker_.Judge(fault.text);
  asker_.subject().SetMinimizing(false);
  if (!again || !SameCause(*again, fault.disagreement)) return false;
  fault.disagreement = *std::move(again);
  return true;
}

Texts Investigator::Reduce(Texts texts, const std::function<bool(std::span<const std::string>)>& holds) const {
  int calls = 0;
  for (size_t part = texts.size() / 2; part >= 1; part /= 2) {
    for (size_t begin = 0; begin + part <= texts.size() && texts.size() > 1;) {
      if (Stopped() || ++calls > kCallsToReduce) return texts;
      Texts fewer = texts;
      const auto first = fewer.begin() + static_cast<ptrdiff_t>(begin);
      fewer.erase(first, first + static_cast<ptrdiff_t>(part));
      if (holds(fewer)) {
        texts = std::move(fewer);
      } else {
        begin += part;
      }
    }
  }
  return texts;
}

FaultyText Investigator::Reproduce(const FaultyText& fault, std::span<const std::shared_ptr<const Texts>> history) {
  FaultyText result = fault;
  // The batch that shows it comes first, because most faults need no more.
  for (const auto& batches : {history.last(std::min<size_t>(history.size(), 1)), history}) {
    Texts texts = Concatenate(batches);
    size_t in_flight = asker_.max_in_flight();
    const auto first_failure = [&](std::span<const std::string> part) {
      return asker_.FirstFailure(part, in_flight, fault.disagreement, [this] { return Stopped(); });
    };
    auto first = first_failure(texts);
    if (!first) continue;
    texts.resize(*first);
    // One at a time, the text that fails is known exactly. Some faults need several in flight.
    if (std::exchange(in_flight, 1) > 1) {
      first = first_failure(texts);
      if (first) texts.resize(*first);
      if (!first) in_flight = asker_.max_in_flight();
    }
    texts =
        Reduce(std::move(texts), [&](std::span<const std::string> part) { return first_failure(part).has_value(); });
    result.text = texts.back();
    if (texts.size() > 1) result.repeats = AfterRequests(texts.size());
    return result;
  }
  const bool of_process = fault.disagreement.fault == TextFault::kCrash ||
                          fault.disagreement.fault == TextFault::kTimeout ||
                          fault.disagreement.fault == TextFault::kProtocol;
  result.repeats = of_process ? StrCat("not reproduced alone, ", AfterRequests(Concatenate(history).size())) : "flaky";
  return result;
}

FaultyText Investigator::ReproduceEnd(const BadEnd& bad_end) {
  const bool hangs = bad_end.failed.kind == Failed::Kind::kTimeout;
  const auto fails = [&](std::span<const std::string> texts) {
    asker_.Restart();
    asker_.subject().Parses(TextKindName(kind_), texts);
    asker_.subject().SetMinimizing(hangs);
    const auto failed = asker_.subject().Finish();
    asker_.subject().SetMinimizing(false);
    return failed && failed->kind == bad_end.failed.kind;
  };
  FaultyText fault;
  fault.disagreement = {hangs ? TextFault::kTimeout : TextFault::kCrash, "",
                        "an end without an error after the end of its input", bad_end.failed.what};
  const Texts simplest = {BuiltInTexts(kind_).front()};
  Texts texts = Concatenate(bad_end.history);
  if (fails(simplest)) {
    texts = simplest;
  } else if (!Stopped() && fails(texts)) {
    texts = Reduce(std::move(texts), fails);
  } else {
    if (!IsTooLateFor(fault)) fault.repeats = StrCat("not reproduced alone, ", AfterRequests(texts.size()));
    return fault;
  }
  fault.text = texts.back();
  if (texts.size() > 1) fault.repeats = AfterRequests(texts.size());
  return fault;
}

}  // namespace layoutcheck
