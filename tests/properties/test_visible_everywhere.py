"""What a document holds reaches nobody who may not see it, by any surface; nor does it that it is there.

Access is given to buckets and documents at random, again and again. Each case is one call of one principal:
the planted word of no hidden document may be in what it gives, nor in an error; and a twin of the home from
which the hidden documents were removed gives the same.
"""

from __future__ import annotations

import random
import shutil
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from core.config.models import Settings
from core.domain.principal import Principal
from core.errors import GroundworkError
from core.workbench import Workbench
from tests.support.planted import PlantedHome, change_access, open_home, plant, principals
from tests.support.surfaces import Surface, differences, everything_of, plain, surfaces

EPISODES, CALLS = 6, 112  # for each of three principals: 2,016 cases


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, PlantedHome]:
    folder = tmp_path_factory.mktemp("planted")
    with open_home(Settings.model_validate({"home": folder / "home", "users": USERS_OF_FILE})) as bench:
        home = plant(bench, folder / "files")
    return folder / "home", home


USERS_OF_FILE = {
    "ann": {"groups": ("legal",)},
    "bob": {"groups": ("finance",)},
    "cleo": {"groups": ("board",)},
}


def opened(home: Path) -> Workbench:
    return open_home(Settings.model_validate({"home": home, "users": USERS_OF_FILE}))


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


@pytest.mark.parametrize("episode", range(EPISODES))
def test_nothing_of_a_hidden_document_comes_out(
    episode: int, planted: tuple[Path, PlantedHome], tmp_path: Path
) -> None:
    place, home = planted
    chance = random.Random(20_240 + episode)
    with opened(place) as bench:
        change_access(bench, home, chance)
        for who in principals(chance):
            hidden = home.hidden_from(who)
            twin_place = tmp_path / who.user
            shutil.copytree(place, twin_place)
            with opened(twin_place) as twin:
                twin.local.documents.remove([home.documents[word] for word in hidden])
                for surface in islice(surfaces(chance, home), CALLS):
                    check(surface, bench, twin, who, home, hidden)


def check(
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
