from __future__ import annotations

from pathlib import Path

import pytest

from core.domain.principal import LOCAL_ADMIN, Principal
from core.domain.trust.permission import Action, PolicyRequest, Trait
from core.errors import PolicyFileError, UsageError
from core.guard.policies import in_force
from core.guard.policies.cedar import CedarPolicies
from core.guard.policies.in_force import Policies

QUERY = PolicyRequest(Action.QUERY)
BOTH = PolicyRequest(Action.QUERY, frozenset(Trait))
READER = Principal("ann", frozenset({"contract_read"}))


def write(home: Path, name: str, text: str) -> None:
    (home / "policies").mkdir(exist_ok=True)
    (home / "policies" / name).write_text(text, encoding="utf-8")


def test_a_refusal_names_the_fewest_roles_that_help(tmp_path: Path) -> None:
    given = Policies(tmp_path)

    assert given.decide(READER, QUERY).is_allowed
    assert given.decide(READER, BOTH).lacking == ("compliance_officer", "finance_read")
    assert given.decide(Principal("eve"), QUERY).lacking == ("contract_read",)
    assert given.decide(READER, PolicyRequest(Action.INGEST)).lacking == ("admin",)


def test_a_file_of_the_home_takes_the_place_of_the_shipped_one(tmp_path: Path) -> None:
    given = Policies(tmp_path)
    assert not given.decide(READER, PolicyRequest(Action.REVIEW)).is_allowed

    write(tmp_path, "review.cedar", '@id("all") permit (principal, action == Action::"review", resource);')

    assert given.decide(READER, PolicyRequest(Action.REVIEW)).policies == ("review.cedar:all",)
    assert given.decide(READER, QUERY).is_allowed  # of a file that still is the shipped one
    assert [given.is_own(each) for each in given.files()] == [False, False, True]


def test_a_further_file_of_the_home_counts_too(tmp_path: Path) -> None:
    write(tmp_path, "own.cedar", "forbid (principal, action, resource) when { context.compliance };")

    officer = Principal("eve", frozenset({"contract_read", "compliance_officer"}))
    decision = Policies(tmp_path).decide(officer, BOTH)
    assert (decision.is_allowed, decision.lacking) == (False, ())


def test_a_broken_file_lets_nobody_in_until_it_is_mended(tmp_path: Path) -> None:
    given = Policies(tmp_path)
    assert given.decide(READER, QUERY).is_allowed

    write(tmp_path, "query.cedar", "permit (principal, action, resource;\n")
    for who in (READER, Principal("root", frozenset({"admin"}))):
        for _ in range(2):
            with pytest.raises(PolicyFileError, match=r"query\.cedar, line 1"):
                given.decide(who, QUERY)
    assert given.decide(LOCAL_ADMIN, QUERY).is_allowed

    write(tmp_path, "query.cedar", "permit (principal, action, resource);\n")
    assert given.decide(READER, BOTH).is_allowed


def test_a_file_that_is_no_text_is_broken(tmp_path: Path) -> None:
    (tmp_path / "policies").mkdir()
    (tmp_path / "policies" / "own.cedar").write_bytes(b"\xff\xfe")

    with pytest.raises(PolicyFileError, match=r"own\.cedar, line 1"):
        Policies(tmp_path).decide(READER, QUERY)


def test_a_decision_is_made_once_until_a_file_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    class Counting(CedarPolicies):
        def decide(self, request, user, roles, groups):  # type: ignore[no-untyped-def]
            made.append(user)
            return super().decide(request, user, roles, groups)

    monkeypatch.setattr(in_force, "CedarPolicies", Counting)
    given = Policies(tmp_path)
    for _ in range(5):
        given.decide(READER, QUERY)
    assert made == ["ann"]

    given.decide(Principal("ann", frozenset({"analyst"})), QUERY)  # the roles are others
    write(tmp_path, "own.cedar", "// changed")
    given.decide(READER, QUERY)
    assert made == ["ann"] * 3


def test_the_shipped_files_are_copied_once(tmp_path: Path) -> None:
    given = Policies(tmp_path)
    written = given.copy()

    assert {each.name for each in written} >= {"query.cedar", "cases.toml", "policies.cedarschema"}
    assert all(given.is_own(each) for each in given.files())
    assert given.cases.parent == tmp_path / "policies"
    with pytest.raises(UsageError, match="already"):
        given.copy()
    write(tmp_path, "query.cedar", "// mine")
    given.copy(replace=True)
    assert "may_query" in (tmp_path / "policies" / "query.cedar").read_text()


def test_a_folder_that_cannot_be_looked_into_lets_nobody_in(tmp_path: Path) -> None:
    (tmp_path / "policies").write_text("no folder")
    with pytest.raises(PolicyFileError, match="cannot be looked into"):
        Policies(tmp_path).decide(READER, QUERY)
