"""The command ``vectors train``, which learns vectors of words and documents."""

import argparse
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from deidstream.agents.cli.arguments import whole_number
from deidstream.agents.cli.verbs import Verbs
from deidstream.agents.runtime.terminal import say

if TYPE_CHECKING:
    from deidstream.study.vectors.fit_vectors import VectorPlan

DOC2VEC: Final = "doc2vec"
_PRESETS: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType(
    {
        # "Words vs Sentences", sections 4.3 and 4.4.
        "alves": {
            "dimension": 256,
            "window": 15,
            "min_count": 1,
            "negative": 5,
            "epochs": 100,
            "skip_gram": False,
        },
        # Abdalla et al., "Intrinsic evaluation"; the epochs are gensim's.
        "abdalla": {
            "dimension": 100,
            "window": 5,
            "min_count": 5,
            "negative": 5,
            "epochs": 5,
            "skip_gram": False,
        },
    }
)
"""Values of flags that go together; a flag that is given overrides its value."""


def add_vectors(verbs: Verbs) -> None:
    """Add ``deidstream vectors train``."""
    inner = verbs.add_group("vectors", help="learn vectors of words")
    verb = inner.add_parser(
        "train",
        help="from notes that are already de-identified",
        description="Learns vectors for word KNEO, or an embedder (doc2vec). Labels in brackets, "
        "labelled spans, names and words of too few patients stay out of the vocabulary.",
    )
    verb.add_argument(
        "notes",
        metavar="NOTES",
        type=Path,
        nargs="+",
        help="notes.anonymized records, labelled notes, or a folder of notes with [[LABEL|text]]",
    )
    verb.add_argument("--out", metavar="FOLDER", type=Path, required=True)
    verb.add_argument("--kind", choices=("word2vec", "fasttext", DOC2VEC), default="word2vec")
    verb.add_argument("--preset", choices=_PRESETS, default="alves")
    numbers = {
        "--dimension": "length of a vector",
        "--window": "words to either side that count",
        "--min-count": "occurrences below which a word is left out",
        "--negative": "negative examples of each pair",
        "--epochs": "passes over the notes",
    }
    for flag, meaning in numbers.items():
        verb.add_argument(flag, metavar="N", type=whole_number(1), help=meaning)
    verb.add_argument(
        "--skip-gram",
        action=argparse.BooleanOptionalAction,
        help="skip-gram in place of continuous bag of words",
    )
    verb.add_argument(
        "--ngrams",
        metavar="N",
        type=whole_number(1),
        default=50_000,
        help="fasttext: rows that n-grams share: 50000",
    )
    verb.add_argument(
        "--min-patients",
        metavar="N",
        type=whole_number(1),
        default=2,
        help="patients whose notes must hold a word, lest it identifies one: 2",
    )
    verb.add_argument("--seed", metavar="N", type=int, default=1)
    verb.set_defaults(run=_train)


def _train(arguments: argparse.Namespace) -> int:
    from deidstream.models.kneo.words.word_vectors import WordModel
    from deidstream.study.vectors.train_vectors import VectorRequest, train_vectors

    digest = train_vectors(
        VectorRequest(
            notes=tuple(arguments.notes),
            out=arguments.out,
            model=None if arguments.kind == DOC2VEC else WordModel(arguments.kind),
            plan=choose_plan(arguments),
            least_patients=arguments.min_patients,
        )
    )
    setting = "EMBEDDER" if arguments.kind == DOC2VEC else "VECTORS"
    used = f"use it by DEIDSTREAM_MODEL_{setting}={arguments.out}"
    say(f"learnt {arguments.out} ({digest[:12]}); {used}")
    return 0


def choose_plan(arguments: argparse.Namespace) -> "VectorPlan":
    """Return the plan of the chosen preset; flags that were given replace its values."""
    from deidstream.study.vectors.fit_vectors import VectorPlan

    plan = replace(VectorPlan(), **_PRESETS[arguments.preset])
    given = {each.name: getattr(arguments, each.name, None) for each in fields(VectorPlan)}
    return replace(plan, **{name: value for name, value in given.items() if value is not None})
