"""What each process loads: a question must not pay for what only an ingest or a crawl needs."""

import subprocess
import sys
from pathlib import Path

ASK = """
import sys
from core.workbench import Workbench
with Workbench.open(home={home!r}) as bench:
    bench.ingest([{file!r}])
    answer = bench.ask("What is the monthly rent?")
print(answer.status.value, [name for name in {heavy!r} if name in sys.modules])
"""
FIELD_VENDORS = ("re2", "pint", "cleanco", "stdnum", "phonenumbers", "pdfplumber", "sklearn", "lightgbm")
HEAVY = (
    "torch",
    "sentence_transformers",
    "transformers",
    "streamlit",
    "pandas",
    "scrapy",
    "weaviate",
    "groq",
)
EXTRACTION = ("core.extract.extractor", "core.extract.clauses.classifier")


def test_a_small_ingest_and_a_question_load_neither_torch_nor_streamlit(tmp_path: Path) -> None:
    file = tmp_path / "lease.txt"
    file.write_text("The monthly rent of the warehouse is $15,000.")
    heavy = (*HEAVY, *FIELD_VENDORS, *EXTRACTION)
    script = ASK.format(home=str(tmp_path / "home"), file=str(file), heavy=heavy)

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert done.stdout.split("\n")[0] == "answered []"


def test_the_app_loads_neither_torch_nor_pandas_before_its_first_page() -> None:
    others = ("pyarrow", "openpyxl", "core.extract")
    heavy = (*(name for name in HEAVY if name != "streamlit"), *FIELD_VENDORS, *others)
    script = f"import sys, app.asgi; print([name for name in {heavy!r} if name in sys.modules])"

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"
