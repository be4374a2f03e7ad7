"""Reading of a question by a model as it is shown: what it said, and what was used of that."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class ModelStatement(BaseModel):
    """One thing that a model said of a question. why: it was not used, or what it was used for."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    part: str
    said: str
    is_used: bool
    why: str = ""
