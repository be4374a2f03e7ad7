"""Kinds and values of an office's papers against labels that people read from the texts.

    python -m bench.office --data DIR --labels FILE [--show]

FILE: JSON, {path below DIR: {"kind": schema, "fields": {field: value}}}. A value is text as written (dates
as YYYY-MM-DD), null where the paper states none, or a list of values of which each is right; several values
of one field stand in one text, divided by "; "; a section is "its first words…". Each paper is read in the
kind that it is recognised as, and a field that this kind has not is not given. A kind "?" is not counted.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from core.config.fields import Schema
from core.config.schema_store import shipped_schemas
from core.domain.fields import CellStatus, FieldType, Finding
from core.domain.ids import DocumentId
from core.extract.base import DocumentText
from core.extract.document_rules import RULES as DOCUMENT_RULES
from core.extract.extractor import Extractor
from core.extract.recognise import recognise
from core.extract.values.rules import RULES
from core.ingest.parse.base import ParseLimits
from core.ingest.parse.dispatch import parse_file
from core.values.names import same_party

Label = str | None | list[str | None]
_ALL = {**RULES, **DOCUMENT_RULES}


def main() -> None:
    """Print kinds and, by kind and field, stated, given, right, and given where the paper states none."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--labels", type=Path, required=True)
    parser.add_argument("--show", action="store_true", help="print each cell that is not right")
    given = parser.parse_args()
    schemas = shipped_schemas()
    kinds: Counter[str] = Counter()
    cells: Counter[tuple[str, str, str]] = Counter()
    for path, labels in json.loads(given.labels.read_text("utf-8")).items():
        document = read(given.data / path)
        kind = recognise(document, list(schemas.values())).schema
        if labels["kind"] != "?":
            kinds.update([f"{labels['kind']}, {'right' if kind == labels['kind'] else 'as ' + kind}"])
        found = findings_of(document, schemas[kind])
        for name, label in labels["fields"].items():
            finding = found.get(name, Finding(CellStatus.UNCERTAIN, note="no such field"))
            outcomes = outcomes_of(finding, label)
            cells.update((labels["kind"], name, each) for each in outcomes)
            if given.show and not ({"right", "blank"} & set(outcomes)):
                best = [each.value.text for each in finding.candidates[:3] if each.value]
                said = [value.text[:60] for value in finding.values] or best
                print(f"{path[-36:]:36} {name}: {outcomes} {finding.status.value} {said} / {label}")
    print("\n".join(f"{kind}: {count}" for kind, count in sorted(kinds.items())))
    print("| kind | field | stated | given | right | given where none is stated | absent where stated |")
    for kind, name in sorted({key[:2] for key in cells}):
        counts = [cells[kind, name, each] for each in ("stated", "given", "right", "spurious", "absent")]
        print(f"| {kind} | {name} | {' | '.join(map(str, counts))} |")


def read(path: Path) -> DocumentText:
    """The file as extraction sees it."""
    parsed = parse_file(path, path.name, ParseLimits())
    return DocumentText(
        DocumentId(path.name), 1, "bench", parsed.title, path.name, "", parsed.media_type,
        parsed.language, parsed.pages,
    )  # fmt: skip


def findings_of(document: DocumentText, schema: Schema) -> Mapping[str, Finding]:
    """All cells of a paper, offline and without heads."""
    return Extractor(None, _ALL).extract(document, schema).findings


def outcomes_of(finding: Finding, label: Label) -> Sequence[str]:
    """Counts to which a cell adds."""
    wanted = label if isinstance(label, list) else [label]
    is_given = finding.status is CellStatus.PRESENT
    stated = [each for each in wanted if each is not None]
    if not stated:
        return ["spurious"] if is_given else ["blank"]
    if is_given and any(is_right(finding, each) for each in stated):
        return ["stated", "given", "right"]
    if not is_given and None in wanted:
        return ["blank"]
    state = ["given"] if is_given else ["absent"] if finding.status is CellStatus.ABSENT else ["open"]
    return ["stated", *state]


def is_right(finding: Finding, label: str) -> bool:
    """True where the values are the label's: letters and digits, whole amounts, companies by their names."""
    values = [each.text for each in finding.values]
    if label.endswith("…"):
        return bool(values) and _plain(values[0]).startswith(_plain(label))
    if finding.values[0].type in (FieldType.MONEY, FieldType.NUMBER):
        number = re.match(r"-?[\d.]+", label)
        amount = finding.values[0].decimal
        return number is not None and amount is not None and float(amount) == float(number[0])
    if finding.values[0].type is FieldType.PARTY and same_party(values[0], label):
        return True
    return _plain("; ".join(values)) == _plain(label)


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.casefold())


if __name__ == "__main__":
    main()
