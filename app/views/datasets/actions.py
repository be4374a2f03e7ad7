"""Actions of the page Datasets: open, register, remove, bring back, rename, run, save."""

from __future__ import annotations

from collections.abc import Sequence

from app import services, state
from app.components.controls import draw_button
from app.components.shell import guarded
from core.domain.ids import DocumentId
from core.domain.job import JobState
from core.domain.rows.dataset import Dataset, DatasetState


def draw_way_back() -> None:
    """The way to the list."""
    draw_button("All datasets", open_dataset, None, icon="arrow_back", type="tertiary", key="all-datasets")


def open_dataset(dataset: str | None) -> None:
    """Show a dataset; None for the list."""
    state.to_address(dataset=dataset, job=None, part=None, column=None, row=None)


@guarded
def register(paths: Sequence[str], batch: str, bucket: str, name: str, header: str) -> None:
    """Queue the registering of paths of the server, or of the files of an upload."""
    session, staging = services.session(), services.staging()
    header_of = header if header in ("first", "none") else "auto"
    if paths:
        job = session.datasets.submit_register(paths, bucket=bucket, name=name, header=header_of)  # type: ignore[arg-type]
    else:
        staging.sweep([job.id for job in session.jobs.list() if job.state is JobState.DONE])
        files = staging.files(batch)
        job = session.datasets.submit_register(
            [staging.folder(batch) / each.name for each in files],
            names=[each.name for each in files],
            bucket=bucket,
            name=name,
            header=header_of,  # type: ignore[arg-type]
        )
        staging.link(batch, job)
        state.dataset_batch.set(None)
    state.to_address(job=job)


def paths_there(found: Dataset) -> list[str]:
    """Paths of its files, each once, that can be read anew: of no upload, and of none that is gone."""
    there = (each for each in found.files or (found,) if each.state is not DatasetState.MISSING)
    return list(dict.fromkeys(each.path for each in there if each.path))


@guarded
def register_again(found: Dataset) -> None:
    """Read the files of a dataset anew, and none that lies beside them."""
    job = services.session().datasets.submit_register(paths_there(found), bucket=found.bucket)
    state.to_address(job=job, dataset=None)


def clear(batch: str) -> None:
    """Forget the files of an upload."""
    services.staging().discard(batch)
    state.dataset_batch.set(None)


@guarded
def remove(dataset: str, name: str) -> None:
    """Remove a dataset, after the page asked."""
    services.session().datasets.remove(dataset)
    open_dataset(None)
    state.flash(f"“{name}” is removed. It can be brought back below the list.")


@guarded
def restore(dataset: str, name: str) -> None:
    """Bring a removed dataset back."""
    services.session().datasets.restore(dataset)
    state.flash(f"“{name}” is there again.")


@guarded
def rename(dataset: DocumentId, key: str) -> None:
    """Give it the name that is written in a widget."""
    services.session().datasets.rename(dataset, str(state.widget(key) or ""))


@guarded
def save_audit(sql: str, key: str) -> None:
    """Keep a query as an audit under the name that is written in a widget."""
    name = str(state.widget(key) or "").strip()
    session = services.session()
    kept = session.audits.save(session.datasets.plan(sql, name or "Rows by SQL"), name)
    state.flash(f"Saved as the audit “{kept.name}”: see the page Plan.")


def write_sql(sql: str) -> None:
    """Put a statement into the editor of the page, and run it."""
    state.to_address(dataset=None, job=None, sql=sql, row=None, part=None, column=None)
    state.set_widget("sql-text", sql)
    if state.widget("view") is None:
        state.to_address(view="SQL")
    else:  # its parameter is the framework's while it is drawn
        state.set_widget("view", "SQL")
