"""Cases beside the policies: requests with the decisions that they have to come to."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import Field, ValidationError

from core.domain.frozen import Frozen
from core.domain.principal import ROLES, Principal
from core.domain.trust.permission import Action, PolicyDecision, PolicyRequest, Trait
from core.errors import UsageError
from core.guard.policies.in_force import Policies

_USER = "somebody"


class PolicyCase(Frozen):
    """A request with its decision. lacking: the roles that a refusal names; None where any will do."""

    says: str = Field(min_length=1, max_length=200)
    roles: tuple[Annotated[str, Field(max_length=64)], ...] = ()
    groups: tuple[str, ...] = ()
    user: str = _USER
    action: Action
    traits: frozenset[Trait] = frozenset()
    nodes: frozenset[str] = frozenset()
    allowed: bool
    lacking: tuple[str, ...] | None = None

    @property
    def principal(self) -> Principal:
        """Who asks."""
        return Principal(self.user, frozenset(self.roles), frozenset(self.groups))

    @property
    def request(self) -> PolicyRequest:
        """The deed that is decided on."""
        return PolicyRequest(self.action, self.traits, self.nodes)


@dataclass(frozen=True, slots=True)
class PolicyCaseResult:
    """A case with what the policies in force came to. is_right: as the case has it."""

    case: PolicyCase
    decision: PolicyDecision
    is_right: bool


def read_cases(file: Path) -> list[PolicyCase]:
    """The cases of a file. Raises UsageError, which names the case that cannot be read."""
    try:
        found = tomllib.loads(file.read_text(encoding="utf-8")).get("case", [])
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{file} cannot be read: {error}.", next_step="Mend the file.") from error
    return [_case(file, number, each) for number, each in enumerate(found, start=1)]


def run_cases(policies: Policies) -> Iterator[PolicyCaseResult]:
    """The cases that belong to policies, each with its result. Raises PolicyFileError, UsageError."""
    for case in read_cases(policies.cases):
        decision = policies.decide(case.principal, case.request)
        is_right = decision.is_allowed is case.allowed
        if case.lacking is not None and not case.allowed:
            is_right = is_right and set(decision.lacking) == set(case.lacking)
        yield PolicyCaseResult(case, decision, is_right)


def _case(file: Path, number: int, given: object) -> PolicyCase:
    try:
        case = PolicyCase.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise UsageError(
            f"Case {number} of {file}: {where}: {first['msg']}.", next_step="Mend the case."
        ) from error
    unknown = sorted({*case.roles, *(case.lacking or ())} - set(ROLES))
    if unknown:
        raise UsageError(
            f"Case {number} of {file}: there is no role {unknown[0]!r}.",
            next_step=f"Expected some of: {', '.join(ROLES)}.",
        )
    return case
