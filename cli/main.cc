// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The layoutcheck program.
#include <fcntl.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include "layoutcheck/cli/commands/program.h"

int main(int argc, char** argv) {
  // If the caller has closed a standard stream, this keeps its number from another file, which would get the output.
  // Reading from it fails, and so does writing to it.
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) < 0) open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
#ifdef __GLIBC__
  // Proofs allocate and free many terms. By default, glibc gives the end of the heap back to the system and takes it
  // again thousands of times, which takes an eighth of a proof's time.
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_TOP_PAD, 64 << 20);
#endif
  return static_cast<int>(layoutcheck::RunCommandLine(argc, argv));
}
