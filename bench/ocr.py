"""Text recognition: pages of contracts drawn as images, read, compared with their text; a question over one.

    python -m bench.ocr --data DIR

Prints how many words of each page are right, what a page takes, and whether the citation of a question over
one of the scans is highlighted on the line that the words stand on. Exit 1 where a target is missed.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from core.domain.ids import DocumentId
from core.domain.principal import LOCAL_ADMIN
from core.domain.span import Box
from core.workbench import Workbench

PAGES = 10
DPI = 200
TARGET = 0.92
_WORD = re.compile(r"\w+(?:['\u2019.,/&-]\w+)*")
_LAW = re.compile(r"governed\s+by", re.IGNORECASE)


@dataclass(frozen=True)
class Sheet:
    """A page of a contract: its text layer, where "governed by" stands on it, if it does, and its image."""

    name: str
    page_no: int
    text: str
    law: Box | None


def main() -> int:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with cuad/pdf")
    parser.add_argument("--pages", type=int, default=PAGES)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        scans, home = Path(folder) / "scans", Path(folder) / "home"
        scans.mkdir()
        sheets = draw_sheets(sorted((given.data / "cuad" / "pdf").glob("*.pdf")), given.pages, scans)
        with Workbench.open(home=home) as bench:
            return measure(bench, sheets, scans)


def draw_sheets(files: Sequence[Path], count: int, folder: Path) -> list[Sheet]:
    """One page of each of `count` contracts as a PDF that holds its image alone.

    The page that says by which law the contract is governed, if it has one; else its second.
    """
    step = max(1, len(files) // count)
    return [draw_sheet(path, folder) for path in files[::step][:count]]


def draw_sheet(path: Path, folder: Path) -> Sheet:
    """See draw_sheets."""
    import pypdfium2

    document = pypdfium2.PdfDocument(path)
    texts = [document[at].get_textpage().get_text_range() for at in range(len(document))]
    lawful = [at for at, text in enumerate(texts) if _LAW.search(text)]
    at = lawful[0] if lawful else min(1, len(texts) - 1)
    page = document[at]
    image = page.render(scale=DPI / 72).to_pil().convert("RGB")
    name = f"{path.stem.split('_')[0]}.pdf"
    image.save(folder / name, "PDF", resolution=DPI, quality=85)
    law = None
    if found := _LAW.search(texts[at]):
        width, height = page.get_size()
        left, bottom, right, top = page.get_textpage().get_charbox(found.start())
        law = Box(left / width, 1 - top / height, right / width, 1 - bottom / height)
    return Sheet(name, at + 1, texts[at], law)


def words_right(truth: str, read: str) -> tuple[int, int]:
    """How many words of `truth` stand in `read`, in order and letter by letter, and how many there are."""
    wanted, found = _words(truth), _words(read)
    blocks = SequenceMatcher(None, wanted, found, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks), len(wanted)


def _words(text: str) -> list[str]:
    plain = text.replace("\ufffe", "").replace("\u2019", "'").replace("\u201c", '"').replace("\u201d", '"')
    return [word.casefold() for word in _WORD.findall(plain)]


def measure(bench: Workbench, sheets: Sequence[Sheet], folder: Path) -> int:
    """Read the sheets, print the figures; 1 where a target is missed."""
    bench.ingest([folder], bucket="scans")
    waiting = bench.local.documents.scans()
    began = time.perf_counter()
    bench.local.documents.read_scans([each.id for each in waiting])
    took = time.perf_counter() - began
    by_name = {Path(each.source).name: each for each in bench.documents(LOCAL_ADMIN, bucket="scans")}
    right = total = 0
    for sheet in sheets:
        document = bench.local.documents.get(by_name[sheet.name].id)
        good, of = words_right(sheet.text, "\n".join(page.text for page in document.pages))
        right, total = right + good, total + of
        said = document.metadata.get("ocr_confidence", "-")
        figures = f"words {good:4} of {of:4} = {good / max(1, of):.3f}  said {said}"
        print(f"{sheet.name:42} page {sheet.page_no:3}  {figures}", flush=True)
    share = right / max(1, total)
    print(f"words right: {share:.4f} (target {TARGET}); {took / len(sheets):.1f} s a page with ingest")
    lawful = [(sheet, by_name[sheet.name].id) for sheet in sheets if sheet.law is not None]
    asked = [is_marked_right(bench, sheet, document) for sheet, document in lawful]
    marked = [each for each in asked if each is not None]
    print(f"questions by which law a page is governed: {len(asked)}; cited from that page: {len(marked)}")
    print(f"citations highlighted on the right line: {sum(marked)} of {len(marked)}")
    return 0 if share >= TARGET and marked and all(marked) else 1


def is_marked_right(bench: Workbench, sheet: Sheet, document: DocumentId) -> bool | None:
    """Ask by which law it is governed; whether "governed by" of the citation is marked where it stands.

    None where the answer does not cite it: an answer of another page, which is not what is measured here.
    """
    title = bench.local.documents.get(document).summary.title
    answer = bench.ask(f"Which law governs {title}?", LOCAL_ADMIN, buckets=["scans"])
    for citation in answer.citations:
        found = _LAW.search(citation.quote)
        if citation.document != document or found is None or sheet.law is None:
            continue
        start = citation.start + found.start()
        span = (start, start + len(found.group()))
        [boxes] = bench.local.documents.boxes(document, citation.version, citation.page, [span])
        middle = (sheet.law.y0 + sheet.law.y1) / 2
        is_right = any(box.y0 <= middle <= box.y1 for box in boxes)
        print(f"{sheet.name}: {citation.quote[:90]!r} -> {'right line' if is_right else 'another line'}")
        return is_right
    print(f"{sheet.name}: no citation of its law")
    return None


if __name__ == "__main__":
    sys.exit(main())
