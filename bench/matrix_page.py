"""How fast the matrix page is in a real browser: opening, scrolling, sorting, filtering, cells, work list.

A home of made-up documents with all cells (bench.matrix_home) is filled, served as people are served, and
driven in Chromium; a time is from the press of a key or button until the cells are drawn.

    python -m bench.matrix_page --documents 5000 --fields 60 [--home DIR to keep it] [--repeats 5]
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from bench.matrix_home import BUCKET, fields_of, fill

CHROMIUM = os.environ.get("GROUNDWORK_CHROMIUM", "/usr/bin/chromium")
FIND_GRID = """() => { const walk = (root) => { for (const node of root.querySelectorAll('*')) {
  if (node.matches('.grid')) return node;
  if (node.shadowRoot) { const found = walk(node.shadowRoot); if (found) return found; } } return null; };
  window.__grid = walk(document); return Boolean(window.__grid); }"""
SETTLED = """() => window.__grid && !window.__grid.getAttribute('aria-busy')
  && window.__grid.querySelector('[role=gridcell][aria-label]')"""
SCROLL = """async ([dx, dy, steps]) => {
  const grid = window.__grid, times = []; let last = performance.now();
  for (let i = 0; i < steps; i++) { grid.scrollBy(dx, dy);
    await new Promise(requestAnimationFrame);
    const now = performance.now(); times.push(now - last); last = now; }
  return times; }"""
# From now until the first row is another one and nothing is awaited.
CHANGED = """(before) => { const grid = window.__grid; const first = grid.querySelector('[data-row="0"]');
  return first && !grid.getAttribute('aria-busy') && first.innerText !== before; }"""
FIRST = "() => window.__grid.querySelector('[data-row=\"0\"]')?.innerText || ''"


def main() -> None:
    """Fill, serve, drive, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=5000)
    parser.add_argument("--fields", type=int, default=60)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--home", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = given.home or Path(folder) / "home"
        if not (home / "records.sqlite").exists():
            started = time.perf_counter()
            cells = fill(home, given.documents, given.fields)
            print(f"{cells:,} cells put in {time.perf_counter() - started:.0f} s", file=sys.stderr)
        with served(home) as url:
            print(f"Load of the machine: {os.getloadavg()[0]:.1f}", file=sys.stderr)
            print(json.dumps(measure(url, given.fields, given.repeats), indent=2))
            print(f"Load of the machine: {os.getloadavg()[0]:.1f}", file=sys.stderr)


