"""A home whose documents are partly hidden, held against copies from which the hidden ones were removed."""

from __future__ import annotations

import random
import shutil
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from core.config.models import Settings
from core.domain.principal import Principal
from core.errors import GroundworkError
from core.workbench import Workbench
from tests.support.planted import GROUPS, PlantedHome, change_access, open_home, plant, principals
from tests.support.surfaces import Surface, ask_before, differences, everything_of, plain, surfaces

USERS = {
    "ann": {"groups": ("legal",)},
    "bob": {"groups": ("finance",)},
    "cleo": {"groups": ("board",)},
}


def settings_of(home: Path, more: Mapping[str, Any] | None = None) -> Settings:
    """Settings of a home in which access can be given to some users. more: sections of its own."""
    return Settings.model_validate({"home": home, "users": USERS, **(more or {})})


def planted(folder: Path, name: str = "home", more: Mapping[str, Any] | None = None) -> PlantedHome:
    """A home below a folder with the documents of its `files`, which are the same whatever the home is on."""
    with open_home(settings_of(folder / name, more)) as bench:
        return plant(bench, folder / "files")


def hold_against_twins(
    bench: Workbench, original: Path, home: PlantedHome, seed: int, calls: int, scratch: Path
) -> int:
    """Give access at random, then make calls as several principals; gives how many were made.

    original: a home of the same documents on SQLite, of which the twins are copies.
    """
    source = scratch / "source"
    shutil.copytree(original, source)
    with open_home(settings_of(source)) as opened:
        _begin(opened, home, random.Random(seed))
    chance = random.Random(seed)
    _begin(bench, home, chance)
    count = 0
    for who in principals(chance):
        hidden = home.hidden_from(who)
        place = scratch / who.user
        shutil.copytree(source, place)
        with open_home(settings_of(place)) as twin:
            twin.local.documents.remove([home.documents[word] for word in hidden])
            for surface in islice(surfaces(chance, home), calls):
                _hold(surface, bench, twin, who, home, hidden)
                count += 1
        shutil.rmtree(place)
    return count


def _begin(bench: Workbench, home: PlantedHome, chance: random.Random) -> None:
    """Ask some questions and give access: the same in a home and in what its twins are copies of."""
    for user in (*USERS, "dora"):  # in every group: what they are told now, they may see
        ask_before(bench.for_principal(Principal(user, frozenset({"analyst"}), frozenset(GROUPS))), chance)
    change_access(bench, home, chance)


def _hold(
    surface: Surface,
    bench: Workbench,
    twin: Workbench,
    who: Principal,
    home: PlantedHome,
    hidden: frozenset[str],
) -> None:
    given, said = outcome(surface, bench, who)
    rest = unsaid(said, surface)
    for word in hidden:
        assert word not in rest, (surface.name, who, word)
        assert str(home.documents[word]).casefold() not in rest, (surface.name, who, word)
    if surface.is_exact:
        found = differences(given, outcome(surface, twin, who)[0])
        assert not found, (surface.name, who, found[:5])


def outcome(surface: Surface, bench: Workbench, who: Principal) -> tuple[Any, str]:
    """What a call gives, and all that it says."""
    try:
        value = surface.call(bench.for_principal(who))
    except GroundworkError as error:
        said = f"{error.message} {error.next_step}"
        return f"{type(error).__name__}: {said}", said.casefold()
    return plain(value), everything_of(value)


def unsaid(text: str, surface: Surface) -> str:
    """What is said without the words of who asks."""
    for piece in (surface.said, surface.said.rstrip("?")):
        text = text.replace(piece.casefold(), "") if piece else text
    for word in surface.said.casefold().split():
        text = text.replace(word.strip("?'.,"), "") if len(word) > 6 else text
    return text
