#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes docs/schema: a JSON Schema (draft 2020-12) per command for what it prints with --json.

    tools/json_schemas.py           writes the files
    tools/json_schemas.py --check   exits with 1 if a file is not what this program writes

This file is the one source. The tests of the commands and of the pages validate every line against the files.
"""

import json
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "docs" / "schema"

TEXT = {"type": "string"}
INTEGER = {"type": "integer"}
NUMBER = {"type": "number"}
FLAG = {"type": "boolean"}
NULL = {"type": "null"}
ANY = {}


def one_of(*values):
    return {"enum": list(values)}


def may_be_null(schema):
    return {**schema, "type": [schema["type"], "null"]} if isinstance(schema.get("type"), str) else either(schema, NULL)


def either(*schemas):
    return {"anyOf": list(schemas)}


def list_of(schema):
    return {"type": "array", "items": schema}


def map_of(schema):
    """An object whose members have names of the user's, such as names of sizes."""
    return {"type": "object", "additionalProperties": schema}


def record(members, optional=None, description=None):
    """An object with all of `members`, perhaps some of `optional`, and no other."""
    schema = {"type": "object", "description": description} if description else {"type": "object"}
    schema["properties"] = {**members, **(optional or {})}
    schema["required"] = list(members)
    schema["additionalProperties"] = False
    return schema


def reference(name):
    return {"$ref": f"#/$defs/{name}"}


def prefixed(members):
    """The members of the newer and of the older version of a comparison."""
    return {**members, **{"old_" + name: schema for name, schema in members.items()}}


INTEGERS = list_of(INTEGER)
SIZES = {"elements": INTEGER, "padded_elements": INTEGER}
BYTES = {"bytes": INTEGER}

ERROR = record(
    {"error": record({"kind": one_of("syntax", "layout", "argument", "overflow", "unsupported", "unavailable"),
                      "message": TEXT},
                     {"argument": TEXT, "column": INTEGER})},
    description="why the command could not do its work, or a part of it; the exit code is 2, or 3 where memory or a "
                "share without entries left the question open. `argument` names the option, file or text, `column` the "
                "byte in it, from 1 on")
NEXT = record({}, {"commands": list_of(TEXT), "test": record({"send": TEXT, "expect": TEXT})},
              "what to do next: commands that show the layout and the place, and a request of the subject protocol "
              "with the right answer")
DEFINITIONS = {"error": ERROR, "next": NEXT}

COUNTEREXAMPLE = map_of(may_be_null(INTEGER))
ACCESS = record({"memory": TEXT, "kind": one_of("load", "store", "atomic")},
                {"file": TEXT, "line": INTEGER, "place": TEXT, "verdict": one_of("proved", "refuted", "unknown"),
                 "reason": TEXT, "counterexample": map_of(INTEGER), "bytes": INTEGER, "passes": INTEGER,
                 "least": INTEGER, "block": INTEGERS, "warp": INTEGER, "values": map_of(INTEGER), "never_more": FLAG})
DEFINITIONS["proof"] = record(
    {"layout": may_be_null(TEXT), "law": TEXT, "verdict": one_of("proved", "refuted", "unknown", "not asked", "advice"),
     "for_all": list_of(TEXT), "ranges": map_of(TEXT), "method": TEXT, "seconds": NUMBER},
    {"assume": list_of(TEXT), "component": INTEGER, "counterexample": COUNTEREXAMPLE, "subexpression": TEXT,
     "reason": TEXT, "certificate": {"const": True}, "certificate_seconds": NUMBER, "no_certificate": TEXT,
     "solver_only": {"const": True}, "no_query": TEXT, "disagreement": TEXT, "right_while": TEXT,
     "right_while_is_exact": FLAG, "max_bytes": INTEGER, "machine": TEXT, "certified_formula": TEXT,
     "certified_claims": INTEGER, "accesses": list_of(ACCESS), "after": list_of(TEXT), "next": reference("next")},
    "the verdict of one law; what each member says is in docs/prove.md and docs/verdicts.md")
DEFINITIONS["checked_by_coq"] = record({"file": TEXT, "theorems": INTEGER, "checked_by": {"const": "Coq"}})
DEFINITIONS["link"] = record({"link": may_be_null(TEXT), "page": TEXT, "certificate_bytes": INTEGER},
                             description="the address at which the page checks the certificates; null if it would be too long")
