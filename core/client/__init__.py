"""Client of the REST interface, for Python programs: `from core.client import Client`."""

from core.client.client import Client
from core.client.events import StreamedEvent
from core.client.failures import ApiError
from core.client.models import (
    CitedPlace,
    DocumentPage,
    DocumentPages,
    DocumentRecord,
    HitRecord,
    JobInput,
    JobRecord,
    PlanRecord,
    QuestionRecord,
    SearchResponse,
    ServerHealth,
)

__all__ = [
    "ApiError",
    "CitedPlace",
    "Client",
    "DocumentPage",
    "DocumentPages",
    "DocumentRecord",
    "HitRecord",
    "JobInput",
    "JobRecord",
    "PlanRecord",
    "QuestionRecord",
    "SearchResponse",
    "ServerHealth",
    "StreamedEvent",
]
