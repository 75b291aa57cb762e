"""Name the words beside two numbers and a slash that decide whether they are a value or a date."""

import re2

from deidstream.models.text.patterns import any_of

_SCALES = any_of(r"""
bp, b/p, nibp, blood pressure, strength, power, motor, scores?, scored, gcs, glasgow coma scale
mmse, mo-?ca, moca score, smmse, amts?, amt-?4, 4at, 6cit, ace(?:-iii|-r)?, mini-?cog, phq-?[0-9]
gad-?7, audit(?:-c)?, epds, edinburgh, gds, hads, must, waterlow, braden, norton, barthel, frail
rockwood, cfs, apgars?, a/s, reflexes, dtrs?, visual acuity, acuity, vision, unaided, aided
snellen, nrs, vas, nyha, mrc, nodes?, margins?, epworth, ess, mews, news2?, pews, ecog, kps, gaf
curb-?65, wells, mallampati, aldrete, bishop'?s?, edss, updrs, ndi, odi, oxford, koos, kss, womac
ymrs, madrs, ham-?d, bdi(?:-ii)?, abbey, flacc, rass, cam-icu, teach[- ]?back, mjoa, joa, das28?
basdai, nihss, aspects, westley, alvarado, cdai, mds, faces, wong-baker, borg, rpe, nips, npass
ratio, severity, mentzer, likert, rating, rated, rates?, rating of, cage, katz, lawton, tinetti
berg, pag(?:es?|\.)?, pgs?\.?, pp\.?, sheet, slide, segment, part, fig, recall, serial 7s
orientation, naming, fev1/fvc, apfel, qsofa, sofa, sirs, lille, hoehn and yahr, ashworth, mrs
fim, wab, try, attempts?, acr/eular, duke'?s, eva, dash, quickdash, spadi, mmt, mrc grade
muscle grade, iipp, thompson, nipe, c/d, cup/disc, cup[- ]to[- ]disc, cdr, hand[- ]grip
mmpi, act, ccq, cat, hit-6, midas, iciq(?:-[a-z]{2,4})?(?: sf)?, dlqi, cdlqi, pasi, easi, scorad
poem, uas7?, i-?pss, oab(?:-?[qv]8)?, haq(?:-di)?, sdq, vanderbilt, pcl-?5, dast(?:-10)?, isi
psqi, k-?10, k-?6, dass(?:-21)?, core-?(?:10|om), honos, whodas(?: 2\.0)?, bprs, panss, aims
cdrs, rcads, y-?bocs, cy-?bocs, slums, rudas, ad-?8, gpcog, mna(?:-sf)?, aua(?:-ss)?
iief(?:-5)?, shim, zarit, zbi, fss, alsfrs(?:-r)?, m-?chat(?:-r)?, ados(?:-2)?, cars-2, allred
quick score, bims, cpot, n-pass, sessions?, count, whooley, bed, room, rm, bay
(?:m?mud|hla|match(?:ed)?) \(?, nca, pca
""")
_LIMBS = any_of(r"""
deltoids?, delts?, biceps, triceps, quads?, quadriceps, iliopsoas, hamstrings?, gastrocs?, tib
ant, tibialis, ehl, fhl, df, pf, hip, knee, ankle, wrist, elbow, shoulder, grip, finger, thumb
interossei, apb, adm, wf, we, ef, ee, sa, sab, hf, he, kf, ke, ad, ap, dorsiflexion
plantarflexion, flexion, flexors?, extension, extensors?, abduction, adduction, eversion
inversion, rue, lue, rle, lle, ues?, les?, bue, ble, arms?, legs?, limbs?, tone, lift, pronator
supinator, foot, handgrip, proximal, distal, proximally, distally, cuff, supraspinatus, rotator
all, bilat, desc, descent, fifths, 5ths, wheeze, gait, sensation, mrd, grade, upper, lower, l, r
lt, rt, left, right, head
""")
_COMPLAINTS = any_of(r"""
pain, ha, headache, head ache, sore, soreness, ache, aching, throbbing, cramps?, cramping, itch
itching, nausea, sob, dyspnea, dyspnoea, breathlessness, discomfort, tenderness, mood, anxiety
anger, sleep, energy, fatigue, tired, stress, distress, cravings?, urges?, sadness, worry, panic
hurts, hurting, burning, pressure, tightness, stiffness, intensity, worst, at worst, at best
best, average, avg, usual, better, worse, max, min, rest, at rest
mvt, movement, with movement, on movement
activity, knee, back, neck, toe, ankle, hip, foot, abdo, abdominal, chest, belly, tummy, incision
wound, confidence, motivation, importance, readiness, hunger, appetite, down to, up to, now at
currently, was at, sits at, still, now, contr, contractions, ctx, moderate, mild, severe
satisfaction
""")
_LINK = (
    r"[ :=~(\-]{0,3}(?:(?:is|was|at|to|of|about|approx|still|now|of about)[ ]{1,2})?[~<>=(]{0,2}"
)
SCALED = re2.compile(rf"(?i)(?:^|[^a-z0-9]){_SCALES}(?: (?:screen|total|test))?{_LINK}$")
"""A scale, a test or a page number; whatever is behind it is no date."""
PRESSED = re2.compile(
    r"(?i)(?:^|[^a-z0-9])(?:pip|peep|psv|simv|asb|cpap|bipap|bilevel|ipap|epap|niv|vent|settings?)"
    r"(?: noct\w{1,2})?[ :=]{1,3}$"
)
"""A ventilator: behind it stand two pressures."""
MURMUR = re2.compile(r"(?i)(?:^|[^a-z])(?:murmur|systolic|sem|esm|psm|grade)[ :]{1,2}(?:of )?$")
LIMB = re2.compile(rf"(?i)(?:^|[^a-z0-9]){_LIMBS}{_LINK}$")
"""A muscle or a limb: behind it stands a power out of five."""
TITLED = re2.compile(
    r"(?i)(?:^|[^a-z])(?:dr|mr|mrs|ms|miss|prof|sister|nurse|rn)\.? [a-z'\x{2019}-]+[ ,:]{0,3}$"
)
"""A person, who may have the name of a scale."""
COMPLAINT = re2.compile(rf"(?i)(?:^|[^a-z0-9]){_COMPLAINTS}{_LINK}$")
"""A complaint: behind it stands a score out of ten."""
CHANGED = re2.compile(
    r"(?i)\b(?:pain(?: [a-z]{2,12}){0,2} (?:from|to|at|was)|(?:better|worse|improved|improving),) $"
    r"|(?:^|[^0-9/])[0-9]{1,2}/10(?: \([^()]{1,12}\))?,? "
    r"(?:(?:down |up )?(?:from|to)|was|now|then|against|vs\.?|versus|->|\x{2192}) ?$"
)
"""A complaint that changes: behind it stand scores out of ten."""
COUNTED = re2.compile(
    r"(?i)^(?:[ ]{0,2}(?:mg|mcg|ml|g\b|units?|strength|power|murmur|sem\b|esm\b|psm\b|systolic"
    r"|diastolic|bottles?|cores?|nodes?|fields|screws?|intact|words|items|objects|recall|sets\b"
    r"|throughout|bilat\w*|symmetric|tabs?\b|tablets?|caps?\b|pint|cup|pack|ppd|inch"
    r"|in(?:[.,;)x]|$| wide| long)|(?:[0-9.]{1,4} ?)?oz\b|cm\b|mm\b"
    r"|carious|decayed|ehl\b|fhl\b|hrly|hourly|actions|doses|positive|sterile|dead\b|missed\b|staff\b"
    r"|per\s(?:shift|day|night|week|month|year|h(?:ou)?rs?|min(?:ute)?|dose|side|eye|visit)\b"
    r"|on (?:mo-?ca|mmse|nrs|vas|exam|the right|the left)|of (?:the|his|her|their|them|which|these)"
    r"\b|(?:rotation|roster|rota|swing)s?\b|%|pain\b|severity|residents|patients|strides|visits\b)"
    r"|\"? ?(?:tube|needle|ns\b|saline)"
    r"|[+\x{d7}]|[ ]?x[ ]?[0-9])"
)
"""A unit or what was counted."""
PINT = re2.compile(r"(?i)^[ ]{0,2}pt\b")
"""A pint, or a patient."""
TIMED = re2.compile(
    r"(?i)^[ ,]{1,3}(?:at |@ ?|from |by )?(?:[01]?[0-9]|2[0-4])(?:[:.h][0-5][0-9]|[0-5][0-9]\b"
    r"(?: ?h(?:rs|ours)?)?(?:[^0-9/,.-]|$)| ?[ap]\.?m\b)|^ ?@ ?[0-9]"
    r"|^ (?:am|pm|noon|nocte|eve|evening|morning)\b"
)
"""A time of day: what stands before it is a date."""
_DATE_WORDS = any_of(r"""
on, dob, d\.o\.b\.?, born, date, dated, dates, seen, appt, appointment, appts, apt, visit, lmp
edd, edc, doi, dos, dod, doa, adm, admit, admitted, d/c'?d?, dc'?d?, discharged?, discharge
wk of, week of, w/e, w/c, as of, scheduled, booked, sched, signed, typed, dictated, drawn
collected, received, rec'?d, sent, faxed, posted, printed, updated, reviewed on, effective, eff
due, thru, through, till?, until, untill, by, from, since, started, start, stop, stopped
starting, ended, ending, expires?, exp, mon, tues?, weds?, thu(?:rs?)?, fri, sat, sun, monday
tuesday, wednesday, thursday, friday, saturday, sunday, labs?, cx, cxr, ct, mri, echo, ecg, ekg
egd, us, bcx, ucx, surgery, procedure, biopsy, bx, placed, removed, clinic, call(?:ed)?, note
addendum, last bm, lbm, bm, next, next appt, eta, tci, op, booking, scan, fu, f/u, rtc
cag, angio, pci
phone(?:d)?, rang, message, msg, dx'?d?, diagnosed, died, d\., b\., onset, event, accident, fall
fell, scheduled for, booked for, set for, planned for, due for, appt for, appointment for
slated for, down for, listed for, lcd, dna, last dose, finished
""")
DATED = re2.compile(
    rf"(?i)(?:(?:^|[^a-z0-9]){_DATE_WORDS}[.:,;(=]{{0,2}}[ ]{{1,3}}\(?$"
    r"|(?:\bat |@ ?)(?:[01][0-9]|2[0-3]):?[0-5][0-9](?: ?h(?:rs)?)? $"
    r"|(?:^|[^a-z])(?:dob|doa|dos)[:= ]*$)"
)
"""A word, or a time of day, that a date stands behind."""
_MONTHS = any_of("""
jan(?:uary)?, feb(?:ruary)?, mar(?:ch)?, apr(?:il)?, may, june?, july?, aug(?:ust)?
sept?(?:ember)?, oct(?:ober)?, nov(?:ember)?, dec(?:ember)?
""")
BORN = re2.compile(
    r"(?i)(?:\bdob|\bd\.o\.b\.?|\bborn(?: on)?|\bbirth(?: date)?|\bb\.)[:= ]{0,3}$"
    rf"|\b{_MONTHS}\.? $"
)
"""A word that a date of birth stands behind, or a month."""