PROOFS = [reference("proof"), reference("checked_by_coq"), reference("link")]

FINDING = {"subject": TEXT, "law": TEXT, "layout": TEXT,
           "witness": record({}, {"coordinate": INTEGERS, "offset": INTEGER, "text": TEXT, "kind": TEXT,
                                  "request": TEXT}),
           "expected": TEXT, "actual": TEXT, "seed": INTEGER, "count": INTEGER, "reproduce": TEXT}
MAY_HAVE = {name: TEXT for name in ("asked_by", "asked_about", "repeats", "shrinking", "directory", "tilings")}
DEFINITIONS["finding"] = record(FINDING, {**MAY_HAVE, "next": reference("next")},
                                "one difference from a law; docs/findings.md explains the members")
LAW_COUNTS = record({name: INTEGER for name in ("agreed", "disagreed", "known", "explained", "declined",
                                                "outside_domain")})
DEFINITIONS["totals"] = record(
    {"cases": INTEGER, "laws": INTEGER, "findings": INTEGER, "known": INTEGER, "declined": INTEGER, "complete": FLAG},
    {"counts": INTEGERS, "by_law": map_of(LAW_COUNTS), "families": map_of(INTEGER), "largest_elements": INTEGER,
     "largest_bytes": INTEGER, "unanswered": list_of(TEXT), "counters": INTEGER},
    "the last line of a run: `counts` are those of the findings, in their order")
RUN = [reference("finding"), reference("totals")]

PHASES = list_of(record({"first_lane": INTEGER, "lanes": INTEGER, "merged_by": may_be_null(INTEGER), "passes": INTEGER,
                         "conflicts": list_of(record({"bank": INTEGER, "words": INTEGERS,
                                                      "lanes": list_of(INTEGERS)}))}))
BANKS = record({"input": TEXT, "bytes": INTEGER, "element_type": may_be_null(TEXT), "addresses": INTEGERS,
                "degree": INTEGER, "passes": INTEGER, "phases": PHASES, "load_degree": INTEGER, "load_passes": INTEGER,
                "load_phases": PHASES, "store_degree": INTEGER, "store_passes": INTEGER, "store_phases": PHASES})
OF_VIEWS = {"whole": TEXT, "dimensions": INTEGERS, "strided": may_be_null(TEXT), "reason": TEXT,
            "first_wrong": record({"coordinate": INTEGERS, "offset": INTEGER, "strided_offset": INTEGER})}
CLAIM_VERDICT = one_of("proved", "accepted", "refuted", "rejected", "undecided", "unusable")
LOCAL = record({"devices": INTEGERS, "layout": TEXT, **SIZES, **BYTES})

COMPARED = record({"layout": TEXT, **SIZES}, {**BYTES, "contiguous": FLAG})
SHARDED = record({"layout": TEXT, "devices": INTEGER, "replicas": INTEGER})
BITCAST = record({}, {"reshape": {"const": True}, "transpose": INTEGERS, "transpose1": INTEGERS,
                      "transpose1_shape": TEXT, "reshape_shape": TEXT, "transpose2": INTEGERS})

PLACE = {"file": TEXT, "line": INTEGER, "column": INTEGER}
SOURCE = {"source_file": TEXT, "source_line": INTEGER}
SEVERITY = one_of("error", "advice", "undecided")
SIDE = either(INTEGERS, {"const": "padding"})
MODULE_BYTES = {"file": TEXT, "name": TEXT, "bytes": INTEGER, "needed_bytes": INTEGER, "copied_bytes": INTEGER,
                "peak_bytes": INTEGER, "device_bytes": INTEGER}
CHANGED_ARRAY = {"file": TEXT, "line": INTEGER, "computation": TEXT, "instruction": TEXT, "opcode": TEXT, "shape": TEXT,
                 "bytes": INTEGER, "sharding": TEXT, "device_bytes": INTEGER}
MOVED = {name: INTEGER for name in ("kept_bytes", "lane_bytes", "warp_bytes", "block_bytes", "moved_bytes",
                                    "shared_bytes")}
FUNCTION = {"file": TEXT, "line": INTEGER, "name": TEXT, "target": TEXT,
            **{name: INTEGER for name in ("warps", "lanes", "blocks", "tensors", "buffers", "shared_bytes", "converts",
                                          "lane_bytes", "warp_bytes", "block_bytes", "converted_shared_bytes")}}
