# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element types of XLA and the NumPy types that hold their values."""

import functools
import re
from typing import Any, Optional

import numpy as np

from .errors import LayoutError

# Bits of an element by name in HLO text, for the types that NumPy has.
_NUMPY = {
    "pred": "bool",
    "s8": "int8",
    "s16": "int16",
    "s32": "int32",
    "s64": "int64",
    "u8": "uint8",
    "u16": "uint16",
    "u32": "uint32",
    "u64": "uint64",
    "f16": "float16",
    "f32": "float32",
    "f64": "float64",
    "c64": "complex64",
    "c128": "complex128",
}
# The types of the package ml_dtypes. An array of NumPy holds one of their values per byte or more.
_ML_DTYPES = {
    "bf16": "bfloat16",
    "s1": "int1",
    "s2": "int2",
    "s4": "int4",
    "u1": "uint1",
    "u2": "uint2",
    "u4": "uint4",
    "f4e2m1fn": "float4_e2m1fn",
    "f6e2m3fn": "float6_e2m3fn",
    "f6e3m2fn": "float6_e3m2fn",
    "f8e3m4": "float8_e3m4",
    "f8e4m3": "float8_e4m3",
    "f8e4m3b11fnuz": "float8_e4m3b11fnuz",
    "f8e4m3fn": "float8_e4m3fn",
    "f8e4m3fnuz": "float8_e4m3fnuz",
    "f8e5m2": "float8_e5m2",
    "f8e5m2fnuz": "float8_e5m2fnuz",
    "f8e8m0fnu": "float8_e8m0fnu",
}
_HLO_NAMES = {name: hlo for names in (_NUMPY, _ML_DTYPES) for hlo, name in names.items()}
_ELEMENT_TYPE = re.compile(r"(?:\w+:)?([a-z]\w*)\[")


@functools.lru_cache(maxsize=1024)
def element_type_of_text(text: str) -> Optional[str]:
    """Returns the element type in the text of a layout, such as "bf16", or None for shape:stride layouts."""
    match = _ELEMENT_TYPE.match(text)
    return match.group(1) if match else None


def numpy_dtype(element_type: str) -> Optional[np.dtype]:
    """Returns the NumPy type of an element type, or None if NumPy lacks it and ml_dtypes is not installed or lacks it."""
    if element_type in _NUMPY:
        return np.dtype(_NUMPY[element_type])
    try:
        import ml_dtypes
    except ImportError:
        return None
    scalar = getattr(ml_dtypes, _ML_DTYPES.get(element_type, ""), None)
    return None if scalar is None else np.dtype(scalar)


def bytes_per_value(element_type: str) -> int:
    """Returns the bytes in which NumPy holds one value of an element type."""
    digits = re.match(r"[a-z]+(\d*)", element_type).group(1)
    return max(int(digits or 8), 8) // 8


def element_type_name(dtype: Any) -> str:
    """Returns the name in HLO text of an element type: of its own name, a NumPy type, or a type of ml_dtypes or JAX.

    Raises LayoutError for types that XLA lacks.
    """
    if isinstance(dtype, str) and (dtype in _NUMPY or dtype in _ML_DTYPES):
        return dtype
    name = dtype if isinstance(dtype, str) else None
    try:
        name = None if dtype is None else np.dtype(dtype).name  # NumPy takes None for float64
    except (TypeError, ValueError):
        pass
    if name not in _HLO_NAMES:
        raise LayoutError(f"element type: expected one of XLA's such as bf16 or a NumPy type, got {dtype!r}")
    return _HLO_NAMES[name]
