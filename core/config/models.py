"""Every settings section, with its defaults and bounds; unknown keys are refused.

One file, `groundwork.toml` in the home folder; `GROUNDWORK_SECTION__KEY` in the environment wins over it,
where lists are `a,b` or JSON.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    field_validator,
    model_validator,
)

from core import plugins

LIST_DATE = date(2026, 7, 4)
"""Day on which the list was last compared with the page; a provider may have changed its prices since."""

GROQ_LIST: Mapping[str, tuple[float, float]] = {
    "openai/gpt-oss-120b": (0.15, 0.60),
    "openai/gpt-oss-20b": (0.075, 0.30),
    "openai/gpt-oss-safeguard-20b": (0.075, 0.30),
}
"""US dollars per million tokens of prompt and completion, by model, on Groq's pay-as-you-go plan.

Source: groq.com/pricing as price catalogues quote it (Helicone pull request 5709, models.dev 2907), not
read there by us. What `[llm.prices]` says goes over it; another server has no list.
"""


def listed(what: str) -> BeforeValidator:
    """Of a list: taken as a list, or as a text with commas between its parts. what: those, for the error."""

    def parts(value: Any) -> tuple[str, ...]:
        found = [part.strip() for part in value.split(",")] if isinstance(value, str) else value
        is_list = isinstance(found, list | tuple) and all(isinstance(each, str) for each in found)
        if is_list and not re.search("[\"']", "".join(found)):  # quotes: of a JSON list that does not end
            return tuple(filter(None, found))
        raise ValueError(f"it takes {what}, with commas between them, or a JSON list of them")

    return BeforeValidator(parts)


class SettingsSection(BaseModel):
    """Base of every section."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class RecordsSettings(SettingsSection):
    """The SQL store; an empty url means SQLite in the home folder. Else postgresql://USER:PASSWORD@HOST/NAME."""

    url: SecretStr = SecretStr("")
    busy_timeout_s: float = Field(default=30.0, gt=0)
    pool_size: int = Field(default=8, ge=2, le=100, description="connections of one process to Postgres")


class IndexSettings(SettingsSection):
    """The search engine: `embedded`, `weaviate`, or that of a plug-in. The rest is about a Weaviate server.

    url: of its HTTP side; gRPC is looked for on the same host. collection: an alias that this home owns.
    deadline_s, write_deadline_s: how long a search and a step of writing may take before E003.
    vectorizer: a module of the server that makes vectors for other programs; ours bring their own.
    """

    engine: str = Field(default="embedded", max_length=64)
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

    @field_validator("engine")
    @classmethod
    def _is_installed(cls, engine: str) -> str:
        """One that was left out counts: the embedded engine answers for it, and doctor says why."""
        registry = plugins.registry()
        names = [*registry.plugins(plugins.ENGINES)]
        left_out = [each.plugin.name for each in registry.left_out() if each.plugin.group == plugins.ENGINES]
        if engine not in (*names, *left_out):
            raise ValueError(f"no engine {engine!r} is installed; there are {', '.join(names)}")
        return engine

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
    hidden_cells: Literal["leave out", "read"] = Field(
        default="leave out", description="rows, columns and sheets that a workbook hides or filters away"
    )
    zip_max_files: int = Field(default=20_000, ge=1)
    zip_max_ratio: int = Field(default=200, ge=2)
    zip_max_mb: int = Field(default=4_000, ge=1)


class RetrievalSettings(SettingsSection):
    """Ranking. pool: how many passages are ranked. alpha: weight of meaning beside that of words.

    rerank: `off`, `model` (the language model orders the first passages), or `cross_encoder PATH`, where PATH
    is a folder, or the name of a reranker of a plug-in with what it is opened with. rerank_top: how many of
    the first passages are read again; rerank_s: how long that may take before their order stays as it was.
    wordings: search for what a language model would say instead, beside the question's own words.

    min_hits: of documents that fields give; under it a look-up goes on in the text. max_hits: over it a list
    comes with ways to narrow it; nothing is left out of it.
    deadline_s: of a question, after which no further claim is checked and the answer says so (E005); it does
    not bound the search itself.
    """

    pool: int = Field(default=100, ge=10, le=1000)
    alpha: float = Field(default=0.5, ge=0, le=1)
    rerank: str = Field(default="off", pattern=r"^(off|model|[a-z][a-z0-9_-]* \S.*)$", max_length=1000)
    rerank_top: int = Field(default=20, ge=2, le=100)
    rerank_s: float = Field(default=2.0, gt=0, le=60)
    wordings: bool = True
    resolve_documents: bool = True
    min_hits: int = Field(default=1, ge=0, le=1000)
    max_hits: int = Field(default=100, ge=1, le=100_000)
    deadline_s: float = Field(default=8.0, gt=0)


