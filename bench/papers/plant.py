"""Contradictions planted among papers, and decoys that only look like one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from bench.papers.wording import LAWS, TERMS, Maker, Paper

PAPERS = 200


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


class Planter(Maker):
    """Makes papers, and keeps which of them contradict one another."""

    def __init__(self, style: int) -> None:
        super().__init__(style)
        self.planted: list[Pair] = []
        self.decoys: list[Pair] = []


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
    it = Planter(style)
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


def _plant(it: Planter) -> None:
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
        papers = (
            it.add("pdf", it.sheet(device)),
            it.add("docx", it.manual(other, tuple(dict.fromkeys(("power", "weight", name))))),
        )
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


def _decoys(it: Planter) -> None:
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
