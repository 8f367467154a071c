// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/mcp/mcp_session.h"
#include <algorithm>
#include <sstream>
#include <utility>
#include "layoutcheck/cli/mcp/mcp_tool.h"
#include "layoutcheck/core/base/nearest_name.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// Codes of errors, as JSON-RPC 2.0 numbers them.
constexpr int kParseError = -32700;
constexpr int kInvalidRequest = -32600;
constexpr int kUnknownMethod = -32601;
constexpr int kInvalidParams = -32602;

constexpr std::string_view kServe = "serve";

constexpr std::string_view kInstructions =
    "layoutcheck proves and tests code that decides where a tensor's elements lie in memory. A LAYOUT is text such as "
    "f32[20,300]{1,0:T(8,128)} (XLA), ((4,2),3):((1,4),8) (CuTe) or zN:f16[20,40]; `explain` with the topic notations "
    "lists them. A result has exit_code: 0 accepted or proved, 1 rejected or refuted, 2 unusable arguments, 3 "
    "undecided, which is never to be reported as right. Use `prove` for a formula, `prove-code` for a compiled "
    "function, `prove-kernel` for a GPU kernel, and `check` for a program that answers the subject protocol.";

Json Message(const Json& id, std::string_view member, Json content) {
  Json message{{"jsonrpc", "2.0"}, {"id", id}};
  message[member] = std::move(content);
  return message;
}

Json Failure(const Json& id, int code, std::string text) {
  return Message(id, "error", {{"code", code}, {"message", std::move(text)}});
}

Json Initialize(const Json& params, const Json& id) {
  const Json& asked = params["protocolVersion"];
  if (!asked.is_string()) return Failure(id, kInvalidParams, "initialize: expected a text as protocolVersion");
  // A client that cannot use the version in the answer ends the session.
  const bool is_known = std::ranges::find(McpSession::kVersions, asked.text()) != std::end(McpSession::kVersions);
  return Message(id, "result",
                 {{"protocolVersion", is_known ? std::string_view(asked.text()) : McpSession::kVersions[0]},
                  {"capabilities", {{"tools", Json::object()}}},
                  {"serverInfo", {{"name", "layoutcheck"}, {"version", LAYOUTCHECK_VERSION}}},
                  {"instructions", kInstructions}});
}

// Returns the tool of a command. `serve` reads its requests from stdin, so that its tool has one as its argument.
Json ToolOf(const Command& command) {
  Json tool = ToolJson(command);
  if (command.name != kServe) return tool;
  tool["inputSchema"]["properties"] = {
      {"request",
       {{"type", "object"},
        {"description",
         "a request of the subject protocol, {\"op\":\"apply\",\"function\":\"composition\",...}; "
         "`explain` with the topic protocol lists them"}}}};
  tool["inputSchema"]["required"] = Json::array({"request"});
  return tool;
}

// Returns the result of a tool: the lines that the command printed, and its exit code.
Json ToolResult(const ProgramResult& ran) {
  Json documents = Json::array();
  std::istringstream lines(ran.out);
  for (std::string line; std::getline(lines, line);) documents.push_back(Json::Parse(line).value_or(Json(line)));
  const Json content{{"exit_code", ran.exit_code}, {"documents", std::move(documents)}};
  // The text is for clients of older versions, which know no structuredContent.
  return {{"content", Json::array({{{"type", "text"}, {"text", content.Dump()}}})},
          {"structuredContent", content},
          {"isError", ran.exit_code < 0 || ran.exit_code == static_cast<int>(ExitCode::kUnusable)}};
}

}  // namespace

std::optional<Json> McpSession::Answer(std::string_view line) const {
  const std::optional<Json> message = Json::Parse(line);
  if (!message) return Failure(nullptr, kParseError, "the line is no JSON");
  const Json& id = (*message)["id"];
  const bool has_id = id.is_string() || id.is_number();
  const Json& method = (*message)["method"];
  if (!message->is_object() || (*message)["jsonrpc"] != "2.0" || (message->contains("id") && !has_id)) {
    return Failure(has_id ? id : Json(), kInvalidRequest,
                   "expected an object with \"jsonrpc\":\"2.0\", a method, and an id unless it is a notification");
  }
  const bool is_answer = message->contains("result") || message->contains("error");
  if (!method.is_string()) {
    if (is_answer) return std::nullopt;
    return Failure(id, kInvalidRequest, "expected a text as method");
  }
  if (!has_id) return std::nullopt;
  return AnswerRequest(method.text(), (*message)["params"], id);
}

Json McpSession::AnswerRequest(const std::string& method, const Json& params, const Json& id) const {
  if (!params.is_null() && !params.is_object()) return Failure(id, kInvalidParams, "params: expected an object");
  if (method == "initialize") return Initialize(params, id);
  if (method == "ping") return Message(id, "result", Json::object());
  if (method == "tools/call") return Call(params, id);
  if (method != "tools/list") return Failure(id, kUnknownMethod, StrCat("unknown method '", method, "'"));
  if (params.contains("cursor")) return Failure(id, kInvalidParams, "cursor: the list of tools has one page");
  Json tools = Json::array();
  for (const Command& command : commands_) tools.push_back(ToolOf(command));
  return Message(id, "result", {{"tools", std::move(tools)}});
}

Json McpSession::Call(const Json& params, const Json& id) const {
  const std::string& name = params["name"].text();
  const auto command = std::ranges::find(commands_, name, &Command::name);
  if (command == commands_.end()) {
    return Failure(id, kInvalidParams,
                   StrCat("unknown tool '", name, "'", DidYouMean(name, commands_, std::mem_fn(&Command::name))));
  }
  const Json& request = params["arguments"]["request"];
  const bool is_serve = name == kServe;
  if (is_serve && !request.is_object()) return Failure(id, kInvalidParams, "serve: request: expected an object");
  const Expected<std::vector<std::string>> arguments =
      is_serve ? std::vector<std::string>{name} : ArgumentsOfCall(*command, params["arguments"]);
  if (!arguments) return Failure(id, kInvalidParams, StrCat(name, ": ", arguments.error().message));
  const auto ran = run_(*arguments, is_serve ? request.Dump() + "\n" : "");
  if (ran) return Message(id, "result", ToolResult(*ran));
  return Message(id, "result",
                 {{"content", Json::array({{{"type", "text"}, {"text", ran.error().message}}})}, {"isError", true}});
}

}  // namespace layoutcheck
