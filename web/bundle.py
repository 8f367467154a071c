# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts style, scripts, the list of notations and the module, packed by gzip as base64, into the page, so that it is one file.

    bundle.py SOURCES MODULE NOTATIONS OUTPUT
"""
import base64
import gzip
import html
import pathlib
import re
import sys
import urllib.parse


def as_html(markdown):
    """Returns a line of Markdown as HTML: code, and links as their texts."""
    text = html.escape(re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", markdown), quote=False)
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", text)


def as_example(markdown):
    """Returns the examples of a cell as links that type them."""
    def link(match):
        return f'<a class="code" href="#{urllib.parse.urlencode({"layout": match[1]})}">{html.escape(match[1])}</a>'

    return re.sub(r"`([^`]*)`", link, markdown)


def notations(page):
    """Returns the table of docs/notations.md, and the paragraph about HLO below it, as HTML."""
    section = page.read_text(encoding="utf-8").split("\n## ")[1]
    rows = [line.strip("| ").split(" | ") for line in section.split("\n") if line.startswith("| ")][1:]
    body = "".join(f"<tr><th>{as_html(name)}</th><td>{as_example(example)}</td><td>{as_html(meaning)}</td></tr>"
                   for name, example, meaning in rows)
    about = next(paragraph for paragraph in section.split("\n\n") if paragraph.startswith("In an HLO shape"))
    return f"<table>{body}</table><p>{as_html(about)}</p>"


def main():
    sources, module, page_of_notations, output = (pathlib.Path(argument) for argument in sys.argv[1:])
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
    page = page.replace("<!-- notations of docs/notations.md -->", notations(page_of_notations))
    page = re.sub(r'<script src="([^"]+)"></script>', script, page)
    output.write_text(page, encoding="utf-8")
    print(f"{output}: {output.stat().st_size} bytes; the module has {len(wasm)}, packed {len(packed)}")


if __name__ == "__main__":
    main()
