"""How fast the page Map is in a real browser, over a home of made-up documents.

    python -m bench.connections.page [--documents 4000] [--home DIR to keep it] [--repeats 5]

A quarter as many parties as documents, two of them named by each. Times are from a click, or from the request
of the page, until the nodes are drawn. The first of a process shows that the map is being made; one after a
change shows the last map meanwhile.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Locator, Page, sync_playwright

from bench.connections.wording import FIRST, SECOND
from bench.matrix_page import CHROMIUM, served
from core.config.models import Settings
from core.domain.document import Page as StoredPage
from core.domain.document import ParsedDocument
from core.domain.fields import CellStatus, Extraction, FieldType, Finding, Quote, TypedValue
from core.domain.ids import ContentHash
from core.domain.span import PageSpan
from core.store.base import NewVersion
from core.store.store import Records


def fill(home: Path, documents: int, first: int = 0) -> None:
    """Publish the documents, each with the cells of its two parties."""
    rng = random.Random(3)
    names = [
        f"{first} {second} {tail} Ltd" for first in FIRST for second in SECOND for tail in ("North", "South")
    ]
    names = names[: max(10, documents // 4)]
    with Records.open(Settings(home=home)) as records:
        for number in range(first, first + documents):
            at = rng.randrange(len(names))  # neighbours trade with one another, and now and then with others
            near = (
                rng.randrange(len(names)) if rng.random() < 0.1 else (at + rng.randrange(1, 6)) % len(names)
            )
            one, other = names[at], names[near]
            text = f"Agreement {number} between {one} and {other}."
            parsed = ParsedDocument(f"Agreement {number}", "text/plain", (StoredPage(1, text),), "en")
            made = records.documents.publish(
                NewVersion("b", f"{number}.txt", parsed, ContentHash(f"{number + 1:064x}"), len(text), ())
            )
            findings = {"vendor": _party(text, one), "customer": _party(text, other)}
            records.fields.put(made.document, made.version, Extraction("contracts", findings), "bench")


def _party(text: str, name: str) -> Finding:
    at = text.index(name)
    value = TypedValue(FieldType.PARTY, name, original=name, normal=name.casefold().removesuffix(" ltd"))
    return Finding(
        CellStatus.PRESENT, (value,), (Quote(PageSpan(1, at, at + len(name)), name),), 0.97, "bench"
    )


def measure(url: str, repeats: int, change: Callable[[int], None]) -> None:
    """Print median and worst of each deed. change: publishes another document, the n-th."""
    with sync_playwright() as playwright:
        page = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"]).new_page(
            viewport={"width": 1440, "height": 900}
        )
        page.set_default_timeout(120_000)
        page.goto(url)
        page.get_by_test_id("stChatInputTextArea").wait_for()
        began = time.perf_counter()
        page.goto(f"{url}/map")
        page.get_by_text("The map is being made").first.wait_for()
        told = (time.perf_counter() - began) * 1000
        first = told + _timed(lambda: None, page, anew=True)
        print(f"first of the process: told after {told:,.0f} ms, map made and drawn after {first:,.0f}")
        deeds: dict[str, list[float]] = {}
        for number in range(repeats):
            change(number)
            deeds.setdefault("after a change", []).append(
                _timed(lambda: page.goto(f"{url}/map"), page, anew=True)
            )
            renewed = page.get_by_text("is being renewed")
            deeds.setdefault("renewed", []).append(_until_gone(renewed))
            deeds.setdefault("open", []).append(_timed(lambda: page.goto(f"{url}/map"), page, anew=True))
            page.locator(".stage .node").first.focus()
            deeds.setdefault("a part", []).append(_timed(lambda: page.keyboard.press("Enter"), page))
            page.locator(".stage .node[data-kind=party]").first.focus()
            deeds.setdefault("a node", []).append(_timed(lambda: page.keyboard.press("Enter"), page))
        for name, times in deeds.items():
            print(
                f"{name}: median {statistics.median(times):,.0f} ms, worst {max(times):,.0f} of {len(times)}"
            )


def _timed(act: Callable[[], object], page: Page, *, anew: bool = False) -> float:
    """Milliseconds until other nodes are drawn. anew: on a page that is loaded anew."""
    before = "" if anew else page.locator(".stage").get_attribute("aria-label")
    began = time.perf_counter()
    act()
    page.wait_for_function(_DRAWN, arg=before)
    return (time.perf_counter() - began) * 1000


def _until_gone(note: Locator) -> float:
    """Milliseconds until a note is there no more."""
    began = time.perf_counter()
    note.wait_for(state="hidden")
    return (time.perf_counter() - began) * 1000


_DRAWN = """(before) => { const walk = (root) => { for (const node of root.querySelectorAll('*')) {
  if (node.matches('.map .stage')) return node;
  if (node.shadowRoot) { const found = walk(node.shadowRoot); if (found) return found; } } return null; };
  const stage = walk(document);
  return stage && stage.querySelector('.node') && stage.getAttribute('aria-label') !== before; }"""


def main() -> None:
    """Fill, serve, drive, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--documents", type=int, default=4_000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--home", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = given.home or Path(folder) / "home"
        if not (home / "records.sqlite").exists():
            fill(home, given.documents)
        print(f"load of the machine: {os.getloadavg()[0]:.1f}")
        with served(home) as url:
            measure(url, given.repeats, lambda n: fill(home, 1, given.documents + n))


if __name__ == "__main__":
    main()
