"""Compare the models of MASK with the shipped tagger on the same labelled notes.

    python benchmarks/rivals.py NOTES.jsonl [--folds N] [--json FILE] [--plots FOLDER]

A conditional random field and a BiLSTM are trained on four fifths of the patients and tag the rest,
in turn; union and intersection are of these two. The tagger, and the rules and dictionary, were
made beforehand. Figures are by token: who finds part of a name has found that part.
"""

import argparse
from collections.abc import Mapping
from pathlib import Path

import orjson

from deidstream.agents.runtime.load_models import load_tagger
from deidstream.agents.runtime.terminal import say
from deidstream.agents.settings import read_settings
from deidstream.models.recognizers.dictionary import DictionaryRecognizer
from deidstream.models.recognizers.rules.recognizer import RulesRecognizer
from deidstream.study.rivals.comparison import (
    TypeScore,
    count_pairs,
    draw_heat_map,
    score_touched,
    score_types,
    weigh,
)
from deidstream.study.rivals.cross_validation import compare_models
from deidstream.study.survival.run_survival import read_notes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notes", metavar="NOTES.jsonl", type=Path)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--plots", type=Path)
    given = parser.parse_args()
    notes, _ = read_notes(given.notes)
    beside = (
        DictionaryRecognizer.build({}),
        RulesRecognizer(),
        load_tagger(read_settings({})),
    )
    compared = compare_models(notes, folds=given.folds, beside=beside, done=say)
    scored = {}
    for name, told in compared.told.items():
        pairs = count_pairs(compared.truth, told)
        scored[name] = (score_types(pairs), score_touched(pairs))
        if given.plots:
            given.plots.mkdir(parents=True, exist_ok=True)
            map_of = draw_heat_map(f"What {name} makes of each type, %", pairs)
            (given.plots / f"{name.lower()}.svg").write_text(map_of)
    print(write_tables(scored))
    if given.json:
        record = {
            name: {"types": {label: _record(one) for label, one in types.items()}}
            | {"touched": _record(touched), "weighted": weigh(types)}
            for name, (types, touched) in scored.items()
        }
        given.json.write_bytes(orjson.dumps(record, option=orjson.OPT_INDENT_2) + b"\n")


def write_tables(scored: Mapping[str, tuple[Mapping[str, TypeScore], TypeScore]]) -> str:
    names = list(scored)
    lines = ["| model | P | R | F1, weighted | recall, any label | precision, any label |"]
    lines.append("|---|---|---|---|---|---|")
    for name, (types, touched) in scored.items():
        p, r, f1 = weigh(types)
        any_label = f"{touched.recall:.3f} | {touched.precision:.3f}"
        lines.append(f"| {name} | {p:.3f} | {r:.3f} | {f1:.3f} | {any_label} |")
    lines += ["", "| F1 of | tokens | " + " | ".join(names) + " |", "|---" * (2 + len(names)) + "|"]
    types = next(iter(scored.values()))[0]
    for label, one in types.items():
        cells = " | ".join(f"{scored[name][0][label].f1:.3f}" for name in names)
        lines.append(f"| {label} | {one.wanted:,} | {cells} |")
    return "\n".join(lines)


def _record(one: TypeScore) -> dict[str, float]:
    return {
        "precision": one.precision,
        "recall": one.recall,
        "f1": one.f1,
        "tokens": one.wanted,
    }


if __name__ == "__main__":
    main()
