"""What a workbench runs on, for the foot line, the settings page and the doctor."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WorkbenchStatus:
    """mode: `offline`, or the model that answers. passages: in the records; index_passages: indexed.

    search_note: why another engine than the configured one answers; empty where it does.
    """

    engine: str
    encoder: str
    mode: str
    data_version: int
    documents: int
    passages: int
    index_passages: int
    running_jobs: int
    worker_alive: bool
    home: str
    search_note: str = ""
