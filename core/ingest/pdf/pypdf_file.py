"""PDF files through pypdf: what PDFium cannot say of broken ones, and the files that are attached."""

from __future__ import annotations

import logging
import mmap
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any

from core.domain.document import Page
from core.ingest.clean import distinct_name, file_name, normalise

_SIGNS = (b"/EmbeddedFile", b"/Filespec", b"/EF")
_MOST_LAYERED = 2_000  # pages whose layers are looked at
_MOST_FILES = 5_000
_MOST_RATIO = 200  # of what comes out of a file to what is stored, from so many bytes on
_RATIO_FROM_BYTES = 20_000_000
_MOST_WASTED = 500_000_000  # bytes that came out of such files


@dataclass(frozen=True, slots=True)
class EmbeddedFile:
    """A file within a PDF. data: None where it cannot be unpacked."""

    name: str
    data: bytes | None


def is_locked(path: Path) -> bool:
    """True where the file needs a password."""
    from pypdf import PasswordType, PdfReader
    from pypdf.errors import DependencyError

    _be_quiet()
    try:
        reader = PdfReader(path, strict=False)
        return reader.is_encrypted and reader.decrypt("") is PasswordType.NOT_DECRYPTED
    except DependencyError:  # encrypted by a method that needs a library which is not installed
        return True
    except Exception:  # a broken file fails in any way; then it is damaged, not locked
        return False


def rescue_pages(path: Path, spend: Callable[[int, int], None]) -> tuple[Page, ...]:
    """Whatever pages pypdf can still read; () where there are none.

    spend: told of characters and pages as they come; what it raises goes through.
    """
    from pypdf import PdfReader

    pages: list[Page] = []
    _be_quiet()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            reader = PdfReader(path, strict=False)
            count = len(reader.pages)
        except Exception:  # as above: nothing to rescue
            return ()
        spend(0, count)
        for number in range(count):
            try:
                text = normalise(reader.pages[number].extract_text())
            except Exception:  # one bad page must not lose the others
                text = ""
            spend(len(text), 0)
            pages.append(Page(number + 1, text))
    return tuple(pages)


@dataclass(frozen=True, slots=True)
class HiddenLayers:
    """Names of the layers that are switched off as the file opens.

    is_partial: some cannot be told by their names, so that their words may stand among the others.
    """

    names: frozenset[str] = frozenset()
    is_partial: bool = False


def hidden_layers(path: Path) -> HiddenLayers:
    """The layers (optional content groups) that the file does not show; none of a broken file."""
    from pypdf import PdfReader

    _be_quiet()
    try:
        reader = PdfReader(path, strict=False)
        if reader.is_encrypted:
            reader.decrypt("")
        properties = reader.root_object.get("/OCProperties")
        if properties is None:
            return HiddenLayers()
        usual = properties.get_object()["/D"].get_object()
        switched = {key: {each.idnum for each in _listed(usual, f"/{key}")} for key in ("ON", "OFF")}
        is_off = usual.get("/BaseState") == "/OFF"
        groups = {
            each.idnum: str(each.get_object().get("/Name", ""))
            for each in _listed(properties.get_object(), "/OCGs")
        }
        off = set(groups) - switched["ON"] if is_off else switched["OFF"]
        if not off:
            return HiddenLayers()
        names = {groups[each] for each in off if each in groups}
        clear = names - {name for each, name in groups.items() if each not in off}
        return HiddenLayers(frozenset(clear), clear != names or any(_is_shared(reader, off)))
    except Exception:  # a broken file fails in any way
        return HiddenLayers()


def _listed(holder: Any, key: str) -> list[Any]:
    return list(holder[key].get_object()) if key in holder else []


def _is_shared(reader: Any, off: set[int]) -> Iterator[bool]:
    """True for each image or form that is switched off whole, and for rules over several layers."""
    for page in islice(reader.pages, _MOST_LAYERED):
        resources = page.get("/Resources", {})
        for key in ("/XObject", "/Properties"):
            for each in resources.get(key, {}).values():
                inner = each.get_object()
                is_rule = key == "/Properties" and "/OCGs" in inner
                layer = inner if is_rule else inner.raw_get("/OC") if "/OC" in inner else None
                if layer is not None:
                    rule = layer.get_object()
                    named = rule.raw_get("/OCGs") if "/OCGs" in rule else layer
                    groups = named.get_object() if isinstance(named.get_object(), list) else [named]
                    yield any(getattr(group, "idnum", 0) in off for group in groups)