class AnswerSettings(SettingsSection):
    """Answering. abstain_below: answerable-probability under which the answer abstains; None: as measured.

    use_plans: answer counts, lists and comparisons by plans over fields; without it, all from text.
    use_reader: let the trained reader read questions; without it and a language model, all from text.
    """

    use_plans: bool = True
    use_reader: bool = True
    avoid_failures: bool = Field(
        default=True, description="try another way first where the usual one failed on alike questions"
    )
    avoid_from: int = Field(
        default=3, ge=2, le=20, description="alike questions that must have failed before that"
    )
    avoid_share: float = Field(
        default=0.8, ge=0.5, le=1, description="share of the alike questions that must have failed"
    )
    abstain_below: float | None = Field(default=None, ge=0, le=1)
    max_claims: int = Field(default=5, ge=1, le=20)
    max_question_chars: int = Field(default=4_000, ge=100)


class GuardSettings(SettingsSection):
    """Guards. personal_data_roles: who may see personal data in answers; (): everybody, admins always."""

    personal_data_roles: Annotated[tuple[str, ...], listed("names of roles")] = ()

    def hides_from(self, roles: Collection[str]) -> bool:
        """True where somebody with these roles may not see personal data."""
        allowed = {*self.personal_data_roles, "admin"}
        return bool(self.personal_data_roles) and not allowed & set(roles)


GROQ_HOST = "api.groq.com"


class ModelPrice(SettingsSection):
    """Price of a model in US dollars per million tokens."""

    prompt: float = Field(ge=0)
    completion: float = Field(ge=0)

    def cost_usd(self, prompt_tokens: int, completion_tokens: int) -> float:
        """US dollars of so many tokens."""
        return (prompt_tokens * self.prompt + completion_tokens * self.completion) / 1_000_000


class LlmSettings(SettingsSection):
    """The language model; there is none without `api_key` (or GROQ_API_KEY) or `base_url`.

    base_url: of any OpenAI-compatible server, with its path (`http://localhost:11434/v1`); "": Groq.
    planning_model reads questions and makes follow-ups whole, writing_model writes, checking_model checks,
    reading_model reads cells. agent: `orchestrator` plans first, `loop` lets one model call the tools.
    tokens_per_minute: of the server's plan, prompt and reserved reply together, as Groq counts them; 0: no
    limit, as a server of one's own has by default. tokens_per_question, tokens_per_day: over them no call is
    made, and the answer says so. reading_tokens: of a document and the fields asked of it, in one call;
    reading_at_once: documents. deadline_s: of all calls of a question. timeout_s: of one without a byte.
    prices: by model; over Groq's list prices.
    """

    base_url: str = ""
    api_key: SecretStr = SecretStr("")
    planning_model: str = Field(default="openai/gpt-oss-120b", pattern=r"\S")
    writing_model: str = Field(default="openai/gpt-oss-120b", pattern=r"\S")
    checking_model: str = Field(default="openai/gpt-oss-20b", pattern=r"\S")
    reading_model: str = Field(default="openai/gpt-oss-20b", pattern=r"\S")
    agent: Literal["orchestrator", "loop"] = "orchestrator"
    effort: Literal["low", "medium", "high"] = "low"
    verify: bool = Field(default=True, description="let the checking model check every sentence, too")
    tokens_per_minute: int = Field(default=8_000, ge=0)
    tokens_per_question: int = Field(default=24_000, ge=1_000)
    tokens_per_day: int = Field(default=200_000, ge=1_000)
    context_tokens: int = Field(default=3_500, ge=500, description="evidence that one prompt may hold")
    reading_tokens: int = Field(default=24_000, ge=1_000)
    reading_at_once: int = Field(default=4, ge=1, le=16)
    batch: bool = Field(default=False, description="cells are read within a day, at half the price")
    max_tool_calls: int = Field(default=5, ge=1, le=10)
    timeout_s: float = Field(default=20.0, gt=0)
    deadline_s: float = Field(default=45.0, gt=0)
    prices: dict[str, ModelPrice] = Field(default_factory=dict)

    @field_validator("base_url")
    @classmethod
    def _is_address(cls, url: str) -> str:
        try:
            parts = urlsplit(url)
            is_right = not url or (bool(parts.hostname) and parts.port != 0)
        except ValueError:  # a port that is none, brackets without an IPv6 address
            is_right = False
        if url and not re.match(r"https?://", url):
            raise ValueError("it does not begin with http:// or https://")
        if url and not re.fullmatch(r"https?://[^\s/?#@]+(/[^\s?#]*)?", url):
            raise ValueError(
                "a host and a path are all that it may hold: no user, no question mark, no space"
            )
        if not is_right:
            raise ValueError("it is no address with a host and a port of 1 to 65535")
        return url

    @model_validator(mode="after")
    def _own_server_has_no_minute(self) -> LlmSettings:
        """The limit of a minute is that of Groq's free plan; another server has none unless one is set."""
        if not self.is_groq and "tokens_per_minute" not in self.model_fields_set:
            self.__dict__["tokens_per_minute"] = 0  # not as if it had been set
        return self

    @property
    def is_groq(self) -> bool:
        """True where the server is Groq's own."""
        return not self.base_url or urlsplit(self.base_url).hostname == GROQ_HOST

    def price_of(self, model: str) -> ModelPrice | None:
        """The price that is set for a model, else Groq's list price where Groq serves it; None: not known."""
        listed = GROQ_LIST.get(model) if self.is_groq else None
        if model in self.prices or listed is None:
            return self.prices.get(model)
        return ModelPrice(prompt=listed[0], completion=listed[1])

    @property
    def is_configured(self) -> bool:
        """True where there is a server to call."""
        return bool(self.base_url or self.api_key.get_secret_value())


