"""`python -m core.cli` is `groundwork`."""

from core.cli import main

main()
