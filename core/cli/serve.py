"""`groundwork up` and `groundwork worker`: the processes that serve a home."""

from __future__ import annotations

import contextlib
import importlib
import os
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import click
import filelock

from core.cli.options import Common, common_options
from core.cli.output import note
from core.config.load import load_settings
from core.config.models import Settings
from core.errors import HomeBusyError, UsageError

LOOPBACK = ("127.0.0.1", "localhost", "::1")
PARENT = "GROUNDWORK_PARENT_PID"
RESTART_AFTER_S = 2.0
STOP_WITHIN_S = 15.0
READY_WITHIN_S = 60.0
FIRST_PAGE_S = 3.0  # from a server that answers to a page that stands


@click.command()
@click.option("--port", type=click.IntRange(1, 65535), help="Port (default 8501).")
@click.option("--host", help="Address to listen on (default 127.0.0.1).")
@click.option("--sample", is_flag=True, help="Load the sample collection where the home is empty.")
@click.option("--worker/--no-worker", "with_worker", default=True, help="Run a worker beside the server.")
@common_options
def up(port: int | None, host: str | None, sample: bool, with_worker: bool, common: Common) -> int:
    """Serve the pages and the API, with one worker beside them."""
    settings = load_settings(common.home)
    chosen_host, chosen_port = host or settings.app.host, port or settings.app.port
    from core.encode.serve import listen

    listen(chosen_host, chosen_port).close()  # or say that the port is taken, before anything is begun
    if chosen_host not in LOOPBACK:
        from core.workbench import Workbench

        with Workbench.open(home=settings.home, settings=settings, verify_encoder=False) as bench:
            bench.sign_in.require_for(chosen_host)
    is_shared = bool(settings.records.url.get_secret_value())
    with _only_server(settings.home, f"http://{chosen_host}:{chosen_port}", is_shared):
        stopping, is_served = threading.Event(), threading.Event()
        address = (chosen_host, chosen_port)
        threading.Thread(target=_announce, args=(*address, is_served, stopping), daemon=True).start()
        keeper = threading.Thread(
            target=_run_beside, args=(settings, sample, with_worker, is_served, stopping)
        )
        keeper.start()
        # The server hands a signal on once it has closed its connections; by default that would end this
        # process at once, before the worker is stopped and the lock given back.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: stopping.set())
        try:
            # `app` sits above `core`: the one place where core starts it, by name.
            importlib.import_module("app.asgi").serve(home=settings.home, host=chosen_host, port=chosen_port)
        finally:
            stopping.set()
            keeper.join()
    return 0


@click.command()
@click.option("--check", is_flag=True, help="Only say whether one runs on this machine; exit code 1 if not.")
@common_options
def worker(check: bool, common: Common) -> int:
    """Run the jobs of this home until stopped; `up` starts one by itself."""
    from core.workbench.work.worker import is_worker_here, run_worker

    if check:
        is_here = is_worker_here(common.home)
        note("A worker runs here." if is_here else "No worker runs here. Start one with: groundwork worker")
        return 0 if is_here else 1
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    parent = os.environ.get(PARENT)
    if parent:
        threading.Thread(target=_stop_with_parent, args=(int(parent), stop), daemon=True).start()
    run_worker(home=common.home, stop=stop)
    return 0


@contextlib.contextmanager
def _only_server(home: Path, address: str, is_shared: bool) -> Iterator[None]:
    """Hold this home's server lock; a second `up` on the home is refused with the first one's address.

    is_shared: with records on a server any number of apps may serve the home, so there is no lock.
    """
    try:
        home.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"The home folder {str(home)!r} cannot be made: {error.strerror}.",
            next_step="Choose another with --home or GROUNDWORK_HOME.",
        ) from error
    if is_shared:
        yield
        return
    note_file = home / "up.address"
    lock = filelock.FileLock(home / "up.lock")
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout:
        other = note_file.read_text() if note_file.exists() else "an address of its own"
        raise HomeBusyError(
            f"{str(home)!r} is already served at {other}.",
            next_step="Open that address, stop that process, or give another --home.",
        ) from None
    try:
        note_file.write_text(address)
        yield
    finally:
        note_file.unlink(missing_ok=True)
        lock.release()


def _announce(host: str, port: int, is_served: threading.Event, stopping: threading.Event) -> None:
    """Print the address once the page answers, and not before."""
    reachable = "127.0.0.1" if host in ("0.0.0.0", "::") else host
    deadline = time.monotonic() + READY_WITHIN_S
    while not stopping.wait(0.1) and time.monotonic() < deadline:
        with contextlib.suppress(urllib.error.URLError, OSError):
            urllib.request.urlopen(f"http://{reachable}:{port}/_stcore/health", timeout=1).close()
            click.echo(f"Groundwork is ready at http://{reachable}:{port}  (Ctrl-C stops it)")
            is_served.set()
            return


def _run_beside(
    settings: Settings, sample: bool, with_worker: bool, is_served: threading.Event, stopping: threading.Event
) -> None:
    """Submit the sample collection where it is wanted and missing, then keep a worker if wanted.

    Both wait until the first page stands: their imports take as long as the server's own, on the same cores.
    """
    if is_served.wait(READY_WITHIN_S) and not sample:
        stopping.wait(FIRST_PAGE_S)
    if sample and not stopping.is_set():
        _submit_sample(settings)
    if with_worker:
        _keep_worker(settings.home, stopping)


def _submit_sample(settings: Settings) -> None:
    from core.workbench import Workbench

    with Workbench.open(home=settings.home, settings=settings) as bench:
        if bench.is_empty():
            bench.local.documents.submit_sample()


def _keep_worker(home: Path, stopping: threading.Event) -> None:
    """Run the worker as a child, start it again if it dies, and stop it at the end."""
    environment = {**os.environ, PARENT: str(os.getpid())}
    while not stopping.is_set():
        child = subprocess.Popen(
            [sys.executable, "-m", "core.cli", "worker", "--home", str(home)],
            env=environment,
            start_new_session=True,  # Ctrl-C reaches `up` alone, which then stops the worker in order
        )
        while child.poll() is None and not stopping.wait(0.2):
            pass
        if stopping.is_set():
            child.terminate()
            try:
                child.wait(STOP_WITHIN_S)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
            return
        note(f"The worker ended with code {child.returncode}; starting it again.")
        stopping.wait(RESTART_AFTER_S)


def _stop_with_parent(parent: int, stop: threading.Event) -> None:
    """Stop when the process that started this worker is gone, however it went."""
    while not stop.wait(1.0):
        if os.getppid() != parent:
            stop.set()


@click.command("encode-server")
@click.option("--port", type=click.IntRange(0, 65535), default=8090, show_default=True, help="0: a free one.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@common_options
def encode_server(port: int, host: str, common: Common) -> int:
    """Encode texts for Weaviate's module text2vec-transformers."""
    from core.encode.load import load_query_encoder
    from core.encode.serve import listen, serve

    settings = load_settings(common.home)
    with listen(host, port) as listening:
        if host not in LOOPBACK:
            note(f"Listening on {host}: whoever reaches this address can have texts encoded.")
        encoder = load_query_encoder(settings)
        address = f"http://{f'[{host}]' if ':' in host else host}:{listening.getsockname()[1]}"
        click.echo(f"Encoding with {encoder.signature.name} at {address}  (Ctrl-C stops it)")
        serve(encoder, listening)
    return 0
