"""500 papers with 60 connections planted among them, and all that each paper says."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from bench.connections import wording as w
from bench.papers.wording import Paper

PAPERS = 500
Write = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Entity:
    """A firm, number, product, place or agreement. forms: all ways in which papers may write it."""

    id: str
    forms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """Two papers that both say one thing."""

    one: str
    other: str
    entity: Entity


@dataclass(frozen=True, slots=True)
class Planting:
    """A connection, over one step or several."""

    sort: str
    steps: tuple[Step, ...]


@dataclass
class Planted:
    """All papers. says: by paper what it says; amends: pairs of an amendment and its agreement."""

    papers: list[Paper] = field(default_factory=list)
    plantings: list[Planting] = field(default_factory=list)
    says: dict[str, dict[str, Entity]] = field(default_factory=lambda: defaultdict(dict))
    amends: set[tuple[str, str]] = field(default_factory=set)


class Generator:
    """Writes papers of one seed."""

    def __init__(self, seed: int) -> None:
        self.rng, self.seed, self.made = random.Random(7_000 + seed), seed, Planted()
        self._names = [f"{a} {b}" for a in w.FIRST for b in w.SECOND]
        self._sites = [f"{a} {b}" for a in w.SITES for b in w.PLACES]
        self.rng.shuffle(self._names)
        self.rng.shuffle(self._sites)
        self._numbers: set[int] = set()

    # --- things

    def firm(self) -> Entity:
        """A new firm; a name is close to others where the list runs low, as names are."""
        name = self._names.pop()
        short, long, other = self.rng.choice(w.FORMS)
        forms = (f"{name} {short}", f"{name} {long}", f"{name}, {short}", f"{name} {other}".upper(), name)
        return Entity(f"firm {name}", forms)

    def number(self, shape: str) -> Entity:
        """A new number, such as "PO-{}": every now and then one digit off another."""
        at = self.rng.randrange(10_000, 99_990)
        while at in self._numbers:
            at += 1
        self._numbers.add(at)
        text = shape.format(at)
        return Entity(f"number {text}", (text,))

    def product(self) -> Entity:
        """A new product code."""
        return self.number(self.rng.choice(("HX-{}", "KT{}", "ZR-{}A", "P{}-B")))

    def place(self) -> Entity:
        """A new place."""
        name = self._sites.pop()
        return Entity(f"place {name}", (name,))

    def pick(self, wordings: Sequence[str]) -> str:
        """A wording; the last one is not for seed 1."""
        return self.rng.choice(wordings[:-1] if self.seed == 1 else wordings)

    def day(self) -> str:
        """A day."""
        return (date(2021, 1, 4) + timedelta(self.rng.randrange(1_200))).strftime("%B %-d, %Y")

    # --- papers

    def add(
        self,
        kind: str,
        name: str,
        title: str,
        prose: Sequence[str],
        said: Sequence[Entity],
        table: Sequence[Sequence[str]] = (),
    ) -> str:
        """Keep a paper; gives its name."""
        file = f"{name}-{len(self.made.papers) + 1:03d}.{kind}"
        self.made.papers.append(Paper(file, "", title, prose, (table,) if table else ()))
        self.made.says[file].update({each.id: each for each in said})
        return file

    def kind(self) -> str:
        """A kind of file."""
        return self.rng.choice(("docx", "pdf", "txt"))

    def form(self, firm: Entity, *, whole: bool = True) -> str:
        """A way to write a firm; whole: with its legal form."""
        return self.rng.choice(firm.forms[:4] if whole else firm.forms)

    def agreement(self, a: Entity, b: Entity, *more: tuple[str, Entity]) -> tuple[str, str, str]:
        """An agreement: paper, title and day. more: lines of its head with what they say."""
        title, day = self.rng.choice(w.TITLES), self.day()
        first = self.pick(w.AGREEMENT).format(
            title=title, upper=title.upper(), day=day, a=self.form(a), b=self.form(b)
        )
        clauses = [each.format(n=self.rng.randrange(10, 90)) for each in self.rng.sample(w.CLAUSES, 4)]
        lines = [f"{label}: {each.forms[0]}" for label, each in more]
        said = [a, b, *(each for _, each in more)]
        return self.add(self.kind(), "agreement", title, [*lines, first, *clauses], said), title, day

    def invoice(
        self,
        vendor: Entity,
        customer: Entity,
        number: Entity,
        *,
        order: Entity | None = None,
        product: Entity | None = None,
    ) -> str:
        """An invoice with a table."""
        good = self.rng.choice(w.GOODS)
        amount = f"{self.rng.randrange(100, 9_000):,}.00"
        what = f"{good} {product.forms[0]}" if product else good
        lines = [
            self.form(vendor),
            f"Invoice number: {number.forms[0]}",
            f"Invoice date: {self.day()}",
            f"Bill to: {self.form(customer)}",
        ]
        lines += (
            [f"{self.rng.choice(('Purchase order', 'Order number', 'Your order'))}: {order.forms[0]}"]
            if order
            else []
        )
        table = [
            ["Description", "Quantity", "Amount"],
            [what, "2", f"USD {amount}"],
            ["Freight", "1", "USD 40.00"],
        ]
        said = [vendor, customer, number, *([order] if order else []), *([product] if product else [])]
        return self.add(
            self.rng.choice(("pdf", "docx")),
            "invoice",
            "Invoice",
            [*lines, f"Total: USD {amount}"],
            said,
            table,
        )

    def datasheet(self, maker: Entity, product: Entity) -> str:
        """A datasheet."""
        table = [
            ["Property", "Value"],
            ["Rated power", f"{self.rng.randrange(2, 90)} kW"],
            ["Weight", f"{self.rng.randrange(5, 99)} kg"],
        ]
        lines = [
            f"Manufacturer: {self.form(maker)}",
            f"Model: {product.forms[0]}",
            "Datasheet. The unit is for indoor use and is cleaned with a dry cloth.",
        ]
        return self.add(
            "pdf",
            "datasheet",
            f"{self.rng.choice(w.GOODS)} {product.forms[0]} Datasheet",
            lines,
            [maker, product],
            table,
        )

    def order(self, buyer: Entity, seller: Entity, number: Entity) -> str:
        """A purchase order."""
        lines = [
            f"Purchase order: {number.forms[0]}",
            f"Buyer: {self.form(buyer)}",
            f"Supplier: {self.form(seller)}",
            f"Date: {self.day()}",
            "Please deliver within two weeks and confirm this order.",
        ]
        return self.add(self.kind(), "order", "Purchase Order", lines, [buyer, seller, number])

    def letter(self, what: str, *said: Entity, memo: bool = False) -> str:
        """A letter or a memo that speaks of something."""
        text = self.pick(w.MEMO if memo else w.LETTER).format(what=what)
        start = [] if memo else ["Dear Sir or Madam,"]
        end = [] if memo else ["Yours faithfully"]
        return self.add(
            self.kind(),
            "memo" if memo else "letter",
            "Memo" if memo else "Letter",
            [*start, text, *end],
            said,
        )

    def report(self, place: Entity, *said: Entity) -> str:
        """A report of an inspection at a place."""
        lines = [f"{self.pick(w.SITE_LABELS)}: {place.forms[0]}", f"Date: {self.day()}"]
        lines += [f"Inspected by: {self.form(each)}" for each in said]
        return self.add(
            self.kind(),
            "report",
            "Inspection Report",
            [*lines, self.pick(w.REPORT).format(n=self.rng.randrange(3, 30))],
            [place, *said],
        )

    # --- mentions in prose

    def of(self, wordings: Sequence[str], entity: Entity) -> str:
        """Words of a sentence that name an entity."""
        text = self.form(entity) if entity.id.startswith("firm") else entity.forms[0]
        return self.pick(wordings).format(n=text, good=self.rng.choice(w.GOODS))

    def plant(self, sort: str, *steps: Step) -> None:
        """Note a connection."""
        self.made.plantings.append(Planting(sort, steps))


def generate(seed: int) -> Planted:
    """The papers of a seed."""
    it = Generator(seed)
    _parties(it)
    _amendments(it)
    _numbers(it)
    _products(it)
    _places(it)
    _chains(it)
    _fill(it)
    it.rng.shuffle(it.made.papers)
    return it.made


def _parties(it: Generator) -> None:
    for number in range(14):
        firm = it.firm()
        one = it.agreement(firm, it.firm())[0]
        if number % 4 == 0:
            other = it.invoice(firm, it.firm(), it.number("INV-{}"))
        elif number % 4 == 1:
            other = it.letter(it.of(w.OF_FIRM, firm), firm, memo=number % 8 == 1)
        elif number % 4 == 2:
            other = it.order(it.firm(), firm, it.number("PO-{}"))
        else:
            other = it.agreement(it.firm(), firm)[0]
        it.plant("party", Step(one, other, firm))


def _amendments(it: Generator) -> None:
    for _ in range(8):
        a, b = it.firm(), it.firm()
        base, title, day = it.agreement(a, b)
        text = it.pick(w.AMENDMENT).format(title=title, day=day, a=it.form(a), b=it.form(b))
        entity = Entity(f"agreement {base}", (title,))
        paper = it.add(
            it.kind(),
            "amendment",
            f"Amendment No. 1 to {title}",
            [text, "All other terms stay as they are."],
            [a, b, entity],
        )
        it.made.says[base][entity.id] = entity
        it.made.amends.add((paper, base))
        it.plant("amendment", Step(paper, base, entity))


def _numbers(it: Generator) -> None:
    for number in range(10):
        if number % 2:
            own = it.number(it.rng.choice(("INV-{}", "R{}", "2023-{}")))
            paper = it.invoice(it.firm(), it.firm(), own)
            other = it.letter(it.of(w.OF_INVOICE, own), own, memo=number % 3 == 0)
        else:
            own = it.number(it.rng.choice(("PO-{}", "PO{}", "4500{}")))
            paper = it.order(it.firm(), it.firm(), own)
            other = (
                it.invoice(it.firm(), it.firm(), it.number("INV-{}"), order=own)
                if number % 4
                else it.letter(it.of(w.OF_ORDER, own), own)
            )
        it.plant("number", Step(other, paper, own))


def _products(it: Generator) -> None:
    for number in range(10):
        product = it.product()
        sheet = it.datasheet(it.firm(), product)
        if number % 3:
            other = it.invoice(it.firm(), it.firm(), it.number("INV-{}"), product=product)
        else:
            other = it.letter(it.of(w.OF_PRODUCT, product), product)
        it.plant("product", Step(sheet, other, product))


def _places(it: Generator) -> None:
    for number in range(6):
        place = it.place()
        one = it.report(place)
        other = (
            it.letter(it.of(w.OF_PLACE, place), place, memo=True)
            if number % 2
            else it.report(place, it.firm())
        )
        it.plant("place", Step(one, other, place))


def _chains(it: Generator) -> None:
    for number in range(12):
        a, b, c, order = it.firm(), it.firm(), it.firm(), it.number("PO-{}")
        first = it.agreement(a, b)[0]
        second = it.order(c, b, order)
        steps = [Step(first, second, b)]
        if number >= 6:  # a third paper
            if number % 2:
                third = it.invoice(it.firm(), it.firm(), it.number("INV-{}"), order=order)
            else:
                third = it.letter(it.of(w.OF_ORDER, order), order)
            steps.append(Step(second, third, order))
        it.plant("chain of three" if number >= 6 else "chain of two", *steps)


def _fill(it: Generator) -> None:
    """Papers that share nothing with others."""
    makers = (
        lambda: it.agreement(it.firm(), it.firm())[0],
        lambda: it.invoice(it.firm(), it.firm(), it.number("INV-{}"), order=it.number("PO-{}")),
        lambda: it.datasheet(it.firm(), it.product()),
        lambda: it.order(it.firm(), it.firm(), it.number("PO-{}")),
        lambda: _alone(it, w.OF_INVOICE, it.number("INV-{}")),
        lambda: _alone(it, w.OF_PRODUCT, it.product()),
        lambda: _alone(it, w.OF_FIRM, it.firm()),
        lambda: it.report(it.place()),
    )
    at = 0
    while len(it.made.papers) < PAPERS:
        at += 1
        if len(it._sites) == 0 and at % len(makers) == 7:
            continue
        makers[at % len(makers)]()


def _alone(it: Generator, wordings: Sequence[str], entity: Entity) -> str:
    return it.letter(it.of(wordings, entity), entity, memo=it.rng.random() < 0.5)
