#!/bin/bash -eu
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"$SRC"/layoutcheck/fuzz/build_oss_fuzz.sh