OPERATION = {**PLACE, "function": TEXT, "name": TEXT}
BUFFER = {**OPERATION, "shape": TEXT, "layout": TEXT, "memory": one_of("shared", "tensor"),
          "bytes": may_be_null(INTEGER)}
CONVERT = {"from": TEXT, "to": TEXT, "from_layout": TEXT, "to_layout": TEXT, **MOVED,
           "least_store_passes": may_be_null(INTEGER), "least_load_passes": may_be_null(INTEGER), **SOURCE}
ACCESS_ROW = {**OPERATION, "opcode": TEXT, "tensor": TEXT, "buffer": TEXT, "tensor_layout": TEXT, "buffer_layout": TEXT,
              "loops": INTEGER, "bytes": INTEGER}
PASSES = {"lane_bytes": INTEGER, "transposed_matrices": FLAG, "passes": INTEGER, "conflict_free_passes": INTEGER,
          "least_passes": INTEGER, **SOURCE}
TENSOR = {"file": TEXT, "function": TEXT, "shape": TEXT, "layout": TEXT, "count": INTEGER, "names": list_of(TEXT)}
COPIES = {name: INTEGER for name in ("registers", "thread_bytes", "register_copies", "lane_copies", "warp_copies",
                                     "block_copies")}
CHANGED_ROW = {**BUFFER, **CONVERT, **ACCESS_ROW, **PASSES, **TENSOR, **COPIES, "bytes": may_be_null(INTEGER)}


def row(name, members, optional=None, description=None):
    return record({"type": {"const": name}, **members}, optional, description)


ARRAY = row("array", {"file": TEXT, "line": INTEGER, "computation": TEXT, "instruction": TEXT, "opcode": TEXT,
                      "shape": TEXT, "bytes": INTEGER, "needed_bytes": INTEGER, "waste": NUMBER, "tightest": TEXT,
                      "tightest_bytes": INTEGER, "memory_space": INTEGER},
            {"device_bytes": INTEGER, "sharding": TEXT, **SOURCE})
SCAN = [
    row("module", {"file": TEXT, "name": TEXT, "instructions": INTEGER, "arrays": INTEGER, "bytes": INTEGER,
                   "needed_bytes": INTEGER, "scheduled": FLAG, "rules": list_of(TEXT), "not_applied": map_of(TEXT)},
        {"device_bytes": INTEGER, "device_needed_bytes": INTEGER, "peak_bytes": INTEGER, "peak_padding": INTEGER,
         "peak_at": TEXT}),
    row("finding", {"rule": TEXT, **PLACE, "severity": SEVERITY, "message": TEXT},
        {"computation": TEXT, "instruction": TEXT, "opcode": TEXT, "shape": TEXT, **SOURCE, "moved_bytes": INTEGER,
         "witness": record({"operand": SIDE, "result": SIDE},
                           {"address": INTEGER, "bit": INTEGER, "operand_offset": INTEGER,
                            "result_offset": INTEGER})}),
    row("budget", {"rule": {"const": "budget"}, "budget": TEXT, "severity": SEVERITY, "message": TEXT},
        {**PLACE, "module": TEXT, "value": NUMBER, "limit": NUMBER, "arrays": list_of(ARRAY)}),
    row("requirement", {"rule": TEXT, "requirement": TEXT, "severity": SEVERITY, "message": TEXT}),
    ARRAY,
    row("diff", {}, {**prefixed(MODULE_BYTES), "changes": INTEGER, "unchanged": INTEGER}, "of HLO modules"),
    row("change", {}, prefixed(CHANGED_ARRAY), "of an array"),
    *(row(opcode, {"file": TEXT, "line": INTEGER, "computation": TEXT, "instruction": TEXT, "operand": TEXT,
                   "shape": TEXT, "explanation": TEXT}, None, "of --explain")
      for opcode in ("bitcast", "reshape", "transpose")),
    row("function", {**FUNCTION, "layouts": map_of(TEXT)}, None, "of TTGIR, as the rows below"),
    row("buffer", BUFFER, SOURCE),
    row("convert", {**OPERATION, "loops": INTEGER}, CONVERT),
    row("access", ACCESS_ROW, PASSES),
    row("tensor", TENSOR, COPIES),
    row("diff", {}, {**prefixed(FUNCTION), "changes": INTEGER, "unchanged": INTEGER}, "of functions of TTGIR"),
    row("change", {"of": one_of("buffer", "convert", "access", "tensor")}, prefixed(CHANGED_ROW), "of a row of TTGIR"),
]



