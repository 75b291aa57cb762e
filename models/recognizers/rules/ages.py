"""Rules for ages in figures and in words."""

from deidstream.models.recognizers.rules.ages_beside import (
    is_count,
    is_measurement,
    is_time_span,
    keep_age,
    keep_age_at_event,
    keep_before_sex,
    keep_beside_name,
    keep_decade,
    keep_infant_age,
)
from deidstream.models.recognizers.rules.rule import REFUSED, Rule, keep_whole
from deidstream.models.text.patterns import DASH, NAME, any_of
from deidstream.schemas.label import PhiLabel

_AGE = r"(?:1[01][0-9]|[1-9]?[0-9])"
_KIN = any_of("""
mother, father, mom, mum, dad, sister, brother, son, daughter, wife, husband, partner, spouse
twins?, nephew, niece, aunt, uncle, cousin, grandson, granddaughter, grandchild, boy, girl, child
children, kids?, baby, sibling, stepson, stepdaughter, woman, man, lady, gentleman, female, male
grandmother, grandfather, grandma, grandpa, fiancee?, boyfriend, girlfriend, infant, toddler
daughters, sons, husb, brothers, sisters, parents, grandparents
""")
_SMALL = r"(?i:months?|mos?|weeks?|wks?|days?|m/o|hours)"
_TENS = r"(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)"
_ONES = r"(?:one|two|three|four|five|six|seven|eight|nine)"
_TEENS = r"(?:ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen)"
_SPELLED = (
    rf"(?i:{_TENS}(?:[ -]{_ONES})?|{_TEENS}|{_ONES}|(?:a|one)[ ]hundred(?:[ ]and)?(?:[ ]{_ONES})?)"
)
_L = PhiLabel.AGE

