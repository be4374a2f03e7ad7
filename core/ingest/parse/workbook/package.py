"""Parts of an Office file: their XML piece by piece, and what they refer to. Only here is it parsed."""

from __future__ import annotations

import posixpath
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any, NamedTuple


class DamagedPartError(Exception):
    """A part of the file that is not there, or breaks off."""


class PartReference(NamedTuple):
    """A reference of a part to another: its kind ("comments", "drawing"), and where that is."""

    kind: str
    target: str


def elements(archive: zipfile.ZipFile, path: str, *names: str) -> Iterator[Any]:
    """The elements of these names in reading order, each forgotten when the next is asked for.

    Raises DamagedPartError, where the part breaks off after what could be read.
    """
    from lxml import etree

    try:
        with archive.open(path) as file:
            tags = tuple(f"{{*}}{name}" for name in names)
            for _, element in etree.iterparse(
                file, tag=tags, resolve_entities=False, no_network=True, huge_tree=True
            ):
                yield element
                element.clear()
                while element.getprevious() is not None:
                    del element.getparent()[0]
    except (
        etree.LxmlError,
        KeyError,
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        NotImplementedError,
    ) as error:
        raise DamagedPartError(str(error)) from error


def local(element: Any) -> str:
    """The name of an element without its namespace; "" for a comment in the XML."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def attribute(element: Any, name: str) -> str:
    """An attribute in whatever namespace; "" where it is not there."""
    return next((value for key, value in element.attrib.items() if key.rpartition("}")[2] == name), "")


def relations(archive: zipfile.ZipFile, path: str) -> dict[str, PartReference]:
    """What a part refers to within the file, by id; {} where nothing is, or where that is damaged."""
    folder, _, name = path.rpartition("/")
    found = {}
    try:
        for each in elements(archive, f"{folder}/_rels/{name}.rels", "Relationship"):
            if each.get("TargetMode") != "External":
                target = posixpath.normpath(posixpath.join("/", folder, each.get("Target", ""))).lstrip("/")
                found[each.get("Id", "")] = PartReference(each.get("Type", "").rpartition("/")[2], target)
    except DamagedPartError:
        pass
    return found


def words_of(element: Any, *, without: str = "rPh") -> str:
    """The text of all `t` below an element, but for what a reader of the sheet does not see (phonetics)."""
    return "".join(
        each.text or ""
        for each in element.iter("{*}t")
        if not any(local(above) == without for above in each.iterancestors())
    )
