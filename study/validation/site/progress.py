"""How far the reading is: which note a reader reads next, and whether the plan has decided."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from deidstream.study.validation.site.judged_notes import JudgedNote
from deidstream.study.validation.site.sampled_note import SampledNote
from deidstream.study.validation.site.validation_plan import ValidationPlan
from deidstream.study.validation.statistics.sequential import Decision, Standing, judge_sequence


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a validation stands."""

    standing: Standing
    """Of the plain sample, as far as it is decided without a gap."""
    wanted: tuple[int, ...]
    """Numbers of the notes that are to be read by now, in the order of reading."""
    disputed: tuple[int, ...]
    """Numbers of the notes that wait for the adjudicator."""


def measure_progress(
    notes: Sequence[SampledNote], plan: ValidationPlan, judged: Mapping[int, JudgedNote]
) -> Progress:
    """Say what is to be read, and what was decided.

    Reading goes on to the end of a stage, then to that of the next one unless the claim is proved
    or has failed; if it has not failed, the extra notes come last. A sample that is smaller than
    the plan is read to its end. A standing sample is read for ever.
    """
    plain = [note for note in notes if not note.is_extra]
    leaks: list[bool] = []
    for note in plain:
        one = judged.get(note.number)
        if one is None or not one.is_decided:
            break
        leaks.append(bool(one.leaks(plan.claim.kinds)))
    standing = judge_sequence(plan.stages, leaks)
    if standing.decision is Decision.READ_ON:
        ends = [stage.notes for stage in plan.stages if stage.notes > len(leaks)]
        end = min(len(plain), ends[0] if ends else len(plain))
    else:
        end = standing.notes
    wanted = [note.number for note in plain[:end]]
    if standing.decision is Decision.PROVED or len(leaks) == len(plain):
        # A claim about identifiers needs the plain sample behind the deciding note too.
        if plan.claim.identifiers is not None:
            wanted = [note.number for note in plain]
        wanted += [note.number for note in notes if note.is_extra]
    if plan.is_standing:
        wanted = [note.number for note in notes]
    disputed = [number for number, one in sorted(judged.items()) if not one.is_decided]
    return Progress(standing, tuple(wanted), tuple(disputed))
