"""Differences between two runs: of rows, of cited words, and of what belongs to neither answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.domain.audit import AuditRun, CitedDocument, RunComparison, RunResult
from core.domain.principal import Principal
from core.store.database.visibility import Visibility
from core.workbench.runs.comparison import compared, seen_by
from tests.support.contracts_at_hand import Contracts, contracts_at_hand, plan_for
from tests.support.roles import MAY_ASK

DAY = datetime(2026, 11, 25, tzinfo=UTC)
LATER = datetime(2100, 1, 1, tzinfo=UTC)  # after all documents came
COBALT, GLACIER = "Cobalt agreement", "Glacier agreement"


@pytest.fixture
def at_hand(tmp_path: Path) -> Iterator[Contracts]:
    with contracts_at_hand(tmp_path / "home") as found:
        yield found


def cites(at_hand: Contracts, places: Mapping[str, tuple[int, str]], *, keeps: bool = True) -> AuditRun:
    """A run that cites words of versions of documents, by title. keeps: False as runs were kept before."""
    ids = {title: str(at_hand.made[title]) for title in places}
    result = RunResult(
        text=" ".join(words for _, words in places.values()),
        plan={},
        sources=dict.fromkeys(ids.values(), ()),
        source_versions={ids[title]: version for title, (version, _) in places.items()},
        cited={ids[t]: CitedDocument(title=t, quotes=(words,)) for t, (_, words) in places.items()}
        if keeps
        else None,
    )
    return AuditRun("r", "p", 1, LATER, "ann", 7, {}, "answered", None, {}, 1.0, result=result)


def compare(at_hand: Contracts, before: AuditRun, after: AuditRun) -> RunComparison:
    """The comparison as the admin sees it."""
    return compared(at_hand.records, before, after, Visibility.everything())


def told(found: RunComparison) -> dict[str, list[str]]:
    """Titles by kind, without the kinds that have none."""
    return {kind: [each.title for each in changes] for kind, changes in found.by_kind.items() if changes}


def test_a_new_document_in_scope_is_no_change_of_the_answer(at_hand: Contracts) -> None:
    audits = at_hand.bench.local.audits
    audit = audits.save(plan_for(), "Texas")
    audits.run(audit.id)
    at_hand.add("Nova agreement", "Delaware")
    at_hand.records.documents.remove([at_hand.made["Acme agreement"]])
    found = audits.run_again(audit.id)
    assert told(found) == {"outside": ["Acme agreement", "Nova agreement"]}
    assert (
        found.summary == "nothing is different in the answer, 2 documents outside of it came, left or changed"
    )


def test_a_row_whose_title_is_another_is_changed(at_hand: Contracts) -> None:
    audits = at_hand.bench.local.audits
    audit = audits.save(plan_for(), "Texas")
    first, _ = audits.run(audit.id)
    second, _ = audits.run(audit.id)
    before, after = audits.get_run(first.id), audits.get_run(second.id)
    assert before.result is not None
    cobalt = str(at_hand.made[COBALT])
    renamed = before.result.documents[cobalt].model_copy(update={"title": "Cobalt draft"})
    known = before.result.model_copy(update={"documents": {**before.result.documents, cobalt: renamed}})
    found = compare(at_hand, replace(before, result=known), after)
    assert told(found) == {"changed": [COBALT]}
    assert [reason.why for reason in found.changed[0].reasons] == ["title_changed"]


def test_cited_words_that_stand_in_a_newer_version_are_no_change(at_hand: Contracts) -> None:
    before, after = (cites(at_hand, {COBALT: (version, "The law of Texas.")}) for version in (1, 2))
    assert told(compare(at_hand, before, after)) == {}


def test_other_words_of_a_newer_version_are_a_change_with_both_of_them(at_hand: Contracts) -> None:
    before, after = cites(at_hand, {COBALT: (1, "40 MB")}), cites(at_hand, {COBALT: (2, "60 MB")})
    found = compare(at_hand, before, after)
    assert told(found) == {"changed": [COBALT]}
    newer, evidence = found.changed[0].reasons
    assert (newer.why, evidence.why) == ("document_updated", "evidence_changed")
    assert evidence.text == "Cited at the first run: “40 MB” Cited now: “60 MB”"
    assert (evidence.before, evidence.after) == ("40 MB", "60 MB")


def test_another_choice_of_words_of_the_same_version_is_no_change(at_hand: Contracts) -> None:
    before, after = cites(at_hand, {COBALT: (1, "40 MB")}), cites(at_hand, {COBALT: (1, "40 MB a file")})
    assert told(compare(at_hand, before, after)) == {}


def test_documents_that_are_cited_once_are_new_or_left_the_answer(at_hand: Contracts) -> None:
    before, after = cites(at_hand, {COBALT: (1, "40 MB")}), cites(at_hand, {GLACIER: (1, "40 MB")})
    found = compare(at_hand, before, after)
    assert told(found) == {"new": [GLACIER], "left": [COBALT]}
    assert found.left[0].reasons[0].text == "It is not cited any more."
    assert found.new[0].reasons[0].text == "It was not cited at the first run."


def test_a_cited_document_that_was_withdrawn_is_gone_from_the_collection(at_hand: Contracts) -> None:
    before = cites(at_hand, {COBALT: (1, "40 MB")})
    at_hand.records.documents.withdraw([at_hand.made[COBALT]], "404", DAY)
    found = compare(at_hand, before, cites(at_hand, {}))
    assert told(found) == {"gone": [COBALT]}
    assert [reason.why for reason in found.gone[0].reasons] == ["document_withdrawn"]


def test_a_removed_document_keeps_its_title(at_hand: Contracts) -> None:
    before = cites(at_hand, {COBALT: (1, "40 MB")})
    at_hand.bench.local.documents.remove([at_hand.made[COBALT]])
    assert told(compare(at_hand, before, cites(at_hand, {}))) == {"gone": [COBALT]}


def test_of_a_run_without_kept_quotes_only_versions_are_compared(at_hand: Contracts) -> None:
    before = cites(at_hand, {COBALT: (1, ""), GLACIER: (1, "")}, keeps=False)
    at_hand.add(COBALT, "Texas", text="It is governed by the law of Texas now.")
    assert told(compare(at_hand, before, cites(at_hand, {}))) == {"changed": [COBALT]}
    assert told(compare(at_hand, cites(at_hand, {}), before)) == {}


def test_cited_words_of_a_document_that_one_may_not_see_are_left_out(at_hand: Contracts) -> None:
    at_hand.add("Secret agreement", "Texas", acl=("board",))
    run = cites(at_hand, {"Secret agreement": (1, "40 MB"), COBALT: (1, "60 MB")})
    [seen] = seen_by(
        at_hand.records,
        [run],
        Principal("guest", MAY_ASK, groups=frozenset({"team"})),
    )
    assert seen.result is not None
    assert seen.result.cited is not None
    assert [each.title for each in seen.result.cited.values()] == [COBALT]
    assert seen.counts["cited"] == 1
