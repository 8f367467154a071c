# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pytest plugin: tests over drawn layouts, and findings as SARIF.

    @pytest.mark.layouts("bf16[A,B]{1,0:T(8,128)(2,1)}", cases=200)
    def test_round_trip(layout):
        ...

runs the test with 200 layouts, the simplest first. Without texts, layouts are drawn as `layoutcheck.check` draws them.
Arguments of the mark:

    texts         layouts in any notation; names for sizes are drawn
    cases         the number of drawn layouts (50); fewer if there are not as many different ones
    family        draws from this family of layouts only
    seed          the same seed draws the same layouts; by default that of --layoutcheck-seed
    max_elements  largest number of elements of a drawn layout (4096)
    max_rank      largest number of dimensions of a layout drawn without texts (8)
    huge          True draws layouts, too, that are too large for a table: up to 2^62 elements
    argument      name of the argument of the test that gets the layout ("layout")

The first failure of a test is shrunk: the test is called again with simpler layouts, of the same texts, for as long as it
fails with the same type of error. Its fixtures are those of the first call. The failure shows the error with the simplest
layout, its picture and the line that runs it again, with --layoutcheck-layout. The end of the run names, for each test that
failed, the simplest layout with which it did. JUnit is pytest's own --junitxml; --layoutcheck-sarif writes SARIF.
"""

import inspect
import json
import math
import shlex
import time
from typing import Any, Generator

import pytest

_DEFAULTS = {
    "cases": 50,
    "family": None,
    "seed": None,
    "max_elements": 4096,
    "max_rank": 8,
    "huge": False,
    "argument": "layout",
}
_FINDINGS = pytest.StashKey[list]()
_SHRUNK = pytest.StashKey[dict]()  # per test with its other parameters, the simplest layout, as text
_MOST_CALLS = 1000  # of a test for shrinking
_MOST_SECONDS = 20  # for shrinking one test


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds --layoutcheck-seed, --layoutcheck-layout and --layoutcheck-sarif."""
    group = parser.getgroup("layoutcheck", "tests over drawn layouts")
    group.addoption("--layoutcheck-seed", type=int, default=1, metavar="N", help="seed of drawn layouts (default: 1)")
    group.addoption("--layoutcheck-layout", metavar="LAYOUT", help="run marked tests with this layout alone")
    group.addoption("--layoutcheck-sarif", metavar="FILE", help="write findings to this file as SARIF 2.1.0")


def pytest_configure(config: pytest.Config) -> None:
    """Describes the mark."""
    config.addinivalue_line(
        "markers",
        "layouts(*texts, cases=50, family=None, seed=None, max_elements=4096, max_rank=8, huge=False, "
        "argument='layout'): runs the test with drawn layouts (layoutcheck)",
    )
    config.stash[_FINDINGS] = []
    config.stash[_SHRUNK] = {}


