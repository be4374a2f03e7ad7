"""`groundwork policies`: who may do what, why, and whether the policies come to what they shall."""

from __future__ import annotations

from typing import Any

import click

from core.cli.options import Common, common_options
from core.cli.output import FAILED, REFUSED, note, print_json
from core.domain.principal import ROLES
from core.domain.trust.permission import TRAIT_WORDS, Trait, deed_words, spoken
from core.domain.wire.shapes import envelope
from core.errors import UsageError
from core.plan.ir.nodes import Plan
from core.workbench.trust.policies import RoleRight

_ROLE = click.Choice(ROLES)


@click.group()
def policies() -> None:
    """Show, explain and test the policies, and copy them into the home to change them."""


@policies.command("list")
@click.option("--role", "roles", multiple=True, type=_ROLE, help="What these roles may do, together.")
@common_options
def list_policies(common: Common, roles: tuple[str, ...]) -> int:
    """List the policies in force with their files, or what roles may do."""
    with common.open() as session:
        if roles:
            return _print_rights(common, roles, session.policies.rights(frozenset(roles)))
        found, files = session.policies.in_force(), session.policies.files()
    own = {file.name: "this home" if is_own else "shipped" for file, is_own in files}
    names = ("file", "line", "id", "note", "text")
    return common.table(
        ("policy", "file", "line", "from", "about"),
        ((each.id, each.file, each.line, own[each.file], each.note) for each in found),
        is_last_whole=True,
        policies=[{name: getattr(each, name) for name in names} for each in found],
        files=[{"file": str(file), "own": is_own} for file, is_own in files],
    )


@policies.command()
@click.argument("question")
@click.option("--role", "roles", multiple=True, type=_ROLE, help="As somebody with these roles.")
@common_options
def explain(common: Common, question: str, roles: tuple[str, ...]) -> int:
    """Say what the plan of a QUESTION asks for, and which policy allows or refuses it; nothing runs."""
    with common.open() as session:
        plan = session.plans.make(question)
        if not isinstance(plan, Plan):
            raise UsageError(f"This question has no plan: {plan.reason}", next_step="Ask it in other words.")
        found = session.policies.explain(plan, frozenset(roles) if roles else None)
    if common.as_json:
        print_json(envelope(question=question, **right_json(found)))
    else:
        asked = [TRAIT_WORDS[each] for each in Trait if each in found.request.traits]
        click.echo(f"Steps: {', '.join(sorted(found.request.nodes)) or 'none'}.")
        click.echo(f"Asks for: {'; '.join(asked) or 'nothing that takes a further role'}.")
        click.echo(_said(found))
    return 0 if found.decision.is_allowed else REFUSED


@policies.command("test")
@common_options
def run_tests(common: Common) -> int:
    """Run the cases beside the policies; 1 where one of them comes out otherwise."""
    with common.open() as session:
        results, file = session.policies.test(), session.policies.cases
    wrong = [each for each in results if not each.is_right]
    if common.as_json:
        rows = [
            {
                "case": each.case.says,
                "ok": each.is_right,
                "allowed": each.decision.is_allowed,
                "lacking": list(each.decision.lacking),
                "policies": list(each.decision.policies),
            }
            for each in results
        ]
        print_json(envelope(file=str(file), cases=rows, wrong=len(wrong)))
    else:
        for each in wrong:
            came = "allowed" if each.decision.is_allowed else "refused"
            lacks = spoken(each.decision.lacking)
            why = f", lacking {lacks}" if lacks else ""
            by = f", by {', '.join(each.decision.policies)}" if each.decision.policies else ""
            click.echo(f"WRONG  {each.case.says}: {came}{why}{by}")
        click.echo(f"{len(results) - len(wrong)} of {len(results)} cases of {file} are right.")
    return FAILED if wrong or not results else 0


@policies.command()
@click.option("--replace", is_flag=True, help="Overwrite files that are in the home already.")
@common_options
def copy(common: Common, *, replace: bool) -> int:
    """Copy the shipped policies, their cases and the schema into the home, to change them there."""
    with common.open() as session:
        written = session.policies.copy(replace=replace)
    if common.as_json:
        return print_json(envelope(files=[str(each) for each in written]))
    for each in written:
        click.echo(each)
    note("Each replaces the shipped file of its name. After a change run: groundwork policies test")
    return 0


def right_json(right: RoleRight) -> dict[str, Any]:
    """A decision as JSON."""
    request, decision = right.request, right.decision
    return {
        "action": request.action.value,
        "traits": sorted(each.value for each in request.traits),
        "nodes": sorted(request.nodes),
        "allowed": decision.is_allowed,
        "policies": list(decision.policies),
        "lacking": list(decision.lacking),
    }


def _print_rights(common: Common, roles: tuple[str, ...], rights: list[RoleRight]) -> int:
    return common.table(
        ("may", "", "decided by, or lacking"),
        (
            (
                deed_words(each.request),
                "yes" if each.decision.is_allowed else "no",
                ", ".join(each.decision.policies if each.decision.is_allowed else each.decision.lacking),
            )
            for each in rights
        ),
        widest=80,
        roles=list(roles),
        rights=[right_json(each) for each in rights],
    )


def _said(right: RoleRight) -> str:
    by = f" by {', '.join(right.decision.policies)}" if right.decision.policies else ""
    if right.decision.is_allowed:
        return f"Allowed{by}."
    lacks = f" The role {spoken(right.decision.lacking)} is lacking." if right.decision.lacking else ""
    return f"Refused{by}.{lacks}"
