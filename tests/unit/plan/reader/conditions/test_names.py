"""Documents, organisations and things that the words of a span name."""

from __future__ import annotations

import pytest

from core.plan.clarify import AskBackError
from core.plan.language.pieces import DocumentSet, Parties
from core.plan.language.syntax import tree
from core.plan.reader.conditions.names import SpanNames, is_telling
from core.plan.reader.exact_reading import UnreadableError
from core.plan.reader.reading import SpanRole
from tests.support.known_readings import KNOWN, TODAY, schema_reading


def _names(marked: str, schema: str = "contracts", operation: str = "list") -> SpanNames:
    own = schema_reading(marked, schema, operation)
    return SpanNames(own.reading, own.schema, KNOWN, TODAY, own.mentions)


def _documents(found: tree.Expression) -> list[str]:
    assert isinstance(found, tree.Test)
    assert isinstance(found.operand, DocumentSet)
    return [str(each.id) for each in found.operand.documents]


def test_a_document_is_found_by_a_party_and_its_kind() -> None:
    names = _names("Does the [Halden cleaning contract]{doc} end?")

    assert _documents(names.document(names.reading.spans[0])) == ["d02"]


def test_names_that_fit_several_documents_are_asked_about() -> None:
    names = _names("When does the [Meridian contract]{doc} end?", operation="lookup")

    with pytest.raises(AskBackError):
        names.document(names.reading.spans[0])


def test_a_plural_means_all_documents_that_share_the_name() -> None:
    names = _names("the [Solis modules]{doc} by weight", "datasheets", "rank")

    assert _documents(names.document(names.reading.spans[0])) == ["d21", "d22"]


def test_things_are_found_by_their_word_where_no_field_says_their_kind() -> None:
    names = _names("[cabinets]{kind} above 20 kg", "datasheets")

    assert [str(each.id) for each in names.things(names.reading.of(SpanRole.KIND)[0])] == ["d23"]


def test_an_organisation_is_found_by_its_name() -> None:
    names = _names("our deals with [Brightwater]{party}")

    found = names.party(names.reading.spans[0])

    assert isinstance(found, tree.Test)
    assert isinstance(found.operand, Parties)


def test_a_name_that_nothing_is_called_by_is_only_read_where_its_existence_is_asked() -> None:
    listed = _names("our deals with [Zorblax]{party}")
    asked = _names("do we have anything with [Zorblax]{party}?", operation="exists")

    with pytest.raises(UnreadableError):
        listed.party(listed.reading.spans[0])
    assert isinstance(asked.party(asked.reading.spans[0]), tree.Test)


def test_capitals_and_numbers_tell_documents_apart() -> None:
    assert is_telling("the Merger deal", 4, 10)
    assert is_telling("deal 7", 5, 6)
    assert not is_telling("the small one", 4, 9)
