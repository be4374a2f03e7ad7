"""Values that rules show as facts, against CUAD's lawyers and SROIE's keys.

CUAD's contracts are split by the hash of their company: on the first part the rules were developed, the
second was only measured. Right means: the value that the rule shows equals the label; a value where the
label has none counts as wrong. Labels that are plainly wrong count as they are.

    python -m bench.fields_values --data DIR [--show FIELD] [--json FILE]
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path

from core.domain.document import Page
from core.domain.fields import CellStatus, Finding, TypedValue
from core.domain.ids import document_id
from core.extract.base import DocumentText
from core.extract.values.rules import RULES
from core.ingest.clean import normalise
from core.values.dates import parse_date
from core.values.durations import parse_duration
from core.values.names import role_of, same_party
from core.values.places import canonical_place

COLUMNS = {
    "governing_law": "Governing Law-Answer",
    "agreement_date": "Agreement Date-Answer",
    "effective_date": "Effective Date-Answer",
    "expiration_date": "Expiration Date-Answer",
    "renewal_term": "Renewal Term-Answer",
    "notice_to_terminate_renewal": "Notice Period To Terminate Renewal- Answer",
}


@dataclass(frozen=True, slots=True)
class Contract:
    """A CUAD contract with its labels; `developed` tells which part of the split it is in."""

    name: str
    text: DocumentText
    labels: Mapping[str, str]
    developed: bool


@dataclass(slots=True)
class Tally:
    """Counts of one field over one part."""

    labelled: int = 0
    shown: int = 0
    right: int = 0
    uncertain: int = 0
    among_candidates: int = 0
    notes: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float:
        """The share of shown values that are right."""
        return self.right / max(1, self.shown)

    @property
    def recall(self) -> float:
        """The share of labelled documents whose value is shown, and right."""
        return self.right / max(1, self.labelled)


def document(text: str, name: str, doc_type: str) -> DocumentText:
    """A text file as records would hold it."""
    pages = tuple(Page(number, page) for number, page in enumerate(normalise(text).split("\f"), start=1))
    return DocumentText(
        document_id("bench", name), 1, "bench", name, name, doc_type, "text/plain", "en", pages
    )


def family(name: str) -> str:
    """The company that a CUAD file is named after."""
    return re.split(r"[_\d]|(?<=[a-z])(?:Inc|Corp|Ltd)", name)[0].lower()


def contracts(data: Path) -> Iterator[Contract]:
    """The visible contracts."""
    csv.field_size_limit(10**9)
    with (data / "cuad" / "labels.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            path = data / "cuad" / "contracts" / row["File"]
            text = path.read_bytes().decode("utf-8", "replace")
            developed = hashlib.sha256(family(row["File"]).encode()).digest()[0] % 5 < 3
            yield Contract(row["File"], document(text, row["File"], "contract"), row, developed)


def date_is(value: TypedValue, label: str) -> bool:
    """Whether a value is the date of a label such as 7/11/06, Perpetual or []/[]/2020."""
    if label.strip().lower() == "perpetual":
        return value.special == "perpetual"
    if "[" in label:
        year = re.search(r"/((?:19|20)\d\d)$", label)
        return value.special in ("blank", "redacted") and (year is None or year[1] in value.text)
    month, day, year_text = label.strip().split("/")
    if int(month) > 12:
        month, day = day, month
    return value.text[2 if len(year_text) == 2 else 0 :] == f"{year_text}-{int(month):02d}-{int(day):02d}"


def law_is(value: TypedValue, label: str) -> bool:
    """Whether a value is one of the places that a label names."""
    if label.strip() == "[]":
        return value.special in ("blank", "redacted")
    return place_key(value.text) in {place_key(part) for part in label.split(";")}


def place_key(name: str) -> str:
    """A place by one name, however a label writes it."""
    parts = [" ".join(part.lower().split()) for part in name.split(",")]
    whole = canonical_place(name) or canonical_place(parts[0])
    return (whole or parts[0]).split(",")[0].replace(" and wales", "").lower()


def duration_is(value: TypedValue, label: str) -> bool:
    """Whether a value is one of the lengths that a label names."""
    if "perpetual" in label.lower():
        return value.special == "perpetual"
    if "[" in label:
        return value.special in ("blank", "redacted")
    lengths = [parse_duration(part.replace(")", "")) for part in label.split(";") if part.strip()]
    return value.text in {length.text for length in lengths if length}


CHECKS: Mapping[str, Callable[[TypedValue, str], bool]] = {
    "governing_law": law_is,
    "agreement_date": date_is,
    "effective_date": date_is,
    "expiration_date": date_is,
    "renewal_term": duration_is,
    "notice_to_terminate_renewal": duration_is,
}


def is_right(check: Callable[[TypedValue, str], bool], value: TypedValue | None, label: str) -> bool:
    """`check`, for a label that may be missing."""
    return bool(label) and value is not None and check(value, label)


def measure(parts: Sequence[Contract], name: str) -> Tally:
    """Count one field of one value."""
    tally, check = Tally(), CHECKS[name]
    for contract in parts:
        label = contract.labels[COLUMNS[name]].strip()
        finding = RULES[name](contract.text)
        tally.labelled += bool(label)
        if finding.status is CellStatus.PRESENT:
            tally.shown += 1
            right = is_right(check, finding.values[0], label)
            tally.right += right
            if not right:
                tally.notes.append(_line(contract, "WRONG", label, finding))
        elif finding.status is CellStatus.UNCERTAIN:
            tally.uncertain += 1
            found = any(is_right(check, each.value, label) for each in finding.candidates)
            tally.among_candidates += found
            if label:
                tally.notes.append(_line(contract, "unsure" if found else "UNSURE", label, finding))
        elif label:
            tally.notes.append(_line(contract, "missed", label, finding))
    return tally


def _line(contract: Contract, what: str, label: str, finding: Finding) -> str:
    values = ", ".join(f"{value.text or value.special}" for value in finding.values)
    shown = [*finding.spans[:1]] or [each.spans[-1] for each in finding.candidates[:1]]
    quote = ""
    if shown:
        page = contract.text
        start, end = page.span(shown[0])
        quote = " ".join(page.text[max(0, start - 150) : end + 80].split())
    others = [f"{each.value.text if each.value else ''} {each.confidence:.2f}" for each in finding.candidates]
    return f"{what} {contract.name[:50]} label={label!r} got={values!r} {others}\n      {quote[:420]}"


@dataclass(slots=True)
class PartyTally:
    """Counts of the parties over one part: documents that show them, parties shown, right, labelled there."""

    documents: int = 0
    shown_documents: int = 0
    right_sets: int = 0
    shown: int = 0
    right: int = 0
    labelled: int = 0
    found: int = 0
    notes: list[str] = field(default_factory=list)


def labelled_parties(label: str) -> list[str]:
    """The names in a label such as 'Newegg Inc. ("Newegg"); Allied, Inc. ("Allied")("Parties")'.

    What the label says of all parties together ("Newegg and Allied collectively") is none of them.
    """
    bare = re.sub(r"\([^()]*[\"\u201c\u201d\u2019'][^()]*\)*", " ", label)
    names = []
    for part in bare.split(";"):
        name = re.split(
            r",?\s+(?:or\s*,|and\s+(?:collectively|individually|all of its|its affiliates|together)"
            r"|[df]/[bk]/a\b|dba\b|on behalf|shall\b|\(?sometimes\b|\(?formerly\b|doing business"
            r"|including\b|operating\b|and/or\b|and its\b|, solely\b)"
            r"|[\u201c\"]",
            f" {part}",
        )[0]
        name = re.sub(r"\s*\([^()]*$", "", name.strip(" ,.)(\n")).strip(" ,.")
        if sum(map(str.isalpha, name)) > 2 and not _COLLECTIVE.match(name):
            names.append(name)
    return [name for name in names if not _is_all_of(name, names, label)]


_COLLECTIVE = re.compile(
    r"(?:and|collectively|each|together|individually|an individual|the individual|jointly|or)\b",
    re.IGNORECASE,
)


def _is_all_of(name: str, names: Sequence[str], label: str) -> bool:
    """True where a name only joins others of the label, or the short names that it gives them."""
    parts = [
        part.strip(" ,.").casefold() for part in re.split(r",? and |, (?!inc|l\.?l|ltd|l\.?p|s\.)", name)
    ]
    if len(parts) < 2:
        return False
    short = {
        each.strip(" ,.").casefold()
        for each in re.findall(r"[\"\u201c\u2018']([^\"\u201d\u201c\u2019']+)", label)
    }
    if all(role_of(part) for part in parts if part):
        return True
    others = [other.casefold() for other in names if other != name]
    return all(part in short or any(other.startswith(part) for other in others) for part in parts if part)


def measure_parties(parts: Sequence[Contract]) -> PartyTally:
    """Count the parties."""
    tally = PartyTally()
    for contract in parts:
        gold = labelled_parties(contract.labels["Parties-Answer"])
        tally.documents += 1
        finding = RULES["parties"](contract.text)
        if finding.status is not CellStatus.PRESENT:
            names = [each.value.text for each in finding.candidates if each.value]
            tally.notes.append(f"{finding.status} {contract.name[:40]} {gold} {names} {finding.confidence}")
            continue
        names = [value.text for value in finding.values]
        right = sum(any(same_party(name, other) for other in gold) for name in names)
        found = sum(any(same_party(name, other) for name in names) for other in gold)
        tally.shown_documents += 1
        tally.shown += len(names)
        tally.right += right
        tally.labelled += len(gold)
        tally.found += found
        tally.right_sets += right == len(names) and found == len(gold)
        if right < len(names):
            tally.notes.append(f"WRONG {contract.name[:40]} {gold} {names}")
    return tally


def check_spans(contracts_: Sequence[Contract]) -> tuple[int, int]:
    """How many spans there are of all rules, and how many hold other characters than the page does there."""
    spans = wrong = 0
    for contract in contracts_:
        pages = {page.page_no: page.text for page in contract.text.pages}
        for rule in RULES.values():
            finding = rule(contract.text)
            for quote in [*finding.spans, *(span for each in finding.candidates for span in each.spans)]:
                spans += 1
                wrong += pages[quote.span.page_no][quote.span.start : quote.span.end] != quote.quote
    return spans, wrong


def receipts(data: Path) -> Iterator[tuple[DocumentText, Mapping[str, str]]]:
    """The SROIE receipts: boxes put into lines by their height, and the keys."""
    for path in sorted((data / "sroie" / "key").glob("*.json")):
        boxes = []
        for row in (data / "sroie" / "box" / f"{path.stem}.csv").read_text("utf-8", "replace").splitlines():
            parts = row.split(",", 8)
            if len(parts) == 9:
                xs, ys = [int(x) for x in parts[0:8:2]], [int(y) for y in parts[1:8:2]]
                boxes.append((min(ys), max(ys), min(xs), parts[8]))
        keys = json.loads(path.read_text("utf-8"))
        yield document(lines_of(boxes), path.stem, "receipt"), keys


def lines_of(boxes: Sequence[tuple[int, int, int, str]]) -> str:
    """Boxes (top, bottom, left, text) as lines of text: a box belongs to the line that its middle lies in."""
    lines: list[list[tuple[int, int, int, str]]] = []
    for box in sorted(boxes):
        middle = (box[0] + box[1]) / 2
        for line in reversed(lines[-4:]):
            top = sum(each[0] for each in line) / len(line)
            bottom = sum(each[1] for each in line) / len(line)
            if top + (bottom - top) * 0.15 <= middle <= bottom - (bottom - top) * 0.15:
                line.append(box)
                break
        else:
            lines.append([box])
    return "\n".join("  ".join(box[3] for box in sorted(line, key=lambda box: box[2])) for line in lines)


def _letters(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


def receipt_is_right(name: str, finding: Finding, key: str) -> bool:
    """Whether the best value is the key's: letters and digits of names, calendar dates, amounts."""
    value = finding.candidates[0].value if finding.candidates else None
    if value is None:
        return False
    if name == "vendor":
        return _letters(value.text) == _letters(key)
    if name == "invoice_date":
        gold = parse_date(key, "dmy") or parse_date(key, "mdy")
        return gold is not None and value.text == gold.text
    number = re.sub(r"[^0-9.]", "", key)
    return bool(number) and value.decimal == Decimal(number)