RULES = (
    Rule(
        "age.years_old",
        _L,
        rf"(?:^|[^0-9A-Za-z./-])({_AGE}(?:[ ]?1/2)?)[ ]?-?[ ]{{0,3}}(?:(?i:years?|yrs?|yr|yeat"
        r"|you)[ -]{0,3}(?i:olds?|o[1lI]d|of[ ]age|young|man\b|woman\b|male\b|female\b|m\b"
        r"|f\b)|(?i:y/o|y\.o\.?|yo|yom|yof|y o|yr[ ]?o|yowf|yowm|yobm|yobf)\b|[ ](?i:year)[ ])",
        1.0,
        (
            "a [[67]]-year-old man",
            "[[67]] y/o M",
            "[[67]]yo",
            "[[57]] year old driver",
            "[[44]] y.o.",
            "[[19]]yom",
        ),
        ("for 12 years", "10 yr survival", "12 yoga"),
        keep_age,
        joined=True,
    ),
    Rule(
        "age.small_old",
        _L,
        r"(?:^|[^0-9A-Za-z./-])([0-9]{1,3}[ -](?i:months?|mos?|weeks?|wks?|days?))[ -](?i:old"
        r"|of[ ]age)\b",
        0.95,
        ("a [[15-month]]-old girl", "[[3 wk]] old", "[[8 days]] old"),
        ("38 weeks gestation", "2 week course"),
    ),
    Rule(
        "age.sexed",
        _L,
        r"(?:^|[^0-9A-Za-z./+-])(1[01][0-9]|[1-9]?[0-9])(?:[ ]?(?:[MF]|[mf])(?:[ ,.;:)/\]?]|$"
        r"|\n)|[ ]?/[ ]?[MF]\b|[ ](?:Male|Female|MALE|FEMALE|male|female|man|woman|nb|nonbinary"
        r"|WF|WM|BF|AAF|AAM|HF|HM)\b|(?:WF|WM|BF|AAF|AAM)\b)",
        0.9,
        (
            "[[67]]F with CHF",
            "ASHBY [[52]] f s/p",
            "[[91]] F;",
            "[[68]] M TO CCU",
            "(69) [[62]]f, cand",
        ),
        ("stay 7 m, no", "Temperature 94 F within", "size 12 Fr", "Had 3 BM."),
        keep_before_sex,
        joined=True,
    ),
    Rule(
        "age.sex_first",
        _L,
        r"\b(?:[MF]|Male|Female|MALE|FEMALE|male|female"
        rf"|[Ss]ex:?[ ][MF])[ ]?[,/|]?[ ]{{0,3}}({_AGE})(?:[ ,.;:)|/\n]|$)",
        0.75,
        ("Dragomir, Sena F [[35]]", "sex M, [[44]]", "F/[[45]]  x"),
        ("F 98.6", "M 20 mg"),
        lambda c: (
            REFUSED if is_measurement(c) or c.after[:2] in (" m", " %", " x") else keep_whole(c)
        ),
    ),
    Rule(
        "age.labelled",
        _L,
        r"\b(?i:ages?|aged|age/sex|age[ ]?\(?(?:yrs?|years?)\)?)\b(?i:[ ]?(?:is|was|of|at"
        r"|[:=/-]|\t)[ ]?)?[ ]{0,16}(?:(?i:about|around|approx\.?|under|over|at|of"
        rf"|only)[ ])?({_AGE}(?:[ ]?{_SMALL}\b(?:[ ](?:and[ ])?[0-9]{{1,2}}[ ]{_SMALL})?"
        r"|[ ]?y[ ]?[0-9]{1,2}[ ]?m(?:[ ][0-9][ ]?d)?|s)?)(?:\b|(?i:yrs?))",
        0.95,
        (
            "Age: [[49]]",
            "AGE   [[63]]    ROOM",
            "aged [[26]]. ",
            "age: [[18 months]]",
            "ages [[8]] and",
        ),
        ("agent 47", "stage 3", "coverage 80", "gestational age 34", "age 0.16"),
        lambda c: REFUSED if c.after.startswith(".") and c.after[1:2].isdigit() else keep_age(c),
        joined=True,
    ),
    Rule(
        "age.list",
        _L,
        rf"\b(?i:ages?|aged|children|kids|are)[,:]?[ ]{_AGE}(?:[ ]?{_SMALL}"
        rf"|[ ]?years)?(?:,[ ]({_AGE})\b)?(?:,[ ]({_AGE})\b)?,?[ ](?:and|&|to"
        rf"|or)[ ]({_AGE}(?:[ ]{_SMALL})?)(?:[ ,.;:)\n]|$)",
        0.85,
        ("aged 4 and [[18 months]].", "ages 3, [[5]] and [[9]]", "are 19, [[17]] and [[14]], the"),
        (),
        lambda c: REFUSED if is_measurement(c) and not c.before.endswith("and ") else keep_whole(c),
    ),
    Rule(
        "age.kin",
        _L,
        rf"\b(?i:{_KIN})[ ,:(]{{1,3}}(?:(?i:age|aged|is|was|now|of|a"
        rf"|turned)[ ]){{0,2}}({_AGE}(?:[ ](?i:months|weeks|days|mo|wk)\b)?"
        r"|[0-9]0s)(?:[ ]?(?i:yo|y/o|yrs?|years))?(?:$|[^0-9A-Za-z./%:-]|\.[^0-9]|\.$|[MF]\b)",
        0.85,
        (
            "mother [[17]], unbooked",
            "(daughter, [[8]])",
            "woman of [[68]] with",
            "son ([[14]]) at",
            "sister, [[19]], Hb",
        ),
        ("son 3 times", "brother 2/52"),
        lambda c: (
            REFUSED
            if is_count(c) or c.after.startswith((" mg", " ml", " kg", " %"))
            else keep_whole(c)
        ),
    ),
    Rule(
        "age.beside_name",
        _L,
        rf"{NAME}(?:,[ ]|[ ]?\((?:[^()0-9\n]{{0,30}}[ ,])?|[ ]{{1,4}}(?:{DASH}|/|\||;)[ ]{{0,4}}"
        rf"|[ ]{{2,8}}|[ ]?[|;][ ]?)({_AGE}(?:[ ](?:months?|mos?|days?|weeks?|wks?|m|d"
        r"|w)\b)?)(?:$|[^0-9A-Za-z./%:-]|\.[^0-9]|\.$|[mMfFyY]|-[^0-9])",
        0.7,
        (
            "Hideo Marsh, [[66]], is",
            "Joaquín ([[14]]) at",
            "Colt, [[20]], is",
            "Coralie (surf shop, [[12]])",
        ),
        ("Ward, 12 beds", "Ward 5, 3 units", "CY-BOCS (12).", "MELD 19."),
        keep_beside_name,
        joined=True,
    ),
    Rule(
        "age.at_event",
        _L,
        r"\b(?i:at|since|from|turns|turned|turning|is[ ]now|now|nearly|almost|is|died[ ]at"
        rf"|was[ ]then|was|d\.|around|about|before|until|after|then)[ ]({_AGE}"
        r"|[0-9]{1,2}[ ](?:months|days|weeks|mo))(?:\.(?:$|[^0-9])|,[^0-9]|;|\)|\n|$"
        r"|[ ](?i:after|in[ ]the|in[ ]a|with|and|when|but|years?|on|who|due|for[ ]|because"
        r"|during|of|is|to|behind|while|at|he|she|late|shots|from)\b|[ ]\()",
        0.6,
        (
            "quit smoking at [[50]], 25",
            "she is now [[49]].",
            "died at [[72]] of MI",
            "Mother turns [[70]].",
        ),
        ("at 12 noon", "at 40 mg", "until 10 pm", "Feeds at 85, ox", "HR was 48 with"),
        keep_age_at_event,
    ),
    Rule(
        "age.decade",
        _L,
        r"\b(?i:in|into|his|her|their|my|early|mid|late|teens|a|mid-to-late|man|woman|male"
        r"|female|of|to|through|Plum)[ -]((?:(?:early|mid|late)[ -]?)?[2-9]0'?s|(?i:twenties"
        r"|thirties|forties|fifties|sixties|seventies|eighties|nineties|teens))\b",
        0.85,
        ("in her [[60s]]", "his [[late 30s]].", "in his [[forties]]"),
        ("sats in the 90s", "low 80s"),
        keep_decade,
    ),
    Rule(
        "age.decade_sexed",
        _L,
        r"(?:^|[^0-9A-Za-z.'/-])([2-9]0s)(?:,?[ ](?:[MF]\b|male|female|man|woman|s/p)|[ ]\()",
        0.6,
        ("[[40s]] F, G2", "al-Hamdani, [[30s]] (exact"),
        ("90s on", "HR 80s to"),
    ),
    Rule(
        "age.short_units",
        _L,
        r"(?:^|[^0-9A-Za-z./-])([0-9]{1,2}[ ]?(?:y|yr|yrs"
        r"|years)[, ]{1,2}(?:and[ ])?[0-9]{1,2}[ ]?(?:m|mo|months)(?:[ ][0-9]{1,2}[ ]?d)?"
        r"|[0-9]{1,2}/12|[0-9]{1,2}[ ]?m[ ][0-9]{1,2}[ ]?d|[0-9]{1,2}y[ ]?[0-9]{1,2}m)\b",
        0.85,
        ("DOB 30/04/2021 ([[3y 9m]])", "Today, [[3 y 7 m]]: wt", "Siphosethu N., [[14/12]], cub"),
        ("in 3/52", "review 6/12"),
        keep_infant_age,
    ),
    Rule(
        "age.infant",
        _L,
        r"(?:^|[^0-9A-Za-z./-])([0-9]{1,2}[ -]?(?i:mo|months?|m/o|wk|weeks?|days?|d"
        r"|w))[ ,]{1,2}(?:[MFmf]\b|(?i:male|female|boy|girl|baby|infant|old|well|wcc|ex-|shots"
        r"|visit|check))",
        0.85,
        ("[[4 mo]] f bronchi", "[[19 months]] male", "[[9 month]] well child"),
        ("3 days Foley", "for 2 weeks febrile"),
    ),
    Rule(
        "age.years",
        _L,
        r"(?:[;(|/][ ]{0,3}|[A-Z][a-z]+,?[ ]{1,3}|[a-z]\)[ ]|[A-Z]{2}[ ]{1,3}"
        rf"|[ ][/|][ ]|^|[ ]{{3}})({_AGE})[ ]?(?:yrs?|years|y)(?:[ ,.;)|/\n]|$)",
        0.7,
        ("Liya  /  [[8]] yrs", "(M / [[71]] yrs)", "([[55]] yrs)", "Jedda [[13]]y  HRN"),
        ("(10 yrs ago)", "smoked, 12 years;"),
        lambda c: REFUSED if is_time_span(c) else keep_whole(c),
        joined=True,
    ),
    Rule(
        "age.spelled",
        _L,
        rf"\b({_SPELLED})(?:[ -]{{1,2}}(?i:years?)[ -]{{1,2}}(?i:old|of[ ]age)\b|[ -](?i:old)\b)",
        0.95,
        ("[[sixty-seven]]-year-old man", "a [[seven]] year old"),
        ("two years ago", "seven day course"),
    ),
    Rule(
        "age.spelled_labelled",
        _L,
        rf"\b(?i:ages?|aged)[ ]({_SPELLED})\b",
        0.95,
        ("at age [[twelve]]", "AGED [[EIGHTY-NINE]]"),
        ("aged care",),
    ),
    Rule(
        "age.spelled_event",
        _L,
        r"\b(?i:is|turned|turns|at|under|only|nearly|almost|then|from|now|be|she's|he's|be"
        rf"|still|to)[ ]({_SPELLED})(?:[.,;)\"]|$|[ ](?i:and[ ](?:in|has|was|came)|on|when"
        r"|years[ ]of|he|she|in[ ]a))",
        0.6,
        ("who is [[seven]]. I", "shot at [[fifteen]] on", "is [[ninety-one]]."),
        ("at one time", "is one of", "transfers of two, n", "one of eleven."),
        lambda c: (
            REFUSED
            if c.text.lower() in {"one", "two", "three"} and not c.before.endswith(("is ", "age "))
            else keep_whole(c)
        ),
    ),
    Rule(
        "age.of_decade",
        _L,
        r"\b((?i:(?:sexa|septua|octo|nona)genarian|(?:super)?centenarian))\b",
        0.9,
        ("a [[nonagenarian]] with", "[[Centenarian]], lives"),
        ("the centenary ward",),
    ),
    Rule(
        "age.birthday",
        _L,
        r"\b([1-9]?[0-9](?:st|nd|rd|th)|1[01][0-9](?:st|nd|rd|th))[ ](?i:birthday|b-?day)\b",
        0.9,
        ("since her [[92nd]] birthday", "before the [[100th]] birthday"),
        ("the 2nd birth",),
    ),
)
