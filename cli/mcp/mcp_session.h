// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A session of the Model Context Protocol (modelcontextprotocol.io), the side of the server: JSON-RPC 2.0, one message
// per line.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/cli/base/option.h"
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/process/child_process.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {

// Runs the program with these arguments and this standard input.
using ProgramRunner =
    std::function<Expected<ProgramResult>(const std::vector<std::string>& arguments, const std::string& input)>;

// Answers the messages of one client. It keeps no state between them.
class McpSession {
 public:
  // The newest version of the protocol, and older ones, which differ in nothing that this server does.
  static constexpr std::string_view kVersions[] = {"2025-06-18", "2025-03-26", "2024-11-05"};

  // Each command is a tool. That of `serve` takes one request of the subject protocol.
  McpSession(std::vector<Command> commands, ProgramRunner run) : commands_(std::move(commands)), run_(std::move(run)) {}

  // Returns the answer to a message, or nothing if it takes none. Any text has an answer: one that is no request has an
  // error of JSON-RPC.
  std::optional<Json> Answer(std::string_view line) const;

 private:
  Json AnswerRequest(const std::string& method, const Json& params, const Json& id) const;
  Json Call(const Json& params, const Json& id) const;

  std::vector<Command> commands_;
  ProgramRunner run_;
};

}  // namespace layoutcheck