RECEIPT_KEYS = {"vendor": "company", "invoice_date": "date", "total": "total"}


def measure_receipts(data: Path, show: str = "") -> None:
    """Print how many receipts are right: of all (best value), and of those shown as facts."""
    rows = list(receipts(data))
    for part in ("developed", "unseen"):
        half = [
            row
            for row in rows
            if (hashlib.sha256(row[0].source.encode()).digest()[0] % 5 < 3) == (part == "developed")
        ]
        for name, key in RECEIPT_KEYS.items():
            right = shown = shown_right = 0
            for text, keys in half:
                finding = RULES[name](text)
                good = receipt_is_right(name, finding, keys.get(key, ""))
                right += good
                shown += finding.status is CellStatus.PRESENT
                shown_right += good and finding.status is CellStatus.PRESENT
                if show == name and part == "developed" and not good:
                    got = [each.value.text for each in finding.candidates if each.value][:3]
                    print(f"  {text.source} key={keys.get(key)!r} got={got} {finding.confidence}")
            print(
                f"SROIE {name:20} {part:10} exact {right / len(half):.3f} ({right}/{len(half)})"
                f"  shown as facts {shown / len(half):.0%}, right of those {shown_right / max(1, shown):.3f}"
            )


def main() -> None:
    """Print the table; `--show FIELD` also every error in the part that rules are developed on."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--show", default="")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    corpus = list(contracts(options.data))
    halves = {
        "developed": [each for each in corpus if each.developed],
        "unseen": [each for each in corpus if not each.developed],
        "all": corpus,
    }
    out: dict[str, dict[str, float]] = {}
    for name in CHECKS if not options.show else [options.show]:
        if name not in RULES or name not in CHECKS:
            continue
        for part, chosen in halves.items():
            started = time.perf_counter()
            tally = measure(chosen, name)
            each_ms = (time.perf_counter() - started) * 1000 / len(chosen)
            print(
                f"{name:28} {part:10} P {tally.precision:.3f} ({tally.right}/{tally.shown})"
                f"  R {tally.recall:.3f} of {tally.labelled}  uncertain {tally.uncertain}"
                f" (right value offered {tally.among_candidates})  {each_ms:.0f} ms"
            )
            out[f"{name}/{part}"] = {"precision": tally.precision, "recall": tally.recall}
            if options.show and part == "developed":
                print("\n".join(tally.notes))
    for part, chosen in halves.items():
        if options.show not in ("", "parties"):
            break
        people = measure_parties(chosen)
        print(
            f"{'parties':28} {part:10} P {people.right / max(1, people.shown):.3f} "
            f"({people.right}/{people.shown})"
            f"  R {people.found / max(1, people.labelled):.3f} on"
            f" {people.shown_documents / people.documents:.0%}"
            f" of the documents, sets right {people.right_sets}/{people.shown_documents}"
        )
        if options.show and part == "developed":
            print("\n".join(people.notes))
    if not options.show:
        spans, wrong = check_spans(corpus)
        print(f"spans of all rules: {spans}, of these with other characters than the page: {wrong}")
    if options.show in ("", *RECEIPT_KEYS):
        measure_receipts(options.data, options.show)
    if options.json:
        options.json.write_text(json.dumps(out, indent=1))


if __name__ == "__main__":
    sys.exit(main())
