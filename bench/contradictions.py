"""Contradictions between documents: 40 planted among 200 papers, beside 40 things that only look like one.

    python -m bench.contradictions [--set look|kept] [--labels] [--show]

Papers are made as people write them (prose, PDF, DOCX, CSV, tables), ingested and extracted by the product
without a model, then the report of the bucket is held against what was planted. A contradiction is found where
an open one has both papers and both values as they are written. One that is missed was not read where no fact
of either paper holds its value, else not compared. --set: `look` was looked at while the rules were made; of
`kept`, worded otherwise, only the last figures were seen. --labels: what a paper says is put as its cells first.
--rows N: no papers, but the time over N documents of made-up cells.
"""

from __future__ import annotations

import argparse
import csv
import io
import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path

PAPERS = 200
BUCKET = "papers"
FIRST = (
    "Alder Birch Cedar Dogwood Elmwood Firth Ginkgo Hazel Ivy Juniper Larch Maple Nutmeg Olive Poplar Quince "
    "Rowan Sorrel Tamarind Umber Verbena Willow Yarrow Zinnia".split(),
    "Northgate Oakham Petrel Quarry Redfern Sandhurst Thornbury Ulverston Vauxhall Wexford Ashby Brampton "
    "Calder Denholm Evesham Fairlie Garstang Halstead Ilkley Jarrow Kelso Lanark Malvern Newlyn".split(),
)
SECOND = (
    ("Robotics", "Logistics", "Energy", "Pharma", "Foods", "Networks", "Marine", "Textiles", "Optics"),
    ("Components", "Freight", "Hydraulics", "Biotech", "Dairy", "Telecom", "Shipping", "Fabrics", "Lighting"),
)
FORMS = (("Inc.", "LLC", "Corp."), ("Limited", "GmbH", "plc"))
LAWS = (
    ("Delaware", "New York", "California", "Texas"),
    ("England and Wales", "Ireland", "Germany", "Scotland"),
)


