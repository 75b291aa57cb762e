"""Decide by the text beside two numbers whether they are a date."""

import re2

from deidstream.models.recognizers.rules.rule import Candidate
from deidstream.models.text.patterns import any_of

_SCALE = any_of("""
bp, bps, pressures?, strength, power, motor, score, scored, scores, pain, gcs, moca, mmse, cpap
bipap, epap, ipap, pip, peep, niv, vent, settings?, apgars?, reflexes, dtrs?, murmur, grade
vision, acuity, va, od, os, ou, sats?, nyha, stage, level, ratio, dix, borg, rass, cam, phq, gad
audit, kps, ecog, katz, barthel, appetite, mood, pulses?, tone, bristol, dose, dosed, tabs?
insulin, sliding scale, mix, titer, view, isq, aspects, nihss, alvarado, wells, mallampati, nips
flacc, mini-cog, minicog, cog, recall, objects, words, minutes, spo2, energy, sleep, anxiety
bottles, sirs, criteria, symptoms, signs, flow, effort, grip, delts?, biceps, triceps, quads?, df
pf, ehl, hip, knee, ankle, wrist, elbow, intact, items, nodes?, margins, cores?, day, treatment
tx, d, mdq, edinburgh, epds, iddsi, profile, hydrocortisone, prednisone, dexamethasone, exam
naming, fluency, memory, abuse, color, sticks, back, leg, tilt, cycles?, iop, iops, tension, map
cup, disc, cage, sofa, meld, pucai, das, haq, scale, index, total
""")
_MEASURED = re2.compile(
    rf"(?i)(?:\b{_SCALE}[ :=~(\-]{{0,5}}(?:(?:is|was|at|to|of|in)[ ])?$|[0-9]/$|(?:[<>=~+]"
    r"|[0-9 ]x)\s?$|[0-9]\.$)"
)
_UNIT = re2.compile(
    r"^ ?(?i:mg|mcg|ml|g\b|units?|strength|power|murmur|sem\b|systolic|diastolic|pain|x\b|%"
    r"|bottles|nodes?|cores?|positive|pos\b|neg\b|sirs|criteria|inch|\"|in\b|cm|mm|hr|h\b|ns\b"
    r"|saline|left\b|tabs?|tablet|tsp|cup|ppd|pack|bilat|throughout|all|intact|words|items"
    r"|objects|recall|symmetric|full|dose|cycles|weeks?|wks?|mo\b|yrs?|days?|screws?|on moca"
    r"|lines?|glass|pills?|ounces?|oz)|^ ?['/+=x]|^-[^0-9]"
)
_CUES = any_of("""
on, by, since, until, untill, till, til, thru, through, from, dated?, seen, due, for, last, next
starting, started, beginning, effective, after, before, d/c, dc'?d, admitted, adm, admit
discharged?, appt, f/u, fu, rtc, lmp, edd, edc, dob, doi, dos, dod, visit, drawn, collected
signed, typed, dictated, reviewed, labs?, cx, bcx, ucx, ct, mri, cxr, echo, egd, us, tte, surgery
repeat, placed, removed, received, updated, addendum, note, am, pm, out, in, and, mon, tues?
weds?, thurs?, thu, fri, sat, sun, day of, week of, night, eve, cycle [0-9], staples, clinic
as of, wk of, the ct of, bx, biopsy, hra, level, cr, corrected, hb, k, inr, wbc, hgb, booked, dx'd
taken, phoned, per, rn
""")
_CUE = re2.compile(
    rf"(?i)(?:(?:^|[^a-z])(?:{_CUES})[.:,;(]?[ ]{{1,3}}$|\n\s*$|^\s*$|\[$|[a-z]{{3}}, $"
    r"|[0-9]/(?:1[3-9]|2[0-9]|3[01])(?:,| and| &|-) ?$| [0-9]\.[0-9] $)"
)


def follows_scale(candidate: Candidate) -> bool:
    """Return whether a scale, a pressure or a dose precedes two numbers."""
    return bool(_MEASURED.search(candidate.before))


def precedes_unit(candidate: Candidate) -> bool:
    """Return whether a unit or a count follows two numbers."""
    return bool(_UNIT.search(candidate.after))


def follows_date_cue(candidate: Candidate) -> bool:
    """Return whether the words before two numbers usually precede a date."""
    return bool(_CUE.search(candidate.before))
