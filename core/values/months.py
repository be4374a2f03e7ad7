"""Names of months in the languages that documents come in."""

from __future__ import annotations

_NAMES = (
    "january jan januar janvier enero gennaio janeiro januari jaenner j\u00e4nner",
    "february feb februar f\u00e9vrier fevrier febrero febbraio fevereiro februari",
    "march mar m\u00e4rz maerz mars marzo mar\u00e7o maart mac",
    "april apr avril abril aprile",
    "may mai mayo maggio maio mei",
    "june jun juni juin junio giugno junho",
    "july jul juli juillet julio luglio julho julai",
    "august aug ao\u00fbt aout agosto augustus ogos",
    "september sep sept septembre septiembre settembre setembro",
    "october oct oktober okt octobre octubre ottobre outubro",
    "november nov novembre noviembre novembro",
    "december dec dezember dez d\u00e9cembre decembre diciembre dicembre dezembro disember",
)
_NUMBERS = {name: number for number, names in enumerate(_NAMES, start=1) for name in names.split()}

ENGLISH = ("January", "February", "March", "April", "May", "June", "July", "August", "September",
           "October", "November", "December")  # fmt: skip
_ENDINGS = {"Mar": "(?:ch)?", "May": "", "Jun": "e?", "Jul": "y?", "Sep": "t?(?:ember)?"}
ENGLISH_MONTH = "|".join(name[:3] + _ENDINGS.get(name[:3], f"(?:{name[3:]})?") for name in ENGLISH)
"""A pattern for an English month's name, written out or short, without a group around it."""

MONTH = "(?:" + "|".join(sorted(_NUMBERS, key=len, reverse=True)) + ")"
"""A pattern for a month's name in lower case."""

DAY_FIRST_LANGUAGES = {
    "de": "German", "fr": "French", "es": "Spanish", "it": "Italian", "pt": "Portuguese", "nl": "Dutch",
    "ms": "Malay", "id": "Indonesian", "da": "Danish", "nb": "Norwegian", "no": "Norwegian", "fi": "Finnish",
    "pl": "Polish", "cs": "Czech", "ru": "Russian", "tr": "Turkish",
}  # fmt: skip
"""Languages that write the day before the month. English is not among them: both orders are English."""


def month_number(name: str) -> int:
    """1 to 12 for a month's name, written out or short, in any of the languages; 0 for anything else."""
    return _NUMBERS.get(name.strip(" .").lower(), 0)