def request(op, members, optional=None):
    return record({"op": {"const": op}, **members}, optional)


VIEW = {"layout": TEXT, "extents": INTEGERS, "coordinates": list_of(INTEGERS)}
REQUESTS = [
    request("hello", {"protocol": {"const": 1}}),
    request("parse", {"kind": one_of("shape", "layout", "instruction"), "text": TEXT}),
    request("offset", {"layout": TEXT, "coordinate": INTEGERS}),
    request("table", {"layout": TEXT}),
    request("coordinate", {"layout": TEXT, "offset": INTEGER}),
    request("size", {"layout": TEXT}),
    request("relayout", {"from": TEXT, "to": TEXT, "data": INTEGERS}),
    request("make", {"tag": TEXT, "element_bits": INTEGER, "rows": INTEGER, "columns": INTEGER}, {"sizes": INTEGERS}),
    request("apply", {"function": TEXT, "arguments": list_of(TEXT)}),
    request("bitcast", {"from": TEXT, "to": TEXT}, {"transpose": INTEGERS}),
    request("equal", {"a": TEXT, "b": TEXT, "ignore": list_of(TEXT)}),
    request("edit", {"function": TEXT, "layout": TEXT, "arguments": INTEGERS}),
    request("view", {**VIEW, "origin": INTEGERS, "tile": INTEGERS},
            {"of": record({"origin": INTEGERS, "tile": INTEGERS})}),
    request("tile_view", {**VIEW, "number": INTEGERS, "tile": INTEGERS},
            {"of": record({"origin": INTEGERS, "tile": INTEGERS})}),
    request("slice", {**VIEW, "coordinate": list_of(either(INTEGER, {"const": "_"}))}),
    request("axis-info", {"expression": TEXT}),
    request("shard", {"layout": TEXT, "device": INTEGER}),
    request("reshard", {"from": TEXT, "to": TEXT, "device": INTEGER}),
]
ANSWERS = [
    record({"name": TEXT, "ops": list_of(TEXT)},
           {"version": TEXT, "notations": list_of(TEXT),
            "limits": record({}, {name: INTEGER for name in ("max_rank", "max_tiles", "max_table_elements")})}),
    record({"ok": {"const": True}, "text": TEXT}),
    record({"ok": {"const": False}, "error": TEXT}),
    record({"offset": INTEGER}),
    record({"offsets": INTEGERS}, {"valid": INTEGERS}),
    record({"coordinate": may_be_null(INTEGERS)}),
    record({}, {**SIZES, **BYTES, "extent": INTEGER}, "of `size`, at least one member"),
    record({"data": INTEGERS}),
    record({"layout": TEXT}, {"offset": INTEGER, "valid": INTEGERS}),
    record({"value": {"type": ["integer", "boolean"]}}),
    record({"rejected": TEXT}),
    record({"bitcast": FLAG}),
    record({"equal": FLAG}),
    record({"contiguity": INTEGERS, "divisibility": INTEGERS, "constancy": INTEGERS}),
    record({}, {"shape": may_be_null(INTEGERS), "elements": either(INTEGERS, list_of(INTEGERS))}),
    record({"unsupported": TEXT}),
    record({"error": TEXT}, None, "the subject should know the answer, but failed"),
]

