// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "smem.h"

int SwizzledPlace(int row, int column) { return swizzled(row, column); }
