# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that ask the page's module about many texts: the known answers of corpus/vectors, and texts that nobody should type."""
import json
import random

# Asks all requests one after another and returns the answers.
ASK_ALL = """const done = arguments[arguments.length - 1];
(async () => {
  const answers = [];
  for (const request of arguments[0]) answers.push(await LayoutEngine.ask('test', request));
  done(answers);
})()"""


def ask_all(page, requests):
    return page.browser.call("POST", page.browser.session + "/execute/async", {"script": ASK_ALL, "args": [requests]})


def coordinate_text(coordinate):
    return "(" + ",".join(str(entry) for entry in coordinate) + ")"


def expected_of(row):
    """Returns the right answer of a row, also of one that was measured (bank_passes.jsonl)."""
    return row["expect"] if "expect" in row else {name: row[name] for name in ("load_passes", "store_passes")}


def question(row):
    """Returns the module's question of a row and a function that takes the expected part of an answer, or None."""
    op = row.get("op")
    expected = expected_of(row)
    if "load_passes" in row:
        access = f"addresses {','.join(map(str, row['addresses']))} {row['bytes']} bytes"
        return ({"op": "show", "layout": "1:1", "access": access, "with_document": True},
                lambda answer: {name: answer["document"]["access"][name] for name in expected})
    if op == "parse" and row["kind"] in ("shape", "layout", "instruction"):
        members = [name for name in ("ok", "text") if name in expected]
        return {"op": "parse", "kind": row["kind"], "text": row["text"]}, lambda answer: {name: answer.get(name) for name in members}
    if op == "offset" and "offset" in expected:
        return ({"op": "locate", "layout": row["layout"], "place": coordinate_text(row["coordinate"])},
                lambda answer: {"offset": answer["place"]["index"]})
    if op == "coordinate" and "coordinate" in expected:
        return ({"op": "locate", "layout": row["layout"], "place": str(row["offset"])},
                lambda answer: {"coordinate": answer["place"]["coordinate"]})
    if op == "size" and "layout" in row:
        return ({"op": "show", "layout": row["layout"], "with_document": True},
                lambda answer: {name: answer["document"].get(name) for name in expected})
    if op == "crd2idx":
        return {"op": "locate", "layout": row["args"][1], "place": row["args"][0]}, lambda answer: answer["place"]["index"]
    if op == "attribute":
        return {"op": "parse", "kind": "linear", "text": row["args"][0]}, lambda answer: answer["text"]
    return None


def offsets_of_table(row):
    """Yields (coordinate, offset) of all elements; the last dimension is fastest."""
    text = row["layout"]
    sizes = [int(size.removeprefix("<=")) for size in text[text.index("[") + 1:text.index("]")].split(",") if size]
    for number, offset in enumerate(row["expect"]["offsets"]):
        coordinate = []
        for size in reversed(sizes):
            coordinate.insert(0, number % size)
            number //= size
        yield coordinate, offset


