"""A part of the map in the browser: nodes that can be walked by mouse and keyboard, and the lines between."""

from __future__ import annotations

from collections.abc import Callable

from app import state
from app.components import mounts
from app.presenting.map.view import ShownMap

KEY = "map-graph"


def draw_map(shown: ShownMap, selected: str, open: Callable[[str], None]) -> None:
    """Mount it. open: gets the id of a node or of a part that is opened."""
    mounts.map(
        key=KEY,
        data={
            "label": shown.label,
            "selected": selected,
            "nodes": [
                {
                    "id": each.id,
                    "name": each.name,
                    "kind": each.kind,
                    "sign": each.sign,
                    "word": each.word,
                    "weight": each.weight,
                    "x": round(each.x, 4),
                    "y": round(each.y, 4),
                }
                for each in shown.nodes
            ],
            "edges": [
                {"source": each.source, "target": each.target, "words": each.words, "faint": each.is_faint}
                for each in shown.edges
            ],
        },
        **state.on_sent(KEY, {"open": lambda sent: open(str(sent["id"]))}),
    )
