"""The levels of a shard whose policy wants them by share."""

import random
from collections.abc import Sequence
from dataclasses import replace

from deidstream.agents.archive.shard_rows import ShardRows
from deidstream.agents.note_files.note_source import InputNote
from deidstream.schemas.outcome import Anonymized, LevelCuts, Ranking, RiskLevel, RiskReport
from support.outcomes import anonymized

NOTE = anonymized("Calm.")
RANKING = Ranking("a" * 32, "b" * 16, 0.05, 0.15)


def make_notes(count: int) -> list[Anonymized]:
    rng = random.Random(7)
    return [
        replace(
            NOTE,
            note=replace(NOTE.note, note_id=f"{number:032x}"),
            risk=RiskReport(RiskLevel.GREEN, round(rng.random(), 4), cuts=LevelCuts(0.13, 0.2)),
            ranking=RANKING,
        )
        for number in range(count)
    ]


def test_levels_of_a_shard_do_not_depend_on_the_order_of_its_notes() -> None:
    notes = make_notes(600)

    def rows(order: Sequence[Anonymized]) -> ShardRows:
        made = ShardRows()
        for start in range(0, len(order), 100):
            chunk = order[start : start + 100]
            made.add([InputNote(start + place, b"") for place in range(len(chunk))], chunk)
        made.finish()
        return made

    there, back = rows(notes), rows(notes[::-1])
    assert there.notes == back.notes
    assert there.levels == back.levels
    assert 15 <= there.levels["red"] <= 45
    assert there.record(1, "", 0).outputs == 600
