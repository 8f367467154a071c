#!/bin/bash -eu
"$SRC"/layoutcheck/fuzz/build_oss_fuzz.sh