def may_embed_files(path: Path) -> bool:
    """False where no part of the file looks like an embedded file; costs one pass over its bytes."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return any(data.find(sign) >= 0 for sign in _SIGNS)


def embedded_files(path: Path) -> Iterator[EmbeddedFile]:
    """The files that the document lists or that are pinned to its pages, each once, with names of their own.

    Raises ValueError where the document cannot be read at all.
    """
    from pypdf import PdfReader

    _be_quiet()
    taken: set[str] = set()
    try:
        reader = PdfReader(path, strict=False)
        if reader.is_encrypted:
            reader.decrypt("")
        specifications = list(_specifications(reader))
    except Exception as error:  # a broken file fails in any way
        raise ValueError("The document cannot be read.") from error
    wasted = 0
    for number, specification in enumerate(specifications[:_MOST_FILES], start=1):
        data = None
        try:
            given = str(specification.get("/UF") or specification.get("/F") or "")
            stream = specification["/EF"].get_object()
            file = (stream.get("/UF") or stream.get("/F")).get_object()
            if wasted < _MOST_WASTED:
                data = file.get_data()  # pypdf stops at 75 MB of any filter
            if data and len(data) > max(_RATIO_FROM_BYTES, _MOST_RATIO * len(file._data)):
                wasted, data = wasted + len(data), None
        except Exception:  # as above; one bad file must not lose the others
            data = None
        yield EmbeddedFile(distinct_name(file_name(given) or f"attachment-{number}", taken), data)
    if len(specifications) > _MOST_FILES:
        yield EmbeddedFile(distinct_name("further files", taken), None)


def _specifications(reader: Any) -> Iterator[Any]:
    """The dictionaries that describe embedded files: those of the names, of the whole, and of the pages."""
    root, seen = reader.root_object, set[int]()
    for found in chain(_named(root), _pinned(reader)):
        stream = found.get("/EF") if hasattr(found, "get") else None
        if stream is None:
            continue
        inner = stream.get_object()
        file = (
            inner.raw_get("/UF" if "/UF" in inner else "/F") if hasattr(inner, "raw_get") and inner else None
        )
        key = getattr(file, "idnum", id(found))
        if key not in seen:
            seen.add(key)
            yield found
        if len(seen) > _MOST_FILES:
            return


def _named(root: Any) -> Iterator[Any]:
    names = root.get("/Names")
    tree = names.get_object().get("/EmbeddedFiles") if names is not None else None
    nodes, seen = [tree] if tree is not None else [], set[int]()
    while nodes:
        node = nodes.pop().get_object()
        yield from (each.get_object() for each in _unseen(node, "/Names", seen)[1::2])
        nodes += reversed(_unseen(node, "/Kids", seen))
    yield from (each.get_object() for each in _unseen(root, "/AF", seen))


def _pinned(reader: Any) -> Iterator[Any]:
    seen = set[int]()
    for page in reader.pages:
        for each in _unseen(page, "/Annots", seen):
            note = each.get_object()
            if hasattr(note, "get") and note.get("/Subtype") == "/FileAttachment" and "/FS" in note:
                yield note["/FS"].get_object()


def _unseen(holder: Any, key: str, seen: set[int]) -> list[Any]:
    """A list of a dictionary; empty where it came before, in a loop or shared."""
    listed = holder.get(key) if hasattr(holder, "get") else None
    listed = listed.get_object() if listed is not None else None
    if not isinstance(listed, list) or id(listed) in seen:
        return []
    seen.add(id(listed))
    return list(listed)


def _be_quiet() -> None:
    # pypdf narrates every repair; the outcome is reported once, beside the file.
    logging.getLogger("pypdf").setLevel(logging.CRITICAL + 1)
