"""Compare the models of MASK with what ships, on the same labelled notes.

    python benchmarks/rivals.py NOTES.jsonl [--train NOTES.jsonl] [--folds N]
        [--checkpoint FOLDER ...] [--json FILE] [--plots FOLDER]

A conditional random field and a BiLSTM are trained on the notes of --train, or else on four fifths
of the patients, and tag the rest, in turn; union and intersection are of these two. The taggers,
the rules and the dictionary were made beforehand, as was any token classifier of --checkpoint;
"detection" is all that the policy surrogate does to find PHI. Figures are by token: who finds part
of a name has found that part.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson

from deidstream.agents.runtime.load_models import load_detector, load_tagger
from deidstream.agents.runtime.terminal import say
from deidstream.agents.settings import read_settings
from deidstream.models.neural.weights import SHIPPED_TAGGERS
from deidstream.models.policy.reader import read_shipped_policy
from deidstream.models.recognizers.dictionary.dictionary import DictionaryRecognizer
from deidstream.models.recognizers.rules.recognizer import RulesRecognizer
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span
from deidstream.study.rivals.comparison import (
    TypeScore,
    count_pairs,
    draw_heat_map,
    group_labels,
    score_touched,
    score_types,
    weigh,
)
from deidstream.study.rivals.cross_validation import FindSpans, compare_models
from deidstream.study.survival.run_survival import read_notes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notes", metavar="NOTES.jsonl", type=Path)
    parser.add_argument("--train", metavar="NOTES.jsonl", type=Path)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--checkpoint", metavar="FOLDER", action="append", default=[])
    parser.add_argument("--json", type=Path)
    parser.add_argument("--plots", type=Path)
    given = parser.parse_args()
    notes, _ = read_notes(given.notes)
    train = read_notes(given.train)[0] if given.train else ()
    beside = dict(list_beside(given.checkpoint))
    compared = compare_models(notes, folds=given.folds, train=train, beside=beside, done=say)
    told = {name: count_pairs(compared.truth, one) for name, one in compared.told.items()}
    types = {name: score_types(group_labels(pairs)) for name, pairs in told.items()}
    labels = {name: score_types(pairs) for name, pairs in told.items()}
    touched = {name: score_touched(pairs) for name, pairs in told.items()}
    for name, pairs in told.items() if given.plots else ():
        given.plots.mkdir(parents=True, exist_ok=True)
        map_of = draw_heat_map(f"What {name} makes of each type, %", pairs)
        (given.plots / f"{name.lower().replace(' ', '-')}.svg").write_text(map_of)
    print(write_means(types, touched), write_table(types), write_table(labels), sep="\n\n")
    if given.json:
        record = {
            name: {
                "types": _records(types[name]),
                "labels": _records(labels[name]),
                "touched": _record(touched[name]),
                "weighted": weigh(types[name]),
            }
            for name in told
        }
        given.json.write_bytes(orjson.dumps(record, option=orjson.OPT_INDENT_2) + b"\n")


def list_beside(checkpoints: Sequence[str]) -> Iterator[tuple[str, FindSpans]]:
    """Yield what was made beforehand, by name."""
    settings = read_settings({})
    yield "dictionary", DictionaryRecognizer.build({}).recognize
    yield "rules", RulesRecognizer().recognize
    for name in SHIPPED_TAGGERS:
        chosen = replace(settings, tagger=replace(settings.tagger, model=name))
        yield f"tagger {name}", load_tagger(chosen).recognize
    for path in checkpoints:
        chosen = replace(settings, tagger=replace(settings.tagger, path=path))
        yield Path(path).name, load_tagger(chosen).recognize
    detector, _ = load_detector(settings, read_shipped_policy("surrogate"))

    def detect(notes: Sequence[RawNote]) -> list[tuple[Span, ...]]:
        return [found.spans for found in detector.detect(notes)]

    yield "detection", detect


def write_means(
    types: Mapping[str, Mapping[str, TypeScore]], touched: Mapping[str, TypeScore]
) -> str:
    lines = ["| model | P | R | F1, weighted | recall, any label | precision, any label |"]
    lines.append("|---|---|---|---|---|---|")
    for name, scores in types.items():
        p, r, f1 = weigh(scores)
        any_label = f"{touched[name].recall:.3f} | {touched[name].precision:.3f}"
        lines.append(f"| {name} | {p:.3f} | {r:.3f} | {f1:.3f} | {any_label} |")
    return "\n".join(lines)


def write_table(scored: Mapping[str, Mapping[str, TypeScore]]) -> str:
    lines = ["| P / R / F1 of | tokens | " + " | ".join(scored) + " |"]
    lines.append("|---" * (2 + len(scored)) + "|")
    for label, one in next(iter(scored.values())).items():
        cells = " | ".join(
            f"{scores[label].precision:.3f} / {scores[label].recall:.3f} / {scores[label].f1:.3f}"
            for scores in scored.values()
        )
        lines.append(f"| {label} | {one.wanted:,} | {cells} |")
    return "\n".join(lines)


def _records(scores: Mapping[str, TypeScore]) -> dict[str, dict[str, Any]]:
    return {label: _record(one) for label, one in scores.items()}


def _record(one: TypeScore) -> dict[str, Any]:
    return {
        "precision": one.precision,
        "recall": one.recall,
        "f1": one.f1,
        "tokens": one.wanted,
    }


if __name__ == "__main__":
    main()
