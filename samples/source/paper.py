"""A sample document as (heading, text) sections; a text line that starts with '| ' is a table row."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Paper:
    """One document: its bucket, file stem, format, title and sections."""

    bucket: str
    name: str
    format: str
    title: str
    sections: tuple[tuple[str, str], ...]
