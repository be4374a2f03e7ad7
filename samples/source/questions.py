"""Further cases over the sample collection, made from what is true of it: `python -m samples.source.questions`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from samples import FURTHER_QUESTIONS, TRUTH

_PLAIN = {
    "supplier": ("text", "Who is the supplier in the {name}?"),
    "customer": ("text", "Who is the customer under the {name}?"),
    "effective": ("date", "When does the {name} take effect?"),
    "expires": ("date", "When does the {name} expire?"),
    "value": ("money", "What is the contract value of the {name}?"),
    "liability_cap": ("money", "What is the liability cap in the {name}?"),
    "governing_law": ("text", "Which law governs the {name}?"),
}
_HOPS = (
    (
        "governing_law",
        "text",
        "Which law governs the contract with the highest contract value?",
        "value",
        max,
    ),
    (
        "customer",
        "text",
        "Who is the customer of the contract with the highest contract value?",
        "value",
        max,
    ),
    ("supplier", "text", "Who is the supplier of the contract with the lowest contract value?", "value", min),
    ("expires", "date", "When does the contract with the lowest contract value expire?", "value", min),
    ("customer", "text", "Who is the customer of the contract that expires last?", "expires", max),
)
LOOKUPS = 80


def cases() -> list[dict[str, Any]]:
    """The cases, as JSON values; their order does not change."""
    contracts = json.loads(TRUTH.read_text(encoding="utf-8"))["contracts"]
    found = list(_lookups(contracts))[:LOOKUPS]
    return [*found, *_hops(contracts)]


def _lookups(contracts: dict[str, dict[str, Any]]) -> Iterator[dict[str, Any]]:
    number = 0
    for field, (kind, wording) in _PLAIN.items():
        for file, truth in contracts.items():
            if truth[field] is None:
                continue
            number += 1
            name = file.rsplit(".", 1)[0].replace("-", " ")
            expect = {"documents": [file], "value": _value(kind, truth, field)}
            yield _case(
                f"truth-{number:02}", "lookup", wording.format(name=name), expect, f"truth.json: {field}."
            )


def _hops(contracts: dict[str, dict[str, Any]]) -> Iterator[dict[str, Any]]:
    known = {file: truth for file, truth in contracts.items() if truth["currency"] == "USD"}
    for number, (field, kind, question, by, choose) in enumerate(_HOPS, start=1):
        files = [file for file in known if known[file][by] is not None]
        file = choose(files, key=lambda each: known[each][by])
        expect = {"documents": [file], "value": _value(kind, known[file], field)}
        yield _case(f"truth-hop-{number}", "multi_hop", question, expect, f"truth.json: {by}, then {field}.")


def _value(kind: str, truth: dict[str, Any], field: str) -> dict[str, Any]:
    value = truth[field]
    if kind == "money":
        return {"type": kind, "value": f"{value}.00", "unit": truth["currency"]}
    return {"type": kind, "value": value, "unit": None}


def _case(id: str, shape: str, question: str, expect: dict[str, Any], why: str) -> dict[str, Any]:
    return {
        "id": id,
        "shape": shape,
        "question": question,
        "paraphrase_of": None,
        "bucket": None,
        "expect": {"status": "answered", **expect},
        "why": why,
    }


if __name__ == "__main__":
    lines = (json.dumps(each, ensure_ascii=False) for each in cases())
    FURTHER_QUESTIONS.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
