"""Audits whose evidence has changed since their last run."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.domain.audit import OutdatedAudit
from core.domain.principal import Principal
from core.plan.ir.nodes import Scope
from core.store.database.visibility import Visibility
from tests.support.contracts_at_hand import TEXAN, Contracts, contracts_at_hand, plan_for
from tests.support.roles import MAY_ASK
from tests.support.versions import new_version

DAY = datetime(2026, 11, 25, tzinfo=UTC)
GUEST = Principal("guest", MAY_ASK, groups=frozenset({"team"}))


@pytest.fixture
def at_hand(tmp_path: Path) -> Iterator[Contracts]:
    with contracts_at_hand(tmp_path / "home") as found:
        audit = found.bench.local.audits.save(plan_for(), "Texas", acl=())
        found.bench.local.audits.run(audit.id)
        yield found


def told(found: list[OutdatedAudit]) -> dict[str, list[str]]:
    """Titles of what changed, with why."""
    return {each.title: [reason.why for reason in each.reasons] for audit in found for each in audit.changes}


def test_an_audit_whose_documents_are_as_they_were_is_not_listed(at_hand: Contracts) -> None:
    assert at_hand.bench.local.audits.outdated() == []


def test_what_changed_is_told_apart(at_hand: Contracts) -> None:
    records, made = at_hand.records, at_hand.made
    at_hand.add("Cobalt agreement", "Delaware", text="It is governed by the law of Delaware now.")
    records.documents.withdraw([made["Glacier agreement"]], "404", DAY)
    at_hand.bench.local.documents.remove([made["Acme agreement"]])
    at_hand.add("Nova agreement", "Texas")
    (found,) = at_hand.bench.local.audits.outdated()
    assert told([found]) == {
        "Acme agreement": ["document_removed"],
        "Cobalt agreement": ["document_updated"],
        "Glacier agreement": ["document_withdrawn"],
        "Nova agreement": ["document_added"],
    }
    assert (found.audit.name, found.run.result, found.count("document_updated")) == ("Texas", None, 1)


def test_a_run_settles_it_and_the_comparison_says_why(at_hand: Contracts) -> None:
    at_hand.records.documents.withdraw([at_hand.made["Glacier agreement"]], "404", DAY)
    (found,) = at_hand.bench.local.audits.outdated()
    run, _ = at_hand.bench.local.audits.run(found.audit.id)
    assert at_hand.bench.local.audits.outdated() == []
    (gone,) = at_hand.bench.local.audits.compare(found.run.id, run.id).gone
    assert [(reason.why, reason.text) for reason in gone.reasons] == [
        ("document_withdrawn", "Gone from the site since 25 Nov 2026: 404")
    ]
    assert run.counts["present"] == 1


def test_a_document_that_came_back_is_in_its_scope_again(at_hand: Contracts) -> None:
    audits, glacier = at_hand.bench.local.audits, at_hand.made["Glacier agreement"]
    at_hand.records.documents.withdraw([glacier], "404", DAY)
    audits.run(audits.list()[0].id)
    at_hand.add("Glacier agreement", "Texas")
    assert told(audits.outdated()) == {"Glacier agreement": ["document_added"]}


def test_fields_that_were_read_again_are_no_change_of_evidence(at_hand: Contracts) -> None:
    at_hand.state(at_hand.made["Cobalt agreement"], "Texas")
    assert at_hand.bench.local.audits.outdated() == []


def test_a_new_document_of_another_bucket_is_not_in_scope(at_hand: Contracts) -> None:
    audits = at_hand.bench.local.audits
    (bucket,) = {each.bucket for each in at_hand.records.documents.list(Visibility.everything())}
    kept = audits.save(plan_for(TEXAN.model_copy(update={"scope": Scope(buckets=(bucket,))})), "Own bucket")
    audits.run(kept.id)
    at_hand.records.documents.publish(new_version("note.txt", bucket="elsewhere", passages=0))
    assert [each.audit.name for each in audits.outdated()] == ["Texas"]


def test_changes_that_one_may_not_see_are_not_told(at_hand: Contracts) -> None:
    hidden = at_hand.add("Hidden agreement", "Texas", ("legal",))
    guest = at_hand.bench.for_principal(GUEST).audits
    assert guest.outdated() == []
    audits = at_hand.bench.local.audits
    assert told(audits.outdated()) == {"Hidden agreement": ["document_added"]}
    audits.run(audits.list()[0].id)
    at_hand.records.documents.withdraw([hidden], "404", DAY)
    assert guest.outdated() == []
    assert told(audits.outdated()) == {"Hidden agreement": ["document_withdrawn"]}
