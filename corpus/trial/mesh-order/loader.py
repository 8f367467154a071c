# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loads the weights of a checkpoint onto a mesh of 4 x 2 devices.

The checkpoint was written by JAX; the model runs in PyTorch.
"""

CHECKPOINT = {"mesh": {"data": 4, "model": 2}, "up_proj": ("model", "data")}  # PartitionSpec(("model", "data"), None)
MODEL = {"mesh": (4, 2), "up_proj": ("Shard(0)", "Shard(0)")}
