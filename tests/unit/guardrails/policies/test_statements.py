from __future__ import annotations

from core.guardrails.policies.statements import policy_texts

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
