"""Our own attacks on the outputs that were read, as a motivated intruder would lead them."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deidstream.schemas.label import PhiLabel
from deidstream.study.attacks.attack_figures import AttackFigures, measure_attack
from deidstream.study.attacks.jaccard import compare_word_sets
from deidstream.study.attacks.known_sentences import draw_known
from deidstream.study.attacks.parrot import Specimen, tell_apart
from deidstream.study.attacks.ranking import rank_originals
from deidstream.study.attacks.tfidf import compare_rare_words
from deidstream.study.attacks.word_rows import Similarities
from deidstream.study.validation.site.sampled_note import SampledNote

_SENTENCES = 3


@dataclass(frozen=True, slots=True)
class _Search:
    name: str
    knows: str
    rows: Iterator[Similarities]


def attack_outputs(notes: Sequence[SampledNote]) -> dict[str, Any]:
    """Lead the attacks.

    Args:
        notes: At least two; each output is looked for among the originals of all of them.
    """
    originals, outputs = [one.text for one in notes], [one.output for one in notes]
    known = ["\n".join(draw_known(text, _SENTENCES, 0)) for text in originals]
    searches = (
        _Search(
            "jaccard",
            "all originals, compared by shared words",
            compare_word_sets(originals, outputs),
        ),
        _Search(
            "tfidf", "all originals, compared by rare words", compare_rare_words(originals, outputs)
        ),
        _Search(
            "partial",
            f"{_SENTENCES} sentences of the original, looked for among all outputs",
            compare_rare_words(outputs, known),
        ),
    )
    places = range(len(notes))
    found = [
        {
            "attack": search.name,
            "intruder_knows": search.knows,
            **_record(measure_attack(list(rank_originals(search.rows, places)))),
        }
        for search in searches
    ]
    return {"notes": len(notes), "search": found, "parrot": _tell_surrogates(notes)}


def _record(figures: AttackFigures) -> dict[str, Any]:
    first, fifth = figures.found(1), figures.found(5)
    return {
        "outputs": first.of,
        "found": first.share,
        "low": first.interval[0],
        "high": first.interval[1],
        "found_among_5": fifth.share,
        "by_chance": 1 / first.of,
    }


def _tell_surrogates(notes: Sequence[SampledNote]) -> list[Mapping[str, Any]]:
    """Tell originals from what stands in their places: whoever can, sees what was overlooked."""
    real = defaultdict[PhiLabel, list[Specimen]](list)
    invented = defaultdict[PhiLabel, list[Specimen]](list)
    for note in notes:
        for span in note.replaced:
            original = note.text[span.start : span.end]
            surrogate = note.output[span.out_start : span.out_end]
            if surrogate not in {"", original} and not surrogate.startswith("["):
                real[span.label].append(Specimen(original, note.patient))
                invented[span.label].append(Specimen(surrogate, note.patient))
    rows: list[Mapping[str, Any]] = []
    for label in sorted(real):
        auc = tell_apart(real[label], invented[label])
        if auc is not None:
            pairs = len(real[label])
            rows.append(
                {"label": label, "pairs": pairs, "auc": auc.area, "low": auc.low, "high": auc.high}
            )
    return rows
