"""When a crawl runs again: hourly, daily, weekly, or five fields of cron, in UTC."""

from __future__ import annotations

from datetime import UTC, datetime

from core.errors import UsageError

_NAMED = {"hourly": "0 * * * *", "daily": "0 3 * * *", "weekly": "0 3 * * 1"}
_ALIASES = {"hour": "hourly", "day": "daily", "week": "weekly", "never": "", "none": ""}
_FIELDS = 5
NAMES = tuple(_NAMED)


def checked_schedule(given: str) -> str:
    """The schedule in its one form; "" for none. Raises UsageError where it is neither a name nor cron."""
    shown = " ".join(given.split()).lower()
    shown = _ALIASES.get(shown, shown)
    if shown and shown not in _NAMED:
        _fields(shown)
    return shown


def next_time(schedule: str, after: datetime) -> datetime | None:
    """The first moment of a checked schedule later than `after`; None for none."""
    return _fields(_NAMED.get(schedule, schedule), after) if schedule else None


def _fields(cron: str, after: datetime | None = None) -> datetime:
    from cronsim import CronSim, CronSimError

    try:
        if len(cron.split()) != _FIELDS:  # cronsim takes seconds too
            raise CronSimError(cron)
        found: datetime = next(CronSim(cron, after or datetime.now(UTC)))
    except (CronSimError, StopIteration):
        raise UsageError(
            f"The schedule {cron!r} cannot be understood.",
            next_step="Write hourly, daily, weekly, or five fields of cron such as '30 6 * * 1-5' (UTC).",
        ) from None
    return found
