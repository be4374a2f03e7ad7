"""Every settings section, with its defaults and bounds; unknown keys are refused.

One file, `groundwork.toml` in the home folder; `GROUNDWORK_SECTION__KEY` in the environment wins over it.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator, model_validator


class SettingsSection(BaseModel):
    """Base of every section."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class RecordsSettings(SettingsSection):
    """The SQL store; an empty url means SQLite in the home folder. Else postgresql://USER:PASSWORD@HOST/NAME."""

    url: SecretStr = SecretStr("")
    busy_timeout_s: float = Field(default=30.0, gt=0)
    pool_size: int = Field(default=8, ge=2, le=100, description="connections of one process to Postgres")


class IndexSettings(SettingsSection):
    """The search engine. Everything but `engine` is about a Weaviate server.

    url: of its HTTP side; gRPC is looked for on the same host. collection: an alias that this home owns.
    deadline_s, write_deadline_s: how long a search and a step of writing may take before E003.
    vectorizer: a module of the server that makes vectors for other programs; ours bring their own.
    """

    engine: Literal["embedded", "weaviate"] = "embedded"
    url: str = ""
    grpc_port: int = Field(default=50051, ge=1, le=65535)
    api_key: SecretStr = SecretStr("")
    collection: str = Field(default="GroundworkPassages", pattern=r"^[A-Z][A-Za-z0-9_]{0,100}$")
    quantizer: Literal["rq8", "none", "rq1", "bq"] = "rq8"
    vectorizer: Literal["none", "text2vec-transformers"] = "none"
    replication: int = Field(default=1, ge=1, le=9)
    shards: int = Field(default=1, ge=1, le=64)
    deadline_s: float = Field(default=2.0, gt=0)
    write_deadline_s: float = Field(default=60.0, gt=0)

    @field_validator("url")
    @classmethod
    def _is_an_address(cls, url: str) -> str:
        if url and not (re.fullmatch(r"https?://[^/\s?#@]+/?", url) and _port_of(url)):
            raise ValueError(
                f"index.url (GROUNDWORK_INDEX__URL) is {url!r}; expected an address like "
                "http://localhost:8080, without a path"
            )
        return url

    @model_validator(mode="after")
    def _weaviate_has_an_address(self) -> IndexSettings:
        if self.engine == "weaviate" and not self.url:
            raise ValueError(
                "engine 'weaviate' needs index.url (GROUNDWORK_INDEX__URL), such as http://localhost:8080"
            )
        if self.url and _port_of(self.url) == self.grpc_port:
            raise ValueError(
                f"index.grpc_port (GROUNDWORK_INDEX__GRPC_PORT) is {self.grpc_port}, the HTTP port of "
                "index.url; gRPC has a port of its own, 50051 by default"
            )
        return self


def _port_of(url: str) -> int | None:
    """The port of an address, by default that of its scheme; None where it cannot be read."""
    try:
        found = urlsplit(url)
        return found.port or {"http": 80, "https": 443}[found.scheme] if found.hostname else None
    except (ValueError, KeyError):
        return None


class EncodeSettings(SettingsSection):
    """The encoder. model: `minilm` (the installed package), a folder, or a sentence-transformers name.

    torch: `auto` loads it for large batches; `off` never does for a model that goes without it (the built-in
    one): slower where the CPU knows bfloat16, and a worker stays under a gigabyte.
    """

    model: str = "minilm"
    batch_size: int = Field(default=16, ge=1, le=1024)
    threads: int = Field(default=0, ge=0, description="torch threads of the worker; 0: all cores")
    bf16: Literal["auto", "on", "off"] = "auto"
    torch: Literal["auto", "off"] = "auto"


class IngestSettings(SettingsSection):
    """Reading files. profile `standard`: 200-500 tokens; `long`: about 1,000 words, pooled windows."""

    profile: Literal["standard", "long"] = "standard"
    processes: int = Field(default=0, ge=0, description="parser processes; 0: one per core, at most 4")
    max_file_mb: int = Field(default=500, ge=1)
    max_pages: int = Field(default=20_000, ge=1)
    max_text_mb: int = Field(default=100, ge=1, description="text of one document")
    parse_timeout_s: float = Field(default=300.0, gt=0)
    parse_memory_mb: int = Field(default=4096, ge=256)
    ocr: Literal["auto", "off"] = Field(
        default="auto", description="read scans by themselves, where text recognition is installed"
    )
    zip_max_files: int = Field(default=20_000, ge=1)
    zip_max_ratio: int = Field(default=200, ge=2)
    zip_max_mb: int = Field(default=4_000, ge=1)


class RetrievalSettings(SettingsSection):
    """Ranking. pool: how many passages are ranked.

    min_hits: of documents that fields give; under it a look-up goes on in the text. max_hits: over it a list
    comes with ways to narrow it; nothing is left out of it.
    deadline_s: of a question, after which no further claim is checked and the answer says so (E005); it does
    not bound the search itself.
    """

    pool: int = Field(default=100, ge=10, le=1000)
    resolve_documents: bool = True
    min_hits: int = Field(default=1, ge=0, le=1000)
    max_hits: int = Field(default=100, ge=1, le=100_000)
    deadline_s: float = Field(default=8.0, gt=0)


class AnswerSettings(SettingsSection):
    """Answering. abstain_below: answerable-probability under which the answer abstains; None: as measured.

    use_plans: answer counts, lists and comparisons by plans over fields; without it, all from text.
    use_reader: let the trained reader read questions beside the rules.
    """

    use_plans: bool = True
    use_reader: bool = True
    abstain_below: float | None = Field(default=None, ge=0, le=1)
    max_claims: int = Field(default=5, ge=1, le=20)
    max_question_chars: int = Field(default=4_000, ge=100)


class UserSettings(SettingsSection):
    """A local user, for `--as`."""

    roles: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()


class CrawlSettings(SettingsSection):
    """Crawling. Both are for environment and file only, never for a page or the API.

    allowed_hosts: private hosts (`intranet.example`, `127.0.0.1:8000`, `10.1.0.0/16`) that a crawl may reach.
    credentials: `user:password` by host, sent to that host alone.
    """

    allowed_hosts: tuple[str, ...] = ()
    credentials: dict[str, SecretStr] = Field(default_factory=dict)
    max_body_mb: int = Field(default=50, ge=1, le=500, description="larger answers are left out")

    @property
    def max_body_bytes(self) -> int:
        """The same limit in bytes."""
        return self.max_body_mb * 1_000_000


class AppSettings(SettingsSection):
    """The web application."""

    host: str = "127.0.0.1"
    port: int = Field(default=8501, ge=1, le=65535)
    public_url: str = Field(default="", pattern=r"^(https?://[^\s/?#]+(/[^\s?#]*)?)?$")


class Settings(SettingsSection):
    """All settings; `home` comes from `--home` or GROUNDWORK_HOME, never from the file."""

    home: Path
    records: RecordsSettings = RecordsSettings()
    index: IndexSettings = IndexSettings()
    encode: EncodeSettings = EncodeSettings()
    ingest: IngestSettings = IngestSettings()
    retrieval: RetrievalSettings = RetrievalSettings()
    answer: AnswerSettings = AnswerSettings()
    crawl: CrawlSettings = CrawlSettings()
    app: AppSettings = AppSettings()
    users: dict[str, UserSettings] = Field(default_factory=dict)
