// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A command as a tool of the Model Context Protocol.
#pragma once

#include <string>
#include <vector>
#include "layoutcheck/cli/base/option.h"
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {

// Returns the tool as tools/list describes it: name, description and inputSchema. Each argument and option of the
// command is a property, such as "layout" and "law"; --json is always given, and an option that takes the rest of the
// arguments is left out.
Json ToolJson(const Command& command);

// Returns the program's arguments for a call of the tool with these arguments, an object or null: the command, --json,
// options as "--law=onto", and behind "--" the texts that are no options. Errors (kInvalidArgument), which name the
// property: it is unknown, of another type than in the schema, or missing.
Expected<std::vector<std::string>> ArgumentsOfCall(const Command& command, const Json& arguments);

}  // namespace layoutcheck
