# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Executes notebooks; as a program, also stores their outputs in them.

    python tests/notebooks.py NOTEBOOK...
"""

import os
import pathlib
import sys
import tempfile


def executed(path, folder):
    """Returns the notebook with the outputs of its cells, which run in the folder."""
    import nbclient
    import nbformat

    notebook = nbformat.read(path, as_version=4)
    os.environ.setdefault("IPYTHONDIR", str(folder))
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(folder)}}).execute()
    return notebook


def kinds(notebook):
    """Returns the types of each code cell's outputs: "stream", or the MIME types that a front end may show."""
    return [
        sorted({kind for output in cell.outputs for kind in output.get("data", {output.output_type: ""})})
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]


def main():
    import nbformat

    for name in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as folder:
            notebook = executed(name, folder)
        for cell in notebook.cells:
            cell.metadata.pop("execution", None)  # the times
        notebook.metadata.language_info = {"name": "python"}
        with open(pathlib.Path(name), "w", encoding="utf-8") as file:
            file.write(nbformat.writes(notebook) + "\n")


if __name__ == "__main__":
    main()
