"""All texts of the public data sets, by a path and with a title: 33 million characters that people wrote."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from bench.collapse.pieces import Piece, divide
from bench.retrieval.sets import acord_texts, chunking_texts, cranfield_texts, legalbench_texts
from core.ingest.clean import normalise
from core.ingest.parse.base import ParseLimits
from core.ingest.parse.dispatch import parse_file

PAGES = "filings.json"
LONGEST = 60_000
"""Characters of a contract that stays whole."""


@dataclass(frozen=True, slots=True)
class Text:
    """A whole text, normalised. is_whole: it is not divided, and stands as it came unless it has a title."""

    path: str
    title: str
    text: str
    is_whole: bool = False

    def pieces(self) -> list[Piece]:
        """The documents that it becomes."""
        if self.is_whole:
            heading = f"# {self.title}\n\n" if self.title else ""
            return [Piece(f"{self.path}.txt", self.path, 0, len(self.text), heading, self.text)]
        return divide(self.path, self.title, self.text)


def all_texts(data: Path, cache: Path) -> Iterator[Text]:
    """Every text; pages of filings are read once and kept in `cache`."""
    yield from hotpot(data)
    for name, text in chunking_texts(data).items():
        yield Text(f"chunking/{name.removesuffix('.md')}", "", normalise(text), is_whole=True)
    for path, text in legalbench_texts(data).items():
        name = path.removesuffix(".txt")
        divided = _text("legal", name, text)
        yield divided if name.startswith("maud") else replace(divided, title="", is_whole=True)
    for number, text in cranfield_texts(data).items():
        yield Text(f"cranfield/{number.removesuffix('.txt')}", "", normalise(text).strip(), is_whole=True)
    yield from filings(data, cache)
    for label in labels(data):
        is_whole = label.is_named
        yield Text(f"cuad/{label.stem}", "" if is_whole else label.title, label.text, is_whole)
    yield from _others(data)


@dataclass(frozen=True, slots=True)
class Label:
    """A contract of CUAD: its text, its name with its parties, and what lawyers marked, by column."""

    stem: str
    title: str
    text: str
    columns: dict[str, str]

    @property
    def is_named(self) -> bool:
        """True of one contract in six of those of some pages: questions are about these."""
        drawn = hashlib.sha256(self.stem.encode()).digest()[0] % 6 == 0
        return drawn and " between " in self.title and "__" not in self.title and len(self.text) <= LONGEST


def labels(data: Path) -> Iterator[Label]:
    """CUAD's 345 contracts, named as its lawyers name them; by the file where they give no name."""
    for folder in (data / "cuad", data / "cuad" / "more"):
        with (folder / "labels.csv").open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                path = folder / "contracts" / row["File"]
                parties = [each.split("(")[0].strip(" ,.") for each in row["Parties-Answer"].split(";")]
                named = f"{row['Document Name-Answer'].title()} between {' and '.join(parties[:2])}"
                title = named if row["Document Name-Answer"] and all(parties) else path.stem.replace("_", " ")
                text = normalise(path.read_text(encoding="utf-8"))
                yield Label(path.stem, " ".join(title.split())[:160], text, row)


def hotpot(data: Path) -> Iterator[Text]:
    """The 994 passages under their titles."""
    corpus = json.loads((data / "hotpotqa_100" / "corpus.json").read_text(encoding="utf-8"))
    for at, (title, sentences) in enumerate(corpus.items()):
        yield Text(f"hotpot/{at:04}", title, normalise("".join(sentences)).strip(), is_whole=True)


def filings(data: Path, cache: Path) -> Iterator[Text]:
    """Every page of the filings as a text of its own, by `filings/NAME/PAGE`."""
    kept = cache / PAGES
    if not kept.is_file():
        pages = {
            f"{path.stem}/{page.page_no:03}": page.text
            for path in sorted((data / "financebench" / "pdf").glob("*.pdf"))
            for page in parse_file(path, str(path), ParseLimits()).pages
        }
        kept.write_text(json.dumps(pages), encoding="utf-8")
    for name, text in json.loads(kept.read_text(encoding="utf-8")).items():
        filing, page = name.split("/")
        yield Text(f"filings/{name}", f"{filing.replace('_', ' ')}, page {int(page)}", normalise(text))


def _others(data: Path) -> Iterator[Text]:
    """Texts that no question of ours is about: NDAs, clauses, passages of conversations, reports."""
    agreements = json.loads((data / "contractnli" / "dev.json").read_text(encoding="utf-8"))["documents"]
    for each in agreements:
        yield _text("nda", Path(each["file_name"]).stem, each["text"])
    for name, text in acord_texts(data).items():
        yield Text(f"acord/{name.removesuffix('.txt')}", "", normalise(text))
    seen = set()
    for line in (data / "mtrag_un" / "visible.jsonl").read_text(encoding="utf-8").splitlines():
        for context in json.loads(line)["contexts"]:
            if context["document_id"] not in seen:
                seen.add(context["document_id"])
                yield Text(f"mtrag/{len(seen):04}", "", normalise(context["text"]))
    for at, table in enumerate(json.loads((data / "tatqa" / "dev.json").read_text(encoding="utf-8"))):
        yield Text(f"tatqa/{at:04}", "", normalise("\n\n".join(each["text"] for each in table["paragraphs"])))


def _text(folder: str, name: str, raw: str) -> Text:
    return Text(f"{folder}/{name}", name.rsplit("/", 1)[-1].replace("_", " "), normalise(raw))
