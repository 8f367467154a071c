// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// oneDNN as a process that answers the subject protocol.
#include <unistd.h>
#include "layoutcheck/subjects/onednn/onednn_subject.h"
#include "layoutcheck/subjects/protocol/serve.h"

int main() {
  layoutcheck::OneDnnSubject subject;
  return layoutcheck::Serve(subject, STDIN_FILENO, STDOUT_FILENO) ? 0 : 1;
}
