#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads conformance files, checks the digests of the tables that are written out, and prints what there is."""

import json
import sys


def fnv1a(data, digest=0xCBF29CE484222325):
    for byte in data:
        digest = (digest ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return digest


def main():
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            header, *records = map(json.loads, file)
        assert header["format"] == "layoutcheck-conformance" and header["version"] == 1, path
        digest, offsets, samples, verdicts = fnv1a(b""), 0, 0, {"accept": 0, "may": 0, "reject": 0}
        for record in records:
            if "offsets" in record:
                table = b"".join(offset.to_bytes(8, "little", signed=True) for offset in record["offsets"])
                assert f"{fnv1a(table):016x}" == record["digest"], record["layout"]
                offsets += len(record["offsets"])
            samples += len(record.get("samples", []))
            if "verdict" in record:
                verdicts[record["verdict"]] += 1
            text = record["layout"] + record.get("digest", "") if "layout" in record else record["text"]
            digest = fnv1a(text.encode(), digest)
        counts = " ".join(f"{name} {count}" for name, count in sorted(verdicts.items()))
        print(f"{header['file']}: {len(records)} records, {offsets} offsets, {samples} samples, {counts}, {digest:016x}")


main()
