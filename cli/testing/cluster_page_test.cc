// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests that the scripts, the Kubernetes job and the lines for GNU parallel in docs/cluster.md work.
#include <gtest/gtest.h>
#include <fstream>
#include <string>
#include <vector>
#include "layoutcheck/cli/testing/page_blocks.h"
#include "layoutcheck/cli/testing/run_program.h"

namespace layoutcheck {
namespace {

std::vector<std::string> BlocksOfPage(const std::string& language) {
  std::vector<std::string> texts;
  for (const auto& block : Blocks(ReadFile(LAYOUTCHECK_SOURCE "/docs/cluster.md"), language)) {
    std::string& text = texts.emplace_back();
    for (const std::string& line : block) text += line + "\n";
  }
  return texts;
}

// Writes `mine`, an implementation with a fault, and the tile sets.
void MakeFiles(const TemporaryDirectory& directory) {
  std::ofstream(directory.path() + "/mine")
      << "#!/bin/sh\nexec " << LAYOUTCHECK_FAULTY_SUBJECT << " --fault floor-tile-count\n";
  RunShell("chmod +x mine; cp " LAYOUTCHECK_SOURCE "/corpus/tiles/*.txt .", directory.path());
}

bool IsInstalled(const std::string& program, const std::string& directory) {
  return RunShell("command -v " + program, directory).exit_code == 0;
}

// Returns the text with the first `from` replaced. It must be there.
std::string ReplaceFirst(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from << " in\n" << text;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

// Runs each script as the two jobs of an array, with less work, and merges what they leave.
TEST(ClusterPage, ScriptsRunAsAnArray) {
  const TemporaryDirectory directory;
  MakeFiles(directory);
  const std::vector<std::string> scripts = BlocksOfPage("bash");
  ASSERT_EQ(scripts.size(), 3u);
  const std::string environments[] = {
      "SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=2 SLURM_ARRAY_TASK_COUNT=2 SLURM_ARRAY_TASK_ID=",
      "JOB_COMPLETIONS=2 JOB_COMPLETION_INDEX="};
  const std::string names[] = {"check", "fuzz", "prove"};
  const std::pair<std::string, std::string> less[] = {
      {"--cases 10000000", "--cases 100"}, {"--time 1h", "--cases 100"}, {"tpu.txt", "npu.txt"}};
  for (size_t k = 0; k < 3; ++k) {
    std::ofstream(directory.path() + "/job.sh") << ReplaceFirst(scripts[k], less[k].first, less[k].second);
    const ProgramResult syntax = RunShell("bash -n job.sh", directory.path());
    EXPECT_EQ(syntax.exit_code, 0) << syntax.out;
    // Slurm's indices begin with 1, those of Kubernetes with 0.
    for (size_t scheduler = 0; scheduler < 2; ++scheduler) {
      for (const size_t job : {1 - scheduler, 2 - scheduler}) {
        const ProgramResult result =
            RunShell(environments[scheduler] + std::to_string(job) + " bash job.sh", directory.path());
        EXPECT_EQ(result.exit_code, 0) << names[k] << job << "\n" << result.out;
      }
      const ProgramResult merged = RunShell("layoutcheck merge " + names[k] + ".*[0-9]", directory.path());
      EXPECT_EQ(merged.exit_code, names[k] == "check" ? 1 : 0) << merged.out;
      RunShell("rm -r " + names[k] + ".*", directory.path());
    }
  }
}

TEST(ClusterPage, TheKubernetesJobIsOne) {
  const TemporaryDirectory directory;
  if (RunShell("python3 -c 'import yaml'", directory.path()).exit_code != 0) {
    GTEST_SKIP() << "Python's yaml is not installed, so that the YAML of docs/cluster.md is not read";
  }
  const std::vector<std::string> jobs = BlocksOfPage("yaml");
  ASSERT_EQ(jobs.size(), 1u);
  std::ofstream(directory.path() + "/job.yaml") << jobs[0];
  std::ofstream(directory.path() + "/read.py")
      << "import yaml\n"
         "job = yaml.safe_load(open('job.yaml'))\n"
         "assert (job['apiVersion'], job['kind']) == ('batch/v1', 'Job')\n"
         "spec = job['spec']\n"
         "assert spec['completionMode'] == 'Indexed'\n"
         "pod = spec['template']['spec']\n"
         "assert pod['restartPolicy'] in ('Never', 'OnFailure')\n"
         "container, = pod['containers']\n"
         "assert container['command'] == ['bash', 'check.sh']\n"
         "assert container['env'] == [{'name': 'JOB_COMPLETIONS', 'value': str(spec['completions'])}]\n"
         "mounts = {mount['name'] for mount in container['volumeMounts']}\n"
         "assert mounts == {volume['name'] for volume in pod['volumes']}\n"
         "assert container['workingDir'] in {mount['mountPath'] for mount in container['volumeMounts']}\n";
  const ProgramResult result = RunShell("python3 read.py", directory.path());
  EXPECT_EQ(result.exit_code, 0) << result.out;
}

TEST(ClusterPage, LinesForGnuParallelRun) {
  const TemporaryDirectory directory;
  if (!IsInstalled("parallel", directory.path())) {
    GTEST_SKIP() << "GNU parallel is not installed, so that its lines in docs/cluster.md are not run";
  }
  MakeFiles(directory);
  const std::vector<std::string> blocks = BlocksOfPage("sh");
  ASSERT_EQ(blocks.size(), 1u);
  // RunShell's shell need not know {1..8}. The check finds something in its jobs.
  std::ofstream(directory.path() + "/lines.sh") << blocks[0];
  const ProgramResult result = RunShell("bash lines.sh", directory.path());
  EXPECT_EQ(result.exit_code, 0) << result.out;
  for (const char* name : {"check", "fuzz", "prove"}) {
    const ProgramResult merged = RunShell(std::string("layoutcheck merge ") + name + ".*[0-9]", directory.path());
    EXPECT_EQ(merged.exit_code, name == std::string("check") ? 1 : 0) << merged.out;
  }
}

}  // namespace
}  // namespace layoutcheck
