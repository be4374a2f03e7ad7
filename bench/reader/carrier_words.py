"""Words that carry a question and say nothing of what is asked, learnt from writers who left them unmarked.

python -m bench.reader.carrier_words > core/text/words/carriers.toml
"""

from __future__ import annotations

import argparse
import re
import textwrap
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

from bench.reader.marks import QUESTIONS, MarkedQuestion, all_questions

_WORD = re.compile(r"[A-Za-z]+(?:['’][A-Za-z]+)?")
_HEAD = """# Words that carry a question and say nothing of what is asked: {writers} writers or more left them
# out of all marks of what they asked of documents, and marked them less often.
# Made by `python -m bench.reader.carrier_words`.

"""


def carrier_words(questions: Iterable[MarkedQuestion], writers: int) -> list[str]:
    """The words that at least `writers` writers left outside all marks, more often than they marked them.

    Of questions over documents: beside columns nearly every noun is left unmarked by somebody ("boats").
    Writers who told all labels left unmarked what the head of a line says ("percentage"): none of theirs.
    """
    unmarked: dict[str, set[str]] = defaultdict(set)
    outside: Counter[str] = Counter()
    inside: Counter[str] = Counter()
    for question in (each for each in questions if each.schema and not each.is_labelled):
        reading = question.reading
        for match in _WORD.finditer(reading.question):
            word = match[0].casefold().replace("’", "'")
            if any(span.start < match.end() and span.end > match.start() for span in reading.spans):
                inside[word] += 1
            else:
                outside[word] += 1
                unmarked[word].add(question.writer)
    return sorted(w for w, by in unmarked.items() if len(by) >= writers and outside[w] > inside[w])


def main() -> None:
    """Print the list as TOML."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=Path, default=QUESTIONS)
    parser.add_argument("--writers", type=int, default=4)
    options = parser.parse_args()
    words = carrier_words(all_questions(options.questions), options.writers)
    print(_HEAD.format(writers=options.writers) + 'learnt = """')
    print(textwrap.fill(" ".join(words), 110))
    print('"""')


if __name__ == "__main__":
    main()
