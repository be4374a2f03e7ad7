"""Fields of contracts that the rules alone give: agreement date, vendor and customer, against the labels."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from bench.fields_values import date_is, is_right, labelled_parties
from bench.values.cases import Contract
from core.domain.fields import Finding, TypedValue
from core.extract.base import DocumentText
from core.extract.sides import BUYS, SELLS, contract_customer, contract_vendor
from core.extract.values.agreement import agreement_date
from core.values.names import role_of, same_party

_ALIAS = re.compile(r"[\"\u201c\u2018']([^\"\u201d\u201c\u2019']+)[\"\u201d\u2019']")


def labelled_sides(label: str, roles: re.Pattern[str]) -> list[str]:
    """The parties that a label such as 'Acme Inc. ("Licensor"); Beta Ltd. ("Licensee")' calls by a role."""
    found = []
    for part in label.split(";"):
        names = labelled_parties(part)
        called = [role_of(alias.strip(" ,.")) for alias in _ALIAS.findall(part)]
        if names and any(role and roles.fullmatch(role.split()[-1]) for role in called):
            found.append(names[0])
    return found


def ruled(contracts: Sequence[Contract]) -> dict[str, tuple[int, int, int]]:
    """By field: how many contracts state it, are given a value, and are given the right one."""
    return {
        "agreement_date": _counted(
            contracts,
            agreement_date,
            lambda each: each.labels["Agreement Date-Answer"].strip(),
            lambda value, label: is_right(date_is, value, label),
        ),
        "vendor": _counted(contracts, contract_vendor, lambda each: _sides(each, SELLS), _is_named),
        "customer": _counted(contracts, contract_customer, lambda each: _sides(each, BUYS), _is_named),
    }


def _sides(contract: Contract, roles: re.Pattern[str]) -> str:
    return "\n".join(labelled_sides(contract.labels["Parties-Answer"], roles))


def _is_named(value: TypedValue, label: str) -> bool:
    return any(same_party(value.text, name) for name in label.split("\n") if name)


def _counted(
    contracts: Sequence[Contract],
    rule: Callable[[DocumentText], Finding],
    label_of: Callable[[Contract], str],
    check: Callable[[TypedValue, str], bool],
) -> tuple[int, int, int]:
    states = given = right = 0
    for each in contracts:
        label, values = label_of(each), rule(each.document).values
        states += bool(label)
        given += bool(values)
        right += bool(values) and check(values[0], label)
    return states, given, right