@dataclass(frozen=True, slots=True)
class Paper:
    """A file. tables: after the prose. labels: what it says, by field of `schema`."""

    name: str
    schema: str
    title: str
    prose: Sequence[str] = ()
    tables: Sequence[Sequence[Sequence[str]]] = ()
    labels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two papers (or one twice) and what each says of one thing. sort: the kind of plant or decoy."""

    sort: str
    papers: tuple[str, str]
    said: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class Plant:
    """All papers with the contradictions and the decoys among them."""

    papers: Sequence[Paper]
    planted: Sequence[Pair]
    decoys: Sequence[Pair]


class Maker:
    """Makes one set of papers; `style` chooses wordings and names."""

    def __init__(self, style: int) -> None:
        self.style, self.rng = style, random.Random(100 + style)
        self.papers: list[Paper] = []
        self.planted: list[Pair] = []
        self.decoys: list[Pair] = []
        self._names = [f"{a} {b}" for a in FIRST[style] for b in SECOND[style]]
        self.rng.shuffle(self._names)

    def company(self) -> str:
        """A company that no other paper names."""
        return f"{self._names.pop()} {self.rng.choice(FORMS[self.style])}"

    def day(self, year: int = 0) -> date:
        """A day."""
        return date(year or self.rng.choice((2021, 2022, 2023)), 1, 5) + timedelta(self.rng.randrange(340))

    def long(self, day: date, other: bool = False) -> str:
        """A day as this set writes it; other: in another way."""
        shape = "%B %-d, %Y" if (self.style == 0) != other else "%-d %B %Y"
        return day.strftime(shape)

    def money(self, amount: int, other: bool = False) -> str:
        """An amount as this set writes it."""
        if self.style == 0:
            return f"USD {amount:,}.00" if other else f"${amount:,}"
        return f"\u00a3{amount:,}.00" if other else f"GBP {amount:,}"

    def add(self, kind: str, paper: Paper) -> str:
        """Keep a paper as a file of this kind; gives its name."""
        name = f"{paper.name}-{len(self.papers) + 1:03d}.{kind}"
        self.papers.append(Paper(name, paper.schema, paper.title, paper.prose, paper.tables, paper.labels))
        return name

    def terms(self) -> dict[str, str]:
        """What an agreement between two new parties says."""
        day = self.day()
        years = self.rng.choice((2, 3, 4))
        return {
            "a": self.company(),
            "b": self.company(),
            "day": day.isoformat(),
            "title": self.rng.choice(
                (
                    ("Master Services Agreement", "Software License Agreement", "Distribution Agreement"),
                    ("Supply Agreement", "Consultancy Agreement", "Framework Agreement"),
                )[self.style]
            ),
            "expiration_date": self.long(date(day.year + years, day.month, min(day.day, 28))),
            "contract_value": self.money(self.rng.randrange(40, 900) * 1_000),
            "payment_period": f"{self.rng.choice((30, 45, 60))} days",
            "termination_notice": f"{self.rng.choice((30, 60, 90))} days",
            "governing_law": self.rng.choice(LAWS[self.style]),
            "liability_cap_amount": self.money(self.rng.randrange(1, 9) * 1_000_000),
        }

    def agreement(self, terms: Mapping[str, str], *, other: bool = False) -> Paper:
        """An agreement in full; other: dates written otherwise."""
        say, day, title = terms.__getitem__, date.fromisoformat(terms["day"]), terms["title"]
        signed = self.long(day, other)
        if self.style == 0:
            law = say("governing_law")
            prose = [
                f'This {title} (the "Agreement") is entered into as of {signed} (the "Effective Date") by and '
                f'between {say("a")}, a Delaware corporation ("Customer"), and {say("b")}, a Texas company '
                '("Provider").',
                "1. Scope. Provider shall perform what is set out in the order forms that the parties sign.",
                "2. Term. This Agreement commences on the Effective Date and shall continue in effect until "
                f"{say('expiration_date')}, unless it is terminated earlier as set out below.",
                f"3. Price. The total contract value under this Agreement is {say('contract_value')}.",
                f"4. Payment. Customer shall pay each undisputed invoice within {say('payment_period')} after "
                "receipt of the invoice.",
                "5. Termination. Either party may terminate this Agreement for convenience upon "
                f"{say('termination_notice')} prior written notice to the other party.",
                f"6. Liability. In no event shall the aggregate liability of either party exceed "
                f"{say('liability_cap_amount')}.",
                "7. Governing Law. This Agreement shall be governed by and construed in accordance with the "
                f"laws of the State of {law}, without regard to its conflict of laws rules.",
                "8. Entire agreement. This Agreement is the entire agreement between the parties.",
            ]
        else:
            law = say("governing_law")
            prose = [
                f"THIS {title.upper()} is made on {signed}",
                f'BETWEEN: (1) {say("a")} (the "Seller"); and (2) {say("b")} (the "Buyer").',
                f"1. Commencement and duration. This Agreement shall take effect on {signed} and shall expire "
                f"on {say('expiration_date')}.",
                f"2. Charges. The total value of this Agreement is {say('contract_value')} exclusive of VAT.",
                f"3. Invoices. Invoices are payable within {say('payment_period')} of the date of the invoice.",
                "4. Ending the agreement. Either party may terminate this Agreement at any time by giving the "
                f"other not less than {say('termination_notice')} written notice.",
                "5. Limits. The total liability of either party under this Agreement shall not exceed "
                f"{say('liability_cap_amount')}.",
                f"6. Law. This Agreement is governed by the laws of {law}.",
            ]
        labels = {
            "document_name": title,
            "document_kind": "agreement",
            "parties": f"{say('a')}|{say('b')}",
            "agreement_date": self.long(day),
            "effective_date": self.long(day),
        } | {name: terms[name] for name in TERMS}
        return Paper(title.lower().replace(" ", "-"), "contracts", title, prose, (), labels)

    def amendment(self, terms: Mapping[str, str], day: date, number: int, expires: str) -> Paper:
        """An amendment of an agreement that gives another day of expiry."""
        title, signed = terms["title"], self.long(day)
        of = self.long(date.fromisoformat(terms["day"]))
        if self.style == 0:
            head = f"Amendment No. {number} to {title}"
            prose = [
                f'This Amendment No. {number} (the "Amendment") to the {title} dated as of {of} is entered into '
                f"as of {signed} by and between {terms['a']} and {terms['b']}.",
                "1. Term. Section 2 of the Agreement is replaced as follows: This Agreement shall continue in "
                f"effect until {expires}.",
                "2. All other terms of the Agreement remain in full force and effect.",
            ]
        else:
            head = f"Deed of Amendment number {number} to the {title}"
            prose = [
                f"THIS DEED OF AMENDMENT is made on {signed} between {terms['a']} and {terms['b']} and amends "
                f"the {title} dated {of} between them.",
                f"1. Clause 1 shall read: This Agreement shall expire on {expires}.",
                "2. In every other respect the agreement continues unchanged.",
            ]
        labels = {
            "document_name": head,
            "document_kind": "amendment",
            "amendment_of": title,
            "parties": f"{terms['a']}|{terms['b']}",
            "agreement_date": signed,
            "effective_date": signed,
            "expiration_date": expires,
        }
        return Paper("amendment", "contracts", head, prose, (), labels)

    def bill(self) -> dict[str, str]:
        """What an invoice says."""
        day, net = self.day(), self.rng.randrange(300, 9_000)
        return {
            "vendor": self.company(),
            "customer": self.company(),
            "invoice_number": f"{self.rng.choice(('INV', 'R', 'SI'))}-{self.rng.randrange(10_000, 99_999)}",
            "invoice_date": self.long(day),
            "due_date": self.long(day + timedelta(30)),
            "subtotal": self.money(net),
            "tax": self.money(net // 5),
            "total": self.money(net + net // 5),
            "kind": "invoice",
        }

    def invoice(self, bill: Mapping[str, str]) -> Paper:
        """An invoice, or a credit note."""
        heads = (
            ("Invoice number", "Invoice date", "Due date", "Bill to", "Subtotal", "Tax", "Amount due"),
            ("Invoice No", "Date of issue", "Payment due", "Customer", "Net amount", "VAT", "Total payable"),
        )[self.style]
        keys = ("invoice_number", "invoice_date", "due_date", "customer", "subtotal", "tax", "total")
        title = "Credit note" if bill["kind"] != "invoice" else "Invoice"
        seller = "Vendor" if self.style == 0 else "Seller"
        prose = [
            f"{seller}: {bill['vendor']}",
            *(f"{head}: {bill[key]}" for head, key in zip(heads, keys, strict=True)),
        ]
        labels = {key: bill[key] for key in (*keys, "vendor")} | {"document_kind": bill["kind"]}
        return Paper(title.lower().replace(" ", "-"), "invoices", title, prose, (), labels)

    def device(self) -> dict[str, str]:
        """What a datasheet says."""
        rng = self.rng
        return {
            "model": f"{rng.choice(('XR', 'HT', 'PQ', 'LM'))}-{rng.randrange(100, 999)}",
            "manufacturer": self.company(),
            "power": f"{rng.randrange(2, 90) * 100} W",
            "weight": f"{rng.randrange(11, 80)} kg",
            "voltage_max": f"{rng.choice((230, 400, 480, 690))} V",
            "noise": f"{rng.randrange(40, 79)} dB",
            "width": f"{rng.randrange(200, 900)} mm",
            "protection": f"IP{rng.choice((54, 55, 65, 67))}",
        }

    def sheet(self, device: Mapping[str, str], *, as_prose: bool = False) -> Paper:
        """A datasheet with a table, or with lines of text."""
        heads = (
            {
                "power": "Rated power",
                "weight": "Weight",
                "voltage_max": "Maximum voltage",
                "noise": "Noise level",
                "width": "Width",
                "protection": "Protection class",
            },
            {
                "power": "Power",
                "weight": "Net weight",
                "voltage_max": "Max voltage",
                "noise": "Sound level",
                "width": "Width",
                "protection": "Degree of protection",
            },
        )[self.style]
        lines = [["Model", device["model"]], *([head, device[key]] for key, head in heads.items())]
        title = f"Datasheet {device['model']}"
        about = [f"Manufacturer: {device['manufacturer']}", "Technical data at ambient temperature."]
        if as_prose:
            return Paper(
                "datasheet", "datasheets", title, [*about, *(f"{a}: {b}" for a, b in lines)], (), device
            )
        table = [["Property", "Value"] if self.style == 0 else ["Characteristic", "Rating"], *lines]
        return Paper("datasheet", "datasheets", title, about, (table,), device)

    def manual(self, device: Mapping[str, str], properties: Sequence[str]) -> Paper:
        """A manual with some technical data."""
        heads = {
            "power": "Rated power",
            "weight": "Weight",
            "voltage_max": "Maximum voltage",
            "noise": "Noise level",
            "width": "Width",
            "protection": "Protection class",
        }
        if self.style == 1:
            heads |= {"power": "Power", "weight": "Net weight", "protection": "Degree of protection"}
        title = f"Operating manual {device['model']}"
        prose = [
            f"Product: {device['model']}",
            "Read these instructions before installation. Switch off the power before maintenance.",
            "Warning: hot surfaces. Wear protective gloves. Inspect the seals every 6 months.",
            "Installation. Place the unit on level ground. Technical data are given in the table.",
        ]
        table = [
            ["Item", "Specification"],
            ["Model", device["model"]],
            *([heads[key], device[key]] for key in properties),
        ]
        return Paper("manual", "manuals", title, prose, (table,), {"product": device["model"]})

    def policy(self, name: str, day: date, amount: str, days: str) -> Paper:
        """A policy of the house."""
        prose = (
            [
                f"This {name} takes effect on {self.long(day)}.",
                f"The allowance for each employee is {amount} a year.",
                f"Claims are filed within {days} with the finance team.",
            ],
            [
                f"{name}. In force from {self.long(day)}.",
                f"Staff may be reimbursed up to {amount} per year.",
                f"Send your claim to accounts no later than {days} afterwards.",
            ],
        )[self.style]
        labels = {"matter": name, "document_date": self.long(day), "amount": amount, "period": days}
        return Paper("policy", "papers", name, prose, (), labels)

    def note(self, kind: str, matter: str, day: date, ends: str) -> Paper:
        """Minutes of a meeting, or a letter, on when something ends."""
        if kind == "minutes":
            prose = [
                f"Minutes of the meeting of the board on {self.long(day)}. Present: all members.",
                f"It was noted that {matter} ends on {ends}."
                if self.style == 0
                else f"The board took note that {matter} runs out on {ends}.",
            ]
        else:
            prose = [
                f"{self.long(day)}. Dear Sir or Madam,",
                f"we confirm that {matter} will end on {ends}. Yours faithfully"
                if self.style == 0
                else f"as agreed, {matter} comes to its end on {ends}. Kind regards",
            ]
        labels = {"matter": matter, "document_date": self.long(day), "deadline": ends}
        return Paper(kind, "papers", f"{kind.title()} {self.long(day)}", prose, (), labels)

    def register(self, title: str, rows: Sequence[Sequence[str]]) -> Paper:
        """A list of assets."""
        heads = (
            ["Asset tag", "Description", "Location", "Purchase price"],
            ["Serial no", "Item", "Site", "Book value"],
        )
        return Paper(title.lower().replace(" ", "-"), "generic", title, (), ([heads[self.style], *rows],), {})

    def assets(self, count: int) -> list[list[str]]:
        """Rows of a list of assets."""
        rng = self.rng
        return [
            [
                f"{rng.choice('ABCD')}{rng.randrange(10_000, 99_999)}",
                rng.choice(("Drill", "Lathe", "Saw", "Press")),
                rng.choice(("Hall 1", "Hall 2", "Yard")),
                self.money(rng.randrange(5, 400) * 100),
            ]
            for _ in range(count)
        ]


TERMS = (
    "expiration_date",
    "contract_value",
    "payment_period",
    "termination_notice",
    "governing_law",
    "liability_cap_amount",
)


def changed(maker: Maker, name: str, text: str) -> str:
    """Another value of the same kind."""
    if name == "governing_law":
        return next(law for law in LAWS[maker.style] if law != text)
    if name == "protection":
        return "IP20"
    if name == "customer":
        return maker.company()
    if name in ("expiration_date", "due_date"):
        return maker.long(maker.day(2029))
    number = int("".join(each for each in text if each.isdigit()))
    return text.replace(f"{number:,}", f"{number + max(5, number // 5):,}").replace(
        f"{number} ", f"{number + max(5, number // 5)} "
    )


def make(style: int) -> Plant:
    """The papers of a set: style 0 `look`, 1 `kept`."""
    it = Maker(style)
    _plant(it)
    _decoys(it)
    while len(it.papers) < PAPERS:
        number = len(it.papers)
        if number % 3 == 0 and len(it._names) > 2:
            it.add("docx", it.agreement(it.terms()))
        elif number % 3 == 1 and len(it._names) > 2:
            it.add("pdf", it.invoice(it.bill()))
        else:
            it._names.append(f"Filler {number} Works")
            it.add("pdf", it.sheet(it.device()))
    return Plant(it.papers, it.planted, it.decoys)


def _plant(it: Maker) -> None:
    for name in (*TERMS, "expiration_date", "contract_value"):  # 8: two papers of one agreement
        one = it.terms()
        other = one | {name: changed(it, name, one[name])}
        papers = it.add("docx", it.agreement(one)), it.add("pdf", it.agreement(other, other=True))
        it.planted.append(Pair("agreement", papers, (one[name], other[name])))
    for _ in range(4):  # one amendment twice
        terms, day = it.terms(), it.day(2024)
        it.add("docx", it.agreement(terms))
        said = it.long(it.day(2030)), it.long(it.day(2031))
        papers = (
            it.add("docx", it.amendment(terms, day, 1, said[0])),
            it.add("txt", it.amendment(terms, day, 1, said[1])),
        )
        it.planted.append(Pair("amendment", papers, said))
    for name in ("total", "total", "total", "due_date", "due_date", "subtotal", "tax", "customer"):  # 8
        bill = it.bill()
        other = bill | {name: changed(it, name, bill[name])}
        papers = (
            it.add("pdf", it.invoice(bill)),
            it.add("txt" if name == "tax" else "docx", it.invoice(other)),
        )
        it.planted.append(Pair("invoice", papers, (bill[name], other[name])))
    for name in ("power", "weight", "voltage_max", "noise", "width", "protection"):  # 6
        device = it.device()
        other = device | {name: changed(it, name, device[name])}
        papers = it.add("pdf", it.sheet(device)), it.add("docx", it.manual(other, ("power", "weight", name)))
        it.planted.append(Pair("datasheet and manual", papers, (device[name], other[name])))
    for name in ("weight", "power"):  # 2
        device = it.device()
        other = device | {name: changed(it, name, device[name])}
        papers = it.add("docx", it.sheet(device)), it.add("txt", it.sheet(other, as_prose=True))
        it.planted.append(Pair("datasheets", papers, (device[name], other[name])))
    for number in range(4):
        name, day = f"{('Travel', 'Training', 'Home Office', 'Relocation')[number]} Policy", it.day(2023)
        one, other = it.money(1_000 + 100 * number), it.money(1_750 + 100 * number)
        papers = (
            it.add("docx", it.policy(name, day, one, "30 days")),
            it.add("pdf", it.policy(name, day, other, "30 days")),
        )
        it.planted.append(Pair("policy", papers, (one, other)))
    for matter in ("the lease of Hall 3", "the loan of the crane", "the permit for the well"):  # 3
        day = it.day(2023)
        said = it.long(it.day(2027)), it.long(it.day(2028))
        papers = (
            it.add("docx", it.note("minutes", matter, day, said[0])),
            it.add("txt", it.note("letter", matter, day, said[1])),
        )
        it.planted.append(Pair("minutes and letter", papers, said))
    for _ in range(3):
        rows = it.assets(12)
        others = [list(row) for row in it.rng.sample(rows, 8)]
        one = next(row for row in rows if row[0] == others[3][0])
        others[3][3] = changed(it, "value", one[3])
        papers = (
            it.add("csv", it.register("Asset register", rows)),
            it.add("csv", it.register("Insured assets", others)),
        )
        it.planted.append(Pair("register", papers, (one[3], others[3][3])))
    for name in ("weight", "noise"):  # 2: within one paper
        device = it.device()
        other = device | {name: changed(it, name, device[name])}
        first, second = it.sheet(device), it.manual(other, (name,))
        paper = Paper(
            "datasheet", "datasheets", first.title, first.prose, (*first.tables, *second.tables), device
        )
        source = it.add("docx", paper)
        it.planted.append(Pair("within one", (source, source), (device[name], other[name])))


def _decoys(it: Maker) -> None:
    def pair(sort: str, *papers: str) -> None:
        it.decoys.append(Pair(sort, (papers[0], papers[-1])))

    for _ in range(6):
        terms = it.terms()
        later = it.amendment(terms, it.day(2024), 1, it.long(it.day(2030)))
        pair("amended", it.add("docx", it.agreement(terms)), it.add("pdf", later))
    for number in range(4):  # the next agreement of the same parties
        terms = it.terms()
        day = date.fromisoformat(terms["day"])
        following = terms | {
            "day": date(day.year + 5 + number, day.month, 1).isoformat(),
            "expiration_date": it.long(date(day.year + 8 + number, 6, 1)),
            "contract_value": it.money(12_000 + number),
        }
        pair("other period", it.add("docx", it.agreement(terms)), it.add("docx", it.agreement(following)))
    for name, one, other in (
        ("power", "1,500 W", "1.5 kW"),
        ("power", "2 kW", "2,000 W"),
        ("weight", "25 kg", "25,000 g"),
        ("width", "450 mm", "45 cm"),
        ("voltage_max", "400 V", "0.4 kV"),
        ("weight", "12 kg", "12.0 kg"),
    ):
        device = it.device() | {name: one}
        pair(
            "units",
            it.add("pdf", it.sheet(device)),
            it.add("docx", it.manual(device | {name: other}, (name,))),
        )
    for _ in range(2):  # an amount written otherwise
        bill = it.bill()
        number = int("".join(each for each in bill["total"] if each.isdigit()))
        pair(
            "written otherwise",
            it.add("pdf", it.invoice(bill)),
            it.add("docx", it.invoice(bill | {"total": it.money(number, other=True)})),
        )
    for number in range(6):
        if number % 2:
            terms = it.terms()
            pair("copy", it.add("docx", it.agreement(terms)), it.add("pdf", it.agreement(terms, other=True)))
        else:
            bill = it.bill()
            pair("copy", it.add("pdf", it.invoice(bill)), it.add("txt", it.invoice(bill)))
    for number in range(6):
        if number < 2:  # one number of two vendors
            bill, other = it.bill(), it.bill()
            other["invoice_number"] = bill["invoice_number"]
            pair("like names", it.add("pdf", it.invoice(bill)), it.add("pdf", it.invoice(other)))
        elif number < 4:
            device = it.device()
            other = it.device() | {"model": f"{device['model']}A", "manufacturer": device["manufacturer"]}
            pair(
                "like names",
                it.add("pdf", it.sheet(device)),
                it.add("docx", it.manual(other, ("power", "weight"))),
            )
        else:
            terms = it.terms()
            bare, form = terms["a"].rsplit(" ", 1)
            other = it.terms() | {
                "a": f"{bare} Holdings {form}",
                "title": terms["title"],
                "day": terms["day"],
            }
            pair("like names", it.add("docx", it.agreement(terms)), it.add("docx", it.agreement(other)))
    for number in range(4):
        name = f"{('Parking', 'Device', 'Catering', 'Gift')[number]} Policy"
        papers = [
            it.add("docx", it.policy(name, it.day(year), it.money(500 + year), "30 days"))
            for year in (2021, 2024)
        ]
        pair("two versions", *papers)
    for number in range(3):
        rows = it.assets(9)
        later = [[*row[:3], it.money(50 + number)] for row in rows]
        pair(
            "two years",
            it.add("csv", it.register(f"Asset list {2021 + number}", rows)),
            it.add("csv", it.register(f"Asset list {2024 + number}", later)),
        )
    for _ in range(3):
        bill = it.bill()
        credit = bill | {
            "kind": "credit_note",
            "total": it.money(75),
            "subtotal": it.money(60),
            "tax": it.money(15),
        }
        pair("credit note", it.add("pdf", it.invoice(bill)), it.add("docx", it.invoice(credit)))


def write(folder: Path, papers: Sequence[Paper]) -> None:
    """Write the papers as files of the kinds that their names end with."""
    for paper in papers:
        kind = paper.name.rsplit(".", 1)[1]
        (folder / paper.name).write_bytes(_WRITERS[kind](paper))


def _txt(paper: Paper) -> bytes:
    rows = [" | ".join(row) for table in paper.tables for row in table]
    return "\n\n".join((paper.title, "\n".join(paper.prose), "\n".join(rows))).encode()


def _csv(paper: Paper) -> bytes:
    out = io.StringIO()
    csv.writer(out).writerows(paper.tables[0])
    return out.getvalue().encode()


def _docx(paper: Paper) -> bytes:
    from docx import Document

    made, out = Document(), io.BytesIO()
    made.add_heading(paper.title, 0)
    for line in paper.prose:
        made.add_paragraph(line)
    for rows in paper.tables:
        table = made.add_table(0, len(rows[0]))
        for row in rows:
            for cell, text in zip(table.add_row().cells, row, strict=True):
                cell.text = text
        made.add_paragraph("")
    made.save(out)
    return out.getvalue()


def _pdf(paper: Paper) -> bytes:
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table

    styles, out = getSampleStyleSheet(), io.BytesIO()
    parts = [Paragraph(paper.title, styles["Title"])]
    for line in paper.prose:
        parts += [Paragraph(line, styles["BodyText"]), Spacer(1, 4)]
    for rows in paper.tables:
        grid = [("GRID", (0, 0), (-1, -1), 0.5, "black")]
        parts += [Table([list(row) for row in rows], colWidths=[170, 170], style=grid), Spacer(1, 12)]
    SimpleDocTemplate(out, title=paper.title, invariant=1).build(parts)
    return out.getvalue()


_WRITERS: Mapping[str, Callable[[Paper], bytes]] = {"txt": _txt, "csv": _csv, "docx": _docx, "pdf": _pdf}
