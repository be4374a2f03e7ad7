"""The parts of a Word file, each opened for itself: python-docx gives up a file for one damaged part."""

from __future__ import annotations

import posixpath
import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import IO, Any
from urllib.parse import unquote

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_RELATION = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
# "Strict Open XML" says the same in other namespaces.
_STRICT = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/(\w+)")
_TRANSITIONAL = rb"http://schemas.openxmlformats.org/\1/2006/\2"
_OFF = frozenset({"0", "false", "off", "none"})


class DamagedPartError(ValueError):
    """A part that is in the file and cannot be read."""


@dataclass(frozen=True, slots=True)
class PartRelation:
    """A relation of a part. kind: the end of its type ("footnotes"); target: a part's name, or an address."""

    kind: str
    target: str
    is_external: bool


class WordPackage:
    """Parts by name ("word/document.xml"). main: the name of the document's body."""

    def __init__(self, file: Path | IO[bytes]) -> None:
        self._zip = zipfile.ZipFile(file)
        self._names = {_key(name): name for name in self._zip.namelist()}
        self._relations: dict[str, dict[str, PartRelation]] = {}
        roots = self.relations("")
        self.main = next(
            (each.target for each in roots.values() if each.kind == "officeDocument"), "word/document.xml"
        )

    def __contains__(self, name: str) -> bool:
        return _key(name) in self._names

    def names(self, start: str) -> list[str]:
        """Names of the parts that begin so, in lower case."""
        return [name for name in self._names if name.startswith(start)]

    def data(self, name: str) -> bytes:
        """A part's bytes. Raises DamagedPartError where it is missing or damaged."""
        try:
            return self._zip.read(self._names[_key(name)])
        except (
            KeyError,
            zipfile.BadZipFile,
            zlib.error,
            NotImplementedError,
            RuntimeError,
            EOFError,
        ) as error:
            raise DamagedPartError(name) from error

    def root(self, name: str) -> Any:
        """The root element of a part. Raises DamagedPartError where it is missing or damaged."""
        from lxml import etree

        data = _STRICT.sub(_TRANSITIONAL, self.data(name))
        # A parser of its own each time: a document without entities, network and comments.
        parser = etree.XMLParser(
            resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True
        )
        try:
            return etree.fromstring(data, parser)
        except (etree.XMLSyntaxError, ValueError) as error:
            raise DamagedPartError(name) from error

    def relations(self, part: str) -> dict[str, PartRelation]:
        """Relations of a part by their id; {} where there are none, or none can be read."""
        if part not in self._relations:
            folder, name = posixpath.split(part)
            path = posixpath.join(folder, "_rels", f"{name}.rels")
            try:
                elements = list(self.root(path).iter(_RELATION)) if path in self else []
            except DamagedPartError:
                elements = []
            self._relations[part] = {each.get("Id", ""): _relation(each, folder) for each in elements}
        return self._relations[part]

    def related(self, kind: str) -> str:
        """Name of the part of a kind that the body has, or that is called so; "" for none."""
        for each in self.relations(self.main).values():
            if each.kind == kind and not each.is_external:
                return each.target
        usual = posixpath.join(posixpath.dirname(self.main), f"{kind}.xml")
        return usual if usual in self else ""


def _relation(element: Any, folder: str) -> PartRelation:
    target, is_external = element.get("Target", ""), element.get("TargetMode") == "External"
    if not is_external:
        target = posixpath.normpath(posixpath.join("/", folder, unquote(target.replace("\\", "/")))).lstrip(
            "/"
        )
    return PartRelation(element.get("Type", "").rsplit("/", 1)[-1], target, is_external)


def _key(name: str) -> str:
    return name.replace("\\", "/").lstrip("/").lower()


def value(element: Any, path: str, otherwise: str = "") -> str:
    """`w:val` of the first element at a path such as "pPr/pStyle" below `element`."""
    if element is None:
        return otherwise
    found = element.find(_steps(path))
    return otherwise if found is None else str(found.get(f"{W}val", otherwise))


@lru_cache(maxsize=256)
def _steps(path: str) -> str:
    return "/".join(W + step for step in path.split("/"))


def number(said: str | None, otherwise: int = 0) -> int:
    """A whole number as an attribute says it, within what a file may mean by it."""
    try:
        return max(-(10**6), min(int(said or otherwise), 10**6))
    except ValueError:
        return otherwise


def switch(properties: Any, name: str) -> bool | None:
    """The state of a property such as `w:strike`; None where nothing is said of it."""
    found = properties.find(W + name) if properties is not None else None
    return None if found is None else found.get(f"{W}val", "1") not in _OFF


def blocks(element: Any) -> Iterator[Any]:
    """Paragraphs, tables and chunks of other files within, in reading order, also those in content controls.

    The content of a control that only shows its placeholder is none.
    """
    for child in element:
        if child.tag in (f"{W}p", f"{W}tbl", f"{W}altChunk"):
            yield child
        elif child.tag == f"{W}sdt":
            if not is_placeholder(child):
                yield from blocks(child)
        elif child.tag in _WRAPPERS:
            yield from blocks(child)


def is_placeholder(control: Any) -> bool:
    """True of a content control that nobody filled in: it shows what is to be entered."""
    return bool(switch(control.find(f"{W}sdtPr"), "showingPlcHdr"))


_WRAPPERS = frozenset(
    W + name for name in ("sdtContent", "customXml", "ins", "moveTo", "smartTag", "body", "txbxContent")
)
