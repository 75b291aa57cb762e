"""Find doses, results, scores, stages and counted days by their form and the words beside them."""

import re

from deidstream.models.detection.clinical.line_forms import LineForm
from deidstream.models.detection.clinical.value import AGES, NUMERIC, TIMES
from deidstream.models.phi.dates.date_patterns import VERSION_MARK
from deidstream.models.text.patterns import any_of
from deidstream.schemas.label import NUMBERS, PERSONS, PHONES, PhiLabel

_NUMBER = r"[0-9]{1,5}(?:[.,][0-9]{1,3})?"
_UNITS = any_of(r"""
mgs?, mcgs?, ug, \u00b5g, \u03bcg, grams?, g, kgs?, kilos?, lbs?, mls?, cc, litres?, liters?, dl
mmol, umol, nmol, pmol, meq, mosm, units?, iu, miu, u, %, bpm, mmhg, cmh2o, cm, mm, kcal, cals?
fr, french, gauge, mhz, hz, mcv, msv, gy, cgy, kpa, psi, lpm, puffs?, tabs?, tablets?, caps?
capsules?, deg(?:rees?)?, p(?:ac)?k[- ]?(?:yrs?|years?), steps, cycles?, packets?, cells, copies
drops?, gtts?, sprays?, ampoules?, vials?
""")
_PER = r"(?:/(?:kg|ml|l|dl|h|hr|hour|min|day|d|dose|m2|m\u00b2|g|mg|24 ?h|wk)){0,3}"
_SCALES = any_of(r"""
gcs, mmse, mo-?ca, phq-?[0-9], gad-?7, audit(?:-c)?, epds, gaf, cgas, waterlow, braden, norton
barthel, news2?, mews, pews, apgars?, nihss, iss, rts, meld(?:-na| 3\.0)?, edss, bdi(?:-ii)?
madrs, ymrs, bmi, ecog, kps, pps, asa, apache(?: ii)?, q?sofa, curb-?65, cha2ds2-?vasc
has-?bled, timi, grace, child-?pugh, updrs, das28, cdai, rass, ciwa(?:-ar)?, cows
flacc, cam-icu, mallampati, aldrete, epworth, ess, stop-?bang, hamd, ham-?a, caars, npi score
rockall, blatchford, snap-iv, ace-iii, 4at, moca score, amts, tug, berg, tinetti, bi-?rads
ti-?rads, pi-?rads, lung-?rads
""")
_TESTS = any_of(r"""
hb, hgb, hct, k\+?, na\+?, cr, creat(?:inine)?, wbc, wcc, inr, a1c, hba1c, crp, esr, tsh, ft4
lactate, lac, temp, (?-i:T|Ca|BE|ALT|AST|MAP), ph
pco2, po2, hco3, bg, bsl, bgl, fsbs, glucose, gluc, mg, phos
alb, wt, weight, ht, fev1, fvc, sats, spo2, trop(?:onin)?, urate, ef, lvef, psa, plts?
platelets, egfr, gfr, bun, urea, alp, bili(?:rubin)?, ferritin, folate, b12, hr, rr
pulse, cvp, pip, peep, etco2, fio2, ldl, hdl, tg, chol(?:esterol)?, ck, bnp, d-?dimer, amylase
lipase, iop, pef, rate, mcv, afp, ca-?125, procal(?:citonin)?, pct, b?hcg, nt-?probnp, ldh
ammonia, troughs?, tacro(?:limus)?, lithium, digoxin, vanc(?:o(?:mycin)?)?, anion gap, tsat, tbili
""")
_COUNTED = any_of(r"""
hd, pod, ppd, pnd, dol, post-?op(?:erative)? day, hospital day, day of life, day, days, week
weeks, cycle, session, dose, induction day, d\+, t\+, gw, ga, ega, pma, cga, gestation(?:al age)?
stage, grade, gr, type, gleason, figo, nyha, ckd(?: stage)?, killip, asa, tanner, fitzpatrick
kellgren, gross motor level, band, phase, step, gravida, para, parity, multipara, tooth, teeth, item
table, figure, section, tier, zone, segment, lead, year, class, form, std
""")
_ROMAN = r"(?:I{1,3}|IV|VI{0,3}|IX|X)"
_WEEKS = r"(?:[4-9]|[1-3][0-9]|4[0-3])"
_APART = r"(?<![0-9A-Za-z])"
_END = r"(?![0-9A-Za-z])"
_NO_FRACTION = r"(?![0-9A-Za-z/.]| ?-[0-9])"
_NO_AGE = r"(?! ?(?:m|mo|mos|months?|y|yrs?|years?|yo|y/o|y\.o|wks?|weeks?)\b)"
_NO_MONTH = (
    r"(?!(?:st|nd|rd|th)?[ .-]{0,2}(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\b)"
)
_IS = r"(?:of |is |was |at |up to |down to )?"
_PREGNANT = (
    r"(?:(?:gestation|gest|ga|ega|aog|pregnan(?:t|cy)|iup|preterm|prem|size|gestational)\b"
    r"|by (?:ballard|dates|scan|lmp|uss?)\b)"
)

