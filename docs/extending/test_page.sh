#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds the program that docs/extending.md describes, and runs the examples of the page with it.
#
# usage: test_page.sh BUILD_FOLDER FOLDER_OF_THE_PROGRAM TEST_OF_THE_PAGES
set -euo pipefail
build=$1 tree=$2 pages=$3
cmake --build "$build" --target extended_layoutcheck
LAYOUTCHECK_EXTENDED=$tree "$pages" --gtest_filter='*ExamplesPrintWhatIsPrinted/extending'
