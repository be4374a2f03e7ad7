"""The base of what is stored or sent as JSON."""

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """Base of everything that is stored or sent as JSON."""

    model_config = ConfigDict(frozen=True, extra="forbid")