def _options_of(mark, config):
    unknown = sorted(set(mark.kwargs) - set(_DEFAULTS))
    if unknown:
        raise pytest.UsageError(f"mark layouts: no argument '{unknown[0]}', expected one of {', '.join(_DEFAULTS)}")
    options = {**_DEFAULTS, **mark.kwargs}
    if options["seed"] is None:
        options["seed"] = config.getoption("layoutcheck_seed")
    return options


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Draws the layouts of a marked test."""
    mark = metafunc.definition.get_closest_marker("layouts")
    if mark is None:
        return
    from . import Layout, _core

    options = _options_of(mark, metafunc.config)
    argument = options.pop("argument")
    if argument not in metafunc.fixturenames:
        raise pytest.UsageError(f"mark layouts: {metafunc.definition.nodeid} has no argument '{argument}'")
    alone = metafunc.config.getoption("layoutcheck_layout")
    try:
        texts = [str(Layout(alone))] if alone else _core.draw_layouts(_texts_of(mark), **options)
    except (TypeError, ValueError) as error:
        raise pytest.UsageError(f"mark layouts of {metafunc.definition.nodeid}: {error}") from None
    if not texts:
        raise pytest.UsageError(f"mark layouts of {metafunc.definition.nodeid}: no layout within its limits was drawn")
    layouts = sorted(map(Layout, texts), key=_simplicity)
    metafunc.parametrize(argument, layouts, ids=[str(layout) for layout in layouts])


def _texts_of(mark):
    return [str(text) for text in mark.args]


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, Any, Any]:
    """Shrinks the first failure of a marked test, and raises the error of the simplest layout."""
    try:
        return (yield)
    except (Exception, pytest.fail.Exception) as error:
        simplest = _shrink(pyfuncitem, error)
        if simplest is error:
            raise
        raise simplest from None


def _shrink(item, error):
    """Returns the error with the simplest layout with which a test fails as with its own."""
    mark = item.get_closest_marker("layouts")
    if mark is None or item.config.getoption("layoutcheck_layout") or inspect.iscoroutinefunction(item.obj):
        return error
    from . import Layout, _core

    options = _options_of(mark, item.config)
    argument = options.pop("argument")
    others = {name: value for name, value in item.callspec.params.items() if name != argument}
    test = (item.nodeid.partition("[")[0], repr(others))
    if test in item.config.stash[_SHRUNK]:
        return error
    text = str(item.callspec.params[argument])
    item.config.stash[_SHRUNK][test] = text
    arguments = {name: item.funcargs[name] for name in item._fixtureinfo.argnames}
    end = time.monotonic() + _MOST_SECONDS
    simplest = error

    def fails(candidate):
        nonlocal simplest
        if time.monotonic() > end:
            return False
        try:
            item.obj(**{**arguments, argument: Layout(candidate)})
        except type(error) as again:
            simplest = again
            item.config.stash[_SHRUNK][test] = candidate
            return True
        except (Exception, pytest.fail.Exception, pytest.skip.Exception):
            pass
        return False

    _core.shrink_layout(text, fails, _MOST_CALLS, _texts_of(mark), **options)
    item.stash[_SHRUNK] = item.config.stash[_SHRUNK][test]
    return simplest


def _simplicity(layout):
    """Returns a key that sorts simpler layouts first: fewer dimensions, shorter text behind the sizes, smaller sizes."""
    return len(layout.shape), len(str(layout).partition("]")[2]), math.prod(layout.shape), str(layout)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: "pytest.CallInfo[None]") -> Generator[None, Any, Any]:
    """Adds the picture and the line that repeats a failure to the report of a test."""
    report = yield
    if call.when != "call" or not report.failed:
        return report
    error = call.excinfo.value
    checked = getattr(error, "report", None)
    for finding in getattr(checked, "findings", ()):
        item.config.stash[_FINDINGS].append((finding.document, *_place_of(item)))
    mark = item.get_closest_marker("layouts")
    if mark is None:
        return report
    options = _options_of(mark, item.config)
    layout = item.callspec.params.get(options["argument"]) if hasattr(item, "callspec") else None
    if layout is None:
        return report
    test = item.nodeid.partition("[")[0]
    drawn, layout = str(layout), item.stash.get(_SHRUNK, str(layout))
    title = layout if layout == drawn else f"{layout}, shrunk from {drawn}"
    repeat = f"pytest {shlex.quote(test)} {shlex.quote(f'--layoutcheck-layout={layout}')}"
    report.sections.append(("layout", f"{title}\n\n{_picture_of(layout)}\nrepeat  {repeat}\n"))
    report.layoutcheck = (test, layout, repeat)
    if checked is None:
        document = {
            "subject": test,
            "law": type(error).__name__,
            "layout": layout,
            "expected": "the test passes",
            "actual": (str(error).strip().partition("\n")[0] or type(error).__name__)[:500],
            "seed": options["seed"],
            "count": 1,
            "reproduce": repeat,
        }
        item.config.stash[_FINDINGS].append((document, *_place_of(item)))
    return report


def _place_of(item):
    path, line, _ = item.location
    return path, (line or 0) + 1


def _picture_of(layout):
    """Returns the picture of a layout, or a line that says that it is too large."""
    from . import _core

    return _core.picture(layout, 100, 14) or "(too large for a picture)\n"


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Names the simplest layout with which each test failed."""
    simplest = {}
    failures = {}
    for report in terminalreporter.getreports("failed"):
        if hasattr(report, "layoutcheck"):
            test, text, repeat = report.layoutcheck
            simplest.setdefault(test, (text, repeat))
            failures[test] = failures.get(test, 0) + 1
    if not simplest:
        return
    terminalreporter.section("simplest failing layouts")
    for test, (text, repeat) in simplest.items():
        count = failures[test]
        terminalreporter.write_line(f"{test}: {text}, the simplest of {count}" if count > 1 else f"{test}: {text}")
        terminalreporter.write_line(f"  {repeat}")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Writes the findings as SARIF."""
    path = session.config.getoption("layoutcheck_sarif")
    if not path or hasattr(session.config, "workerinput"):
        return
    from . import _core

    findings = [(json.dumps(document), file, line) for document, file, line in session.config.stash[_FINDINGS]]
    with open(path, "w", encoding="utf-8") as file:
        file.write(_core.findings_report("sarif", findings))
