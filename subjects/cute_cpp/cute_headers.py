# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds CuTe's headers: in the checkout of CUTLASS that CUTLASS_HOME names, or in the package nvidia-cutlass; and the CUDA
headers that they include: in packages, or in an installed CUDA toolkit."""

import hashlib
import os
import pathlib
import re

CUDA_TOOLKIT = pathlib.Path("/usr/local/cuda/include")
CUTE_IN_PACKAGE = "cutlass_library/source/include"
CUDA_IN_PACKAGES = ["nvidia/cuda_cccl/include", "nvidia/cuda_runtime/include"]


def checkout():
    """Returns the folder of CUTLASS that CUTLASS_HOME names; None if the variable is not set."""
    home = os.environ.get("CUTLASS_HOME")
    return pathlib.Path(home) if home else None


def include_folders(environment):
    """Returns the folders of CuTe's and of CUDA's headers, or an empty list if one is missing. `environment` is a virtual
    environment, in which the packages are."""
    def of_package(folder):
        return next(iter(environment.glob(f"lib/python3*/site-packages/{folder}")), None)

    home = checkout()
    cute = home / "include" if home else of_package(CUTE_IN_PACKAGE)
    cuda = list(map(of_package, CUDA_IN_PACKAGES))
    if None in cuda:
        cuda = [CUDA_TOOLKIT]
    folders = [cute, *cuda]
    return folders if cute and (cute / "cute/layout.hpp").is_file() and all(path.is_dir() for path in cuda) else []


def checkout_version(home, folders):
    """Returns the version of CUTLASS in a checkout, with the start of the digest of its files in these folders."""
    header = home / "include/cutlass/version.h"
    numbers = re.findall(r"#define CUTLASS_(?:MAJOR|MINOR|PATCH)\s+(\d+)", header.read_text()) if header.is_file() else []
    state = hashlib.sha256()
    for folder in folders:
        for path in sorted(path for path in (home / folder).rglob("*") if path.suffix in (".hpp", ".h", ".py")):
            state.update(f"{path.relative_to(home)}\n".encode() + path.read_bytes())
    return f"CUTLASS {'.'.join(numbers) or 'of unknown version'} in CUTLASS_HOME, files {state.hexdigest()[:8]}"
