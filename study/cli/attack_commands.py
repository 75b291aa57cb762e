"""The command ``attack``, which looks for originals in outputs as an attacker would."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from deidstream.agents.cli.arguments import whole_number
from deidstream.agents.cli.verbs import Verbs

if TYPE_CHECKING:
    from deidstream.study.attacks.runs.attack_notes import AttackFiles
    from deidstream.study.attacks.runs.findings import Destination

_LIKENESSES = {
    "jaccard": "by the words that two notes share",
    "tfidf": "by words, rare ones first",
    "dense": "by the mean vector of their sentences",
}
_FORMS = "JSONL, or a table (CSV, TSV, Parquet, Delta)"
_FOUND = "found@k over k"
_MOST_DEGREE = 100
_MOST_DAYS = 36_500
_ORDER = "Line n of OUTPUTS belongs to line n of ORIGINALS, unless --pairs says otherwise."


def add_attack(verbs: Verbs) -> None:
    """Add ``deidstream attack``."""
    inner = verbs.add_group(
        "attack",
        help="find what outputs give away of their originals, and count how often",
        metavar="ATTACK",
    )
    for name, what in _LIKENESSES.items():
        _add_likeness(inner, name, what)
    align = _add_likeness(
        inner, "align", "by the sentence of the original that is nearest to each of its sentences"
    )
    align.add_argument(
        "--by",
        choices=("vectors", "words"),
        default="vectors",
        help="how sentences are compared: by the vectors of the embedder (default), or by words",
    )
    align.set_defaults(run=_attack_by_alignment)
    _add_aware_words(inner)
    _add_partial(inner)
    _add_parrot(inner)
    _add_arrival(inner)
    _add_kneo_average(inner)


def _add_likeness(inner: Verbs, name: str, what: str) -> argparse.ArgumentParser:
    text = f"Compares each output with all originals {what}. {_ORDER}"
    verb = _add_search(inner, name, f"compare {what}", text)
    verb.set_defaults(run=_attack_by_likeness, likeness=name)
    return verb


def _add_aware_words(inner: Verbs) -> None:
    verb = _add_search(
        inner,
        "aware-words",
        "undo word KNEO with its word vectors",
        "Ranks all originals by how likely each output of word KNEO is, given the neighbours that "
        f"their words have in its vectors. {_ORDER}",
    )
    verb.add_argument(
        "--vectors",
        metavar="FOLDER",
        type=Path,
        help="word vectors that made the outputs; default: those of the settings",
    )
    verb.add_argument(
        "--degree",
        type=whole_number(1, _MOST_DEGREE),
        default=3,
        help="smallest degree of obfuscation (default: %(default)s)",
    )
    verb.add_argument(
        "--degree-to",
        type=whole_number(1, _MOST_DEGREE),
        default=14,
        help="greatest degree (default: %(default)s)",
    )
    verb.set_defaults(run=_attack_by_vectors)


def _add_search(inner: Verbs, name: str, summary: str, text: str) -> argparse.ArgumentParser:
    """Add an attack that looks for the original of each output among candidates."""
    verb = inner.add_parser(name, help=summary, description=text)
    _add_files(verb)
    _add_candidates(verb)
    _add_pairs(verb.add_argument)
    _add_reports(verb, plot=_FOUND)
    return verb


def _add_partial(inner: Verbs) -> None:
    verb = inner.add_parser(
        "partial",
        help="look for the output of a note of which a few sentences are known",
        description="Draws sentences of each original and looks for its output among all outputs "
        f"by their words, rare ones first. {_ORDER}",
    )
    _add_files(verb)
    _add_pairs(verb.add_argument)
    verb.add_argument(
        "--sentences",
        type=whole_number(1, 1000),
        default=3,
        help="how many sentences are known (default: %(default)s)",
    )
    verb.add_argument(
        "--seed",
        type=whole_number(0),
        default=0,
        help="another one draws other sentences (default: %(default)s)",
    )
    _add_reports(verb, plot=_FOUND)
    verb.set_defaults(run=_attack_by_part)


def _add_parrot(inner: Verbs) -> None:
    verb = inner.add_parser(
        "parrot",
        help="tell surrogates from originals by their letters",
        description="Trains a classifier to tell the identifiers of ORIGINALS from what stands in "
        "their place in OUTPUTS, and tests it on other patients: whoever can tell them apart sees "
        f"which identifiers were overlooked. ORIGINALS hold gold spans. {_ORDER}",
    )
    _add_files(verb)
    either = verb.add_mutually_exclusive_group()
    _add_pairs(either.add_argument)
    either.add_argument(
        "--audit",
        action="store_true",
        help="OUTPUTS is what `deidentify --audit` wrote: it says where surrogates stand, and "
        "ORIGINALS need no gold spans",
    )
    _add_reports(verb, plot="AUC by label")
    verb.set_defaults(run=_attack_by_parrot)


def _add_arrival(inner: Verbs) -> None:
    verb = inner.add_parser(
        "arrival",
        help="recover the date shift of patients from the arrival of their notes",
        description="Takes authored_at of ORIGINALS for the time at which the output arrived, and "
        "guesses the shift of each patient by the dates of the outputs. " + _ORDER,
    )
    _add_files(verb)
    _add_pairs(verb.add_argument)
    verb.add_argument(
        "--max-shift-days",
        type=whole_number(1, _MOST_DAYS),
        default=365,
        help="greatest shift of the policy (default: %(default)s)",
    )
    _add_reports(verb, plot="share of patients over the days by which a guess may be off")
    verb.set_defaults(run=_attack_by_arrival)


def _add_kneo_average(inner: Verbs) -> None:
    verb = inner.add_parser(
        "kneo-average",
        help="combine several outputs of each original",
        description="Combines the first 1, 2, 4, ... outputs of each original and looks for it: "
        "releases, keys or replays of one policy. Line n of each OUTPUTS belongs to line n of "
        "ORIGINALS.",
    )
    _add_originals(verb)
    verb.add_argument(
        "outputs", metavar="OUTPUTS", type=Path, nargs="+", help="a file for each release"
    )
    _add_candidates(verb)
    verb.add_argument(
        "--by",
        choices=("dense", "tfidf", "align", "common"),
        default="dense",
        help="how: the mean of all sentence vectors (default), all words, all sentences by their "
        "vectors, or the words that all releases hold",
    )
    _add_reports(verb, plot="found@1 over the number of releases")
    verb.set_defaults(run=_attack_by_releases)


def _add_files(verb: argparse.ArgumentParser) -> None:
    _add_originals(verb)
    verb.add_argument("outputs", metavar="OUTPUTS", type=Path, help=f"what they became: {_FORMS}")


def _add_originals(verb: argparse.ArgumentParser) -> None:
    verb.add_argument(
        "originals", metavar="ORIGINALS", type=Path, help=f"notes that were de-identified: {_FORMS}"
    )


def _add_candidates(verb: argparse.ArgumentParser) -> None:
    verb.add_argument(
        "--candidates", metavar="MORE", type=Path, help="further notes beside the originals"
    )


def _add_pairs(add_argument: Callable[..., object]) -> None:
    add_argument(
        "--pairs", metavar="FILE", type=Path, help="lines: id of an output, tab, id of its original"
    )


def _add_reports(verb: argparse.ArgumentParser, *, plot: str) -> None:
    verb.add_argument("--json", metavar="FILE", type=Path, help="every figure, for machines")
    verb.add_argument("--plot", metavar="FILE.svg", type=Path, help=plot)


def _attack_by_likeness(arguments: argparse.Namespace) -> int:
    return _compare_notes(arguments, arguments.likeness)


def _attack_by_alignment(arguments: argparse.Namespace) -> int:
    return _compare_notes(arguments, "align" if arguments.by == "vectors" else "align-words")


def _compare_notes(arguments: argparse.Namespace, likeness: str) -> int:
    from deidstream.study.attacks.runs.note_comparison import Likeness
    from deidstream.study.attacks.runs.run_attack import run_likeness

    return run_likeness(Likeness(likeness), _files(arguments), _destination(arguments))


def _attack_by_vectors(arguments: argparse.Namespace) -> int:
    from deidstream.study.attacks.runs.run_aware_words import KnownWordKneo, run_aware_words

    known = KnownWordKneo(arguments.vectors, arguments.degree, arguments.degree_to)
    return run_aware_words(known, _files(arguments), _destination(arguments))


def _attack_by_part(arguments: argparse.Namespace) -> int:
    from deidstream.study.attacks.runs.run_partial import KnownPart, run_partial

    known = KnownPart(arguments.sentences, arguments.seed)
    return run_partial(known, _files(arguments), _destination(arguments))


def _attack_by_parrot(arguments: argparse.Namespace) -> int:
    from deidstream.study.attacks.runs.run_parrot import run_parrot

    return run_parrot(_files(arguments), _destination(arguments), audit=arguments.audit)


def _attack_by_arrival(arguments: argparse.Namespace) -> int:
    from deidstream.study.attacks.runs.run_arrival import run_arrival

    most = arguments.max_shift_days
    return run_arrival(_files(arguments), _destination(arguments), most=most)


def _attack_by_releases(arguments: argparse.Namespace) -> int:
    from deidstream.study.attacks.runs.run_kneo_average import ReleaseFiles, run_kneo_average

    files = ReleaseFiles(arguments.originals, arguments.outputs, arguments.candidates)
    return run_kneo_average(files, _destination(arguments), by=arguments.by)


def _files(arguments: argparse.Namespace) -> "AttackFiles":
    from deidstream.study.attacks.runs.attack_notes import AttackFiles

    further = getattr(arguments, "candidates", None)
    return AttackFiles(arguments.originals, arguments.outputs, further, arguments.pairs)


def _destination(arguments: argparse.Namespace) -> "Destination":
    from deidstream.study.attacks.runs.findings import Destination

    return Destination(arguments.json, arguments.plot)
