"""Families of documents: found in either order, by what may be seen, and through an index."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from core.domain.family import Family, Fit
from core.domain.fields import Extraction, FamilyMarks, Identity, IdentityPart, NamedParent, Quote
from core.domain.ids import DocumentId
from core.domain.principal import Principal
from core.domain.span import PageSpan
from core.errors import NotFoundError
from core.records.database.field_tables import family_marks, family_references
from core.records.database.visibility import Visibility
from core.records.documents.family import MOST_CHILDREN, candidates_statement, references_statement
from core.records.store import Records
from tests.support.versions import new_version

EVERYTHING = Visibility.everything()
STRANGER = Visibility.of(Principal("eve", frozenset(["sales"])))
PARTIES = ("Acme Inc.", "Beta Works LLC")
DAY = "2024-03-01"
QUOTE = Quote(PageSpan(1, 0, 4), "Text")


def _put(
    records: Records,
    source: str,
    title: str,
    day: str = "",
    *references: NamedParent,
    parties: tuple[str, ...] = PARTIES,
    bucket: str = "default",
    acl: tuple[str, ...] = (),
) -> DocumentId:
    published = records.documents.publish(new_version(source, "Text.", bucket=bucket, acl=acl))
    version = records.documents.get(published.document, EVERYTHING).version
    identity = Identity(source, parties=tuple(IdentityPart(each, 0.9, (), each) for each in parties))
    marks = FamilyMarks(title, day, references)
    records.fields.put(
        published.document, version, Extraction("contracts", {}, identity=identity, marks=marks), "f"
    )
    return published.document


def _names(title: str = "supply agreement", day: str = DAY) -> NamedParent:
    return NamedParent("amends", title, day, QUOTE)


def _family(records: Records, document: DocumentId, visible: Visibility = EVERYTHING) -> Family:
    return records.documents.family(document, visible)


def test_an_amendment_that_comes_first_finds_its_agreement_later() -> None:
    ...
