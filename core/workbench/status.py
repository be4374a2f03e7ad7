"""Status of a workbench and of its plug-ins, for the foot line, the settings page and the doctor."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from core import plugins
from core.config.schema_check import check_field
from core.config.schema_store import shipped_schemas
from core.domain.job import JobState
from core.errors import PluginError, PolicyFileError, SettingsError
from core.plugins import LeftOut, Plugin
from core.store.store import Records


@dataclass(frozen=True, slots=True)
class WorkbenchStatus:
    """mode: `offline`, or the model that answers. passages: in the records; index_passages: indexed.

    search_note: why another engine than the configured one answers; empty where it does. left_out: plug-ins
    that this process met and does not use, a sentence each.
    """

    engine: str
    encoder: str
    mode: str
    data_version: int
    documents: int
    passages: int
    index_passages: int
    running_jobs: int
    queued_jobs: int
    worker_alive: bool
    home: str
    search_note: str = ""
    left_out: tuple[str, ...] = ()

    @property
    def open_jobs(self) -> int:
        """Jobs that have not ended."""
        return self.running_jobs + self.queued_jobs


def count_jobs(records: Records) -> tuple[int, int]:
    """Number of jobs that run, and of those that wait."""
    found = [job.state for job in records.jobs.list(states=(JobState.RUNNING, JobState.QUEUED))]
    return found.count(JobState.RUNNING), found.count(JobState.QUEUED)


def examine_plugins() -> tuple[list[Plugin], list[LeftOut]]:
    """Plug-ins beside our own that can be used, and those that are left out; imports the code of each.

    It finds what only shows once it is used, but for what needs a file, a question or a page.
    """
    from core.guard.policies.in_force import installed_policies
    from core.index.rebuildable import EngineSpec
    from core.ingest.page_images import PageImages
    from core.ingest.parse.formats import FileFormat
    from core.plan.readers.trained.reading import ReaderSpec
    from core.rerank.base import RerankerSpec

    registry = plugins.registry()
    types: tuple[tuple[str, type], ...] = (
        (plugins.ENGINES, EngineSpec),
        (plugins.PARSERS, FileFormat),
        (plugins.READERS, ReaderSpec),
        (plugins.RERANKERS, RerankerSpec),
        (plugins.PAGE_IMAGES, PageImages),
    )
    for group, of in types:
        for plugin in registry.plugins(group).values():
            if not plugin.is_shipped:  # ours are tested, and Weaviate's takes two seconds to import
                with suppress(PluginError):  # the same
                    registry.load(group, plugin.name, of)
    _examine_schemas(registry)
    with suppress(PolicyFileError):  # it is among those that are left out
        installed_policies()
    others = [each for group in plugins.GROUPS for each in registry.plugins(group).values()]
    return [each for each in others if not each.is_shipped], registry.left_out()


def left_out_here() -> tuple[str, ...]:
    """Plug-ins that this process met and left out, a sentence each."""
    return tuple(f"{each.plugin.label}: {each.reason}." for each in plugins.registry().left_out())


def _examine_schemas(registry: plugins.Registry) -> None:
    schemas = shipped_schemas()
    others = [each for each in registry.plugins(plugins.SCHEMAS).values() if not each.is_shipped]
    if not others:
        return
    from core.workbench.definitions import known_names

    names = known_names()
    for plugin in others:
        try:
            for definition in schemas[plugin.name].fields:
                check_field(definition, repr(plugin.name), names.heads, names.rules)
        except SettingsError as error:
            registry.leave_out(plugin, error.message.rstrip("."))
