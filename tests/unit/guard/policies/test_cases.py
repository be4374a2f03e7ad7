from __future__ import annotations

from pathlib import Path

import pytest

from core.domain.trust.permission import Action
from core.errors import UsageError
from core.guard.policies.cases import read_cases, run_cases
from core.guard.policies.in_force import Policies


def test_the_shipped_policies_come_to_what_their_cases_say(tmp_path: Path) -> None:
    results = list(run_cases(Policies(tmp_path)))

    assert [each.case.says for each in results if not each.is_right] == []
    assert {each.case.action for each in results} == set(Action)


def test_a_policy_of_the_home_that_decides_otherwise_is_found_by_the_cases(tmp_path: Path) -> None:
    (tmp_path / "policies").mkdir()
    (tmp_path / "policies" / "own.cedar").write_text("permit (principal, action, resource);")

    wrong = [each.case.says for each in run_cases(Policies(tmp_path)) if not each.is_right]
    assert "nobody else crawls" in wrong
    assert "compliance takes an officer" not in wrong  # what is forbidden stays so


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[case]]\nsays = 'x'\naction = 'fly'\nallowed = true", "Case 1 .*action"),
        ("[[case]]\nsays = 'x'\naction = 'query'\nallowed = true\nroles = ['king']", "no role 'king'"),
        ("[[case]\n", "cannot be read"),
    ],
)
def test_a_case_that_cannot_be_read_is_named(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "cases.toml"
    file.write_text(text)
    with pytest.raises(UsageError, match=said):
        read_cases(file)
