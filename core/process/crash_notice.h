// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes a finding to stderr when code under test ends this process by a signal. Requires POSIX.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace layoutcheck {

// A call into code under test. Its parts are read only if the call ends the process, and must live as long as it.
struct CallUnderWay {
  std::string_view subject = {};     // name of the code
  std::string_view question = {};    // complete lines that say what was asked
  std::string_view repeat = {};      // the call in C++, or its beginning; empty if there is no short one
  std::string_view at_name = {};     // "at element" or "at offset"; empty if no place was asked for
  std::span<const int64_t> at = {};  // the place, which the call has behind `repeat`
  std::string_view after_at = {};    // rest of the call behind the place
};

// Handles the signals of faults (SIGSEGV, SIGBUS, SIGILL, SIGFPE and SIGABRT) while an object is alive: if a call is
// under way in the thread that gets the signal, its finding is written to stderr. Then the earlier handler is called,
// such as a sanitizer's, or the signal ends the process. Several threads may have objects and calls at once.
class CrashNotice {
 public:
  CrashNotice();
  ~CrashNotice();
  CrashNotice(const CrashNotice&) = delete;
  CrashNotice& operator=(const CrashNotice&) = delete;

  // Marks a call of this thread as under way for as long as the object lives.
  class Call {
   public:
    explicit Call(const CallUnderWay& call);
    ~Call();
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

   private:
    const CallUnderWay* before_;
    CallUnderWay call_;
  };

 private:
  void* stack_ = nullptr;  // for the handler, because a recursion without end uses up the usual one
};

}  // namespace layoutcheck
