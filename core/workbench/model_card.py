"""Model card of the shipped clause heads: data, date, thresholds and what they were measured at."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from importlib import resources
from typing import Any

_CARD = "artefact/heads.json"


@functools.cache
def model_card() -> Mapping[str, Any]:
    """The facts of the artefact: `levels` and `facts`; {} where they cannot be read.

    Read as JSON: the weights, which are most of the artefact, are not needed.
    """
    try:
        found = json.loads(resources.files("core.extract.clauses").joinpath(_CARD).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