_DOSE = (
    rf"(?i)(?<![0-9A-Za-z.,/-])(?:(?<![0-9][ -]){_NUMBER}(?: ?[-/x\u2013\u00d7] ?{_NUMBER}){{1,2}}"
    rf"|[0-9]{{1,3}}(?:\.[0-9]{{1,3}}){{3}}|{_NUMBER})"
    rf" ?-?{_UNITS}{_PER}{_END}"
)
_APART_FROM_DATES = rf"{_NO_FRACTION}{_NO_AGE}{_NO_MONTH}"
_SCORE = (
    rf"(?i){_APART}{_SCALES}(?: score)?[ :=]{{0,3}}{_IS}[0-9]{{1,3}}(?:\.[0-9])?{_APART_FROM_DATES}"
)
_WHEN = (
    r"(?: (?:pre|post)[- ]?(?:op|dialysis|transfusion|dose)| on (?:admission|arrival|discharge)"
    r"| today| now)?"
)
_RESULT = (
    rf"(?i){_APART}{_TESTS}{_WHEN}[ :=]{{1,2}}(?:of |is |was |up to )?[<>~]?{_NUMBER}"
    rf"(?![0-9/A-Za-z-]|\.[0-9]){_NO_AGE}{_NO_MONTH}"
)
RESULT = re.compile(_RESULT)
_ASSAY = (
    rf"(?i){_APART}(?:[b\u03b2]?-?hcg|cd4|ca[ -]?19-?9|ca[ -]?125|hco3)[ :=]{{1,2}}[<>~]?"
    r"[0-9]{1,6}(?:[ ,][0-9]{3})?(?![0-9/A-Za-z-]|\.[0-9])"
)
"""Names of assays with a digit or that are nothing else, so that no number of a person follows."""
_DECIMAL = r"(?<![0-9A-Za-z.,/:@#-])[0-9]{1,3}\.[0-9]{1,2}(?![0-9A-Za-z./:@-]|,[0-9])"
_AMOUNT = (
    r"(?:(?<![0-9A-Za-z])(?:[A-Z]{3}|[A-Z][a-z]{1,2}\.?) )?(?<![0-9A-Za-z.,/-])[1-9][0-9]{0,2}"
    r"(?:,[0-9]{3}){1,4}(?:\.[0-9]{1,2})?(?![0-9A-Za-z/-]|[.,][0-9])"
)
"""A number whose thousands are set apart, and the currency before it."""
_PLACE_IN_LIST = r"(?<![0-9A-Za-z/-])(?:[1-9]?[0-9]{1,2}-[A-D]|[0-9]{1,3}/[A-Z])(?![0-9A-Za-z/-])"
"""A bed of a room, or a number of one of several lists."""
_LONE = r"(?<![\w.,/:#*^|'\u2019-])(?<![\w.#:] )[0-9]{1,2}(?![\w/:*^|-]|[.,][0-9]| \w)"
"""A number of one or two digits alone in its cell."""
_COUNT = (
    rf"(?i)(?<![A-Za-z0-9/]){_COUNTED}[ #:+-]{{0,2}}(?:[0-9]{{1,2}}[A-Da-d]?|{_ROMAN}[A-Ca-c]?)"
    rf"(?:\+[0-6](?:/7)?)?{_NO_FRACTION}{_NO_AGE}{_NO_MONTH}"
)
_WEEKS_AND_DAYS = (
    rf"(?<![0-9A-Za-z.+]){_WEEKS}(?: ?\+ ?[0-6](?:/(?:40|7))?"
    r"| ?w(?:ks?|eeks?)? ?[0-6] ?d(?:ays?)?)(?![0-9A-Za-z/+])"
)
_GESTATION = (
    rf"(?i)(?<![0-9A-Za-z./]){_WEEKS}(?: [0-6]/7)?[ -](?:weeks?|wks?)['\u2019]?(?:[ -]{_PREGNANT}"
    r"|(?=[^\n]{1,30}\b(?:lmp|ed[dc]|fh[rt]|sfh|fund(?:al|us)|g[0-9]{1,2} ?p[0-9]{1,2})\b))"
)
_GRAVIDA = (
    rf"{_APART}G[0-9]{{1,2}} ?P[0-9]{{1,4}}(?:[-+][0-9]{{1,2}}){{0,4}}(?: ?\([0-9]{{4}}\)|{_END})"
)
"""Pregnancies and births; in brackets births at term, before term, losses and living children."""
_DIFFERENTIAL = (
    r"(?i)(?<![A-Za-z])(?:eos|neut|lymph|mono|baso)[a-z]{0,7}[ :]{1,2}[0-9]{1,2}(?:\.[0-9])? ?%"
    r" ?\([0-9]{3,5}\)"
)
"""A share of the white cells, and how many they are."""
_EDITIONS = any_of(r"""
banff, (?-i:WHO)(?: grade [1-4])?, mha, mental health act, mcdonald, figo, rotterdam, eular, acr
acr/eular, ajcc, kdigo, tokyo, bosniak, bethesda, atlanta, berlin, baveno, beers, amsterdam
dsm-?(?:iv|v|5)(?:-tr)?, icd-?(?:9|10|11)(?:-[a-z]{2,3})?, clsi(?: m[0-9]{2,3})?, eucast, nccn, gina
acc/aha, iso(?:/iec)? [0-9]{4,5}, windows(?: server)?, excel, sql server, spss, stata, version, ver
build, firmware, software, template
(?:mental capacity|children|mental health(?: \(care and treatment\))?) act
""")
_EDITION = (
    rf"(?i){_APART}{_EDITIONS}(?: (?:criteria|classification|guidelines?))?[,.:]? ?\(?"
    r"((?:19|20)[0-9]{2}(?:[.-][0-9]{1,2})?)(?![0-9A-Za-z/-]|\.[0-9])"
)
"""Whose year is that of a guideline, a law or a program."""
_PROGRAM = (
    r"(?<![0-9A-Za-z])(?i:v|ver|version|build|release|firmware|software|sw|fw)[\"']?[ :=]{1,3}"
    r"[\"']?[0-9]{1,4}(?:\.[0-9]{1,5}){3}(?![0-9A-Za-z]|\.[0-9])"
)
"""A program's version that may read as an address."""
_FAR = any_of(r"""
walk(?:ed|s|ing)?, mobili[sz](?:ed|es|ing), swam, swims?, ran, runs, di(?:ve[ds]?|ving), dove
depths?, descended, ascended, fell (?:from|about), fall (?:from|of), jump(?:ed)?, distance
""")
_METRES = (
    rf"(?i){_APART}(?:{_FAR}(?: (?:to|from|of|about|only|another|a|height)){{0,3}}[ :]{{1,2}}"
    r"[0-9]{1,3} ?(?-i:m)(?![0-9A-Za-z]| (?:ago|old|later|post|since)\b)"
    r"|(?<![.,/-])[0-9]{1,3} ?m(?= (?:from|away|deep|down|high|tall|wide|long|lengths?|walk(?:way)?"
    r"|swim|sprint|shuttle|pool|corridor|above|below|underwater|of water|bottom|stops?)\b))"
)
"""A way or a depth in metres, which reads as an age in months or with a sex."""
_PLACE = (
    r"(?i)(?<![A-Za-z])(?:bed|bay|cot|room|rm|token|ticket|counter|row|slot)[\"' .#:=]{1,5}"
    r"(?:no\.? ?)?[0-9]{1,2}(?:-[0-9]{1,2})?[A-D]?(?![0-9A-Za-z/.-])"
)
"""Where somebody lies or queues."""
_VERSION = (
    r"(?<![0-9A-Za-z.-])v?[0-9]{1,5}(?:(?:\.[0-9]{1,5}){3,5}"
    rf"|(?:\.[0-9]{{1,5}}){{1,2}}{VERSION_MARK})(?![0-9A-Za-z]|\.[0-9])"
)
_PART = r"(?<![0-9./])[0-9]{1,3}/(?!52)(?:3[2-9]|[4-9][0-9]|1[0-9]{2})(?![0-9./])"
"""What is out of more than a scale of ages, which is one of months, weeks or days, counts."""
_RANGE = r"(?<![0-9A-Za-z./-])[0-9]{2}-[0-9]{2}(?![0-9A-Za-z./-])"
_PRINTED = r"\^(?!F[DV])[A-Z][A-Z0-9@][A-Z0-9]{0,5}(?:,[A-Z0-9]{0,4}){1,8}(?=\^|$)"
"""A command of a label printer, other than the data of a field."""
_ILLNESSES = r"(?:MI|PE|DVT|CVA|TIA|CABG|PCI|AF|TKR|THR|TKA|THA|TAVR|AVR|MVR|STEMI|NSTEMI|ICH|SAH)"
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}"
_SHORT_YEAR = r"\.?,? ?(?:['\u2019]?[0-9]{2})"
_SINCE_MONTH = (
    rf"{_APART}{_ILLNESSES} {_MONTH}(?={_SHORT_YEAR})"
    rf"|{_APART}{_ILLNESSES}(?= {_MONTH}{_SHORT_YEAR})"
)
"""An illness and the month behind it, which a tagger may take for a name."""