SCHEMAS = {
    "parse": ("the canonical text, or why there is none; with `-` a line per text, which has its number",
              [record({"ok": {"const": True}, "text": TEXT}, {"line": INTEGER}),
               record({"ok": {"const": False}, "stage": one_of("syntax", "layout"), "column": INTEGER, "error": TEXT},
                      {"line": INTEGER})]),
    "index": ("where an element lies; of a sharded array on which devices, too",
              [record({"offset": INTEGER, **SIZES}, BYTES),
               record({"devices": INTEGERS, "offset": INTEGER, **SIZES, **BYTES})]),
    "coord": ("the element at an offset; null is padding", [record({"coordinate": {"type": ["array", "null"]}})]),
    "show": ("the sizes of a layout, of a view, of an access to shared memory, or of a sharded array",
             [record({"layout": TEXT, **SIZES, "waste": NUMBER}, {**BYTES, "expanded": INTEGERS, "access": BANKS,
                                                                  **OF_VIEWS}),
              record({"access": BANKS}),
              record({"layout": TEXT, "devices": INTEGER, "replicas": INTEGER, **SIZES, **BYTES, "waste": NUMBER,
                      "uneven_padding_elements": INTEGER, "local": list_of(LOCAL)})]),
    "convert": ("the layout in another notation, or why it is none; of `pack` also its attributes",
                [record({"ok": {"const": True}, "text": TEXT}, {"inner_dims_pos": ANY, "inner_tiles": ANY,
                                                                "outer_dims_perm": ANY}),
                 record({"ok": {"const": False}, "undecided": FLAG, "error": TEXT})]),
    "compare": ("how two layouts, or two shardings, of the same bytes relate",
                [record({"relation": one_of("identical", "bitcast", "permuted", "different size", "different memory",
                                            "undecided"), "a": COMPARED, "b": COMPARED},
                        {"transpose": INTEGERS, "reason": TEXT,
                         "moved": record({"a": INTEGERS, "b": INTEGERS, "offset_a": INTEGER, "offset_b": INTEGER,
                                          "first": FLAG}),
                         "slice": record({"of": one_of("a", "b"), "start": INTEGERS}), "as_bitcast": BITCAST,
                         "next": reference("next")}),
                 record({"relation": TEXT, "a": SHARDED, "b": SHARDED, "received_bytes": INTEGER,
                         "devices": list_of(record({name: INTEGER for name in ("device", "before", "after", "received",
                                                                               "sent")}))},
                        {"moved": record({"element": INTEGERS, "device": INTEGER, "devices_a": INTEGERS,
                                          "devices_b": INTEGERS}, {"element_b": INTEGERS}),
                         "same_offsets": may_be_null(FLAG),
                         "other_offset": record({"element": INTEGERS, "device": INTEGER, "offset_a": INTEGER,
                                                 "offset_b": INTEGER})}),
                 record({"relation": {"const": "undecided"}, "reason": TEXT})]),
    "find": ("the layout that was found, or null",
             [record({"layout": may_be_null(TEXT), "verdict": one_of("none", "equal", "proved", "refuted", "unknown"),
                      "other_notations": list_of(TEXT), "not_determined": list_of(TEXT)},
                     {"elements": INTEGER, "proof": reference("proof"), "reason": TEXT, "next": reference("next")})]),
    "algebra": ("what a function of the algebra gives", [record({"layout": TEXT}), record({"value": INTEGER}),
                                                         record({"rejected": TEXT})]),
    "check": ("a line per finding, then the totals", RUN),
    "fuzz": ("a line per finding, then the totals", RUN),
    "merge": ("the findings and totals of all shares, or their proofs", RUN + PROOFS),
    "replay": ("a line per finding; `found` is null where it is not known",
               [record({"law": TEXT, "layout": TEXT, "found": may_be_null(FLAG)},
                       {"finding": reference("finding"), "reason": TEXT, "next": reference("next")})]),
    "accept": ("a line for the file of --known",
               [record({name: TEXT for name in ("law", "actual", "reason", "version", "reference")},
                       {"layout": TEXT, "text": TEXT})]),
    "report": ("what was written", [record({"findings": INTEGER, "files": list_of(TEXT)})]),
    "prove": ("a line per law", PROOFS),
    "prove-code": ("a line per law, or with --emit the formula that was read",
                   PROOFS + [record({"layout": may_be_null(TEXT), "function": TEXT, "formula": may_be_null(TEXT),
                                     "no_value": list_of(record({"where": TEXT, "reason": TEXT})),
                                     "ranges": map_of(TEXT), "seconds": NUMBER},
                                    {"reason": TEXT, "max_bytes": INTEGER})]),
    "prove-kernel": ("a line per law", PROOFS),
    "verify": ("a line per certificate",
               [record({"file": TEXT, "claim": TEXT, "law": TEXT, "verdict": one_of("proved", "refused", "stale"),
                        "for_all": list_of(TEXT), "ranges": map_of(TEXT), "steps": INTEGER, "line": INTEGER},
                       {"assume": list_of(TEXT), "integer": TEXT, "reason": TEXT})]),
    "scan": ("lines of several types, which `type` names; docs/scan.md explains them", SCAN),
    "run": ("a line per claim, then the totals",
            [row("claim", {"claim": TEXT, "kind": TEXT, "verdict": CLAIM_VERDICT, "seconds": NUMBER, "unchanged": FLAG,
                           "command": TEXT, "line": INTEGER},
                 {"note": TEXT, "more_problems": INTEGER,
                  "problems": list_of(record({"rule": TEXT, "message": TEXT, "result": ANY}))}),
             row("totals", {"claims": INTEGER, **{name: INTEGER for name in CLAIM_VERDICT["enum"]},
                            "unchanged": INTEGER})]),
    "init": ("what was proposed", [record({"file": TEXT, "functions": INTEGER, "kernels": INTEGER, "dumps": INTEGER})]),
    "laws": ("a line per law or rule, or with --families per family of layouts",
             [record({"law": TEXT, "statement": TEXT, "domain": TEXT, "commands": list_of(TEXT)}),
              record({"family": TEXT, "description": TEXT, "patterns": INTEGER})]),
    "subjects": ("a line per subject, or per step of the self-test and its totals",
                 [record({"subject": TEXT, "available": FLAG, "description": TEXT}),
                  record({"step": TEXT, "result": one_of("right", "declined", "wrong"), "sent": TEXT, "expected": TEXT,
                          "received": TEXT}),
                  record({"right": INTEGER, "declined": INTEGER, "wrong": INTEGER})]),
    "explain": ("a line per place that explains the topic, or without a topic per topic",
                [record({"topic": TEXT, "kind": one_of("page", "verdict", "notation", "law", "section", "command"),
                         "page": may_be_null(TEXT)}, {"text": TEXT})]),
    "mcp": ("a message of JSON-RPC 2.0, as the Model Context Protocol has it",
            [{"type": "object", "properties": {"jsonrpc": {"const": "2.0"}}, "required": ["jsonrpc", "id"]}]),
    "serve": ("the answer to a request of the subject protocol", ANSWERS),
    "protocol": ("a request of the subject protocol, as layoutcheck sends it; a subject ignores members that it does "
                 "not know", REQUESTS),
    "error": ("what any command prints with --json if it cannot do its work", []),
}


