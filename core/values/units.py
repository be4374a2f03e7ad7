"""Units: how they are written, which one a quantity is kept in, and what one is in another.

`pint` converts, in Decimal arithmetic; it takes over a second to import and is loaded with the first unit
that is not in the tables here. They hold what pint would read otherwise: "Nm" as metres a kilogram, "rpm" as
an angle.
"""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from core.text.words import table

if TYPE_CHECKING:
    from pint import UnitRegistry

_TABLE = table(__file__, "units")
_CANONICAL: dict[str, str] = _TABLE["canonical"]
_WORDS: dict[str, str] = _TABLE["written"]
_SCALE = {"": "1", "m": "0.001", "c": "0.01", "k": "1e3", "M": "1e6", "G": "1e9", "T": "1e12"}
_POUND_FOOT, _OUNCE_INCH = "1.3558179483314004", "0.00706155181422604"
_FAMILIES: dict[str, dict[str, str]] = {
    "N\u00b7m": {
        **{f"{scale}Nm": factor for scale, factor in _SCALE.items()}, "Ncm": "0.01", "Nmm": "0.001",
        **dict.fromkeys(("ftlb", "ftlbs", "ftlbf", "lbft", "lbsft", "lbfft"), _POUND_FOOT),
        **dict.fromkeys(("inlb", "inlbs", "inlbf", "lbin", "lbsin", "lbfin"), "0.1129848290276167"),
        **dict.fromkeys(("ozin", "inoz", "ozfin"), _OUNCE_INCH),
        "kgcm": "0.0980665", "kgfcm": "0.0980665", "kgm": "9.80665", "kgfm": "9.80665",
    },
    "rpm": {
        **dict.fromkeys(("rpm", "RPM", "Rpm", "r/min", "rev/min", "U/min", "1/min", "min1"), "1"),
        "rps": "60",
    },
    "Wh": {**{f"{scale}Wh": factor for scale, factor in _SCALE.items()}, "kwh": "1e3", "KWh": "1e3",
           "KWH": "1e3"},
    "mAh": {"mAh": "1", "Ah": "1e3", "kAh": "1e6", "\u00b5Ah": "0.001", "AH": "1e3", "mAH": "1", "ah": "1e3",
            "mah": "1"},
    "VA": {f"{scale}VA": factor for scale, factor in _SCALE.items()} | {"KVA": "1e3"},
    "var": {f"{scale}{name}": factor for scale, factor in _SCALE.items() for name in ("var", "VAr", "VAR")},
    "lm": {"lm": "1", "klm": "1e3", "lumen": "1", "lumens": "1"},
    "lx": {"lx": "1", "lux": "1", "klx": "1e3"},
    "lm/W": {"lm/W": "1"},
    "bit/s": {
        **{f"{scale}{name}": factor for scale, factor in _SCALE.items() if scale not in ("m", "c")
           for name in ("bps", "bit/s", "b/s")},
        **{f"{scale}B/s": str(8 * int(float(factor))) for scale, factor in _SCALE.items()
           if scale not in ("m", "c")},
    },
    "ppm": {"ppm": "1", "ppb": "0.001"},
    "dBA": {"dBA": "1"}, "dBm": {"dBm": "1"}, "dBi": {"dBi": "1"}, "dBd": {"dBd": "1"}, "dBc": {"dBc": "1"},
    "dBV": {"dBV": "1"}, "dBu": {"dBu": "1"}, "dBW": {"dBW": "1"},
    "psig": {"psig": "1"}, "psia": {"psia": "1"}, "barg": {"barg": "1"}, "bara": {"bara": "1"},
    "px": {"px": "1", "pixel": "1", "pixels": "1"}, "MP": {"MP": "1", "Mpx": "1"}, "dpi": {"dpi": "1"},
    "fps": {"fps": "1", "FPS": "1"}, "AWG": {"AWG": "1"},
}  # fmt: skip
"""Units that only their own kind converts to, by the one that is kept: apparent power is no power, torque no
energy, light no candela. Spelled without the marks between factors."""

