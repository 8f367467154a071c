#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks that Coq accepts certificates of laws and formulas that the program writes, and rejects those whose claim was changed.
#
#   proofs/certificates_test.sh LAYOUTCHECK FOLDER    FOLDER has the compiled files of proofs/
set -euo pipefail
layoutcheck=$(realpath "$1")
folder=$(realpath "$2")
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

write() { # NAME, arguments of prove: writes NAME.v
  local name=$1
  shift
  "$layoutcheck" prove "$@" --certificate "$work/$name.v" >/dev/null
}

accept() { # NAME, arguments of prove
  write "$@"
  if ! coqc -q -Q "$folder" Layoutcheck "$work/$1.v" >"$work/log" 2>&1 ||
    ! grep -qx 'Closed under the global context' "$work/log"; then
    cat "$work/$1.v" "$work/log" >&2
    echo "Coq does not accept the certificate above" >&2
    exit 1
  fi
  accepted=$((${accepted:-0} + 1))
}

reject() { # NAME, arguments of sed that change NAME.v to a theorem that is false
  sed "$2" "$work/$1.v" >"$work/changed.v"
  if cmp -s "$work/$1.v" "$work/changed.v" || coqc -q -Q "$folder" Layoutcheck "$work/changed.v" >"$work/log" 2>&1; then
    cat "$work/changed.v" >&2
    echo "Coq accepts the file above, which was changed by $2" >&2
    exit 1
  fi
}

accept two 'f32[index,fact1]{0,1}' 'f32[N]{0:T(8)L(16)}' --law injective
"$layoutcheck" prove 's8[N]{0}' --law injective --certificate "$work/checked.v" --coq "coqc -q -Q $folder Layoutcheck" |
  grep -qF "checked.v: 1 theorem, checked by Coq"
for law in in-bounds injective inverse equals-pad-reshape-transpose equals-mixed-radix padding-minimal; do
  accept "${law//-/_}" 'f32[M,A,N]{1,2,0:T(*,8,P)(2,1)}' --law "$law"
done
accept onto 'f32[M,N]{1,0:T(8,128)(4,1)}' --law onto-padded-box
reject onto 's/Some 4; Some 1/Some 3; Some 1/'
reject injective 's/Some 8;/Some 0;/'

tiled='((i0 / 8) * ((N + 127) / 128) + i1 / 128) * 1024 + (i0 % 8) * 128 + i1 % 128'
accept formula 'f32[M,N]{1,0:T(8,128)}' --formula "$tiled"
reject formula 's/(Value 1024)/(Value 1025)/'
accept condition 'f32[M,N]{1,0:T(8,128)}' --formula "${tiled/(N + 127) \/ 128/N \/ 128 + (N % 128 == 0 ? 0 : 1)}"
reject condition '0,/(Value 0) (Value 1)/s//(Value 1) (Value 1)/'
accept assumption 'f32[M,N]{1,0:T(8,128)}' --assume 'N % 128 == 0' --formula "${tiled/(N + 127)/N}"
reject assumption 's/  Holds .* ->//; s/ Holds .* ->//'
accept mask 'f32[M,N]{1,0}' --formula '(i0 * N + i1 & -8) + (i0 * N + i1 & 7)'
reject mask 's/(Value 7))/(Value 5))/'
accept disjoint 'f32[M,8]{1,0}' --formula 'i0 << 3 | i1'
reject disjoint 's/(Value 3)/(Value 2)/'
accept common --formula '(x ^ y) ^ y' --equals x
reject common 's/BitXor (BitXor/BitXor (BitOr/'
accept table --over 'i0 < 3' --formula '[3, N, 7][i0]' --equals '2 * i0 + 3' --assume 'N == 5'
reject table 's/Element \[3;/Element [2;/'
accept fit 'f32[M,N]{1,0}' --assume 'M * N < 1000000' --formula 'int32(i0 * N + i1)'
reject fit 's/Cast true 32/Cast true 16/'
accept wrap --formula 'uint32(x + 4294967296)' --equals 'x mod 4294967296'
reject wrap 's/Cast false 32/Cast true 32/'
accept shift --over 'i0 < 3' --formula '1 << i0' --equals '[1, 2, 4][i0]'
reject shift 's/; 4\]/; 5]/'
accept below --over 'i0 < M, i1 < 8' --formula 'i0 * 8 + i1' --below '8 * M' --law in-bounds
reject below 's/Below (Multiply (Value 8)/Below (Multiply (Value 7)/'

