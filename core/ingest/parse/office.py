"""The parts of an Office file, each opened for itself: the libraries give up a file for one damaged part."""

from __future__ import annotations

import posixpath
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any
from urllib.parse import unquote

# "Strict Open XML" says the same in other namespaces.
_STRICT = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/(\w+)")
_TRANSITIONAL = rb"http://schemas.openxmlformats.org/\1/2006/\2"


class DamagedPartError(Exception):
    """A part that is not in the file, or cannot be read."""


@dataclass(frozen=True, slots=True)
class PartRelation:
    """A relation of a part. kind: the end of its type ("footnotes"); target: a part's name, or an address."""

    kind: str
    target: str
    is_external: bool


class OfficePackage:
    """Parts by name ("word/document.xml"), in any case. usual_main: the main one of files that name none."""

    def __init__(self, archive: zipfile.ZipFile, usual_main: str) -> None:
        self._zip = archive
        self._names = {_key(name): name for name in archive.namelist()}
        self._relations: dict[str, dict[str, PartRelation]] = {}
        self.main = self._target("", "officeDocument") or usual_main

    def __contains__(self, name: str) -> bool:
        return _key(name) in self._names

    def names(self, start: str) -> list[str]:
        """Names of the parts that begin so, in lower case."""
        return [name for name in self._names if name.startswith(start)]

    def size_bytes(self, name: str) -> int:
        """Size of a part, unpacked; 0 where it is missing."""
        return self._zip.getinfo(self._names[_key(name)]).file_size if name in self else 0

    @contextmanager
    def open(self, name: str) -> Iterator[IO[bytes]]:
        """A part's bytes. Raises DamagedPartError where it is missing, or where it turns out damaged."""
        from lxml.etree import LxmlError

        try:
            with self._zip.open(self._names[_key(name)]) as file:
                yield file
        except (
            LxmlError,
            KeyError,
            ValueError,
            zipfile.BadZipFile,
            zlib.error,
            NotImplementedError,
            RuntimeError,
            EOFError,
        ) as error:
            raise DamagedPartError(name) from error

    def data(self, name: str) -> bytes:
        """All bytes of a part. Raises DamagedPartError."""
        with self.open(name) as file:
            return file.read()

    def root(self, name: str) -> Any:
        """The root element of a part. Raises DamagedPartError."""
        from lxml import etree

        with self.open(name) as file:
            data = file.read()
            head = data[:200].lower()
            # Depth is free where nothing can declare entities: these are kept small by the same limits.
            is_free = not (
                b"\0" in data or b"<!DOCTYPE" in data or (b"encoding" in head and b"utf-8" not in head)
            )
            # A parser of its own each time: a document without entities, network and comments.
            parser = etree.XMLParser(
                resolve_entities=False,
                no_network=True,
                load_dtd=False,
                remove_comments=True,
                remove_pis=True,
                huge_tree=is_free,
            )
            return etree.fromstring(_STRICT.sub(_TRANSITIONAL, data), parser)

    def elements(self, name: str, *tags: str) -> Iterator[Any]:
        """The elements of these names in reading order, each forgotten when the next is asked for.

        Raises DamagedPartError, where the part breaks off after what could be read.
        """
        from lxml import etree

        wanted = tuple(f"{{*}}{tag}" for tag in tags)
        with self.open(name) as file:
            for _, element in etree.iterparse(
                file, tag=wanted, resolve_entities=False, no_network=True, huge_tree=True
            ):
                yield element
                element.clear()
                while element.getprevious() is not None:
                    del element.getparent()[0]

    def relations(self, part: str) -> dict[str, PartRelation]:
        """Relations of a part by their id; {} where there are none, or none can be read."""
        if part not in self._relations:
            folder, name = posixpath.split(part)
            found = self._relations[part] = {}
            try:
                for each in self.elements(posixpath.join(folder, "_rels", f"{name}.rels"), "Relationship"):
                    found[each.get("Id", "")] = _relation(each, folder)
            except DamagedPartError:
                pass
        return self._relations[part]

    def related(self, kind: str) -> str:
        """Name of the part of a kind that the main one has, or that is called so; "" for none."""
        usual = posixpath.join(posixpath.dirname(self.main), f"{kind}.xml")
        return self._target(self.main, kind) or (usual if usual in self else "")

    def properties(self) -> dict[str, str]:
        """What the file says of itself ("title", "creator"); {} where it says nothing."""
        try:
            root = self.root(self._target("", "core-properties") or "docProps/core.xml")
        except DamagedPartError:
            return {}
        return {local(each): text for each in root if (text := (each.text or "").strip())}

    def _target(self, part: str, kind: str) -> str:
        found = self.relations(part).values()
        return next((each.target for each in found if each.kind == kind and not each.is_external), "")


def _relation(element: Any, folder: str) -> PartRelation:
    target, is_external = element.get("Target", ""), element.get("TargetMode") == "External"
    if not is_external:
        path = posixpath.join("/", folder, unquote(target.replace("\\", "/")))
        target = posixpath.normpath(path).lstrip("/")
    return PartRelation(element.get("Type", "").rpartition("/")[2], target, is_external)


def _key(name: str) -> str:
    return name.replace("\\", "/").lstrip("/").lower()


def local(element: Any) -> str:
    """The name of an element without its namespace; "" for a comment in the XML."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def is_on(said: str | None) -> bool:
    """The state of an attribute that is on or off; off where it is missing."""
    return said in ("1", "true", "on")
