# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layouts from and to other libraries. A library is imported only by the function that makes one of its objects.

| library | from | to |
|---|---|---|
| JAX | `from_jax`, also of shardings | `to_jax`, `to_jax_format` |
| pycute | `from_pycute` | `to_pycute` |
| tensor-layouts | `from_tensor_layouts` | `to_tensor_layouts` |
| CuTe's Python DSL | `from_cute` | `to_cute` |
| Triton | `from_triton`, `from_triton_distributed` | `to_triton` |
| NumPy | `from_numpy` | `to_numpy` |
| PyTorch | `from_torch`, `from_memory_format` | `to_torch`, `to_memory_format` |
| PyTorch's DTensor | `from_dtensor`, `from_dtensor_placements` | |

Layouts that the other library cannot express raise `LayoutError` with kind "unsupported"; nothing is dropped.
"""

from .cute import from_cute, from_pycute, from_tensor_layouts, to_cute, to_pycute, to_tensor_layouts
from .dtensor import from_dtensor, from_dtensor_placements
from .jax import from_jax, to_jax, to_jax_format
from .strides import (
    from_memory_format,
    from_numpy,
    from_torch,
    to_memory_format,
    to_numpy,
    to_torch,
)
from .triton import from_triton, from_triton_distributed, to_triton

__all__ = [
    "from_cute",
    "from_dtensor",
    "from_dtensor_placements",
    "from_jax",
    "from_memory_format",
    "from_numpy",
    "from_pycute",
    "from_tensor_layouts",
    "from_torch",
    "from_triton",
    "from_triton_distributed",
    "to_cute",
    "to_jax",
    "to_jax_format",
    "to_memory_format",
    "to_numpy",
    "to_pycute",
    "to_tensor_layouts",
    "to_torch",
    "to_triton",
]
