"""Decide by the text beside two numbers whether they are a date."""

import re2

from deidstream.models.recognizers.rules.rule import Candidate
from deidstream.models.text.patterns import any_of

_CUES = any_of("""
on, by, since, until, untill, till, til, thru, through, from, dated?, seen, due, for, last, next
starting, started, beginning, effective, after, before, d/c, dc'?d, admitted, adm, admit
discharged?, appt, f/u, fu, rtc, lmp, edd, edc, dob, doi, dos, dod, visit, drawn, collected
signed, typed, dictated, reviewed, labs?, cx, bcx, ucx, ct, mri, cxr, echo, egd, us, tte, surgery
repeat, placed, removed, received, updated, addendum, note, am, pm, out, in, and, mon, tues?
weds?, thurs?, thu, fri, sat, sun, day of, week of, night, eve, cycle [0-9], staples, clinic
as of, wk of, the ct of, bx, biopsy, hra, level, cr, corrected, hb, k, inr, wbc, hgb, booked, dx'd
taken, phoned, per, rn, cag, angio, pci
""")
_CUE = re2.compile(
    rf"(?i)(?:(?:^|[^a-z])(?:{_CUES})[.:,;(]?[ ]{{1,3}}$|\n\s*$|^\s*$|\[$|[a-z]{{3}}, $"
    r"|[0-9]/(?:1[3-9]|2[0-9]|3[01])(?:,| and| &|-) ?$| [0-9]\.[0-9] $)"
)


def follows_date_cue(candidate: Candidate) -> bool:
    """Return whether the words before two numbers usually precede a date."""
    return bool(_CUE.search(candidate.before))
