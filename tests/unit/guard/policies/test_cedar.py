from __future__ import annotations

import pytest

from core.domain.trust.permission import Action, PolicyRequest, Trait
from core.errors import PolicyFileError
from core.guard.policies.cedar import CedarPolicies, policy_texts

TEXT = """// Above.

@id("one")
permit (principal, action, resource)
when { context.nodes.contains("a;b // no") };
// It isn't "closed;
forbid (principal, action, resource);
  permit (principal
"""


def test_policies_are_told_apart_with_their_lines_ids_and_notes() -> None:
    found = list(policy_texts("x.cedar", TEXT))

    assert [(each.name, each.line) for each in found] == [
        ("x.cedar:one", 3),
        ("x.cedar:line 7", 7),
        ("x.cedar:line 8", 8),
    ]
    assert found[0].note == "Above."
    assert found[0].text.endswith('"a;b // no") };')


def test_a_file_of_comments_has_no_policies() -> None:
    assert list(policy_texts("x.cedar", "// nothing here\n\n")) == []


GOOD = """
@id("ask")
permit (principal in Role::"contract_read", action == Action::"query", resource);
@id("no sums for the board")
forbid (principal in Group::"board", action, resource) when { context.financial_aggregate };
@id("bob alone")
permit (principal == User::"bob", action == Action::"crawl", resource);
"""
SUM = PolicyRequest(Action.QUERY, frozenset({Trait.FINANCIAL_AGGREGATE}), frozenset({"aggregate"}))


def policies(text: str) -> CedarPolicies:
    return CedarPolicies(list(policy_texts("own.cedar", text)))


def test_a_decision_names_the_policies_that_made_it() -> None:
    given = policies(GOOD)

    assert given.decide(SUM, "ann", {"contract_read"}, ()) == (True, ("own.cedar:ask",))
    refused = given.decide(SUM, "ann", {"contract_read"}, {"board"})
    assert refused == (False, ("own.cedar:no sums for the board",))
    assert given.decide(SUM, "ann", (), ()) == (False, ())


def test_policies_can_name_users_whatever_their_names_hold() -> None:
    given = policies(GOOD)

    assert given.decide(PolicyRequest(Action.CRAWL), "bob", (), ())[0]
    assert not given.decide(PolicyRequest(Action.CRAWL), 'bob" || true', (), ())[0]


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("permit (principal, action, resource);\n\nforbid (principal, action", 3, "unexpected end"),
        ("\n\npermit (principal, action, resource) when { context.colour };", 3, "'colour'|`colour`"),
        ('permit (principal in Rolle::"admin", action, resource);', 1, "Rolle"),
        ('permit (principal, action == Action::"fly", resource);', 1, "fly"),
    ],
)
def test_a_policy_that_cannot_be_read_is_told_with_file_and_line(text: str, line: int, said: str) -> None:
    with pytest.raises(PolicyFileError, match=said) as raised:
        policies(text)

    assert (raised.value.file, raised.value.line) == ("own.cedar", line)
    assert f"own.cedar, line {line}" in raised.value.message


def test_no_policies_allow_nothing() -> None:
    assert policies("// none").decide(PolicyRequest(Action.QUERY), "ann", {"admin"}, ()) == (False, ())