def _does_descend(numbers: str) -> bool:
    """Return whether two numbers are the higher and the lower one, as no range is written."""
    first, _, last = numbers.partition("-")
    return int(first) > int(last)


FORMS = (
    *(
        LineForm(re.compile(form), NUMERIC)
        for form in (
            _DOSE,
            _ASSAY,
            _SCORE,
            _AMOUNT,
            _COUNT,
            _WEEKS_AND_DAYS,
            _GESTATION,
            _GRAVIDA,
            _DIFFERENTIAL,
            _METRES,
            _PRINTED,
            _PROGRAM,
        )
    ),
    LineForm(re.compile(_EDITION), NUMERIC, group=1),
    *(LineForm(re.compile(form), TIMES) for form in (_PLACE, _VERSION)),
    LineForm(re.compile(_PART), AGES),
    LineForm(re.compile(_RANGE), AGES, counts=_does_descend),
    LineForm(re.compile(_SINCE_MONTH), PERSONS),
    LineForm(re.compile(_PLACE_IN_LIST), NUMBERS | PHONES),
    LineForm(re.compile(_LONE), NUMBERS),
    LineForm(RESULT, TIMES),
    LineForm(re.compile(_DECIMAL), NUMBERS | PHONES | {PhiLabel.ZIP, PhiLabel.IPADDR}),
)
"""Doses, results, scores, stages and counted days."""
