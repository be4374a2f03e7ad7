"""What a document holds reaches nobody who may not see it, by any surface; nor does it that it is there.

Access is given to buckets and documents at random, again and again. Each case is one call of one principal:
the planted word of no hidden document may be in what it gives, nor in an error; and a twin of the home from
which the hidden documents were removed gives the same.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.support.examples import IS_FULL
from tests.support.planted import PlantedHome, open_home
from tests.support.twins import hold_against_twins, planted, settings_of

EPISODES = 6 if IS_FULL else 1
CALLS = 112 if IS_FULL else 56  # for each of three principals: 2,016 cases in all


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, PlantedHome]:
    folder = tmp_path_factory.mktemp("planted")
    return folder, planted(folder)


@pytest.mark.parametrize("episode", range(EPISODES))
def test_nothing_of_a_hidden_document_comes_out(
    episode: int, original: tuple[Path, PlantedHome], tmp_path: Path
) -> None:
    folder, home = original
    shutil.copytree(folder / "home", tmp_path / "home")
    with open_home(settings_of(tmp_path / "home")) as bench:
        made = hold_against_twins(bench, folder / "home", home.anew(), 20_240 + episode, CALLS, tmp_path)
    assert made == 3 * CALLS
