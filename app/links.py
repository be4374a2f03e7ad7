"""The pages by name, for links from one to another: a page never imports another."""

from __future__ import annotations

from collections.abc import Mapping

from streamlit import Page

_pages: dict[str, Page] = {}


def register(pages: Mapping[str, Page]) -> None:
    """Name the pages that there are; the router does."""
    _pages.update(pages)


def page(name: str) -> Page:
    """The page of that name."""
    return _pages[name]
