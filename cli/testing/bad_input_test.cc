// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests that bad input to every command has the contract's exit code, one clear line on stderr, and nothing on stdout.
#include <gtest/gtest.h>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>
#include "layoutcheck/cli/testing/run_program.h"

namespace layoutcheck {
namespace {

struct BadInput {
  std::vector<std::string> arguments;
  int exit_code;
  std::string err;  // beginning of the line on stderr
};

const BadInput kBadInputs[] = {
    // The program without a command.
    {{}, 2, "layoutcheck: expected a command; see layoutcheck --help"},
    {{"parze"}, 2, "layoutcheck: unknown command 'parze'; see layoutcheck --help"},
    {{"grid", "--help"}, 2, "layoutcheck: unknown command 'grid'; see layoutcheck --help"},
    {{"--jason"}, 2, "layoutcheck: unknown option '--jason'; see layoutcheck --help"},
    {{""}, 2, "layoutcheck: unknown command ''; see layoutcheck --help"},
    {{"--completion", "tcsh"}, 2, "layoutcheck: --completion: expected bash, zsh or fish, got 'tcsh'"},
    // Rejected texts.
    {{"parse", ""}, 1, "column 1: expected a shape (an element type, '(' or 'b('), found end of text"},
    {{"parse", "f32[3,"}, 1, "column 7: expected a dimension (an integer >= 0, '<=' or '?'), found end of text"},
    {{"parse", "f32[3,5]{1,0:T(2,2)"}, 1, "column 20: "},
    {{"parse", "f32[3,5]{1,0:Q(2)}"}, 1, "column 14: "},
    {{"parse", "F32[3]"}, 1, "column 1: "},
    {{"parse", "f32[3]x"}, 1, "column 7: "},
    {{"parse", "f32[2,2]{0,0}"}, 1, "column 9: "},
    {{"parse", "f32[2]{0:T(0)}"}, 1, "column 7: "},
    {{"parse", "f32[9223372036854775808]"}, 1, "column 5: "},
    {{"parse", "f32[2]{0:L(0)}"}, 1, "column 7: "},
    {{"parse", "f32[4294967296,4294967296]"}, 1, "column 1: "},
    {{"parse", "(f32[2], f32[3]"}, 1, "column 16: "},
    {{"parse", "f32[2]\n\x01"}, 1, "column 8: "},
    {{"parse", "f32[2] /* open"}, 1, "column 8: "},
    {{"parse", "{1,0:T(}", "--kind", "layout"}, 1, "column 8: "},
    {{"parse", "(4,2):(1)", "--kind", "shape-stride"}, 1, ""},
    {{"parse", "x = f32[2 add(y)", "--kind", "instruction"}, 1, "column 11: "},
    // Unusable arguments.
    {{"parse"}, 2, "layoutcheck parse: TEXT is required; see layoutcheck parse --help"},
    {{"parse", "f32[2]", "f32[3]"}, 2, "layoutcheck parse: "},
    {{"parse", "f32[2]", "--kind", "tensor"},
     2,
     "layoutcheck parse: --kind: expected shape, layout, instruction, shape-stride, linear or any, got 'tensor'"},
    {{"parse", "f32[2]", "--kind"}, 2, "layoutcheck parse: --kind"},
    {{"index"}, 2, "layoutcheck index: LAYOUT is required; see layoutcheck index --help"},
    {{"index", "f32[3,5]"}, 2, "layoutcheck index: COORD is required; see layoutcheck index --help"},
    {{"index", "f32[3,5]", "2,3", "--bogus"}, 2, "layoutcheck index: unknown option '--bogus'; see "},
    {{"index", "f32[3,5", "2,3"}, 2, "layoutcheck index: LAYOUT: column 8: "},
    {{"index", "f32[3,5]{1,0:T(2,*)}", "2,3"}, 2, "layoutcheck index: LAYOUT: "},
    {{"index", "f32[3,5]", "3,0"},
     2,
     "layoutcheck index: COORD: coordinate y=3 is outside dimension 0 of size 3: expected 0 to 2"},
    {{"index", "f32[3,5]", "0,-1"},
     2,
     "layoutcheck index: COORD: coordinate x=-1 is outside dimension 1 of size 5: expected 0 to 4"},
    {{"index", "f32[3,5]", "0,0,0"}, 2, "layoutcheck index: COORD: expected 2 coordinates, y,x, found 3"},
    {{"index", "f32[3,5]", "()"}, 2, "layoutcheck index: COORD: expected 2 coordinates, y,x, found 0"},
    {{"index", "f32[]", "0"}, 2, "layoutcheck index: COORD: expected (), the coordinate of a scalar, found 0"},
    {{"index", "f32[3,5]", "2;3"}, 2, "layoutcheck index: COORD: column 2: expected ',' or end of text, found ';'"},
    {{"index", "f32[3,5]", "(2,3"}, 2, "layoutcheck index: COORD: column 5: expected ',' or ')', found end of text"},
    {{"index", "f32[3,5]", "2,3)"}, 2, "layoutcheck index: COORD: column 4: expected ',' or end of text, found ')'"},
    {{"index", "f32[3,5]", ""}, 2, "layoutcheck index: COORD: column 1: expected an integer, found end of text"},
    {{"index", "f32[3,5]", "99999999999999999999,0"},
     2,
     "layoutcheck index: COORD: column 1: the integer 99999999999999999999 does not fit int64"},
    {{"index", "f32[0,5]", "0,0"},
     2,
     "layoutcheck index: COORD: coordinate y=0 is outside dimension 0, whose size is 0"},
    {{"index", "(f32[3], s32[])", "0"},
     2,
     "layoutcheck index: LAYOUT: a tuple has no linear index: expected an array shape"},
    {{"index", "token[]", "()"}, 2, "layoutcheck index: LAYOUT: a token has no linear index: expected an array shape"},
    {{"index", "f32[?,5]", "0,0"}, 2, "layoutcheck index: LAYOUT: dimension 0 is unbounded (?): its size is not known"},
    {{"index", "(4,2):(1,4)", "4,0"}, 2, "layoutcheck index: COORD: "},
    {{"index", "(4,2):(1,4)", "((0,0),0)"}, 2, "layoutcheck index: COORD: "},
    {{"index", "f32[2,3]{0,1}pad[3,2]=0", "0,0"}, 2, "layoutcheck index: LAYOUT: "},
    {{"index", "Sw<2,0,1> o 0 o (8,8):(8,1)", "0,0"}, 2, "layoutcheck index: LAYOUT: column 1: "},
    {{"index", "Sw<2,0,3> o (8,8):(8,1", "0,0"}, 2, "layoutcheck index: LAYOUT: column 23: "},
    {{"index", "zN:f128[20,40]", "0,0"}, 2, "layoutcheck index: LAYOUT: column 4: "},
    {{"index", "PaddingRowMajor:f16[2,4]", "0,0"}, 2, "layoutcheck index: LAYOUT: column 16: PaddingRowMajor has no b"},
    {{"index", "NC1HWC0:f16[2,4]", "0,0"}, 2, "layoutcheck index: LAYOUT: column 12: 2 sizes: expected 4 for the tag"},
    {{"index", "zN<0,8>:f16[20,40]", "0,0"}, 2, "layoutcheck index: LAYOUT: column 3: block of 0: expected a size"},
    {{"show", "zN<9223372036854775807,9>:f16[20,40]"}, 2, "layoutcheck show: LAYOUT: "},
    {{"coord", "f32[3,5]{1,0:T(2,2)}", "24"},
     2,
     "layoutcheck coord: OFFSET: offset 24 is outside the allocation of 24 elements: expected 0 to 23"},
    {{"coord", "f32[3,5]", "-1"},
     2,
     "layoutcheck coord: OFFSET: offset -1 is outside the allocation of 15 elements: expected 0 to 14"},
    {{"coord", "f32[0]", "0"}, 2, "layoutcheck coord: OFFSET: offset 0 is outside the allocation, which is empty"},
    {{"coord", "f32[3,5]", "1.5"}, 2, "layoutcheck coord: OFFSET: column 2: expected end of text after the integer"},
    {{"coord", "f32[3,5]", "0x10"}, 2, "layoutcheck coord: OFFSET: column 2: expected end of text after the integer"},
    {{"coord", "f32[3,5]"}, 2, "layoutcheck coord: OFFSET is required; see layoutcheck coord --help"},
    {{"coord", "(4,2):(1,4)", "8"},
     2,
     "layoutcheck coord: OFFSET: offset 8 is outside the allocation of 8 elements: expected 0 to 7"},
    {{"show"}, 2, "layoutcheck show: LAYOUT is required; see layoutcheck show --help"},
    {{"show", "f32[3,5]{0,1}{"}, 2, "layoutcheck show: LAYOUT: column 14: "},
    {{"show", "f32[3]", "--svg", "missing/memory.svg"},
     2,
     "layoutcheck show: cannot write missing/memory.svg: No such file or directory"},
    {{"show", "f32[3]", "--html", "missing/memory.html"},
     2,
     "layoutcheck show: cannot write missing/memory.html: No such file or directory"},
    {{"show", "f32[3037000500,3037000500]{1,0:T(8,128)}"}, 2, "layoutcheck show: LAYOUT: column 1: "},
    {{"show", "f32[3]", "--view", "rows"},
     2,
     "layoutcheck show: --view: expected memory, logical, both or threads, got 'rows'"},
    {{"show", "f32[3]", "--view", "threads"},
     2,
     "layoutcheck show: LAYOUT: expected a layout in bits or a shape:stride layout of two modes, threads and values, "
     "such as "},
    {{"show", "(2,2):(1,2)", "--view", "threads", "--tile", "2by2"},
     2,
     "layoutcheck show: --tile: column 2: expected 'x' or the end of the sizes"},
    {{"show", "(2,2):(1,2)", "--tile", "2x2"}, 2, "layoutcheck show: --tile is for --view threads"},
    {{"compare", "f32[3]", "f32[3]", "--svg", "missing/memory.svg"},
     2,
     "layoutcheck compare: cannot write missing/memory.svg: No such file or directory"},
    {{"convert"}, 2, "layoutcheck convert: LAYOUT is required; see layoutcheck convert --help"},
    {{"convert", "f32[3]"}, 2, "layoutcheck convert: --to is required; see layoutcheck convert --help"},
    {{"convert", "f32[3]", "--to", "cute"},
     2,
     "layoutcheck convert: --to: expected hlo, shape-stride, linear, onednn, affine, pack or c, got 'cute'"},
    {{"convert", "f32[3", "--to", "c"}, 2, "layoutcheck convert: LAYOUT: column 6: "},
    {{"convert", "token[]", "--to", "c"}, 2, "layoutcheck convert: LAYOUT: a token has no linear index"},
    {{"convert", "(2,3):(1,2)", "--to", "hlo", "--element-type", "token"},
     2,
     "layoutcheck convert: --element-type: expected the type of an array, such as bf16, found 'token'"},
    {{"convert", "(4,2):(-1,4)", "--to", "hlo"},
     1,
     "not expressible: the stride -1 of (4,2):(-1,4): XLA's strides are above 0"},
    {{"convert", "(3,4):(5,1)", "--to", "hlo"}, 1, "not expressible: the integer 3:5 of (3,4):(5,1) leaves a gap"},
    {{"convert", "(3,4):(5,1)", "--to", "onednn"}, 1, "not expressible: the integer 3:5 of (3,4):(5,1) leaves a gap"},
    {{"convert", "Sw<2,0,3> o 0 o (8,8):(8,1)", "--to", "hlo"}, 1, "not expressible: Sw<2,0,3> o 0 o (8,8):(8,1) is"},
    {{"convert", "Sw<2,0,3> o 0 o (8,8):(8,1)", "--to", "affine"},
     1,
     "not expressible: Sw<2,0,3> o 0 o (8,8):(8,1) exchanges bits: that is not affin"},
    {{"convert", "f32[0,4]", "--to", "shape-stride"}, 1, "not expressible: f32[0,4]{1,0} has no element"},
    {{"convert", "f32[]", "--to", "onednn"}, 1, "not expressible: oneDNN has arrays of 1 to 12 dimensions, not of"},
    {{"convert", "bf16[32,256]{1,0:T(8,128)(2,1)}", "--to", "pack"},
     1,
     "not expressible: dimension 0 has more than one block: tensor.pack tiles a dimension once"},
    {{"convert", "bf16[2,3,1004]{2,1,0:T(2,*,128)}", "--to", "shape-stride"},
     1,
     "not expressible: a tile of 128 cuts dimension 2 where it is in parts of 1004"},
    {{"convert", "f32[100]{0:T(8)L(1024)}", "--to", "onednn"},
     1,
     "not expressible: f32[100]{0:T(8)L(1024)} takes 1024"},
    {{"convert", "((2,2),(2,2)):((1,4),(8,2))", "--to", "hlo"}, 3, "undecided: no XLA layout of at most two tiles"},
    {{"prove"},
     2,
     "layoutcheck prove: expected LAYOUT, --formula, --tiles, --code or --kernel; see layoutcheck prove --help"},
    {{"prove", "f32[M,N"}, 2, "layoutcheck prove: f32[M,N: column 8: expected ',' or ']' after a dimension"},
    {{"prove", "token[]"}, 2, "layoutcheck prove: token[]: a token has no linear index"},
    {{"prove", "f32[2]{0}", "--law", "equals-hlo"}, 2, "layoutcheck prove: f32[2]{0}: expected the name of a law"},
    {{"prove", "(M,N):(N,1)", "--law", "padding-minimal"},
     2,
     "layoutcheck prove: (M,N):(N,1): expected the name of a law of shape:stride layouts with names"},
    {{"prove", "(M,N):(N,1,2)"},
     2,
     "layoutcheck prove: (M,N):(N,1,2): expected a shape and a stride of the same structure"},
    {{"prove", "(M,N):(N,1", "--formula", "i0"},
     2,
     "layoutcheck prove: (M,N):(N,1: column 11: expected ',' or ')', found end of text"},
    {{"prove", "(M,N):(i0,1)"},
     2,
     "layoutcheck prove: (M,N):(i0,1): column 8: expected another name: i0 is an index or a dimension"},
    {{"prove", "(M,N):(N,1)", "--integers", "int32"},
     2,
     "layoutcheck prove: --integers: expected --formula beside (M,N):(N,1), a shape:stride layout"},
    {{"prove", "(M,N):(N,1)", "--formula", "i0*K"},
     2,
     "layoutcheck prove: --formula: column 4: expected an index, a dimension or a name of the layout (M, N, i0, i1)"},
    {{"prove", "zN:f16[M,"}, 2, "layoutcheck prove: zN:f16[M,: column 10: expected a size"},
    {{"prove", "zX:f16[M,N]"}, 2, "layoutcheck prove: zX:f16[M,N]: column 1: expected a tag: RowMajor"},
    {{"prove", "(3,4):(5)"}, 2, "layoutcheck prove: (3,4):(5): column 1: "},
    {{"prove", "(3,4):(5,1)", "--law", "inversive"}, 2, "layoutcheck prove: (3,4):(5,1): expected the name of a law"},
    {{"prove", "f32[2]{0}", "--law", "nope"}, 2, "layoutcheck prove: f32[2]{0}: expected the name of a law"},
    {{"prove", "f32[65536,65536]{1,0}", "--integers", "int32"},
     2,
     "layoutcheck prove: no shape's padded elements take 2147483647 bytes or less: there is nothing to "
     "prove"},
    {{"prove", "f32[2]{0}", "--rlimit", "0"}, 2, "layoutcheck prove: --rlimit: expected a number of units, at least 1"},
    {{"prove", "f32[2]{0}", "--second-solver", "missing/solver"}, 2, "layoutcheck prove: f32[2]{0}: the solver "},
    {{"prove", "--formula", "i0", "--over", "i0<M"},
     2,
     "layoutcheck prove: --over: expected --equals, --law or --integers, too"},
    {{"prove", "--formula", "i0+i1", "--over", "i0<M", "--law", "injective"},
     2,
     "layoutcheck prove: --over: expected a bound for i1, found none"},
    {{"prove", "--formula", "i0", "--over", "i0<=M", "--law", "injective"},
     2,
     "layoutcheck prove: --over: expected one bound per index, as in 'i0 < M, i1 < 2 * N', found 'i0<=M'"},
    {{"prove", "--formula", "i0", "--over", "i0<M, 2 <", "--law", "injective"},
     2,
     "layoutcheck prove: --over: column 10: expected an operand"},
    {{"prove", "f32[M]{0}", "--formula", "i0", "--below", "M"},
     2,
     "layoutcheck prove: --below: expected --formula and --law in-bounds, too"},
    {{"prove", "--formula", "(i0, i1)", "--equals", "i0"},
     2,
     "layoutcheck prove: --equals: expected as many components as in --formula (2), found 1"},
    {{"prove", "f32[M]{0}", "--formula", "(i0, 1)"},
     2,
     "layoutcheck prove: --formula: expected --equals or one formula, found 2 components"},
    {{"prove", "--formula", "(i0, 2 +)", "--equals", "(1, 2)"},
     2,
     "layoutcheck prove: --formula: column 9: expected an operand"},
    {{"prove", "f32[M]{0}", "--formula", ""}, 2, "layoutcheck prove: --formula: column 1: expected an operand"},
    {{"prove", "f32[M]{0}", "--formula", "i0 +"},
     2,
     "layoutcheck prove: --formula: column 5: expected an operand (a number, a name, '(', '-', '~', '!', '[', min, max "
     "or a cast), found "
     "end of text"},
    {{"prove", "f32[M]{0}", "--formula", "i0 + K"},
     2,
     "layoutcheck prove: --formula: column 6: expected i0, d0 or a name of the layout (M), found 'K'"},
    {{"prove", "f32[M,N]{1,0}", "--formula", "i2"},
     2,
     "layoutcheck prove: --formula: column 1: expected i0 to i1, d0 to d1 or a name of the layout (M, N), found 'i2'"},
    {{"prove", "f32[M]{0}", "--formula", "i0", "--assume", "M >"}, 2, "layoutcheck prove: --assume: column 4: "},
    {{"prove", "f32[M]{0}", "--formula", "i0", "--equals", "("}, 2, "layoutcheck prove: --equals: column 2: "},
    {{"prove", "f32[M", "--formula", "i0"}, 2, "layoutcheck prove: f32[M: column 6: "},
    {{"prove", "--formula", "i0"},
     2,
     "layoutcheck prove: --formula: expected LAYOUT, --equals or --over, too; see layoutcheck prove --help"},
    {{"prove", "f32[M]{0}", "--equals", "i0"}, 2, "layoutcheck prove: --equals: expected --formula, too"},
    {{"prove", "f32[M]{0}", "--assume", "M > 0"}, 2, "layoutcheck prove: --assume: expected --formula or a view, too"},
    // Layouts in bits.
    {{"index", "ll{lane:[1,2]} -> [3]", "0"},
     2,
     "layoutcheck index: LAYOUT: column 20: expected a power of two as the size of output 'dim0', found 3"},
    {{"index", "ll{lane:[1,2]} -> [4]", "4"},
     2,
     "layoutcheck index: COORD: lane=4 is outside the input of size 4: expected 0 to 3"},
    {{"show", "#ttg.blocked<{order = [0]}>"},
     2,
     "layoutcheck show: LAYOUT: column 28: expected the shape of the array after the attribute, such as [128,64]"},
    {{"show", "4:1", "--access", "lane -> 4"},
     2,
     "layoutcheck show: --access: column 10: expected 'bytes' after the number, found end of text"},
    {{"show", "4:1", "--access", "lane -> 16 bytes"},
     2,
     "layoutcheck show: --access: lane 1 accesses 16 bytes at byte 4: expected a multiple of 16"},
    {{"index", "mma.m16n8k16.f32.A", "0,0"},
     2,
     "layoutcheck index: LAYOUT: column 14: expected one of the types f16 bf16 f64 s8 u8 of A and B of m16n8k16, "
     "found 'f32'"},
    {{"index", "sf128x4[200,8]", "0,0"},
     2,
     "layoutcheck index: LAYOUT: column 9: expected a positive multiple of 128 rows, found 200: the layout has whole "
     "tiles, and sf128x4[256,8]@[:200,:5] is a part of it"},
    {{"show", "ldmatrix.x4", "--view", "threads", "--tile", "8x8"},
     2,
     "layoutcheck show: LAYOUT: a layout in bits has its own tile: expected no --tile"},
    {{"convert", "(3,4):(4,1)", "--to", "linear"},
     1,
     "not expressible: (3,4):(4,1) is not linear over bits: the extent 3 is no power of two"},
    {{"prove", "ll{a:[1]} -> [2]", "--law", "inverse"},
     2,
     "layoutcheck prove: ll{a:[1]} -> [2]: expected the name of a law of layouts in bits (injective, onto), got "
     "'inverse'"},
    {{"prove", "ll{a:[1]} -> [2]", "--equals", "(2,2):(1,2)"},
     2,
     "layoutcheck prove: expected two layouts with the same sizes of inputs, found 2 and 2 x 2"},
    {{"prove", "ll{a:[1]} -> [2]", "--integers", "int32"},
     2,
     "layoutcheck prove: --integers: expected --formula beside ll{a:[1]} -> [2], a layout in bits"},
    {{"check", "ll{a:[1,2],b:[3]} -> [4]"},
     2,
     "layoutcheck check: ll{a:[1,2],b:[3]} -> [4]: no XLA layout is the same map: "},
    {{"prove", "f32[M]{0}", "--formula", "i0", "--law", "onto"}, 2, "layoutcheck prove: --law: "},
    {{"prove", "f32[M]{0}", "--formula", "i0", "--assume", "M < 0"},
     2,
     "layoutcheck prove: the assumptions contradict each other or leave no element: there is nothing to prove"},
    {{"prove", "f32[M]{0}", "--formula", "i0", "--assume", "M % 2 == 0", "--assume", "M % 4 == 1"},
     2,
     "layoutcheck prove: the assumptions contradict each other or leave no element: there is nothing to prove"},
    {{"prove", "f32[0]{0}", "--formula", "i0"},
     2,
     "layoutcheck prove: the layout has no element: nothing is said of any index"},
    {{"prove", "f32[M]{0}", "--integers", "int16"},
     2,
     "layoutcheck prove: --integers: expected int32, uint32 or int64, for C++20 followed by :c++20, got 'int16'"},
    {{"prove", "--formula", "a", "--equals", "a", "--integers", "int32"},
     2,
     "layoutcheck prove: expected a LAYOUT, whose padded size bounds the shapes"},
    {{"prove", "--tiles", "missing"}, 2, "layoutcheck prove: --tiles: cannot read missing"},
    {{"prove", "--tiles", "/dev/null"}, 2, "layoutcheck prove: --tiles: /dev/null has no entry"},
    {{"prove", "f32[M]{0}", "--tiles", "/dev/null"}, 2, "layoutcheck prove: --tiles: expected neither LAYOUT nor"},
    {{"prove", "f32[M]{0}", "--shard", "1/2"}, 2, "layoutcheck prove: --shard: expected --tiles, too"},
    {{"check", "f32[2"}, 2, "layoutcheck check: f32[2: column 6: "},
    {{"check", "(4,3):(3,1); 6:", "--law", "composition"},
     2,
     "layoutcheck check: (4,3):(3,1); 6:: 6:: column 3: expected an integer"},
    {{"check", "(3,4):(5,1"}, 2, "layoutcheck check: (3,4):(5,1: column 11: "},
    {{"check", "--law", "nope"}, 2, "layoutcheck check: --law: no law 'nope'; see layoutcheck laws"},
    {{"check", "--subject", "nope"},
     2,
     "layoutcheck check: --subject: expected reference, xla, pycute, numpy-strides, "},
    {{"fuzz", "--subject", "nope"}, 2, "layoutcheck fuzz: --subject: expected reference, xla, "},
    {{"check", "--subject", "lib:"}, 2, "layoutcheck check: --subject: expected a file after 'lib:'"},
    {{"check", "--subject", "lib:missing/mine.so"},
     2,
     "layoutcheck check: --subject: cannot load the library: missing/mine.so: cannot open shared object file"},
    {{"check", "--subject", "lib:missing/mine.so", "--isolate"},
     2,
     "layoutcheck check: --subject: cannot load the library: missing/mine.so: "},
    {{"fuzz", "--subject", "lib:missing/mine.so"}, 2, "layoutcheck fuzz: --subject: cannot load the library: "},
    {{"serve", "--counters", "99"}, 2, "layoutcheck serve: --counters: descriptor 99 has no counters of coverage"},
    {{"serve", "--subject", "nope"}, 2, "layoutcheck serve: --subject: expected reference, xla, "},
    {{"check", "--cases", "-1"},
     2,
     "layoutcheck check: --cases: expected an integer from 0 to 2^64 - 1, got '-1'; see layoutcheck check --help"},
    {{"check", "--seed", "-1"}, 2, "layoutcheck check: --seed: expected an integer from 0 to 2^64 - 1, got '-1'; see "},
    {{"check", "--seed", "1e3"}, 2, "layoutcheck check: --seed: expected an integer from 0 to 2^64 - 1, got '1e3'; "},
    {{"check", "--seed", "18446744073709551616"}, 2, "layoutcheck check: --seed: expected an integer from 0 to 2^64 "},
    {{"check", "--exhaustive", "-1"}, 2, "layoutcheck check: --exhaustive: expected an integer from 0 to 2^64 - 1"},
    {{"fuzz", "--cases", "-1"}, 2, "layoutcheck fuzz: --cases: expected an integer from 0 to 2^64 - 1, got '-1'; see "},
    {{"fuzz", "--seed", "x"}, 2, "layoutcheck fuzz: --seed: expected an integer from 0 to 2^64 - 1, got 'x'; see "},
    {{"check", "--exhaustive", "9"},
     2,
     "layoutcheck check: --exhaustive: expected the number of a scope, 1 to 6, got 9"},
    {{"check", "--shard", "3/2"}, 2, "layoutcheck check: --shard: expected auto, or K/N with 1 <= K <= N, got '3/2'"},
    {{"check", "--time", "5"}, 2, "layoutcheck check: --time: expected a duration such as 30s, 5m or 2h, got '5'"},
    {{"check", "--known", "missing"}, 2, "layoutcheck check: --known: cannot read missing"},
    {{"replay"}, 2, "layoutcheck replay: FINDING is required; see layoutcheck replay --help"},
    {{"replay", "missing"}, 2, "layoutcheck replay: FINDING: cannot read missing"},
    {{"report"}, 2, "layoutcheck report: FINDINGS is required; see layoutcheck report --help"},
    {{"report", "missing", "--html", "page.html"}, 2, "layoutcheck report: FINDINGS: cannot read missing"},
    {{"report", "{}", "--html", "page.html"}, 2, "layoutcheck report: FINDINGS: the text: \"subject\" is missing"},
    {{"report", R"({"subject":"s","law":"l","layout":"f32[2]","expected":"1","actual":"2"})"},
     2,
     "layoutcheck report: expected at least one of --html FILE, --junit FILE and --sarif FILE"},
    {{"report", R"({"subject":"s","law":"l","layout":"f32[2]","expected":"1","actual":"2"})", "--junit",
      "missing/page.xml"},
     2,
     "layoutcheck report: cannot write missing/page.xml: No such file or directory"},
    {{"laws", "extra"}, 2, "layoutcheck laws: "},
    {{"subjects", "--nope"}, 2, "layoutcheck subjects: unknown option '--nope'; see layoutcheck subjects --help"},
};

std::string Joined(const std::vector<std::string>& arguments) {
  std::string text = "layoutcheck";
  for (const std::string& argument : arguments) text += " '" + argument + "'";
  return text;
}

TEST(BadInput, OneLineOnStderrAndTheExitCodeOfTheContract) {
  // The program runs in an empty directory, so that every file that a row names is missing.
  const TemporaryDirectory directory;
  const std::filesystem::path home = std::filesystem::current_path();
  std::filesystem::current_path(directory.path());
  for (const BadInput& row : kBadInputs) {
    SCOPED_TRACE(Joined(row.arguments));
    const ProgramResult result = RunLayoutcheck(row.arguments);
    EXPECT_EQ(result.exit_code, row.exit_code);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
    EXPECT_TRUE(result.err.ends_with("\n"));
    EXPECT_TRUE(std::ranges::all_of(result.err, [](char c) { return c == '\n' || (c >= ' ' && c < 0x7f); }))
        << result.err;
    // At least a newline follows the text of the row.
    EXPECT_TRUE(result.err.starts_with(row.err)) << "expected " << row.err << "\nactual   " << result.err;
    EXPECT_GT(result.err.size(), row.err.size());
  }
  std::filesystem::current_path(home);
  std::printf("%zu bad inputs\n", std::size(kBadInputs));
}

TEST(BadInput, AReportDoesNotReplaceTheFindings) {
  const TemporaryDirectory directory;
  const std::string findings =
      WriteFile(directory, "f.jsonl", R"({"subject":"s","law":"l","layout":"f32[2]","expected":"1","actual":"2"})");
  const std::string content = ReadFile(findings);
  for (const char* option : {"--html", "--junit", "--sarif"}) {
    for (const std::string& argument : {findings, findings + ":1"}) {
      const ProgramResult result = RunLayoutcheck({"report", argument, option, findings});
      EXPECT_EQ(result.exit_code, 2);
      EXPECT_NE(result.err.find(std::string(option) + " " + findings + " would replace FINDINGS " + findings),
                std::string::npos)
          << result.err;
    }
  }
  EXPECT_EQ(ReadFile(findings), content);
}

}  // namespace
}  // namespace layoutcheck
