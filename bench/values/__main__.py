"""Values that two readers give, against the rules alone: nested by family over 345 contracts, and set aside.

python -m bench.values --data DIR
"""

from __future__ import annotations

import argparse

from bench.answers.collection import data_folder
from bench.values.report import measure

if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    data_folder(parser)
    measure(parser.parse_args().data)
