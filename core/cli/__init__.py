"""The command line: `groundwork up | ingest | documents | search | ask | jobs | doctor | ...`."""

from core.cli.main import main

__all__ = ["main"]