def test_vectors(page, corpus):
    page.open()
    requests, checks = [], []
    asked = total = 0
    for file in sorted(corpus.glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            total += 1
            if row.get("op") == "table":
                asked += 1
                for coordinate, offset in offsets_of_table(row):
                    requests.append({"op": "locate", "layout": row["layout"], "place": coordinate_text(coordinate)})
                    checks.append((line, offset, lambda answer: answer["place"]["index"]))
                continue
            # A bare number is read as a linear index, so a row with an integral coordinate is not asked.
            asks = question(row)
            if asks is None or (row.get("op") == "crd2idx" and not row["args"][0].startswith("(")):
                continue
            asked += 1
            requests.append(asks[0])
            checks.append((line, expected_of(row), asks[1]))
    wrong = []
    for answer, (line, expected, part) in zip(ask_all(page, requests), checks):
        try:
            found = part(answer)
        except (KeyError, TypeError):
            found = answer
        wanted = {name: expected[name] for name in ("ok", "text") if name in expected} if isinstance(found, dict) and "ok" in found else expected
        if found != wanted:
            wrong.append(f"{line[:200]}: {found}")
    print(f"  {asked} of {total} vectors, {len(requests)} questions, {len(wrong)} failures")
    if wrong:
        raise AssertionError("\n  ".join(wrong[:5]))
    if asked < 1100:
        raise AssertionError(f"only {asked} vectors were asked")


SEEDS = ["f32[3,5]{1,0:T(2,2)}", "bf16[20,300]{1,0:T(8,128)(2,1)}", "zN:f16[20,40]", "((4,2),(4,3)):((4,16),(1,32))", "Sw<3,0,3> o 0 o (8,8):(8,1)",
         "ll{register:[1,2],lane:[4,8,16]} -> [32]", "zN:f16[20,40]@[5:12,7:14]", "f32[2,3]{0,1}pad[3,5]=0", "<script>alert(1)</script>", "\u202e\U0001f9e8é",
         'f32[8,12] mesh[x=2,y=4] P("x", None)', "f32[10,6]{0,1:T(2,2)} sharding={devices=[2,3]<=[6]}",
         "#ttg.blocked<{sizePerThread = [1], threadsPerWarp = [4], warpsPerCTA = [4], order = [0]}> [16]"]
LARGE = ["0", "-1", "9223372036854775807", "4294967296", "1000003", "1099511627776"]


def hostile_text(draw):
    text = draw.choice(SEEDS)
    for _ in range(draw.randrange(1, 4)):
        at = draw.randrange(len(text) + 1)
        change = draw.randrange(6)
        if change == 0:
            text = text[:at] + draw.choice("()[]{}:,*<>@&\"'\\ \t\x00é") + text[at:]
        elif change == 1:
            text = text[:at] + text[at + 1:]
        elif change == 2:
            text = text[:at] + draw.choice(LARGE) + text[at:]
        elif change == 3:
            text = text[:at] + text[draw.randrange(len(text) + 1):]
        elif change == 4:
            text = text[:at] + draw.choice(["(", "[", "((", "{{"]) * draw.choice([2, 50, 2000]) + text[at:]
        else:
            other = draw.choice(SEEDS)
            text = text[:at] + other[draw.randrange(len(other)):]
    return text


# Types texts one after another; the next one comes when the page has answered, or after 20 ms.
TYPE_ALL = """const done = arguments[arguments.length - 1];
(async () => {
  const fields = ['layout', 'layout', 'layout', 'place', 'access', 'tile', 'other', 'transpose', 'formula', 'assume'];
  for (const [k, text] of arguments[0].entries()) {
    const field = document.getElementById(fields[k % fields.length]);
    field.value = text;
    field.dispatchEvent(new Event('input', {bubbles: true}));
    const begin = performance.now();
    do await new Promise((resolve) => setTimeout(resolve, 2)); while (!LayoutEngine.isIdle() && performance.now() - begin < 20);
  }
  const begin = performance.now();
  while (!LayoutEngine.isIdle() && performance.now() - begin < 60000) await new Promise((resolve) => setTimeout(resolve, 20));
  done([LayoutEngine.isIdle(), LayoutEngine.restarts()]);
})()"""


def test_hostile(page, count):
    page.open()
    page.browser.run("window.failures = []; onerror = (message) => { failures.push(message); };"
                     "onunhandledrejection = (event) => { failures.push(String(event.reason)); }")
    draw = random.Random(20261124)
    texts = [hostile_text(draw) for _ in range(count)]
    for begin in range(0, count, 1000):
        idle, restarts = page.browser.call("POST", page.browser.session + "/execute/async",
                                           {"script": TYPE_ALL, "args": [texts[begin:begin + 1000]]})
        if not idle:
            raise AssertionError("the page did not answer within a minute")
    failures = page.browser.run("return failures")
    if failures:
        raise AssertionError("; ".join(failures[:3]))
    page.browser.run("for (const field of document.querySelectorAll('input.code')) field.value = ''")
    page.set("layout", "f32[3,5]{1,0:T(2,2)}")
    page.wait_text("#facts", "37.5 %")
    print(f"  {count} texts, {restarts} stopped after the time limit")
