"""Homes of growing size: each begins as a copy of the one before, so the small one is in the large one."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.collapse.pieces import Piece
from bench.collapse.vectors import KeptVectors
from bench.ingest_rate import Calm
from bench.retrieval.filling import fill
from core.config.models import Settings
from core.encode.load import load_batch_encoder
from core.encode.load import signature as signature_of
from core.workbench import Workbench

WHOLE = "whole"  # a file in a home that holds all of its documents


def fill_homes(
    pieces: Sequence[Piece], sizes: Sequence[int], folder: Path, cache: Path
) -> Iterator[tuple[int, Path]]:
    """The homes by size, small ones first; what an earlier run left is gone on with."""
    files = _written(pieces[: max(sizes)], folder / "files")
    before: Path | None = None
    for size in sorted(sizes):
        home = folder / f"{size}"
        if not (home / WHOLE).is_file():
            if before is not None and not home.exists():
                shutil.copytree(before, home, ignore=shutil.ignore_patterns(WHOLE))
            settings = Settings(home=home)
            encoder = KeptVectors(
                cache, signature_of(settings), lambda held=settings: load_batch_encoder(held)
            )
            wanted = {piece.path: files[piece.path] for piece in pieces[:size]}
            fill(wanted, settings, encoder, _tell)
            if before is None:
                _extract(home, [piece.path for piece in pieces[:size] if piece.is_whole])
            (home / WHOLE).touch()
        yield size, home
        before = home


def _extract(home: Path, sources: Sequence[str]) -> None:
    """Fill the fields of whole papers, those that questions name; sections and passages have none."""
    with Workbench.open(home) as bench:
        parts = bench.local.documents._parts  # what an ingest is given
        found = {each.source: each.id for each in bench.documents()}
        parts.extractions.fill([found[source] for source in sources], lambda _: None, Calm())


def _tell(done: int, of: int) -> None:
    if done % 1_000 < 10:
        print(f"\r{done:,} of {of:,} documents", end="", file=sys.stderr, flush=True)


def _written(pieces: Sequence[Piece], folder: Path) -> dict[str, Path]:
    """The file of each piece, by its path."""
    files = {piece.path: folder / piece.path for piece in pieces}
    for piece in pieces:
        path = files[piece.path]
        if not path.is_file():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(piece.text, encoding="utf-8", newline="")
    return files
