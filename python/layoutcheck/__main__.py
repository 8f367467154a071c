# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the program that a wheel holds: python -m layoutcheck, and the script `layoutcheck`."""

import os
import pathlib
import sys
from typing import NoReturn


def main() -> NoReturn:
    program = pathlib.Path(__file__).parent / "bin" / "layoutcheck"
    if not program.exists():
        sys.exit(
            "layoutcheck: this package was installed without the program; ./run builds it, and pip install ./python after that includes it"
        )
    os.execv(program, ["layoutcheck", *sys.argv[1:]])


if __name__ == "__main__":
    main()
