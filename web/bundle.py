# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts style, scripts and the module, packed by gzip as base64, into the page, so that it is one file.

    bundle.py SOURCES MODULE OUTPUT
"""
import base64
import gzip
import pathlib
import re
import sys


def main():
    sources, module, output = (pathlib.Path(argument) for argument in sys.argv[1:])
    wasm = module.read_bytes()
    packed = gzip.compress(wasm, 9, mtime=0)

    def script(match):
        name = match[1]
        if name == "module.js":
            text = f"const layoutcheckModule = '{base64.b64encode(packed).decode()}';"
        else:
            text = (sources / name).read_text(encoding="utf-8")
        return "<script>\n" + text + "</script>"

    def style(match):
        return "<style>\n" + (sources / match[1]).read_text(encoding="utf-8") + "</style>"

    page = (sources / "index.html").read_text(encoding="utf-8")
    page = re.sub(r'<link rel="stylesheet" href="([^"]+)">', style, page)
    page = re.sub(r'<script src="([^"]+)"></script>', script, page)
    output.write_text(page, encoding="utf-8")
    print(f"{output}: {output.stat().st_size} bytes; the module has {len(wasm)}, packed {len(packed)}")


if __name__ == "__main__":
    main()
