"""How often a cell that says "absent" is right, by CUAD's lawyers: as rules say it, and as it is shown.

python -m bench.fields_absences --data DIR
"""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from bench.fields_values import Contract, contracts
from core.config.fields import Schema
from core.domain.fields import CellStatus, Finding
from core.extract.absence import settle
from core.extract.values.rules import RULES
from core.fields.promise import WORDS

_LABELLED_AS = {
    "notice_period_to_terminate_renewal": "Notice Period To Terminate Renewal",
    "liability_cap_amount": "Cap On Liability",
    "penalty": "Liquidated Damages",
}


def schema_contracts() -> Schema:
    """The shipped schema of contracts."""
    text = files("core.config").joinpath("schemas", "contracts.toml").read_text("utf-8")
    return Schema.model_validate(tomllib.loads(text))


def label_of(field_name: str, labels: Mapping[str, str]) -> str | None:
    """What the lawyers say of a field; None where they were not asked, "" for no."""
    name = _LABELLED_AS.get(field_name, field_name)
    for column, label in labels.items():
        if column.endswith("Answer") and _plain(column[: -len("Answer")]) == _plain(name):
            return "" if label.strip().lower() in ("no", "[]") else label.strip()
    return None


@dataclass(slots=True)
class Absences:
    """Cells that say absent, and how many of them are wrong: as rules say it, and as it is shown."""

    said: int = 0
    said_wrong: int = 0
    shown: int = 0
    shown_wrong: int = 0


def measure_absences(parts: Sequence[Contract]) -> tuple[dict[str, Absences], Absences]:
    """Absences of the value fields; and of all labelled fields, where only the field's words decide.

    The second says how sound it is to call a field absent since none of its words stands in the text.
    """
    by_field: dict[str, Absences] = {}
    words = Absences()
    fields = schema_contracts().fields
    for contract in parts:
        for definition in fields:
            rules = [each.rule for each in definition.extractors if each.method == "rule"]
            rules = [rule for rule in rules if rule in RULES]
            label = label_of(definition.name, contract.labels)
            if label is None:
                continue
            nothing = Finding(CellStatus.ABSENT, method=WORDS)
            bare = definition.model_copy(update={"extractors": ()})
            if settle(contract.text, bare, nothing).status is CellStatus.ABSENT:
                words.shown += 1
                words.shown_wrong += bool(label)
            finding = RULES[rules[0]](contract.text) if rules else None
            if finding is None or finding.status is not CellStatus.ABSENT:
                continue
            tally = by_field.setdefault(definition.name, Absences())
            tally.said += 1
            tally.said_wrong += bool(label)
            if settle(contract.text, definition, finding).status is CellStatus.ABSENT:
                tally.shown += 1
                tally.shown_wrong += bool(label)
    return by_field, words


def print_absences(parts: Mapping[str, Sequence[Contract]]) -> None:
    """Print how many absences of rules were shown before they were checked, and how many now, and errors."""
    for part, chosen in parts.items():
        by_field, words = measure_absences(chosen)
        for name, each in by_field.items():
            print(
                f"absent {name:36} {part:10} a rule finds none in {each.said}, wrong {each.said_wrong};"
                f" shown as absent {each.shown}, wrong {each.shown_wrong}"
            )
        print(
            f"absent, no word of a field stands {part:10} right {words.shown - words.shown_wrong}"
            f" of {words.shown}"
        )


def _plain(text: str) -> str:
    return "".join(each for each in text.lower() if each.isalnum())


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    corpus = list(contracts(parser.parse_args().data))
    print_absences(
        {
            "developed": [each for each in corpus if each.developed],
            "unseen": [each for each in corpus if not each.developed],
        }
    )


if __name__ == "__main__":
    main()
