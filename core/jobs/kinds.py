"""Kinds of jobs that are asked for where what does them is not imported."""

INGEST = "ingest"
REINGEST = "reingest"
EXTRACT = "extract"
RETRAIN = "retrain"
OCR = "ocr"
INSTALL = "install"
LEARN = "learn"
CRAWL = "crawl"
READ_CELLS = "read_cells"
ASK_AGAIN = "ask_again"
EVALUATE = "evaluate"
DATASETS = "datasets"
VARIANT = "variant"
COMPARE = "compare"

SHORT = frozenset({EXTRACT, RETRAIN, OCR, INSTALL, LEARN, READ_CELLS, ASK_AGAIN, EVALUATE, COMPARE})
"""Kinds that somebody waits for: each takes its turn after one slice of any other job, and its own place."""
