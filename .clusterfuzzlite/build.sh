#!/bin/bash -eu
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds the fuzz targets as OSS-Fuzz does.
"$SRC"/layoutcheck/fuzz/build_oss_fuzz.sh