_OWN = {name: (kept, Decimal(factor)) for kept, names in _FAMILIES.items() for name, factor in names.items()}
_ALSO_BY_DIMENSION: Final = frozenset({"Wh", "mAh"})
_MANY_MEANINGS: Final = frozenset({"M", "G"})
"""Million or molar, gauss or the pull of the Earth."""


def unit_name(written: str) -> str:
    """Name of a unit in the tables and in pint."""
    if written in _OWN or written in _WORDS:
        return _WORDS.get(written, written)
    return _WORDS.get(written.lower(), written)


def canonical_unit(unit: str) -> str | None:
    """The unit that quantities of this kind are kept in ("kg" -> "g"); None for what is no unit."""
    name = unit_name(unit)
    if name in ("", "%"):
        return name
    converted = convert(Decimal(1), name, "")
    return converted[1] if converted else None


@lru_cache(maxsize=1)
def _registry() -> UnitRegistry[Any]:
    from pint import UnitRegistry

    return UnitRegistry(non_int_type=Decimal, autoconvert_offset_to_baseunit=True, cache_folder=None)


@lru_cache(maxsize=1_024)
def _unit(name: str) -> Any:
    """pint's unit for a name, or None. Only unit-shaped text reaches its parser, which could compute else."""
    from pint.errors import PintError

    spelled = name.replace("\u00b2", "**2").replace("\u00b3", "**3").replace("^", "**").replace("\u00b7", "*")
    spelled = (
        spelled.replace("\u03bc", "\u00b5").replace("\u03a9", "ohm").replace("\u2126", "ohm").rstrip(".")
    )
    spelled = re.sub(r"(?<=[a-z])(?<!\*)([23])(?=\Z|[*/])", r"**\1", spelled)
    if not re.fullmatch(
        r"[A-Za-z\u00b5\u00b0]{1,20}(?:\*\*[-]?[1-4])?(?:[*/][A-Za-z\u00b5\u00b0]{1,20}"
        r"(?:\*\*[-]?[1-4])?){0,3}",
        spelled,
    ):
        return None
    try:
        return _registry().parse_units(spelled)
    except (PintError, ValueError, TypeError, AttributeError, KeyError):
        return None


@lru_cache(maxsize=256)
def _canonical(name: str) -> Any:
    unit = _unit(name)
    if unit is None:
        return None
    registry = _registry()
    if unit.dimensionless:
        return unit
    for dimension, kept in _CANONICAL.items():
        if unit.is_compatible_with(kept) and registry.get_dimensionality(dimension) == unit.dimensionality:
            return registry.parse_units(kept)
    return registry.get_base_units(unit)[1]


def convert(number: Decimal, name: str, wanted: str) -> tuple[Decimal, str] | None:
    """A quantity in the unit `wanted`, "" for the one it is kept in, with that unit; None where it has none.

    name, wanted: as `unit_name` gives them.
    """
    own, target_own = _own(name), _own(wanted)
    if own is not None and (not wanted or (target_own is not None and own[0] == target_own[0])):
        return number * own[1] / (target_own[1] if target_own else 1), wanted or own[0]
    if any(each is not None and each[0] not in _ALSO_BY_DIMENSION for each in (own, target_own)):
        return None
    return None if name in _MANY_MEANINGS else _by_dimension(number, name, wanted)


def _own(name: str) -> tuple[str, Decimal] | None:
    return _OWN.get(re.sub(r"[\u00b7.*^-]", "", name))


def _by_dimension(number: Decimal, name: str, wanted: str) -> tuple[Decimal, str] | None:
    from pint.errors import PintError

    unit, target = _unit(name), _unit(wanted) if wanted else _canonical(name)
    if unit is None or target is None:
        return None
    try:
        result = _registry().Quantity(number, unit).to(target)
    except (PintError, ArithmeticError, ValueError, TypeError):
        return None
    return Decimal(result.magnitude), wanted or f"{target:~P}"
