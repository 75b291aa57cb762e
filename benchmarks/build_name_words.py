"""Write models/data/names.words.txt: the names that are ordinary words besides.

python benchmarks/build_name_words.py WORDS > models/data/names.words.txt

WORDS is ``/usr/share/dict/american-english-small`` of the Debian package ``wamerican-small``. What
the lexicon has is left out, as it is an ordinary word already, and so are the most frequent names:
in small letters they are rather the name than the word.
"""

import sys
from pathlib import Path

from deidstream.models.phi.names.name_lists import census
from deidstream.models.phi.not_phi import common_words

FREQUENT_PERCENT = 0.1
HEAD = """\
# Names of the census that are ordinary words besides, but for the most frequent names and the words
# of the lexicon. Made by benchmarks/build_name_words.py from names.census.txt and the English words
# of SCOWL (package wamerican-small of Debian 12). SCOWL is copyright 2000-2011 by Kevin Atkinson,
# who grants permission to use, copy, modify, distribute and sell these word lists, the associated
# scripts, the output created from the scripts, and its documentation for any purpose without fee,
# provided that the copyright notice appears in all copies and that both that copyright notice and
# this permission notice appear in supporting documentation. He makes no representations about the
# suitability of this array for any purpose; it is provided "as is".
"""


def main() -> None:
    lists = census()
    ranked = (lists.female, lists.male, lists.family)
    print(HEAD, end="")
    for word in sorted(set(Path(sys.argv[1]).read_text("utf-8").split())):
        share = max(shares.get(word, 0.0) for shares in ranked)
        if 0 < share < FREQUENT_PERCENT and word not in common_words():
            print(word)


if __name__ == "__main__":
    main()
