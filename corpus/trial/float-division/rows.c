// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Row of an element. Multiplies by the reciprocal, as divisions are slow on this core.
int row_of(int offset, int columns) { return (int)((float)offset * (1.0f / (float)columns)); }
