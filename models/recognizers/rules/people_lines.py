"""Find names of people by their place in the layout of a note.

That is at the head of a summary, before an age and a sex; on a line of a list or census; or in the
greeting and the signature of a letter.
"""

import re2

from deidstream.models.phi.names.credentials import CREDENTIALS
from deidstream.models.phi.names.stops import NOT_SIGNED, ends_name
from deidstream.models.recognizers.rules.name_fits import (
    begins_with_eponym,
    is_abbreviation,
    keep_lower_name,
    keep_name_after_cue,
    trim_name,
)
from deidstream.models.recognizers.rules.rule import REFUSED, Candidate, Rule, keep_whole
from deidstream.models.text.patterns import (
    DASH,
    LAST_FIRST,
    LOWER_NAME,
    NAME,
    NAME_PIECE,
    WORD,
    word_set,
)
from deidstream.models.text.titles import BEFORE_NAME
from deidstream.schemas.label import PhiLabel

_P, _D = PhiLabel.PATIENT, PhiLabel.DOCTOR
_SIGN = r"(?:-{1,2}|\xe2\x80[\x93\x94]|~|/s/|/es/)"
_TITLE = rf"(?:(?:{BEFORE_NAME}|team)\.?[ ])?"
_YEARS = r"(?:1[01][0-9]|[1-9]?[0-9])"
_SEXED = rf"{_YEARS}(?:[ ]?(?:[MFmf]\b|yo\b|y/o|y\.o|yr|yom|yof|-?years?)|[ ]?/[ ]?[MF]\b)"
_AFTER_FORM = (
    r"(?:[ ]{2}|\t|\n|[ ]?[|/;(#]|[ ][0-9]|,[ ]?[0-9]|,?[ ](?:MRN|mrn|DOB|dob|[Hh]osp)"
    r"|\.(?:[ \n]|$)|$)"
)
_ANYBODY = word_set("""
colleague colleagues sir madam sirs team all doctor dr there everyone mom mum dad parents parent
family patient both friend provider whom staff ladies doctors editor
""")
_NOT_INITIALS = word_set("""
po iv im sq bid tid qd qhs prn ok no na neg pos wnl nad dc ns tpn npo ed er or mg ml kg cm mm hr
min am pm yo re is it ct mri us lr mcg pt hs ac pc rr bp pe hx rx dx tx fx sx
""")
_CAPS = re2.compile(r"^[A-Z0-9 ,.'-]+$")


def _keep_line(candidate: Candidate) -> tuple[int, int]:
    words = candidate.text.replace(",", " ").split()
    if any(ends_name(word) or word.lower().strip(".") in NOT_SIGNED for word in words):
        return REFUSED
    kept = trim_name(candidate.text, 0, len(candidate.text))
    shouting = candidate.text.isupper() and len(words) > 1
    return REFUSED if shouting else kept


def _keep_before_age(candidate: Candidate) -> tuple[int, int]:
    """Keep the words right before an age, if they read as a name."""
    text, begin = candidate.text, 0
    for word in text.split():
        if ends_name(word) or word.lower() in NOT_SIGNED:
            begin = text.index(word, begin) + len(word) + 1
    kept = text[begin:].strip()
    single = " " not in kept and "," not in kept
    if not kept[2:] or (
        single and (kept.isupper() or begins_with_eponym(candidate, (begin, len(text))))
    ):
        return REFUSED
    return trim_name(text, begin, len(text))


def _keep_before_doubtful_age(candidate: Candidate) -> tuple[int, int]:
    """Keep two words or more, not in capitals: the number may be something else than an age."""
    start, end = _keep_before_age(candidate)
    kept = candidate.text[start:end]
    plain = (" " in kept or "," in kept) and not _CAPS.search(kept)
    return (start, end) if plain else REFUSED


def _keep_form(candidate: Candidate) -> tuple[int, int]:
    last, _, first = candidate.text.partition(",")
    words = [*last.split(), *first.split()]
    known = any(ends_name(w) or w.lower() in NOT_SIGNED for w in words)
    abbreviated = last.strip().isupper() and not last.strip()[3:]
    good = not known and not abbreviated and not is_abbreviation(first.strip(), candidate)
    return trim_name(candidate.text, 0, len(candidate.text)) if good else REFUSED


