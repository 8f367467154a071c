// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// layoutcheck fuzz --subject S
#include <memory>
#include "layoutcheck/cli/commands/commands.h"
#include "layoutcheck/cli/run/fuzz_run.h"

namespace layoutcheck {

Command FuzzCommand() {
  auto options = std::make_shared<FuzzCommandLine>();
  return {.name = "fuzz",
          .description = R"(find the texts that a parser gets wrong

Draws and mutates texts, asks the subject to parse each, and compares its answer with the reference's. It finds
crashes, hangs, wrong acceptance and rejection, lost fields, wrong text, and memory that grows. Each cause is
reported when it is found, once, with its shortest text, and saved in DIR/findings.jsonl before the run goes on.
Ctrl-C ends the run with what there is.

A library that was compiled with -fsanitize-coverage=inline-8bit-counters (clang) or trace-pc (g++) guides the
run: texts that reach new code are mutated further.)",
          .details = R"(
With --shard, a share draws from a stream of its own, which --seed and K/N determine. It checks its part of
--cases, while --time is the time of each share.)",
          .example = R"(
  $ layoutcheck fuzz --subject 'exec:python3 my_parser.py'
  $ layoutcheck fuzz --subject lib:./mine.so --kind layout --time 10m --corpus texts)",
          .options = Joined(
              {{SubjectOption(kSubjectOption, &options->subject),
                {"--kind shape|layout|instruction", "the kind of the texts (default: shape)", &options->kind},
                {"--time DURATION",
                 "begin no text after this time: 30s, 5m, 2h (default: 1m, or no limit with --cases)", &options->time},
                {"--cases N", "begin no text after this many", &options->cases},
                {"--corpus DIR",
                 "start from the texts in this directory, one per file; texts that the run keeps are added to it",
                 &options->corpus}},
               RunOptions("fuzz", "texts", *options)}),
          .run = [options] { return RunFuzz(*options); },
          .given = &options->given,
          .reports_interruption = true};
}

}  // namespace layoutcheck
