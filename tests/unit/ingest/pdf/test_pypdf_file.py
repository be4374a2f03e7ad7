"""Files within PDFs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.ingest.pdf.pypdf_file import EmbeddedFile, embedded_files, may_embed_files
from tests.support.files import pdf
from tests.support.pdf_files import annotated, edited, parsed, with_files


def _pinned(data: bytes) -> bytes:
    """A page with a file pinned to it, and the same file among those of the document."""
    from pypdf.generic import NameObject

    def edit(writer: Any) -> None:
        note = writer.pages[0]["/Annots"][0].get_object()
        note[NameObject("/FS")] = writer.root_object["/Names"]["/EmbeddedFiles"]["/Names"][1]

    def attach(writer: Any) -> None:
        writer.add_attachment("pin.txt", data)
        edit(writer)

    return edited(annotated("Cover.", ("/FileAttachment", (10, 10, 20, 20), {})), attach)


def test_files_of_a_document_come_once_each_with_names_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(with_files("Cover.", {"x/bid.txt": b"one", "y/bid.txt": b"two", "..": b"three"}))
    assert list(embedded_files(path)) == [
        EmbeddedFile("attachment-1", b"three"),
        EmbeddedFile("bid.txt", b"one"),
        EmbeddedFile("bid (2).txt", b"two"),
    ]

    path.write_bytes(_pinned(b"pinned"))
    assert list(embedded_files(path)) == [EmbeddedFile("pin.txt", b"pinned")]


def test_files_without_others_are_told_by_their_bytes_and_broken_ones_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(pdf(["Nothing within."]))
    assert not may_embed_files(path)
    path.write_bytes(b"%PDF-1.7 /EmbeddedFile and no more")
    assert may_embed_files(path)
    with pytest.raises(ValueError, match="cannot be read"):
        list(embedded_files(path))


def test_trees_with_loops_and_files_that_swell_end_and_are_said(tmp_path: Path) -> None:
    from pypdf.generic import ArrayObject, NameObject

    def edit(writer: Any) -> None:
        tree = writer.root_object["/Names"]["/EmbeddedFiles"]
        last = tree["/Names"][3].get_object()["/EF"]
        last[NameObject("/F")] = writer._add_object(last["/F"].flate_encode())
        child = writer._add_object(tree)
        tree[NameObject("/Kids")] = ArrayObject([child] * 5000)

    path = tmp_path / "a.pdf"
    path.write_bytes(edited(with_files("Cover.", {"a.txt": b"one", "b.txt": b"a" * 30_000_000}), edit))
    assert list(embedded_files(path)) == [EmbeddedFile("a.txt", b"one"), EmbeddedFile("b.txt", None)]


def test_a_file_pinned_to_a_page_is_named_among_the_parts(tmp_path: Path) -> None:
    (part,) = parsed(tmp_path, _pinned(b"pinned")).parts
    assert (part.kind, part.place, part.count) == ("attached files", "pin.txt", 1)