@contextlib.contextmanager
def served(home: Path) -> Iterator[str]:
    """The address of the pages over a home, until the end."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    command = [sys.executable, "-m", "app", "--home", str(home), "--port", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"
    try:
        while True:
            with contextlib.suppress(urllib.error.URLError, OSError):
                urllib.request.urlopen(f"{url}/api/v1/healthz", timeout=5).close()
                break
            if process.poll() is not None:
                raise RuntimeError("The server ended.")
            time.sleep(0.2)
        yield url
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()


def measure(url: str, fields: int, repeats: int) -> dict[str, Any]:
    """Median and worst milliseconds of each deed; of opening, from the request of the page."""
    hidden = ",".join(each.name for each in fields_of(10_000)[fields:])
    address = f"{url}/matrix?bucket={BUCKET}&hidden={hidden}"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(120_000)
        _open(page, address)  # the first one of a process imports what later ones have
        opened = [_open(page, address) for _ in range(repeats)]
        found = {"open, first cells": opened}
        found |= _scrolled(page)
        found |= _asked(page, repeats)
        found |= _cells(page, repeats)
        found |= _worked(page, url, hidden, repeats)
        browser.close()
    return {
        name: {"median_ms": round(statistics.median(times)), "worst_ms": round(max(times)), "n": len(times)}
        for name, times in found.items()
    }


def _open(page: Page, address: str) -> float:
    page.goto(address)
    page.wait_for_function(f"{FIND_GRID}")
    page.wait_for_function(SETTLED)
    ready = page.evaluate("performance.now()")
    page.wait_for_load_state("networkidle")
    return float(ready)


def _scrolled(page: Page) -> dict[str, list[float]]:
    """Times of frames while rows and columns fly by."""
    down = page.evaluate(SCROLL, [0, 60, 120])
    right = page.evaluate(SCROLL, [40, 0, 90])
    page.wait_for_timeout(500)
    page.evaluate("() => { window.__grid.scrollTo(0, 60000) }")
    started = time.perf_counter()
    page.wait_for_function("() => window.__grid.querySelector('[data-row=\"1880\"] [aria-label]')")
    jump = (time.perf_counter() - started) * 1000
    page.evaluate("() => { window.__grid.scrollTo(0, 0) }")
    page.wait_for_timeout(500)
    return {"frame, scrolling down": down, "frame, scrolling right": right, "jump to row 1,880": [jump]}


def _timed(page: Page, deed: Callable[[], None]) -> float:
    before = page.evaluate(FIRST)
    started = time.perf_counter()
    deed()
    page.wait_for_function(CHANGED, arg=before)
    return (time.perf_counter() - started) * 1000


def _asked(page: Page, repeats: int) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {"sort": [], "filter by status": [], "filter by value": [], "find": []}
    find = page.get_by_placeholder("Find documents by title")
    for _ in range(repeats):
        for name in ("Parties", "Kind of document"):
            sort = page.get_by_title(f"Sort by {name}", exact=True)
            found["sort"].append(_timed(page, sort.click))
        page.get_by_title("Sort by Document", exact=True).click()
        page.wait_for_timeout(400)
        page.get_by_role("button", name="Parties: counts, sort, filter").click()
        choice = page.get_by_role("button", name="◆ Uncertain", exact=True)
        found["filter by status"].append(_timed(page, choice.click))
        chip = page.get_by_role("button", name="Remove the filter")
        chip.first.click()
        page.wait_for_timeout(600)
        page.get_by_role("button", name="Parties: counts, sort, filter").click()
        page.get_by_label("Value", exact=True).fill("Larch Optics")
        apply = page.get_by_role("button", name="Filter", exact=True)
        found["filter by value"].append(_timed(page, apply.click))
        chip.first.click()
        page.wait_for_timeout(600)
        found["find"].append(_timed(page, partial(find.fill, "lease 04")))
        find.fill("")
        page.wait_for_timeout(800)
    return found


def _cells(page: Page, repeats: int) -> dict[str, list[float]]:
    """From the click on a cell until its words are highlighted; from a key until the verdict stands."""
    opened, decided = [], []
    cells = page.locator('.cell.p[data-column="1"]')
    for number in range(repeats * 2):
        started = time.perf_counter()
        cell = cells.nth(number % 6)
        label = str(cell.get_attribute("aria-label"))
        cell.click()
        value = label.removesuffix(", reviewed").rpartition(", ")[2]
        page.locator(".panel mark.focus", has_text=value).wait_for()
        opened.append((time.perf_counter() - started) * 1000)
    page.wait_for_timeout(400)
    for key, sign in (("c", "✓"), ("u", ""), ("a", "✓"), ("u", "")) * repeats:
        started = time.perf_counter()
        page.keyboard.press(key)
        page.locator(".panel .by").wait_for(state="visible" if sign else "detached")
        decided.append((time.perf_counter() - started) * 1000)
    return {"cell to highlight": opened, "verdict": decided}


def _worked(page: Page, url: str, hidden: str, repeats: int) -> dict[str, list[float]]:
    page.goto(f"{url}/matrix?bucket={BUCKET}&mode=work&hidden={hidden}")
    page.locator(".panel mark.focus").first.wait_for()
    opened = [float(page.evaluate("performance.now()"))]
    times = []
    page.wait_for_timeout(1000)
    for number in range(repeats * 4):
        before = page.locator(".progress strong").inner_text()
        started = time.perf_counter()
        page.keyboard.press("aa1n"[number % 4])  # not C: it is off where two readings tie, which come first
        page.wait_for_function(
            """(before) => { const walk = (root) => { for (const node of root.querySelectorAll('*')) {
              if (node.matches('.panel')) return node;
              if (node.shadowRoot) { const found = walk(node.shadowRoot); if (found) return found; } } };
              const panel = walk(document), progress = panel.getRootNode().querySelector('.progress strong');
              const open = panel.getRootNode().querySelector('.item.on strong').textContent;
              return progress.textContent !== before && panel.querySelector('h2').textContent === open; }""",
            arg=before,
        )
        times.append((time.perf_counter() - started) * 1000)
        page.wait_for_timeout(250)
    return {"open the work list": opened, "verdict to next cell": times}


if __name__ == "__main__":
    main()
