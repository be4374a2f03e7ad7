"""Actions of the page Datasets: what is registered again of files that are one."""

from __future__ import annotations

from dataclasses import replace

from app.views.datasets.actions import paths_there
from core.datasets.families import families
from core.domain.rows.dataset import DatasetState
from tests.unit.datasets.test_families import REGION, dataset


def test_files_are_registered_again_by_themselves_and_never_their_folder() -> None:
    one, other = dataset("plan-1", REGION, folder="/data/a"), dataset("plan-2", REGION, folder="/home/u")
    gone = replace(dataset("plan-3", REGION, folder="/home/u"), state=DatasetState.MISSING)
    (found,) = families([one, other, gone])
    assert paths_there(found) == ["/data/a/plan-1.csv", "/home/u/plan-2.csv"]
    assert paths_there(replace(one, path="")) == []
