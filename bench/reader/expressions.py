"""Names, days, amounts, lengths of time and numbers as people write them, at random."""

from __future__ import annotations

import random

from bench.reader.contexts import pools

NUMERALS = (
    "two",
    "three",
    "four",
    "five",
    "six",
    "nine",
    "ten",
    "twelve",
    "thirty",
    "sixty",
    "ninety",
    "twenty",
)
UNITS = {
    "mm": ("mm", "cm", "m", "millimetres", "inches"),
    "kg": ("kg", "kilos", "kilograms", "lbs", "grams"),
    "W": ("W", "watts", "kW", "kilowatts", "Wp"),
    "kWh": ("kWh", "Ah", "kilowatt hours"),
    "V": ("V", "volts", "VDC"),
    "A": ("A", "amps", "amperes"),
    "percent": ("%", " percent", " per cent"),
    "degC": ("°C", " degrees", " degrees Celsius", "C"),
    "dB": ("dB", "decibels", "dB(A)"),
    "Pa": ("Pa", "pascals", "kPa"),
    "N*m": ("Nm", "newton metres", "N·m"),
}


class Expressions:
    """Writes expressions from one source of randomness."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.pools = pools()

    def one(self, *options: str) -> str:
        """One of some texts."""
        return self.rng.choice(options)

    def company(self) -> str:
        """A name of an organisation that nobody has."""
        rng, known = self.rng, self.pools
        head = rng.choice(known["name_heads"])
        draw = rng.random()
        if draw < 0.3:
            name = head + rng.choice(known["name_tails"])
        elif draw < 0.5:
            name = f"{head}{rng.choice(known['name_tails'])} {rng.choice(known['name_second'])}"
        elif draw < 0.62:
            name = f"{head} {rng.choice(known['name_second'])}"
        elif draw < 0.7:
            other = rng.choice(known["name_heads"]) + rng.choice(known["name_tails"])
            name = f"{head}{rng.choice(known['name_tails'])} & {other}"
        elif draw < 0.78:
            name = "".join(rng.choice("ABCDEFGHIKLMNPRSTVWX") for _ in range(rng.randint(2, 4)))
        elif draw < 0.84:
            name = f"{head}{rng.choice(known['name_tails'])}-{rng.choice(known['name_heads'])}"
        elif draw < 0.9:
            name = head
        else:
            name = (
                f"{self.one('Van der', 'De', 'Mc', 'St.', 'O', 'El')} {head}{rng.choice(known['name_tails'])}"
            )
        if rng.random() < 0.22:
            name += " " + rng.choice(known["name_suffix"])
        return name

    def year(self) -> int:
        """A year."""
        return self.rng.choice((self.rng.randint(1994, 2026), self.rng.randint(2009, 2024)))

    def day(self) -> str:
        """A day, a month, or a year."""
        rng = self.rng
        year, month, day = self.year(), rng.choice(self.pools["months"]), rng.randint(1, 28)
        short = month[:3]
        number = rng.randint(1, 12)
        forms = (
            f"{year}",
            f"{year}",
            f"{month} {year}",
            f"{month} {day}, {year}",
            f"{day} {month} {year}",
            f"{year}-{number:02d}-{day:02d}",
            f"{day}.{number}.{year}",
            f"{number}/{day}/{year}",
            f"{short} {year}",
            f"{short} {day} {year}",
            f"the end of {year}",
            f"{month}",
            f"Q{rng.randint(1, 4)} {year}",
            f"the {self.one('1st', '15th', '3rd', '30th')} of {month}",
            f"'{year % 100:02d}",
            "last year",
            "next month",
            "today",
        )
        return rng.choice(forms)

    def date(self) -> str:
        """A comparison with a day."""
        rng, year = self.rng, self.year()
        if rng.random() < 0.3:
            return rng.choice(
                (
                    f"in {year}",
                    f"in {year}",
                    f"in {rng.choice(self.pools['months'])}",
                    f"in {rng.choice(self.pools['months'])} {year}",
                    "last year",
                    "this year",
                    "next year",
                    "last month",
                    "this quarter",
                    "in the last 12 months",
                    "in the next 90 days",
                    "within six months",
                    f"during {year}",
                    f"in the {self.one('first', 'second')} half of {year}",
                    "in the nineties",
                    f"between {year} and {year + rng.randint(1, 6)}",
                    f"from {rng.choice(self.pools['months'])} to {rng.choice(self.pools['months'])} {year}",
                    f"in {year} or later",
                    f"{self.one('in', 'of')} Q{rng.randint(1, 4)}",
                    f"from {year} onwards",
                    f"on {self.day()}",
                    "next week",
                    "over the next two years",
                    "this summer",
                    f"in {year} or {year + 1}",
                )
            )
        comparing = rng.choice(
            (
                "before",
                "after",
                "since",
                "by",
                "until",
                "prior to",
                "no later than",
                "on or after",
                "earlier than",
                "later than",
                "up to",
                "as of",
                "not before",
                "past",
                "between",
                "around",
            )
        )
        if comparing == "between":
            return f"between {self.day()} and {self.day()}"
        return f"{comparing} {self.day()}"

    def amount(self) -> str:
        """An amount of money."""
        rng = self.rng
        value = rng.choice((rng.randint(1, 99), rng.randint(1, 99) * 100, rng.randint(1, 90) * 1000))
        sign = rng.choice(("$", "€", "£", "USD ", "EUR ", "RM", "$"))
        return rng.choice(
            (
                f"{sign}{value:,}",
                f"{sign}{value}",
                f"{value} {self.one('dollars', 'euros', 'USD', 'EUR', 'pounds', 'bucks', 'ringgit')}",
                f"{value}",
                f"{value:,}",
                f"{sign}{rng.randint(1, 90)}k",
                f"{rng.randint(1, 90)}k",
                f"{rng.choice(NUMERALS)} {self.one('thousand', 'million')} {self.one('dollars', '')}",
                f"{sign}{rng.randint(1, 9)} million",
                f"{sign}{rng.randint(1, 9)}m",
                f"{sign}{rng.randint(1, 999)}.{rng.randint(10, 99)}",
                "a million",
                "a thousand euros",
                f"half a {self.one('million', 'million dollars')}",
            )
        ).strip()

    def compared(self, value: str, other: str) -> str:
        """A comparison with a value."""
        word = self.rng.choice(
            (
                "over",
                "above",
                "under",
                "below",
                "more than",
                "less than",
                "at least",
                "at most",
                "of",
                "exactly",
                ">",
                "<",
                ">=",
                "up to",
                "no more than",
                "of at least",
                "of more than",
                "of less than",
                "exceeding",
                "between",
                "greater than",
                "higher than",
                "lower than",
                "around",
                "or more",
                "from",
                "of over",
                "beyond",
                "not more than",
            )
        )
        if word == "between":
            return f"between {value} and {other}"
        if word == "from":
            return f"from {value} to {other}"
        if word == "or more":
            return f"of {value} {self.one('or more', 'or less', 'and up', 'and above', 'upwards')}"
        return f"{word} {value}"

    def span(self) -> str:
        """A length of time."""
        rng = self.rng
        count = rng.choice(
            (
                str(rng.choice((1, 2, 3, 5, 6, 7, 10, 12, 14, 15, 20, 24, 25, 30, 36, 45, 60, 90, 120))),
                rng.choice(NUMERALS),
            )
        )
        unit = rng.choice(("days", "months", "years", "weeks", "days", "business days", "yrs", "hours"))
        if rng.random() < 0.15:
            return rng.choice(
                (
                    "a year",
                    "one month",
                    "half a year",
                    "a week",
                    "a fortnight",
                    "one year",
                    "a quarter",
                    "a day",
                    "a decade",
                )
            )
        return f"{count}-{unit.rstrip('s')}" if rng.random() < 0.06 else f"{count} {unit}"

    def number(self, unit: str) -> str:
        """A number with a unit."""
        rng = self.rng
        value = rng.choice(
            (
                str(rng.randint(1, 99)),
                str(rng.randint(1, 20) * 50),
                f"{rng.randint(1, 40)}.{rng.randint(1, 9)}",
                str(rng.randint(1, 9) * 1000),
            )
        )
        if unit == "degC" and rng.random() < 0.4:
            value = f"{self.one('-', 'minus ')}{value}"
        names = UNITS.get(unit, (unit,) if unit else ("",))
        name = rng.choice(names)
        if not name:
            return value if rng.random() < 0.8 else rng.choice(NUMERALS)
        return f"{value}{name}" if name[0] in "%° " or rng.random() < 0.3 else f"{value} {name}"