class UserSettings(SettingsSection):
    """A local user, for `--as`."""

    roles: Annotated[tuple[str, ...], listed("names of roles")] = ()
    groups: Annotated[tuple[str, ...], listed("names of groups")] = ()


class SignInSettings(SettingsSection):
    """Signing in at an identity provider (OpenID Connect), beside local accounts.

    issuer: its address, where /.well-known/openid-configuration stands. client_secret: environment only.
    joins: whether whoever it vouches for gets an account (without roles) at their first sign-in.
    """

    issuer: str = Field(default="", pattern=r"^(https?://[^\s?#@]+)?$")
    client_id: str = ""
    client_secret: SecretStr = SecretStr("")
    label: str = Field(default="single sign-on", min_length=1, max_length=60)
    scope: str = Field(default="openid profile email", pattern=r"\bopenid\b")
    joins: bool = False

    @property
    def has_provider(self) -> bool:
        """True where an identity provider is configured."""
        return bool(self.issuer and self.client_id)


class AuditSettings(SettingsSection):
    """The audit log. keep_days: entries older than that lose their content, not their place; 0: never."""

    keep_days: int = Field(default=0, ge=0)


class ReviewSettings(SettingsSection):
    """Flagged answers. sample_share: of all answers, 0 to 1, that reviewers see anyhow.

    kinds: of questions whose answers are always flagged (lookup, aggregate, compliance, comparison, summary).
    """

    sample_share: float = Field(default=0.01, ge=0, le=1)
    kinds: Annotated[
        tuple[Literal["lookup", "aggregate", "compliance", "comparison", "summary"], ...],
        listed("kinds of questions"),
    ] = ("compliance",)


class TelemetrySettings(SettingsSection):
    """What others watch this home with. traces_url: a collector of OpenTelemetry traces, "" for none.

    traces_share: of all requests and questions, from 0 to 1.
    """

    traces_url: str = Field(default="", pattern=r"^(https?://[^\s?#]+)?$")
    traces_share: float = Field(default=1.0, ge=0, le=1)


class CrawlSettings(SettingsSection):
    """Crawling. Both are for environment and file only, never for a page or the API.

    allowed_hosts: private hosts (`intranet.example`, `127.0.0.1:8000`, `10.1.0.0/16`) that a crawl may reach.
    credentials: `user:password` by host, sent to that host alone.
    """

    allowed_hosts: Annotated[tuple[str, ...], listed("host names")] = ()
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


class ApiSettings(SettingsSection):
    """The REST interface. requests_per_s: of one token, in each process; burst: how far it may run ahead."""

    requests_per_s: float = Field(default=50.0, gt=0, le=100_000)
    burst: int = Field(default=200, ge=1, le=100_000)


class Settings(SettingsSection):
    """All settings; `home` comes from `--home` or GROUNDWORK_HOME, never from the file."""

    home: Path
    records: RecordsSettings = RecordsSettings()
    index: IndexSettings = IndexSettings()
    encode: EncodeSettings = EncodeSettings()
    ingest: IngestSettings = IngestSettings()
    retrieval: RetrievalSettings = RetrievalSettings()
    answer: AnswerSettings = AnswerSettings()
    guard: GuardSettings = GuardSettings()
    crawl: CrawlSettings = CrawlSettings()
    llm: LlmSettings = LlmSettings()
    app: AppSettings = AppSettings()
    api: ApiSettings = ApiSettings()
    sign_in: SignInSettings = SignInSettings()
    audit: AuditSettings = AuditSettings()
    review: ReviewSettings = ReviewSettings()
    telemetry: TelemetrySettings = TelemetrySettings()
    users: dict[str, UserSettings] = Field(default_factory=dict)
