"""A home for a bench: public data, ingested as the product does it, and kept for the next run."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from bench.retrieval.filling import fill
from core.config.models import Settings
from core.encode.base import Encoder
from core.encode.load import load_query_encoder
from core.index.base import SearchEngine
from core.index.embedded import EmbeddedEngine
from core.search.search import Retriever
from core.store.database.visibility import Visibility
from core.store.store import Records
from core.workbench import Workbench

FILES = "bench-files"  # stays in the home: a document's source is its path


@dataclass(frozen=True, slots=True)
class Home:
    """An open home; `sources` maps the path that a document was ingested from to its id."""

    records: Records
    engine: SearchEngine
    encoder: Encoder
    retriever: Retriever
    sources: Mapping[str, str]
    passages: int


@contextmanager
def open_home(texts: Mapping[str, str], folder: Path | None, *, extract: bool = True) -> Iterator[Home]:
    """The texts, by path, ingested into `folder`; a temporary one where it is None.

    A folder that holds as many documents already is used as it is. extract: whether fields are filled, too.
    """
    if folder is None:
        with (
            tempfile.TemporaryDirectory(prefix="groundwork-bench-") as temporary,
            open_home(texts, Path(temporary), extract=extract) as home,
        ):
            yield home
        return
    settings = Settings(home=folder)
    _ingest(texts, settings, extract)
    with Records.open(settings) as records:
        encoder = load_query_encoder(settings)
        engine = EmbeddedEngine.open(folder / "index", encoder.signature)
        try:
            listed = records.documents.list(Visibility.everything())
            retriever = Retriever(records, engine, encoder, settings)
            retriever.warm()
            yield Home(
                records=records,
                engine=engine,
                encoder=encoder,
                retriever=retriever,
                sources={_path_of(document.source, texts): document.id for document in listed},
                passages=sum(document.passages for document in listed),
            )
        finally:
            engine.close()


def _ingest(texts: Mapping[str, str], settings: Settings, extract: bool) -> None:
    """Ingest what the home lacks; a run that was cut short goes on where it was."""
    with Records.open(settings) as records:
        held = records.documents.count(Visibility.everything())
    if held == len(texts):
        return
    files = settings.home / FILES
    for name, text in texts.items():
        path = files / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", encoding="utf-8", newline="") as file:
            file.write(text)
    began = time.perf_counter()
    if not extract:
        fill({str(files / name): files / name for name in texts}, settings)
        print(f"filled {len(texts)} documents in {time.perf_counter() - began:.0f} s", file=sys.stderr)
        return
    with Workbench.open(settings.home, settings) as bench:
        report = bench.ingest(sorted(files.iterdir()))
    seconds = time.perf_counter() - began
    print(f"ingested {len(report.items)} documents in {seconds:.0f} s: {report.counts}", file=sys.stderr)


def _path_of(source: str, texts: Mapping[str, str]) -> str:
    """The path among `texts` that an ingested source ends with: ingest keeps the folders before it."""
    parts = PurePosixPath(source).parts
    return next(path for n in range(len(parts)) if (path := "/".join(parts[n:])) in texts)
