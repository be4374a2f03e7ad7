"""Papers as people write them, in two sets of wordings and names."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

TERMS = (
    "expiration_date",
    "contract_value",
    "payment_period",
    "termination_notice",
    "governing_law",
    "liability_cap_amount",
)


FIRST = tuple(
    words.split()
    for words in (
        "Alder Birch Cedar Dogwood Elmwood Firth Ginkgo Hazel Ivy Juniper Larch Maple Nutmeg Olive Poplar "
        "Quince Rowan Sorrel Tamarind Umber Verbena Willow Yarrow Zinnia",
        "Northgate Oakham Petrel Quarry Redfern Sandhurst Thornbury Ulverston Vauxhall Wexford "
        "Ashby Brampton "
        "Calder Denholm Evesham Fairlie Garstang Halstead Ilkley Jarrow Kelso Lanark Malvern Newlyn",
    )
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


class Maker:
    """Makes one set of papers; `style` chooses wordings and names."""

    def __init__(self, style: int) -> None:
        self.style, self.rng = style, random.Random(100 + style)
        self.papers: list[Paper] = []
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
                f'This {title} (the "Agreement") is entered into as of {signed} (the "Effective '
                f'Date") by and '
                f'between {say("a")}, a Delaware corporation ("Customer"), and {say("b")}, a Texas company '
                '("Provider").',
                "1. Scope. Provider shall perform what is set out in the order forms that the parties sign.",
                "2. Term. This Agreement commences on the Effective Date and shall continue in effect until "
                f"{say('expiration_date')}, unless it is terminated earlier as set out below.",
                f"3. Price. The total contract value under this Agreement is {say('contract_value')}.",
                f"4. Payment. Customer shall pay each undisputed invoice within "
                f"{say('payment_period')} after "
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
                f"1. Commencement and duration. This Agreement shall take effect on {signed} and "
                f"shall expire "
                f"on {say('expiration_date')}.",
                f"2. Charges. The total value of this Agreement is {say('contract_value')} exclusive of VAT.",
                f"3. Invoices. Invoices are payable within {say('payment_period')} of the date of "
                f"the invoice.",
                "4. Ending the agreement. Either party may terminate this Agreement at any time "
                "by giving the "
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
                f'This Amendment No. {number} (the "Amendment") to the {title} dated as of {of} '
                f"is entered into "
                f"as of {signed} by and between {terms['a']} and {terms['b']}.",
                "1. Term. Section 2 of the Agreement is replaced as follows: This Agreement shall "
                "continue in "
                f"effect until {expires}.",
                "2. All other terms of the Agreement remain in full force and effect.",
            ]
        else:
            head = f"Deed of Amendment number {number} to the {title}"
            prose = [
                f"THIS DEED OF AMENDMENT is made on {signed} between {terms['a']} and "
                f"{terms['b']} and amends "
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
        return Paper("policy", "house", name, prose, (), labels)

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
        return Paper(kind, "house", f"{kind.title()} {self.long(day)}", prose, (), labels)

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