_SPAN_WORDS = any_of(r"""
for, x, \x{d7}, past, over, in, within, after, every, another, further, about, approx, circa
roughly, nearly, almost, only, least, than, up to, review, rv, r/v, review in, reviewed in, f/u
fu, follow-up, follow up, recheck, repeat, rpt, rescan, see, see in, course, hx, history, pc
waited, waiting, wait, duration, lasting, lasted, continue, continued, complete, completed
completing, finish, step down, stepdown, od, bd, tds, tid, qds, qid, bid, nocte, mane
stat, om, hrly, hourly, daily, weekly, wkly, dly, iv, po, oral, abx, antibiotics, first, last
next, remaining, another, and then, then for, total, t\+, d/c, home in, back in, stay, rest
restr, off, off work, nwb, wb, in the, per, ongoing, worsening, cough, fever, vomiting, d&v
diarrhoea, unwell, mffd, los, started, began, prescribed, supply, issued, issue, ttos?, ttas?
max, growth, since, from, bf, ebf, breast-?fed, recall, rec, opd, opa, clinic, interval, obs, mx
prognosis, survival, free, long lie, overdue, not before, no sooner than
(?:film|serology|bloods|tests?|scan|x-?ray|xr|cxr|repeat|rpt|review|recheck|check|titres?) at
""")
SPANNED = re2.compile(
    rf"(?i)(?:(?:^|[^a-z0-9/])(?:{_SPAN_WORDS})[.:,;(]?[ ]{{1,3}}[~<>(]{{0,2}}$"
    r"|(?:^|[^-=])[~<>\x{2264}\x{2265}x] ?$)"
)
"""A word that a length of time stands behind, in British notation."""
VISIT = re2.compile(
    r"(?i)(?:^|[^a-z])(?:review|rv|r/v|fu|f/u|follow[- ]?up|recheck|repeat|rpt|see|clinic|op[ad])"
    r"[.:,;(]? $"
)
"""Behind a visit stands its day, or the time until then."""
SPAN_AFTER = re2.compile(
    r"(?i)^[ ]{1,2}(?:ago|hx\b|history|course|supply|post\b|later|left\b|remaining|duration|long\b"
    r"|total|apart|prior\b|cough|fever|d&v|vomiting|review|follow|f/u"
    r"|rv\b|r/v|seizure|each|per month|per year|free\b|recall|script|abx|iv\b|po\b|oral|off\b"
    r"|then\b|with no|wait|gestation|preg\w*|pregnan\w*|to complete|since)"
)
"""What is said of a length of time behind it."""
_DOSED = any_of("od, bd, tds, tid, qds, qid, bid, nocte, mane, stat, om, hrly, hourly, dly, wkly")
DOSED = re2.compile(rf"(?i)(?:^|[^a-z]){_DOSED}[ ,(]{{1,3}}(?:x ?|for )?$")
"""How often a drug is taken."""
STRONG_SPAN = re2.compile(
    r"(?i)(?:(?:^|[^a-z])(?:past|(?:kg|lbs?|cm|mls?|litres?|mg|mcg|units?|x ?[0-9]|[0-9]x|times"
    r"|episodes|attacks|courses) (?:in|over)|approx\.?"
    r"|approximately|over the (?:past|last)|[x\x{d7}])[ ]?|(?:^|[^-=])[~\x{2264}\x{2265}<>]) ?$"
)
"""Words that no date stands behind, whatever the country."""
AGED = re2.compile(
    r"(?i)(?:(?:^|[^a-z])(?:age[ds]?|(?:old|young)er than)(?: was| is| of| about"
    r"|[ ][0-9]{1,2}(?:/12)?(?:,| and| &))?[ :=(~<>]{1,3}"
    r"|(?:^|[^a-z])(?:baby|infant|toddler|child|boy|girl|son|daughter|brother|sister|twins?),? \("
    r"|(?:^|[^a-z])(?:sat|stood|walked|crawled|cruised|smiled|rolled|babbled|talked|weaned|words?"
    r"|steps?|tooth|trained|sitting|standing|walking|crawling|cruising|smiling|rolling|babbling"
    r"|talking)(?: [a-z]{2,14}){0,2} at (?:about )?[~<>]?)$"
)
"""What an age in months, weeks or days stands behind."""
OLD = re2.compile(r"(?i)^(?:[ -]?old\b|[ ](?:of age|boy|girl|lad|male|female)\b)")
"""What such an age stands before."""
MAYBE_AGED = re2.compile(
    r"(?i)(?:(?:^|[.;:] )now|(?:is|'s) now|(?:^|[^a-z])(?:at|(?:he|she|who|baby|child) (?:is|was)"
    r"|(?:first|1st) (?:words?|steps?|tooth|smile))) $"
)
"""What an age may stand behind, and a date hardly ever."""
APPOSED = re2.compile(r"\p{Ll}(?:,| \(| is|'s) ?$")
"""A word that an age stands beside."""
STRONG_AFTER = re2.compile(
    r"(?i)^[ ]{1,2}(?:ago\b|hx\b|history of|course\b|supply\b|duration|pt[ap]\b)"
)
"""Words that no date stands before."""
EYES = re2.compile(
    r"(?i)(?:^|[^a-z0-9])(?:va|vas|ucva|bcva|visual acuity|vision|acuity|unaided|aided|ph"
    r"|pinhole|r|l|re|le|rt|lt|right|left|od|os|ou|be|both|glasses|snellen)[ :=.(|]{1,4}$"
)
"""An eye or what it sees with."""
NUMBERED = re2.compile(r"[0-9]{4,} $")
"""A number whose last group the fraction may be."""
