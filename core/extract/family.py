"""Marks of a document's family: by what others may name it, and which agreement its own words name."""

from __future__ import annotations

from core.domain.fields import FamilyMarks, Identity, NamedParent
from core.extract.base import DocumentText
from core.values.canonical import family_key
from core.values.naming.references import find_references


def family_marks(document: DocumentText, identity: Identity) -> FamilyMarks:
    """The marks of a document by its text and what it is; only amendments and orders have references."""
    kind = identity.kind.text
    references = tuple(
        NamedParent(each.kinship, each.title, each.day, document.quote(each.start, each.end))
        for each in find_references(document.text, kind)
    )
    return FamilyMarks(family_key(kind), identity.day.text, references)
