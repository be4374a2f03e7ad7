from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.config.models import Settings
from core.domain.principal import LOCAL_ADMIN, Principal
from core.domain.trust.deed import AuditQuery, Deed
from core.domain.trust.permission import ENTER, Action
from core.errors import RefusedError
from core.guard.policies.in_force import Policies
from core.plan.ir.nodes import Aggregate, Scope, Select
from core.store.database.chain import doing
from core.store.store import Records
from core.workbench.door import REFUSED, PolicyDoor
from tests.support.known_collection import known_collection
from tests.support.roles import MAY_ASK, MAY_ASK_ALL

SUM = (
    Select(id="s", purpose="p", scope=Scope(schema_name="contracts")),
    Aggregate(id="a", purpose="p", inputs=("s",), function="sum", field="contract_value"),
)


@pytest.fixture
def records(tmp_path: Path) -> Iterator[Records]:
    with Records.open(Settings(home=tmp_path / "home")) as opened:
        yield opened


def door(records: Records, tmp_path: Path, who: Principal) -> PolicyDoor:
    return PolicyDoor(Policies(tmp_path), records.audit_log, who, known_collection)


def test_a_plan_is_refused_with_an_entry_in_the_audit_log(records: Records, tmp_path: Path) -> None:
    given = door(records, tmp_path, Principal("ann", MAY_ASK, origin="api 10.0.0.4"))

    with pytest.raises(RefusedError, match="finance_read"):
        given.require(SUM)

    [entry] = records.audit_log.entries(AuditQuery(outcome="refused"))
    assert (entry.deed.name, entry.deed.subject, entry.deed.origin) == (REFUSED, "query", "api 10.0.0.4")
    assert entry.deed.detail == {"lacking": ["finance_read"], "traits": ["financial_aggregate"]}


def test_what_is_only_looked_at_leaves_no_entry(records: Records, tmp_path: Path) -> None:
    given = door(records, tmp_path, Principal("ann", MAY_ASK))

    assert given.refusal(None) is None
    assert not given.may(Action.CONFIGURE)
    assert given.decision(ENTER).is_allowed
    assert records.audit_log.entries() == []


def test_within_a_deed_the_deed_itself_says_what_is_lacking(records: Records, tmp_path: Path) -> None:
    given = door(records, tmp_path, Principal("ann", MAY_ASK))

    with doing(Deed("schema.add", "ann")) as opened, pytest.raises(RefusedError, match="change schemas"):
        given.require_deed(Action.CONFIGURE, "change schemas")

    assert opened.deed.detail["lacking"] == ["admin"]
    assert records.audit_log.entries() == []


def test_the_local_admin_passes_without_a_look_at_the_collection(records: Records, tmp_path: Path) -> None:
    given = PolicyDoor(Policies(tmp_path), records.audit_log, LOCAL_ADMIN, known_collection)

    given.require(SUM)
    given.require_deed(Action.PEOPLE)
    assert given.may(Action.CRAWL)


def test_principals_of_the_same_roles_share_what_is_kept(records: Records, tmp_path: Path) -> None:
    ann, bob = (door(records, tmp_path, Principal(name, MAY_ASK | {"reviewer"})) for name in ("ann", "bob"))
    eve = door(records, tmp_path, Principal("eve", MAY_ASK))

    assert ann.known_by == bob.known_by != eve.known_by


def test_what_is_kept_is_shared_by_those_whom_the_policies_cannot_tell_apart(
    records: Records, tmp_path: Path
) -> None:
    people = [
        Principal("ann", MAY_ASK, frozenset({"board"})),
        *(Principal(n, MAY_ASK) for n in ("bob", "cid")),
    ]
    folder = tmp_path / "policies"
    folder.mkdir()

    def known_by(who: str) -> list[str]:
        text = f'@id("own")\nforbid (principal {who}, action == Action::"query", resource);\n' if who else ""
        (folder / "own.cedar").write_text(text)
        return [door(records, tmp_path, each).known_by for each in people]

    shipped, of_groups, of_users = known_by(""), known_by('in Group::"board"'), known_by('== User::"bob"')

    assert [len(set(each)) for each in (shipped, of_groups, of_users)] == [1, 2, 3]
    assert of_groups[1] == of_groups[2] not in shipped


def test_who_may_ask_everything_needs_no_look_at_plans(records: Records, tmp_path: Path) -> None:
    assert door(records, tmp_path, Principal("root", frozenset({"admin"}))).allows_all
    assert door(records, tmp_path, Principal("ann", MAY_ASK_ALL)).allows_all
    assert not door(records, tmp_path, Principal("ann", MAY_ASK)).allows_all
