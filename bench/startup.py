"""How soon a newcomer can ask: cold `groundwork ask`, first page usable, memory of the app process.

    python -m bench.startup                    # on the sample collection, in a temporary home
    python -m bench.startup --home DIR         # on a home that is already filled

Needs Chromium and Playwright for the page. Prints a table and JSON.
"""

from __future__ import annotations

import argparse
import json
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

QUESTION = "What is the minimum panel width for AlphaSolar models?"
GROUNDWORK = [sys.executable, "-m", "core.cli"]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--home", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = options.home or Path(folder) / "home"
        if options.home is None:
            subprocess.run([*GROUNDWORK, "ingest", "--sample", "--home", str(home)], check=True)
        asks = [_cold_ask(home) for _ in range(options.runs)]
        pages = [_first_page(home) for _ in range(options.runs)]
    figures = {
        "cold_ask_s": _spread(asks),
        "page_usable_s": _spread([page["usable_s"] for page in pages]),
        "first_answer_s": _spread([page["answer_s"] for page in pages]),
        "app_rss_mb": _spread([page["rss_mb"] for page in pages]),
    }
    for name, (low, median, high) in figures.items():
        print(f"{name:16} min {low:8.2f}   median {median:8.2f}   max {high:8.2f}")
    print(json.dumps({"runs": options.runs, **figures}))


def _cold_ask(home: Path) -> float:
    started = time.perf_counter()
    subprocess.run(
        [*GROUNDWORK, "ask", QUESTION, "--home", str(home)], check=True, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    return time.perf_counter() - started


def _first_page(home: Path) -> dict[str, float]:
    """From the start of `groundwork up` to a chat box that takes typing, and to the first answer."""
    from playwright.sync_api import sync_playwright

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-background-networking"]
        )
        page = browser.new_page()
        started = time.perf_counter()
        server = subprocess.Popen(
            [*GROUNDWORK, "up", "--home", str(home), "--port", str(port)], stdout=subprocess.DEVNULL
        )
        try:
            _wait_healthy(port)
            page.goto(f"http://127.0.0.1:{port}/")
            box = page.get_by_test_id("stChatInputTextArea")
            box.wait_for(timeout=60_000)
            box.fill(QUESTION)
            usable = time.perf_counter() - started
            asked = time.perf_counter()
            box.press("Enter")
            page.get_by_role("button", name=re.compile("^Citation 1")).first.wait_for(timeout=60_000)
            answered = time.perf_counter() - asked
            rss_mb = _rss_mb(server.pid)
        finally:
            server.terminate()
            server.wait(30)
            browser.close()
    return {"usable_s": usable, "answer_s": answered, "rss_mb": rss_mb}


def _wait_healthy(port: int) -> None:
    while True:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1).close()
        except OSError:
            time.sleep(0.02)
        else:
            return


def _rss_mb(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return float("nan")


def _spread(values: list[float]) -> tuple[float, float, float]:
    return min(values), statistics.median(values), max(values)


if __name__ == "__main__":
    main()
