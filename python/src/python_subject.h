// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An implementation under test that is a Python object in this process.
#pragma once

#include <nanobind/nanobind.h>
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/properties/model/question.h"

namespace layoutcheck::python {

// The end of a run by an exception that no finding may hold: KeyboardInterrupt, SystemExit, or an error of the caller's
// in how a subject was declared. Subjects of one run share it. Members are used with the interpreter lock held, except
// is_over().
class Interruption {
 public:
  // Returns true if the run has to end. Any thread may call it.
  bool is_over() const { return is_over_; }
  // Keeps the exception that is being handled, unless there is one.
  void Keep();
  // Runs Python's signal handlers, and keeps the exception that one of them raises. Takes the interpreter lock.
  void CheckSignals();
  // Returns the kept exception, or None.
  const nanobind::object& error() const { return error_; }

 private:
  nanobind::object error_ = nanobind::none();
  std::atomic<bool> is_over_ = false;
};

// A subject whose answers an adapter gives (layoutcheck/_adapters.py). The adapter has the members `name`, `version`,
// `operations` (a set of names of the protocol) and `limits` (a mapping from the names of SubjectInfo's limits to
// integers), and a method per operation. A method returns (0, answer), (1, why it declines, in UTF-8) or (2, the name
// of a Failed::Kind, how it failed in UTF-8, the request in JSON or ""); it raises only what ends the run.
//
// Questions about one layout are declined for layouts that `is_asked` does not accept: laws also ask about counterparts
// of a layout, which a function for the layouts that its author named does not know.
//
// Operations and the destructor take the interpreter lock, so that their caller need not hold it. Construction needs
// it.
class PythonSubject final : public UniformSubject<PythonSubject> {
 public:
  PythonSubject(
      nanobind::object adapter, Interruption& interruption,
      std::function<bool(const Shape&)> is_asked = [](const Shape&) { return true; });
  PythonSubject(const PythonSubject&) = delete;
  PythonSubject& operator=(const PythonSubject&) = delete;
  ~PythonSubject() override;

  const SubjectInfo& info() const override { return info_; }
  int64_t Requests() const override { return requests_; }
  // Returns true if the adapter answers this operation.
  bool Has(std::string_view operation) const { return operations_.contains(operation); }

  // Returns true if it answers operations about arrays with a sharding, and no other.
  bool AnswersShardingsAlone() const {
    return std::ranges::all_of(operations_,
                               [](const std::string& name) { return name == "shard" || name == "reshard"; });
  }

  // Asks any question (UniformSubject).
  template <class Question>
  Answer<typename Question::Result> Ask(const Question& q);
  Answer<int64_t> Ask(const OffsetQuestion& q);
  Answer<std::optional<Coordinate>> Ask(const CoordinateQuestion& q);
  Answer<std::string> Ask(const MakeQuestion& q);
  Answer<ViewAnswer> Ask(const ViewQuestion& q) { return NotImplemented(q); }
  Answer<AxisInfo> Ask(const AxisInfoQuestion& q) { return NotImplemented(q); }
  Answer<std::vector<int64_t>> Offsets(const Shape& shape, std::span<const Coordinate> coordinates) override;
  Answer<CoordinateList> CoordinatesAt(const Shape& shape, std::span<const int64_t> offsets) override;

 private:
  // Calls the adapter: call() returns its tuple, and read() makes an answer of a regular one. Both run with the
  // interpreter lock held.
  template <class T, class Call, class Read>
  Answer<T> AskAdapter(std::string_view operation, Call call, Read read);

  // Asks about one layout.
  template <class T, class Call, class Read>
  Answer<T> AskAbout(const Shape& shape, std::string_view operation, Call call, Read read);

  nanobind::object adapter_;
  Interruption& interruption_;
  std::function<bool(const Shape&)> is_asked_;
  SubjectInfo info_;
  std::set<std::string, std::less<>> operations_;
  int64_t requests_ = 0;
};

}  // namespace layoutcheck::python
