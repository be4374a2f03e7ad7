"""Facts of the model of clause heads, for pages: the weights are not read, nor what would read them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

_CARD = "artefact/heads.json"


@cache
def model_card() -> Mapping[str, Any]:
    """The facts of the artefact: `levels` and `facts`; {} where they cannot be read.

    Read as JSON: the weights, which are most of the artefact, are not needed.
    """
    try:
        found = json.loads(resources.files("core.extract.clauses").joinpath(_CARD).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
