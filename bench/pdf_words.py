"""Words of PDF pages as they are stored, against those that a second reader finds; and the time of parsing.

    nice python -m bench.pdf_words --data DIR [--every 3] [--worst 20] [--json FILE]

The second reader is poppler's `pdftotext` where it is installed, else pypdf. Words are runs of letters and
digits after NFKC, as often as they stand. A page lacks words where more than 1 % of the second reader's (and
more than two) are not among the stored ones; what it only glues ("word1word2") or parts ("wo rd") is looked
for in the page's letters, without blanks. Files that crash or take over a minute are named.
"""

from __future__ import annotations

import argparse
import json
import logging
import re
import shutil
import subprocess
import time
import unicodedata
from collections import Counter
from pathlib import Path

from core.errors import GroundworkError
from core.ingest.parse.base import ParseLimits
from core.ingest.parse.pdf import parse_pdf

_WORD = re.compile(r"[^\W_]+")
_LEAST = 0.01
_FEW = 2
_SLOW_S = 60.0


def main() -> None:
    """Measure every file and print what lacks words."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True, action="append")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--worst", type=int, default=20)
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    paths = [path for folder in asked.data for path in sorted(folder.rglob("*.pdf"))][:: asked.every]
    lacking: list[tuple[float, str, int, list[str]]] = []
    pages, refused, failed, slow, seconds = 0, 0, list[str](), list[str](), 0.0
    for path in paths:
        began = time.process_time()
        try:
            texts = [page.text for page in parse_pdf(path, path.name, ParseLimits()).pages]
        except GroundworkError:
            refused += 1
            continue
        except Exception as error:  # the bench has to name whatever a file brings about
            failed.append(f"{path.name}: {error!r}")
            continue
        spent = time.process_time() - began
        seconds += spent
        slow += [f"{path.name}: {spent:.0f} s"] if spent > _SLOW_S else []
        pages += len(texts)
        for number, (ours, theirs) in enumerate(zip(texts, second_reading(path), strict=False), start=1):
            share, missing = lack(ours, theirs)
            if missing:
                lacking.append((share, path.name, number, missing))
    lacking.sort(reverse=True)
    print(f"{len(paths)} files, {refused} refused, {pages:,} pages, {seconds:.1f} s of CPU to parse")
    print(f"{len(failed)} failed: {'; '.join(failed)}" if failed else "none failed")
    print(f"slow: {'; '.join(slow)}" if slow else f"none took over {_SLOW_S:.0f} s")
    print(f"{len(lacking)} pages lack more than {_LEAST:.0%} of the second reader's words")
    for share, name, number, missing in lacking[: asked.worst]:
        print(f"  {share:6.1%} {name} page {number}: {' '.join(missing[:8])}")
    if asked.json:
        asked.json.write_text(json.dumps({"pages": pages, "seconds": seconds, "lacking": lacking}, indent=1))


def second_reading(path: Path) -> list[str]:
    """The text of every page by another reader; [] where it can make nothing of the file."""
    if shutil.which("pdftotext"):
        done = subprocess.run(
            ["pdftotext", "-enc", "UTF-8", str(path), "-"], capture_output=True, timeout=120, check=False
        )
        return done.stdout.decode("utf-8", "replace").split("\f")[:-1]
    from pypdf import PdfReader

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        return [_page_text(page) for page in PdfReader(path, strict=False).pages]
    except Exception:  # a broken file fails in any way
        return []


def _page_text(page: object) -> str:
    try:
        return str(page.extract_text())  # type: ignore[attr-defined]
    except Exception:  # as above: the other pages may be read
        return ""


def lack(ours: str, theirs: str) -> tuple[float, list[str]]:
    """Share of the second reader's words that lack, and which; none where they are within the bounds."""
    own, other = _words(ours), _words(theirs)
    letters = "".join(_WORD.findall(_plain(ours)))
    missing = [word for word in (other - own).elements() if word not in letters]
    share = len(missing) / max(1, other.total())
    return (share, missing) if share > _LEAST and len(missing) > _FEW else (0.0, [])


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _words(text: str) -> Counter[str]:
    return Counter(_WORD.findall(_plain(text)))


if __name__ == "__main__":
    main()
