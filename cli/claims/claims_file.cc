// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/claims/claims_file.h"
#include <algorithm>
#include <cctype>
#include <optional>
#include <ranges>
#include <utility>
#include <variant>
#include "layoutcheck/cli/claims/claim_entries.h"
#include "layoutcheck/core/base/hash.h"
#include "layoutcheck/core/base/nearest_name.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/properties/model/shell_word.h"

namespace layoutcheck {
namespace {

// Options that `run` sets by itself, or that print another text than verdicts.
constexpr std::string_view kNoKeys[] = {"--json", "--jobs", "--quiet", "--emit", "--explain", "--picture", "--link"};

// Options with which a verdict depends on the time, the environment or another program, or the command writes files.
constexpr std::string_view kNotRemembered[] = {"--time",          "--certificate", "--coq",     "--emit-smt2",
                                               "--second-solver", "--html",        "--junit",   "--sarif",
                                               "--svg",           "--out",         "--results", "--shard"};
// The value of --subject that is no other program.
constexpr std::string_view kReferenceSubject = "reference";

bool ContainsName(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// Returns the key of the option, or nothing for an option that an entry cannot have.
std::string KeyOfOption(const Option& option) {
  const bool is_key = !ContainsName(kNoKeys, option.Name()) && !std::holds_alternative<Page>(option.target);
  return is_key ? option.Key() : "";
}

// Returns the name of the folder for the findings of a claim: that of the claim, or its hash if it has other characters
// than letters, digits, - and _.
std::string FolderOfFindings(const std::string& name) {
  const auto is_plain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_'; };
  return std::ranges::all_of(name, is_plain) && !name.empty() ? name : HashDigits(HashText(name));
}

// Makes the arguments of one entry.
class ClaimReader {
 public:
  ClaimReader(const ClaimEntry& entry, const Command& command)
      : entry_(entry), command_(command), title_(StrCat("[", entry.kind, ".", entry.name, "]")) {}

  Expected<Claim> Read() {
    LAYOUTCHECK_RETURN_IF_ERROR(CheckKeys());
    claim_ = {.kind = entry_.kind, .name = entry_.name, .line = entry_.place.line, .can_be_remembered = true};
    for (const bool arguments : {true, false}) {
      for (const Option& option : command_.options) {
        if (option.IsArgument() == arguments && !option.Is(kRest)) LAYOUTCHECK_RETURN_IF_ERROR(Add(option));
      }
    }
    claim_.takes_jobs = Has("--jobs");
    const bool saves_findings = Has("--subject") && Has("--out");
    if (saves_findings && FindKey("out") == nullptr) {
      const std::string folder = StrCat(kClaimsFolder, "/", claim_.kind, "/", FolderOfFindings(claim_.name));
      claim_.arguments.insert(claim_.arguments.end(), {"--out", folder});
    }
    for (const Option& option : command_.options) {
      if (option.Is(kRest)) LAYOUTCHECK_RETURN_IF_ERROR(Add(option));
    }
    // The time limits `fuzz`, a finding that is replayed names its subject, and a certificate may name code.
    for (const std::string_view kind : {"fuzz", "replay", "verify"}) {
      if (claim_.kind == kind) claim_.can_be_remembered = false;
    }
    return std::move(claim_);
  }

 private:
  bool Has(std::string_view option) const {
    return std::ranges::any_of(command_.options, [&](const Option& other) { return other.Name() == option; });
  }

  const ClaimKey* FindKey(std::string_view name) const {
    const auto key = std::ranges::find(entry_.keys, name, &ClaimKey::name);
    return key == entry_.keys.end() ? nullptr : &*key;
  }

  // Refuses keys that are no option or argument of the command.
  Expected<void> CheckKeys() const {
    std::vector<std::string> known;
    for (const Option& option : command_.options) {
      if (std::string key = KeyOfOption(option); !key.empty()) known.push_back(std::move(key));
    }
    for (const ClaimKey& key : entry_.keys) {
      if (std::ranges::find(known, key.name) != known.end()) continue;
      const std::string nearest = DidYouMean(key.name, {known.begin(), known.end()});
      return ErrorAtPlace(key.place,
                          StrCat(title_, " has an unknown key '", key.name, "'",
                                 nearest.empty() ? StrCat("; expected one of ", StrJoin(known, ", ")) : nearest));
    }
    return {};
  }

  // Adds what the entry says about one option or argument.
  Expected<void> Add(const Option& option) {
    const std::string name = KeyOfOption(option);
    const ClaimKey* const key = name.empty() ? nullptr : FindKey(name);
    if (key == nullptr) {
      if (!option.Is(kRequired)) return {};
      return ErrorAtPlace(entry_.place, StrCat(title_, ": expected the key '", name, "', too: ", option.description));
    }
    const bool is_flag = std::holds_alternative<bool*>(option.target);
    if (const bool* const flag = std::get_if<bool>(&key->value)) {
      if (!is_flag) return Expect(*key, "a text");
      if (*flag) claim_.arguments.push_back(option.Name());
      return {};
    }
    if (is_flag) return Expect(*key, "true or false");
    std::vector<std::string> values;
    if (const auto* const text = std::get_if<std::string>(&key->value)) {
      values.push_back(*text);
    } else if (option.IsRepeated()) {
      values = std::get<std::vector<std::string>>(key->value);
    } else {
      return Expect(*key, "one text");
    }
    return AddValues(option, *key, values);
  }

  std::unexpected<Error> Expect(const ClaimKey& key, std::string_view expected) const {
    return ErrorAtPlace(key.place, StrCat(title_, ": expected ", expected, " as '", key.name, "'"));
  }

  Expected<void> AddValues(const Option& option, const ClaimKey& key, const std::vector<std::string>& values) {
    if (values.empty()) return Expect(key, "at least one text");
    if (option.Is(kRest)) claim_.arguments.push_back(option.Name());
    for (const std::string& value : values) {
      if (value.empty() && !option.Is(kMayBeEmpty)) return Expect(key, "no empty text");
      if (value.find('\0') != std::string::npos) return Expect(key, "no byte 0");
      if (option.IsArgument()) {
        // Standard input belongs to no claim, and the command would take an option for one.
        if (value.starts_with('-')) return Expect(key, "no text that begins with '-'");
        claim_.arguments.push_back(value);
      } else if (option.Is(kRest)) {
        claim_.arguments.push_back(value);
      } else if (value.starts_with('-') || value.empty()) {
        claim_.arguments.push_back(StrCat(option.Name(), "=", value));
      } else {
        claim_.arguments.insert(claim_.arguments.end(), {option.Name(), value});
      }
      claim_.values.push_back(value);
      const bool is_other_subject = option.Name() == "--subject" && value != kReferenceSubject;
      if (is_other_subject || ContainsName(kNotRemembered, option.Name())) claim_.can_be_remembered = false;
    }
    return {};
  }

  const ClaimEntry& entry_;
  const Command& command_;
  std::string title_;
  Claim claim_;
};

}  // namespace

std::string Claim::ShellCommand() const {
  std::string command = StrCat("layoutcheck ", kind);
  for (const std::string& argument : arguments) StrAppend(command, " ", ShellWord(argument));
  return command;
}

Expected<std::vector<Claim>> ReadClaims(std::string_view text, std::span<const Command> commands) {
  LAYOUTCHECK_TRY(const std::vector<ClaimEntry> entries, ReadClaimEntries(text));
  std::vector<Claim> claims;
  for (const ClaimEntry& entry : entries) {
    const auto command = std::ranges::find(commands, entry.kind, &Command::name);
    if (command == commands.end()) {
      std::vector<std::string> known;
      for (const Command& one : commands) known.push_back(one.name);
      const std::string nearest = DidYouMean(entry.kind, {known.begin(), known.end()});
      return ErrorAtPlace(entry.place,
                          StrCat("unknown kind of claim '", entry.kind, "' of [", entry.kind, ".", entry.name, "]",
                                 nearest.empty() ? StrCat("; expected one of ", StrJoin(known, ", ")) : nearest));
    }
    LAYOUTCHECK_TRY(auto claim, ClaimReader(entry, *command).Read());
    claims.push_back(std::move(claim));
  }
  return claims;
}

}  // namespace layoutcheck