def text_of(name):
    about, lines = SCHEMAS[name]
    used = json.dumps(lines)
    definitions = {"error": ERROR}
    for key, schema in DEFINITIONS.items():
        if f'"#/$defs/{key}"' in used or any(f'"#/$defs/{key}"' in json.dumps(known) for known in definitions.values()):
            definitions[key] = schema
    if "#/$defs/next" in json.dumps(definitions):
        definitions["next"] = NEXT
    titles = {"error": "errors of layoutcheck --json", "protocol": "requests of the subject protocol"}
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema",
              "$id": f"urn:layoutcheck:{name}",
              "title": titles.get(name, f"layoutcheck {name} --json"),
              "description": about[0].upper() + about[1:] + ".",
              "anyOf": lines if name == "protocol" else [*lines, reference("error")],
              "$defs": {} if name == "protocol" else definitions}
    return one_line_each(schema)


def one_line_each(schema):
    """The text of a schema with one line per kind of document and per definition."""
    lines = [f' {json.dumps(key)}: {json.dumps(value)}' for key, value in schema.items() if isinstance(value, str)]
    lines.append(' "anyOf": [\n  ' + ",\n  ".join(json.dumps(one) for one in schema["anyOf"]) + "\n ]")
    definitions = [f'{json.dumps(key)}: {json.dumps(value)}' for key, value in schema["$defs"].items()]
    lines.append(' "$defs": {\n  ' + ",\n  ".join(definitions) + "\n }")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main():
    stale = [path.name for path in FOLDER.glob("*.json") if path.stem not in SCHEMAS]
    for name in SCHEMAS:
        path = FOLDER / f"{name}.json"
        if path.exists() and path.read_text() == text_of(name):
            continue
        if "--check" in sys.argv:
            stale.append(path.name)
        else:
            FOLDER.mkdir(exist_ok=True)
            path.write_text(text_of(name))
    if stale:
        print(f"docs/schema is stale: {', '.join(sorted(stale))}; run tools/json_schemas.py", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
