# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`scan` and `verify` in Python."""

import base64
import zlib

import pytest

import layoutcheck as lc

MODULE = """HloModule small

ENTRY main {
  p = f32[64,3]{1,0:T(8,128)} parameter(0)
  ROOT b = f32[3,64]{1,0:T(8,128)} bitcast(p)
}
"""


def test_a_module_has_findings_and_totals(tmp_path):
    result = lc.scan(MODULE)
    assert not result and [finding.rule for finding in result.errors] == ["bitcast-changes-size"]
    [error] = result.errors
    assert (error.line, error.instruction, error.shape) == (5, "b", "f32[3,64]{1,0:T(8,128)}")
    assert str(error).startswith("error: bitcast-changes-size: line 5: b: ")
    assert result.modules[0]["name"] == "small" and result.modules[0]["instructions"] == 2
    assert "1 error" in result.text and repr(result) == str(result) == result.text
    file = tmp_path / "a.txt"
    file.write_text(MODULE)
    assert lc.scan(file).findings[0].document["file"] == str(file)
    assert lc.scan(str(file)).text == lc.scan(file).text


def test_advice_is_no_error_and_a_budget_is():
    free = MODULE.replace("64,3", "16,128").replace("f32[3,64]{1,0:T(8,128)} bitcast", "f32[16,128]{1,0} copy")
    assert lc.scan(free) and [finding.rule for finding in lc.scan(free).findings] == ["copy-is-free"]
    assert [finding.rule for finding in lc.scan(free, budgets=["bytes<1KiB"]).errors] == ["budget"]
    with pytest.raises(lc.LayoutError, match="budgets: 'waste'"):
        lc.scan(free, budgets=["waste"])


def test_logs_and_what_is_no_module():
    line = "allocated f32[8,128]{1,0:T(8,128)} for x\n"
    assert lc.scan(line, log=True).modules[0]["arrays"] == 1
    with pytest.raises(lc.LayoutError, match="expected HLO text"):
        lc.scan(line)
    with pytest.raises(FileNotFoundError):
        lc.scan("no such file")


def test_certificates_are_checked(tmp_path):
    pytest.importorskip("layoutcheck._prover")
    [verdict] = lc.prove_laws("f32[M,N]{1,0:T(8,128)}", "in-bounds", certificates=True)
    [claim] = lc.verify(verdict.certificate)
    assert claim and claim.scope == "for all M, N >= 0 and every index" and claim.steps > 5
    assert str(claim).startswith("in-bounds: f32[M,N]{1,0:T(8,128)}: proved for all M, N >= 0")
    file = tmp_path / "a.cert"
    file.write_text(verdict.certificate)
    assert lc.verify(file) == lc.verify(str(file)) == [claim]
    lines = verdict.certificate.split("\n")
    at = next(k for k, line in enumerate(lines) if line.startswith("goal "))
    [refused] = lc.verify("\n".join([*lines[:at], "goal", *lines[at + 1 :]]))
    assert not refused and refused.line == at + 1 and refused.reason and "refused: line" in str(refused)
    with pytest.raises(lc.LayoutError, match="line 1: expected 'layoutcheck certificate 1'"):
        lc.verify("layoutcheck certificate 2\n")


def test_a_link_holds_the_certificate(monkeypatch):
    pytest.importorskip("layoutcheck._prover")
    verdict = lc.prove("f32[M,N]{1,0}", "i0 * N + i1", certificates=True)
    monkeypatch.delenv("LAYOUTCHECK_PAGE", raising=False)
    page, _, packed = verdict.link().partition("#certificate=")
    text = zlib.decompress(base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4))).decode()
    assert page == "index.html" and text == verdict.certificate
    assert verdict.link("https://example.com/") == "https://example.com/#certificate=" + packed
    monkeypatch.setenv("LAYOUTCHECK_PAGE", "a.html")
    assert verdict.link().startswith("a.html#")
    assert lc.prove("f32[M,N]{1,0}", "i0 * N + i1").link() is None
