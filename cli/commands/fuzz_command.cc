// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// layoutcheck fuzz --subject S
#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include "layoutcheck/cli/base/jobs.h"
#include "layoutcheck/cli/base/shard.h"
#include "layoutcheck/cli/commands/commands.h"
#include "layoutcheck/cli/run/fuzz_run.h"

namespace layoutcheck {

void AddFuzzCommand(CLI::App& program, Action& action) {
  auto options = std::make_shared<FuzzCommandLine>();
  CLI::App* command =
      AddCommand(program, "fuzz",
                 "find the texts that a parser gets wrong\n\n"
                 "Draws and mutates texts, asks the subject to parse each, and compares its answer with the "
                 "reference's. It finds crashes, hangs, wrong acceptance and rejection, lost fields, wrong text, and "
                 "memory that grows. Each cause is reported when it is found, once, with its shortest text, and saved "
                 "in DIR/findings.jsonl before the run goes on. Ctrl-C ends the run with what there is.\n\n"
                 "A library that was compiled with -fsanitize-coverage=inline-8bit-counters (clang) or trace-pc (g++) "
                 "guides the run: texts that reach new code are mutated further.\n\n"
                 "With --shard, a share draws from a stream of its own, which --seed and K/N determine. It checks its "
                 "part of --cases, while --time is the time of each share.",
                 "  $ layoutcheck fuzz --subject 'exec:python3 my_parser.py'\n"
                 "  $ layoutcheck fuzz --subject lib:./mine.so --kind layout --time 10m --corpus texts");
  command->add_option("--subject", options->subject, kSubjectOption)->type_name("S");
  command->add_option("--kind", options->kind, "the kind of the texts (default: shape)")
      ->type_name("shape|layout|instruction");
  command
      ->add_option("--time", options->time,
                   "begin no text after this time: 30s, 5m, 2h (default: 1m, or no limit with --cases)")
      ->type_name("DURATION");
  command->add_option("--cases", options->cases, "begin no text after this many")->type_name("N")->check(WholeNumber());
  command
      ->add_option("--corpus", options->corpus,
                   "start from the texts in this directory, one per file; texts that the run keeps are added to it")
      ->type_name("DIR");
  command->add_option("--known", options->known, "accept the differences that this file of JSON Lines names")
      ->type_name("FILE");
  CLI::Option* const out =
      command->add_option("--out", options->out, "the directory of findings.jsonl (default: layoutcheck-out)")
          ->type_name("DIR");
  command->add_option("--seed", options->seed, "the same seed draws the same texts (default: 1)")
      ->type_name("N")
      ->check(WholeNumber());
  AddShard(*command, "fuzz", options->shard);
  AddJobs(*command, options->jobs);
  command->add_flag("--quiet", options->quiet, "print only findings and the last line");
  command->add_flag("--stop-at-first", options->stop_at_first, "end the run at the first finding");
  AddSubjectTimeout(*command, options->subject_arguments);
  AddIsolate(*command, options->subject_arguments);
  command->add_flag("--json", options->json, "print findings and totals as JSON Lines");
  command->callback([options, out, command, &action] {
    options->out_given = out->count() > 0;
    options->work = WorkOf(*command);
    action = [options] { return RunFuzz(*options); };
  });
}

}  // namespace layoutcheck
