"""The page Crawl as a test sees it: opened at an address, read as text, its tables by name."""

from __future__ import annotations

import json
from typing import Any

from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from core.store.store import Records


class CrawlPage:
    """One session of the page over the records of a home."""

    def __init__(self, app: AppTest, records: Records) -> None:
        self.app = app
        self.records = records

    def open(self, name: str = "crawl", **parameters: str) -> None:
        """Draw the page at an address."""
        self.app.run()
        self.app._page_hash = calc_hash(name)  # the public switch_page knows page files only
        for key, value in parameters.items():
            self.app.query_params[key] = value
        self.app.run()
        assert not self.app.exception

    @property
    def text(self) -> str:
        """All that is written on it."""
        app = self.app
        parts = (*app.title, *app.subheader, *app.markdown, *app.caption, *app.info, *app.warning, *app.error)
        return "\n".join(str(each.value) for each in parts)

    @property
    def buttons(self) -> set[str]:
        """The labels of its buttons."""
        return {button.label for button in self.app.button}

    def click(self, label: str) -> None:
        """Press a button by its label."""
        button = next(each for each in self.app.button if each.label == label)
        button.click().run()
        assert not self.app.exception

    def mounted(self, label: str) -> dict[str, Any]:
        """The data of a browser component by what it is called for a screen reader."""
        found = [json.loads(each.proto.json)[0] for each in self.app.get("bidi_component") if each.proto.json]
        [data] = [each for each in found if label in (each.get("label"), str(each.get("name")).split(":")[0])]
        return dict(data)

    def cells(self, label: str) -> list[dict[str, str]]:
        """The rows of a table."""
        return [dict(row["cells"]) for row in self.mounted(label)["rows"]]
