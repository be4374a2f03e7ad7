"""Cedar through cedarpy: policies parsed and checked against the schema once, decisions asked of them.

A decision costs 0.23 ms with parsed policies; whoever asks keeps it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from core.domain.trust.permission import PolicyRequest, Trait
from core.errors import PolicyFileError

if TYPE_CHECKING:
    import cedarpy

# A string, a comment, or the end of a statement; what is within the first two ends nothing.
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|;')
_ID = re.compile(r'@id\(\s*"((?:[^"\\]|\\.)*)"\s*\)')
_FIRST = re.compile(r"(?:\s|//[^\n]*)*")


@dataclass(frozen=True, slots=True)
class PolicyText:
    """One policy of a file. line: where it begins, from 1. id: of its `@id`, or "line N" without one."""

    file: str
    line: int
    id: str
    text: str

    @property
    def name(self) -> str:
        """By what decisions name it: `query.cedar:compliance`."""
        return f"{self.file}:{self.id}"

    @property
    def note(self) -> str:
        """The comment above it in one line; "" without one."""
        before = self.text[: self.text.find("@") if "@" in self.text else 0]
        return " ".join(line.strip().lstrip("/").strip() for line in before.splitlines()).strip()


def policy_texts(file: str, text: str) -> Iterator[PolicyText]:
    """The policies of a file in order, each with the comment above it; also one that never ends."""
    begin = 0
    ends = [match.end() for match in _TOKEN.finditer(text) if match[0] == ";"]
    for end in (*ends, len(text)):
        statement = text[begin:end]
        first = _FIRST.match(statement)
        skipped = first.end() if first is not None else 0
        if skipped < len(statement):
            line = text.count("\n", 0, begin + skipped) + 1
            found = _ID.search(statement)
            yield PolicyText(file, line, found[1] if found else f"line {line}", statement.strip())
        begin = end


SCHEMA_FILE = "policies.cedarschema"
SHIPPED = Path(__file__).parent / "files"
_HOME = {"type": "Home", "id": "groundwork"}


class CedarPolicies:
    """Policies that are in force together. Thread-safe, immutable.

    Raises PolicyFileError, with file and line, where a policy cannot be read or does not fit the schema.
    """

    def __init__(self, policies: Sequence[PolicyText]) -> None:
        import cedarpy

        for each in policies:
            _check(each)
        self.policies = tuple(policies)
        # In one set Cedar calls them policy0, policy1, ... in the order of the text.
        self._names = {f"policy{at}": each.name for at, each in enumerate(policies)}
        self._set = cedarpy.PolicySet.from_str("\n".join(each.text for each in policies))

    def decide(
        self, request: PolicyRequest, user: str, roles: Collection[str], groups: Collection[str]
    ) -> tuple[bool, tuple[str, ...]]:
        """Whether it is allowed, and the names of the policies that decided; () where none permits it.

        A policy that fails while it is evaluated makes it a refusal: Cedar itself would leave it out.
        """
        import cedarpy

        uid = {"type": "User", "id": user}
        parents = [{"type": "Role", "id": each} for each in sorted(roles)]
        parents += [{"type": "Group", "id": each} for each in sorted(groups)]
        result = cedarpy.is_authorized(
            {
                "principal": uid,
                "action": {"type": "Action", "id": request.action.value},
                "resource": _HOME,
                "context": {
                    **{each.value: each in request.traits for each in Trait},
                    "nodes": sorted(request.nodes),
                },
            },
            self._set,
            [{"uid": uid, "attrs": {}, "parents": parents}],
        )
        names = tuple(sorted(self._names.get(each, each) for each in result.diagnostics.reasons))
        return result.allowed and not result.diagnostics.errors, names


@lru_cache(maxsize=1)
def _schema() -> cedarpy.Schema:
    import cedarpy

    return cedarpy.Schema.from_str((SHIPPED / SCHEMA_FILE).read_text(encoding="utf-8"))


def _check(policy: PolicyText) -> None:
    import cedarpy

    result = cedarpy.validate_policies(policy.text, _schema())
    if result.validation_passed:
        return
    said = result.errors[0].error if result.errors else "it does not fit the schema"
    said = said.removeprefix("Policy parse error: ").removeprefix("for policy `policy0`, ")
    raise PolicyFileError(
        f"The policy {policy.id!r} in {policy.file}, line {policy.line}, cannot be read: {said}. "
        "Until it is mended nobody may do anything here.",
        file=policy.file,
        line=policy.line,
        next_step=f"Mend or remove policies/{policy.file} in the home, then run: groundwork policies test",
    )