accept apart 'f32[M,N]{1,0:T(8,128)}' --law injective --formula "$tiled"
reject apart 's/(Value 1024)/(Value 1000)/g'
accept pairs --over 'i0 < 64, i1 < N' --law injective --formula 'i0 / 8 + 8 * i1, i0 % 8'
reject pairs 's/Remainder (Value \([ij]\)0) (Value 8)/Remainder (Value \10) (Value 4)/g'
accept turned --over 'i0 < 8, i1 < 8' --law injective --formula 'i0 < 4 ? i0 * 8 + i1 : i0 * 8 + 7 - i1'
reject turned 's/(Value 7)/(Value 1)/g'

# The first are of corpus/tiles and corpus/formulas. A changed type, bound, or operator makes each theorem false.
accept overflow 'f32[M,N]{1,0:T(8,128)}' --integers int32
reject overflow 's/8 \* largest int32/8 * largest int64/'
accept overflow_formula 'f32[M,N]{1,0:T(8,128)}' --formula "$tiled" --integers uint32
reject overflow_formula 's/8 \* largest uint32/8 * largest int64/'
accept overflow_vector 's8[N]{0:T(1024)(128)(4,1)}' --integers int64
reject overflow_vector 's/NoOverflow int64/NoOverflow int32/'
accept overflow_fractal 'zN:f16[M,N]' --formula '(i1 / 16) * ((M + 15) / 16) * 256 + i0 * 16 + i1 % 16' --integers int32
reject overflow_fractal 's/8 \* largest int32/8 * largest int64/'
accept overflow_wide --over 'i0 < M' --formula 'i0 * 4096' --integers int64 --assume 'M <= 1048576'
reject overflow_wide 's/NoOverflow int64/NoOverflow int32/'
accept overflow_shift --over 'i0 < M' --formula '(i0 - 9) << 1' --integers int32:c++20 --assume 'M <= 1048576'
reject overflow_shift 's/NoOverflow (cpp20 int32)/NoOverflow int32/'
accept overflow_amount --over 'i0 < M' --formula 'i0 >> s' --integers int32 --assume 'M <= 99 && s < 3'
reject overflow_amount 's/(Value 3)/(Value 40)/'
accept overflow_remainder --over 'i0 < 9' --formula '(i0 - 2147483647 - 1) % (0 - 1)' --integers int32 --assume 'i0 > 0'
reject overflow_remainder 's/ Holds (Greater (Value i0) (Value 0)) ->//'
accept overflow_divisor --over 'i0 < 9' --formula '(i0 - 5) % (K - 7)' --integers int32 --assume 'K < 5'
reject overflow_divisor 's/(Value i0) (Value 5)/(Value i0) (Value 5000000000)/'
accept overflow_mask --over 'i0 < 9' --formula 'i0 & ~7' --integers uint32
reject overflow_mask 's/BitAnd/BitOr/'
accept overflow_cast --over 'i0 < 9' --formula 'uint8(i0 * 99) - uint8(i0)' --integers int32
reject overflow_cast 's/NoOverflow int32/NoOverflow uint32/'
accept overflow_choice --over 'i0 < M' --formula 'let x = i0 * 3 in x > 7 ? x - 7 : [1, 2, 3][x % 3]' --integers int32 --assume 'M <= 99'
reject overflow_choice 's/Element \[1;/Element [3000000000;/'

for law in injective inverse in-bounds onto; do
  accept "names_${law//-/_}" '((8,M),N):((N,8*N),1)' --law "$law"
