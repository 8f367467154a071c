// The other side of the protocol: answers requests about a subject that is in this process.
#ifndef LAYOUTCHECK_SUBJECTS_PROTOCOL_SERVE_H_
#define LAYOUTCHECK_SUBJECTS_PROTOCOL_SERVE_H_

#include <functional>
#include <string>
#include <string_view>

#include "layoutcheck/properties/model/subject.h"

namespace layoutcheck {

// The answer to one request line, without a newline: {"unsupported":why} for what the subject declines and for requests
// that are no requests of protocol 1, {"error":why} for what it fails at.
std::string AnswerRequest(Subject& subject, std::string_view request);

// Answers the lines that come from one descriptor on the other, until the input ends or nobody reads the answers.
// Answers to requests that came together are written together. `on_answer` is called after each, before it is written.
void Serve(Subject& subject, int input, int output, const std::function<void()>& on_answer = [] {});

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SUBJECTS_PROTOCOL_SERVE_H_
