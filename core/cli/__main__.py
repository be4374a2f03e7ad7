"""`python -m core.cli` is `groundwork`."""

from core.cli.main import main

main()