done
accept strides '((3,4),5):((4,1),-12)' --law injective
accept reach '((3,4),5):((4,1),-12)' --law onto
accept signs '(3,4):(0,1)' --law in-bounds
accept enumeration '(4,3):(3,4)' --law inverse
reject names_injective 's/Mode M (8 \* N)/Mode M (7 * N)/'
reject names_onto 's/Mode N 1\]/Mode N 2]/'
reject strides 's/Mode 3 4/Mode 3 3/'
reject reach 's/Mode 3 4/Mode 3 5/'
reject signs 's/Mode 4 1/Mode 4 (-1)/'
reject enumeration 's/Mode 3 4/Mode 3 3/'

for law in injective inverse in-bounds onto; do
  accept "swizzle_${law//-/_}" 'Sw<3,4,3> o 0 o (8,64):(64,1)' --law "$law"
done
accept swizzle_up 'Sw<2,0,-2> o 19 o (2,4):(-3,8)' --law injective
accept swizzle_high 'Sw<1,0,61> o 4611686018427387904 o (3,3):(2,3)' --law inverse
accept shifted_signs '6 o (4,2):(-2,3)' --law in-bounds
accept shifted_reach '-3 o (4,5):(4,-1)' --law onto
reject swizzle_injective 's/swizzle 3 4 3/swizzle 3 4 2/'
reject swizzle_inverse 's/Mode 8 64/Mode 8 63/'
reject swizzle_in_bounds 's/(swizzle 3 4 3) 0/(swizzle 3 4 3) (-1)/'
reject swizzle_onto 's/(swizzle 3 4 3) 0/(swizzle 3 4 3) 16/'
reject swizzle_up 's/(swizzle 2 0 (-2)) 19/(swizzle 2 0 (-1)) 19/'
reject swizzle_high 's/Mode 3 3/Mode 3 2/'
reject shifted_signs 's/(fun x => x) 6/(fun x => x) 5/'
reject shifted_reach 's/Mode 4 4/Mode 4 6/'

accept bits_apart 'll{register:[(4,0)],lane:[(0,1),(7,3)]} -> [8,4]' --law injective
reject bits_apart 's/\[7; 3\]/[4; 1]/'
accept bits_onto 'll{row:[9,18,32],column:[1,2,4],again:[1]} -> [64]' --law onto
reject bits_onto 's/\[32\]/[8]/'
reject bits_onto 's/\[64\]/[128]/'
accept bits_equal 'll{row:[9,18,32],column:[1,2,4]} -> [64]' --equals 'Sw<2,0,3> o 0 o (8,8):(8,1)'
reject bits_equal '0,/\[18\]/s//[19]/'
reject bits_equal 's/\[3; 3\] =/[2; 4] =/'
accept bits_empty 'll{} -> []' --equals 'll{} -> []'
accept bits_named mma.m16n8k16.f16.A --law injective
reject bits_named 's/\[8; 0\]/[4; 0]/'

accept tag 'NC1HWC0:f16[N,C,H,W]' --law injective
reject tag 's/Some 16; Some 1/Some 0; Some 1/'

accept fractal 'zN:f16[M,N]' --law injective
reject fractal 's/fractal_offset (Blocks 16 16/fractal_offset (Blocks 16 8/'
accept same 'nZ:s8[M,N]' --law equals-hlo
reject same 's/Blocks 32 16 false true/Blocks 32 16 true true/'
accept placed 'zN:f16[M,N]' --formula '(i1 / 16) * ((M + 15) / 16) * 256 + i0 * 16 + i1 % 16'
reject placed 's/fractal_offset (Blocks 16 16/fractal_offset (Blocks 16 8/'
accept points --over 'i0 < N' --formula 'i0 * i0 ^ 3' --equals '[3, 2, 7, 10][i0]' --assume 'N <= 4'
reject points 's/; 10\]/; 11]/g'
echo "$accepted certificates as Coq files, 0 failures; changed ones are rejected"