def _keep_initials(candidate: Candidate) -> tuple[int, int]:
    return REFUSED if candidate.text.lower() in _NOT_INITIALS else keep_whole(candidate)


def _keep_unless_credential(candidate: Candidate) -> tuple[int, int]:
    return REFUSED if candidate.text.lower() in CREDENTIALS else keep_whole(candidate)


_IDENTIFIED = re2.compile(r"^,? (?:mrn|dob|hosp)|^ \(?[0-9]{1,2}|^   hosp|^ cc ")


def _keep_lower_pair(candidate: Candidate) -> tuple[int, int]:
    # Two words in small letters are a name only if an identifier or an age is beside them.
    good = _IDENTIFIED.search(candidate.after) or candidate.before[-2:] in {"m ", "f "}
    return keep_lower_name(candidate) if good else REFUSED


RULES = (
    Rule(
        "name.aged",
        _P,
        rf"(?:^|[^0-9A-Za-z'])({LAST_FIRST}|{NAME})(?:,[ ]?|[ ]\(|[ ]{{1,4}}"
        rf"|[ ]?[/|][ ]?)(?:(?:age|aged|is|a)[ ]){{0,2}}(?:{_SEXED}|(?:[MF]|female"
        rf"|male)[ ,/]{{1,2}}{_YEARS}\b)",
        0.8,
        (
            "[[PRUDENCE ASHBY]] 52 f s/p",
            "[[Odessa Stanhope]], 27F, 58 kg",
            "[[Dragomir, Sena]] F 35",
            "[[Winifred Ampofo]] (77 yo)",
        ),
        ("Ward 7, bed", "Day 5 M", "CT (2019)", "REM AHI 58; n", "QTc 452, p"),
        _keep_before_age,
    ),
    Rule(
        "name.aged_loosely",
        _P,
        rf"(?:^|[^0-9A-Za-z'])({LAST_FIRST}|{NAME})(?:,[ ]|[ ]\(|[ ]{{1,4}}\(|[ ]{DASH}[ ]"
        rf"|[ ]?[|;][ ]?)(?:(?:age|aged)[ ])?{_YEARS}(?:,|\)|;|[ ]\(|[ ]?[|]|\n|$|,[ ]?[a-z]"
        r"|s[ ])",
        0.7,
        ("[[Winifred Ampofo]] (77)", "[[Hideo Marsh]] | 23 | pro"),
        (
            "Spironolactone 100, furo",
            "Pulse 92, BP",
            "Clinical Frailty Scale 6.",
            "Beers, ACB score 6)",
        ),
        _keep_before_doubtful_age,
    ),
    Rule(
        "name.last_first",
        _P,
        rf"(?:^|\n|[ ]{{2}}|\t|\|)[ ]{{0,3}}({LAST_FIRST}){_AFTER_FORM}",
        0.75,
        (
            "[[ABEBE, Liya]]  /  8",
            "\n[[Hodgkin, Barnaby T.]]   DOB",
            "MRN 4\n[[Xiong, Mai Nhia]]. Contact",
            "ACC CT009    [[WELLS, DARYL]]  551",
        ),
        ("FEVER, CHILLS\n", "Chest, Abdomen  ", "\nDaily, Tamsulosin 4"),
        _keep_form,
    ),
    Rule(
        "name.greeted",
        _D,
        r"\b(?:Dear|Hi|Hello|Hey|hi|hello|hey|Good[ ](?:morning|afternoon|evening)|Dearest"
        rf"|Thanks|Thank[ ]you|thx|Cheers|To)[,]?[ ]{_TITLE}({NAME})(?:[ ](?:and|&)[ ]"
        rf"{_TITLE}({NAME}))?[ ]?(?:[,:!.\n]|[ ]-|$|[ ]team)",
        0.8,
        ("Dear Ms. [[Baptiste-Ng]], thank", "Hi [[Marcus]],", "Dear Dr [[Choudhury]]\n"),
        ("Dear Colleague,", "Dear Sir,", "Hi there,", "Hello Team"),
        lambda c: REFUSED if c.text.split()[0].lower() in _ANYBODY else keep_name_after_cue(c),
    ),
    Rule(
        "name.signed",
        _D,
        r"(?i:sincerely|regards|yours(?:[ ](?:truly|faithfully|sincerely|aye))?|respectfully"
        r"|thanks(?:[ ]again)?|thank[ ]you|best(?:[ ]wishes)?|cheers|faithfully|gratefully"
        r"|warmly|love)(?:[ ](?i:submitted|yours))?(?:[,.!]?[ ]?\n{1,3}[ ]{0,4}"
        rf"|,[ ]){_TITLE}({NAME})",
        0.85,
        ("Kind regards,\n\n[[Fearchar MacAskill-Rao]]\n", "Respectfully, [[C. Ng]]"),
        ("Thanks,\nPlan", "Thank you.\nThe"),
        lambda c: REFUSED if c.text.split()[0].lower() in NOT_SIGNED else keep_name_after_cue(c),
    ),
    Rule(
        "name.line",
        _D,
        rf"(?:\n[ ]{{0,3}}|^)(?:[-~/*][ ]?)?((?:[A-Z]\.[ ]?){{1,2}}{WORD}"
        rf"|{WORD}(?:[ ](?:{NAME_PIECE}|de|van|von|der|al|el|la|bin)){{1,3}})[ ]?(?:\n|$)",
        0.65,
        ("text.\n[[J. Amadi]]\n", "done\n\n[[Zuleika Thompson-Wray]]"),
        ("\nSocial History\n", "\nDischarge Plan\n", "\nGeneral Surgery\n", "\nIDENTIFYING DATA\n"),
        _keep_line,
    ),
    Rule(
        "name.line_dated",
        _D,
        r"(?:\n[ ]{0,3}|[.)][ ]{1,2})((?:(?:[A-Z]\.[ ]?){1,2}"
        rf"|{WORD}[ ]){WORD}(?:[ ]{WORD})?)(?:,?[ ]{{1,4}}20[0-9]{{2}}-[0-9]{{2}}"
        r"|,[ ](?:[Cc]onsultant|[Cc]linical|[Ss]peciali?ty?|[Ll]ead|[Ss]enior|[Pp]rivacy"
        r"|[Hh]ouse[ ][Oo]|[Vv]olunteer|[Cc]o-|[Pp]ractice|[Ss]taff|[Rr]egist|[Cc]harge"
        r"|[Nn]urse|[Pp]hysi|[Ss]urg|[Rr]esident|[Ff]ellow|[Pp]sych|[Dd]octor|[Mm]idwife"
        r"|[Pp]aramedic|[Mm]edical|[Cc]ardiac))",
        0.65,
        ("unchanged.\n[[M. Quill]] 2026-10-07 10:20",),
        ("\nLast Seen 10/12", "\nNext Visit 3/4"),
        _keep_line,
    ),
    Rule(
        "name.dashed",
        _D,
        rf"(?:[.)?!\"]|[0-9])[ \n]{{0,2}}{_SIGN}[ ]{{0,2}}({NAME}|[A-Z]{{2,3}}"
        r"|(?:[A-Z]\.){2,3})[ ]?(?:[.,]?[ ]?(?:\n|$)|,?[ ](?:MD|RN|DO|NP|PA|LPN|CNA|RRT|PGY)"
        r"|,[ ][a-z])",
        0.75,
        (
            "doing well. -[[Odalys Freund]]\n",
            "2/2/30  -[[Rao]]",
            "Will follow. — [[Yusupov]]",
        ),
        ("none. - Normal", ") - CT scan"),
        _keep_line,
    ),
    Rule(
        "name.initials_signed",
        _D,
        rf"(?:[.)]|[0-9]|\n)[ ]{{0,2}}(?:{_SIGN}|/)[ ]?([a-z]{{2,3}}|[A-Z]{{2,3}}"
        r"|[A-Z]\.[A-Z]\.)[ ]?(?:\n|$)",
        0.5,
        ("walked 150 ft. -[[kj]]\n", "12/02 — [[L.O.]]"),
        ("120/80\n", "5-10\n", "100 /hr\n"),
        _keep_initials,
    ),
    Rule(
        "name.reference_initials",
        _D,
        r"\b[A-Za-z]{2,5}[/:]([a-z]{2,3})\b[ ]{0,2}(?:\n|$|[ ]DD)|\b(?:[dtDT]):[ ]?([A-Z]{2,3})\b",
        0.6,
        ("LVDZ/[[mc]]\n", "d: [[BN]]  t: [[KH]]"),
        ("BP/hr 1", "g/dl\n"),
        lambda c: (
            REFUSED
            if c.text in {"dl", "ml", "hr", "kg", "min", "mm", "day", "wk", "uL"}
            else _keep_initials(c)
        ),
    ),
    Rule(
        "name.initials_registered",
        _D,
        r"(?:^|\n|[.;)]|[ ]{2})[ ]{0,3}([A-Z]{2,3})[ ]{1,3}(?:GMC|NMC|HCPC|AHPRA|HPCSA|MDCN|NMBI"
        r"|IMC)[ ]?(?:(?:no|reg)\.?[ ])?[0-9]{4,}",
        0.97,
        ("blood loss.   [[SQ]]  GMC 7951463", "\n[[KO]] HPCSA 0417882"),
        ("\nRN NMC 12H3456", "\nRN  NMC 417882", "seen by GMC 7951463"),
        _keep_unless_credential,
    ),
    Rule(
        "name.initials_of_role",
        _D,
        r"(?i:\b(?:abstractor|coder|coded by|scribe|typist|encoder|encoded by|keyed by|prepared by"
        r"|released by|verified by|entered by|checked by|collected by|transcriptionist|assessor))"
        r"[ ]?[:.]{1,12}[ ]{0,3}([A-Z]{2,4})[ ]?(?:\n|$|[ ]{2}|[/|])",
        0.97,
        ("ABSTRACTOR: [[LQN]]\n", "Checked by: [[DFO]]  1420"),
        ("Checked by: RN\n", "coder: see note\n", "Assessor: Li\n"),
        _keep_unless_credential,
    ),
    Rule(
        "name.dictated_initials",
        _D,
        r"(?:^|\n)[ ]{0,2}([A-Z][a-z]?[A-Z]{1,2}|[a-z]{2,3})[/:][a-z]{2,4}[ ]{0,2}(?:\n|$)",
        0.6,
        ("MD FRCPC\n[[IvR]]/mkb\n", "\n[[KAO]]:dlt\n", "\n[[mfa]]/dlp"),
        ("\npt/ot\n", "\nBP/hr 1", "\nHb/hct\n"),
        _keep_initials,
    ),
    Rule(
        "name.caret",
        _P,
        r"[|^]([A-Z][A-Za-z'-]{1,20}(?:[ ][A-Z][A-Za-z'-]{1,20})?\^[A-Z][A-Za-z' -]{0,20}"
        r"(?:\^[A-Z][A-Za-z ]{0,12})?(?:\^(?:JR|SR|III?|IV))?)(?:[|^~]|\n|$)",
        0.85,
        ("||[[NOVEMBER^CLAUDETTE^R]]||", "D771^[[RASMUSSEN^LEIF]]^^^DR"),
        ("|ORU^R01|", "|96^L|"),
        lambda c: REFUSED if c.text.startswith(("CBC^", "WBC^", "HGB^", "PLT^")) else keep_whole(c),
    ),
    Rule(
        "name.lower_near_age",
        _P,
        rf"(?:^|\n|[.;,][ ]|[ ]{{2}}|\b(?:pt|patient)[ ]|[0-9][MFmf][ ])((?:{LOWER_NAME}"
        rf"|[a-z]\.?)(?:[ ]{LOWER_NAME}){{1,2}}|{LOWER_NAME},[ ]?{LOWER_NAME}"
        rf"(?:[ ]{LOWER_NAME})?)(?:,|[ ]{{2}}|[ ]\(?{_YEARS}[ ]?(?:y|m\b|f\b|yo)|[ ]cc[ ]"
        r"|,?[ ](?:mrn|dob|hosp))",
        0.5,
        (
            "\n[[fernanda keyes]], mrn 552",
            "17m [[jules tran-abbott]]  ",
            "pt [[tan, wei liang]]   hosp",
        ),
        ("\nno chest pain, no", "pt is doing well,"),
        _keep_lower_pair,
    ),
)
