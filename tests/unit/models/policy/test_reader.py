"""Policies from TOML."""

from dataclasses import fields

import pytest

from deidstream.models.policy.reader import read_policy, read_shipped_policy
from deidstream.models.policy.shipped import list_policies
from deidstream.models.policy.term_lists import Lists
from deidstream.schemas.errors import InvalidPolicy
from deidstream.schemas.label import LABELS, PhiLabel
from deidstream.schemas.policy import (
    LABELS_OF,
    SENTENCE_KNEO,
    AgePolicy,
    DatePolicy,
    OperatorName,
    Profile,
    Purpose,
    Scope,
    Technique,
    Weekday,
)
from deidstream.schemas.risk_policy import Adversary, RedAction, RiskMeasure, RiskPolicy
from deidstream.schemas.site_pattern import SitePattern

LEAST = b'technique = "surrogate"\nrecognizers = ["rules"]\n'


def mistakes(source: bytes, lists: Lists | None = None) -> list[str]:
    with pytest.raises(InvalidPolicy) as caught:
        read_policy(source, name="p", lists=lists or {})
    return str(caught.value).splitlines()


@pytest.mark.parametrize("name", list_policies())
def test_a_shipped_policy_names_an_operator_for_every_label(name: str) -> None:
    policy = read_shipped_policy(name)
    assert set(policy.operators) == set(PhiLabel) == set(LABELS)
    assert OperatorName.KEEP not in policy.operators.values()


def test_the_shipped_policies_are_these() -> None:
    kneo = ("kneo", "kneo-notes", "kneo-words")
    assert list_policies() == ("deidclinic", *kneo, "redact", "safe-harbor", "surrogate")
    assert read_shipped_policy("kneo").technique is Technique.KNEO_SENTENCES


def test_the_profile_is_balanced_unless_the_policy_says_otherwise() -> None:
    strict = {name for name in list_policies() if _profile(name) is Profile.STRICT}
    assert strict == {"safe-harbor"}
    assert _profile("surrogate") is Profile.BALANCED
    precise = read_policy(LEAST + b'[detection]\nprofile = "precise"\n', name="p")
    assert precise.detection.profile is Profile.PRECISE
    assert mistakes(LEAST + b'[detection]\nprofile = "lax"\n') == [
        "p.toml:4: detection.profile: must be one of strict, balanced, precise"
    ]


def test_what_is_hardly_likely_is_no_phi_to_any_profile() -> None:
    tagged = b'technique = "surrogate"\nrecognizers = ["rules", "tagger"]\n'
    balanced = read_policy(tagged, name="p").least_scores
    likely = [balanced[label] for label in (PhiLabel.DOCTOR, PhiLabel.HOSPITAL, PhiLabel.AGE)]
    assert 0 < likely[0] <= likely[1] <= likely[2] < 0.5
    assert PhiLabel.MEDICALRECORD not in balanced
    own = read_policy(tagged + b"[thresholds]\nAGE = 0.0\n", name="p").least_scores
    assert own == {**balanced, PhiLabel.AGE: 0}
    strict = read_policy(tagged + b'[detection]\nprofile = "strict"\n', name="p").least_scores
    assert 0 < strict[PhiLabel.DOCTOR] < balanced[PhiLabel.DOCTOR]
    assert PhiLabel.AGE not in strict


def test_scores_of_rules_alone_are_no_probabilities_and_need_none() -> None:
    assert not read_policy(LEAST, name="p").least_scores


def test_doubt_has_a_bound_and_an_operator_that_invents_nothing() -> None:
    given = b'[doubtful]\nbelow = 0.5\noperator = "generalise"\n'
    doubtful = read_policy(LEAST + given, name="p").doubtful
    assert (doubtful.below, doubtful.operator) == (0.5, OperatorName.GENERALISE)
    assert doubtful.operator is OperatorName.GENERALISE
    assert mistakes(LEAST + b'[doubtful]\noperator = "shift"\nbelow = 2\n') == [
        "p.toml:4: doubtful.operator: must be one of redact, mask, generalise",
        "p.toml:5: doubtful.below: must be a number from 0.0 to 1.0",
    ]


def _profile(name: str) -> Profile:
    return read_shipped_policy(name).detection.profile


def test_every_mistake_is_reported_with_its_place() -> None:
    source = b"""
technique = "magic"
recognizers = ["rules", "oracle"]
colour = 1
[operators]
NAME = "redact"
DATE = "vanish"
PATIENT = "shift"
[dates]
max_shift_days = 0
weekday = "monday"
[kneo]
neighbours = 2.5
[risk]
red = 2
on_red = "panic"
yellow = 0.6
[thresholds]
DATE = "high"
[deny]
CITY = "Ankh"
[ages]
cap = 0
band = 2.5
[scopes]
DATE = "tenant"
NAME = "patient"
AGE = "family"
"""
    heads = [": ".join(line.split(": ")[:2]) for line in mistakes(source)]
    assert sorted(heads) == sorted(
        [
            "p.toml:2: technique",
            "p.toml:3: recognizers",
            "p.toml:4: colour",
            "p.toml:6: operators.NAME",
            "p.toml:7: operators.DATE",
            "p.toml:8: operators.PATIENT",
            "p.toml:10: dates.max_shift_days",
            "p.toml:11: dates.weekday",
            "p.toml:13: kneo.neighbours",
            "p.toml:15: risk.red",
            "p.toml:16: risk.on_red",
            "p.toml:17: risk.yellow",
            "p.toml:19: thresholds.DATE",
            "p.toml:21: deny.CITY",
            "p.toml:20: deny",
            "p.toml:23: ages.cap",
            "p.toml:24: ages.band",
            "p.toml:26: scopes.DATE",
            "p.toml:27: scopes.NAME",
            "p.toml:28: scopes.AGE",
        ]
    )


def test_yellow_above_red_is_refused_whichever_of_them_is_written() -> None:
    risk = LEAST + b"[risk]\nmeasures = ['context-uniqueness']\n"
    assert mistakes(risk + b"yellow = 0.6") == [
        "p.toml:5: risk.yellow: must be no more than risk.red"
    ]
    assert mistakes(risk + b"\nred = 0.2") == [
        "p.toml:3: risk.yellow: must be no more than risk.red"
    ]
    assert read_policy(risk + b"red = 0.25", name="p").risk.red == 0.25


@pytest.mark.parametrize("measure", ["residual", "quasi"])
def test_yellow_begins_before_red_of_each_measure(measure: str) -> None:
    risk = LEAST + f"[risk]\n{measure} = 0.3\n{measure}_yellow = ".encode()
    assert mistakes(risk + b"0.31") == [
        f"p.toml:5: risk.{measure}_yellow: must be no more than risk.{measure}"
    ]
    assert read_policy(risk + b"0.3", name="p").risk.crossed == ()


def test_a_threshold_of_a_measure_that_does_not_count_is_refused() -> None:
    why = "has no effect unless {} counts: see risk.measures"
    assert mistakes(LEAST + b"[risk]\nyellow = 0.1\nlinkage = 0.2") == [
        f"p.toml:4: risk.yellow: {why.format('context-uniqueness')}",
        f"p.toml:5: risk.linkage: {why.format('linkage')}",
    ]
    counted = LEAST + b"[risk]\nadversary = 'holds-originals'\nlinkage = 0.2"
    assert read_policy(counted, name="p").risk.linkage == 0.2


@pytest.mark.parametrize(
    ("risk", "key", "why"),
    [
        ("yellow_share = 0.1", "yellow_share", "unless risk.red_share is given"),
        ('stronger = "redact"', "stronger", 'unless risk.on_red is "strengthen"'),
        ('still_red = "emit"', "still_red", 'unless risk.on_red is "strengthen"'),
        (
            'measures = ["quasi"]\nadversary = "holds-originals"',
            "adversary",
            "beside risk.measures, which name what counts",
        ),
        (
            'measures = ["quasi"]\nresidual_yellow = 0.1',
            "residual_yellow",
            "unless residual counts: see risk.measures",
        ),
        (
            'measures = ["residual"]\nquasi = 0.1',
            "quasi",
            "unless quasi counts: see risk.measures",
        ),
    ],
)
def test_a_key_of_risk_without_an_effect_is_refused(risk: str, key: str, why: str) -> None:
    line = 3 + len(risk.splitlines())
    assert mistakes(LEAST + f"[risk]\n{risk}\n".encode()) == [
        f"p.toml:{line}: risk.{key}: has no effect {why}"
    ]


def test_every_key_of_risk_has_an_effect_under_some_policy() -> None:
    keys = {item.name for item in fields(RiskPolicy)}
    every = RiskPolicy(
        Adversary.HOLDS_ORIGINALS, red_share=0.05, on_red=RedAction.STRENGTHEN
    ).unused_keys
    contexts = RiskPolicy(measures=(RiskMeasure.CONTEXT_UNIQUENESS,)).unused_keys
    assert keys & set(every) & set(contexts) == set()
    assert set(every) | set(contexts) <= keys


def test_a_section_that_no_technique_reads_is_refused() -> None:
    assert mistakes(LEAST + b"[kneo]\nneighbours = 3\n[words]\ndegree = 5\n") == [
        "p.toml:3: kneo: has no effect unless a technique is kneo-notes or kneo-sentences",
        "p.toml:5: words: has no effect unless a technique is kneo-words",
    ]
    red = b"purpose = 'training'\n[risk]\non_red = 'strengthen'\nstronger = 'kneo-words'\n"
    assert read_policy(LEAST + red + b"[words]\ndegree = 5\n", name="p").words.degree == 5


def test_shares_of_levels_leave_each_other_room() -> None:
    head = LEAST + b"[risk]\nred_share = 0.3\n"
    assert mistakes(head + b"yellow_share = 0.71") == [
        "p.toml:5: risk.yellow_share: must be no more than risk.red_share leaves"
    ]
    assert read_policy(head, name="p").risk.shares == (0.3, 0.7)
    assert read_policy(head + b"yellow_share = 0.1", name="p").risk.shares == (0.3, 0.1)
    assert read_policy(LEAST, name="p").risk.shares is None
    assert mistakes(LEAST + b"[risk]\nred_share = 0")


def test_the_least_cosine_is_no_more_than_the_greatest() -> None:
    kneo = LEAST.replace(b"surrogate", b"kneo-sentences") + b"purpose = 'training'\n"
    assert mistakes(kneo + b"[kneo]\nmin_cosine = 0.7\nmax_cosine = 0.6") == [
        "p.toml:5: kneo.min_cosine: must be no more than kneo.max_cosine"
    ]
    same = read_policy(kneo + b"[kneo]\nmin_cosine = 0.6\nmax_cosine = 0.6", name="p")
    assert same.kneo.min_cosine == same.kneo.max_cosine == 0.6


def test_ages_dates_and_scopes_are_read() -> None:
    policy = read_policy(
        LEAST
        + b"[ages]\ncap = 70\nband = 5\njitter = 3\n[dates]\nmax_shift_days = 60\n"
        + b'weekday = "keep"\n[scopes]\ndefault = "tenant"\nDATE = "document"\nAGE = "mention"',
        name="p",
    )
    assert policy.ages == AgePolicy(70, 5, 3)
    assert policy.dates == DatePolicy(60, Weekday.KEEP)
    assert policy.scopes[PhiLabel.DATE] is Scope.DOCUMENT
    assert policy.scopes[PhiLabel.AGE] is Scope.MENTION
    assert {policy.scopes[label] for label in PhiLabel} == {*Scope} - {Scope.PATIENT}
    assert set(read_policy(LEAST, name="p").scopes.values()) == {Scope.PATIENT}


PATTERN = (
    LEAST
    + rb"""[patterns.case]
pattern = 'KB-\d{6}'
label = "IDNUM"
"""
)


def test_patterns_are_read_by_name() -> None:
    policy = read_policy(PATTERN + b'before = ["ref no"]\nscore = 0.5', name="p")
    pattern = SitePattern(r"KB-\d{6}", PhiLabel.IDNUM, 0.5, ("ref no",))
    assert policy.patterns == {"case": pattern}
    assert read_policy(LEAST, name="p").patterns == {}


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (b"score = 2", "6: patterns.case.score: must be a number from 0.0 to 1.0"),
        (b"within = 0", "6: patterns.case.within: must be a whole number from 1 to 20"),
        (b"before = 'ref'", "6: patterns.case.before: must be a list of strings"),
        (
            b"regex = 'x'",
            "6: patterns.case.regex: unknown key; there are pattern, label, score, before,",
        ),
        (b"examples = [\n'KB'\n]", "7: patterns.case.examples: item 1: must mark what is to be "),
        (b"[patterns.bed]\nlabel = 'CITY'", "6: patterns.bed.pattern: is required"),
        (b"[patterns.bed]\nlabel = 'ROOM'\npattern = 'x'", "7: patterns.bed.label: must be one of"),
        (b"[patterns]\nbed = 'x'", "7: patterns.bed: must be a table"),
        (
            b"[patterns.'b d']\npattern = 'x'\nlabel = 'CITY'",
            '6: patterns."b d": must begin with a letter and have letters, digits, - and _ alone',
        ),
    ],
)
def test_a_pattern_that_is_wrong_is_told_with_its_line(source: bytes, told: str) -> None:
    (mistake,) = mistakes(PATTERN + source)
    assert mistake.startswith(f"p.toml:{told}")


def test_patterns_need_the_rules() -> None:
    assert mistakes(PATTERN.replace(b"rules", b"known")) == [
        "p.toml:3: patterns: needs the recognizer rules"
    ]


def test_a_default_scope_that_dates_cannot_have_asks_for_theirs() -> None:
    source = LEAST + b'[scopes]\ndefault = "mention"\n'
    assert mistakes(source) == ["p.toml:4: scopes.default: DATE must be of the document or patient"]
    assert (
        read_policy(source + b'DATE = "patient"', name="p").scopes[PhiLabel.PATIENT]
        is Scope.MENTION
    )


def test_weekdays_are_kept_by_whole_weeks_alone() -> None:
    source = LEAST + b'[dates]\nmax_shift_days = 6\nweekday = "keep"'
    assert mistakes(source) == [
        "p.toml:4: dates.max_shift_days: must be 7 or more to keep weekdays"
    ]


@pytest.mark.parametrize("operator", OperatorName)
def test_an_operator_is_for_its_labels_alone(operator: OperatorName) -> None:
    source = (
        LEAST + "".join(["[operators]\n", *(f'{x} = "{operator}"\n' for x in PhiLabel)]).encode()
    )
    wrong = [label for label in PhiLabel if label not in LABELS_OF[operator]]
    if wrong:
        found = mistakes(source)
        assert [line.split(": ")[1] for line in found] == [f"operators.{label}" for label in wrong]
    else:
        assert set(read_policy(source, name="p").operators.values()) == {operator}


def test_the_old_name_of_the_cap_is_unknown() -> None:
    (mistake,) = mistakes(b"age_cap = 89\n" + LEAST)
    assert mistake.startswith("p.toml:1: age_cap: unknown key; there are technique, recognizers, ")


def test_an_unknown_key_says_which_keys_there_are() -> None:
    assert mistakes(LEAST + b"[ages]\ncapp = 1") == [
        "p.toml:4: ages.capp: unknown key (did you mean cap?); there are cap, band, jitter"
    ]
    (mistake,) = mistakes(LEAST + b'[operators]\n"no.label" = "keep"')
    assert mistake.startswith('p.toml:4: operators."no.label": unknown key; there are PATIENT, DOC')


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("combine = 'Secretname'", "combine: must be one of union, corroborated"),
        ("[operators]\nPATIENT = 'shift'", "operators.PATIENT: must be one of redact, mask, surr"),
        ("[dates]\nmax_shift_days = 7.0", "must be a whole number from 1 to 3650"),
        ("[ages]\ncap = true", "ages.cap: must be a whole number from 1 to 150"),
        ("[thresholds]\nDATE = 'Secretname'", "thresholds.DATE: must be a number from 0.0 to 1.0"),
        ("[thresholds]\nDATE = nan", "thresholds.DATE: must be a number from 0.0 to 1.0"),
        ("[risk]\nred = inf", "risk.red: must be a number from 0.0 to 1.0"),
        ("allow = 2024-01-01", "allow: must be a list of strings"),
        ("allow = [2024-01-01]", "allow: must be a list of strings"),
        ("risk = 2024-01-01", "risk: must be a table"),
        ("scopes = ['Secretname']", "scopes: must be a table"),
        ("allow = [" + "[" * 300 + "]" * 300 + "]", "p.toml: is nested too deeply"),
        ("[ages]\ncap = " + "9" * 400, "ages.cap: must be a whole number from 1 to 150"),
    ],
)
def test_a_message_says_what_is_right_and_quotes_no_value(source: str, message: str) -> None:
    (mistake,) = mistakes(LEAST + source.encode())
    assert message in mistake
    assert "Secret" not in mistake


def test_mistakes_come_in_the_order_of_the_lines() -> None:
    source = (
        b'recognizers = ["dictionary"]\ncolour = 1\nallow_files = ["b", "a", "none"]\n[risk]\n'
        b'red = 2\n[ages]\ncap = 0\n[scopes]\nAGE = "family"\n'
    )
    wrong = b"ok\n" * 8 + b"--\n--\n"
    found = mistakes(source, {"a": wrong, "b": b"--\n" * 30})
    places = [line.partition(": ")[0] for line in found]
    b_lines = [f"b:{number}" for number in range(1, 21)]
    own = ["p.toml", *(f"p.toml:{number}" for number in (2, 3, 5, 7, 9))]
    assert places == [*own, "a:9", "a:10", *b_lines, "b"]


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (b'[deny]\nCITY = ["Ankh", " "]', "p.toml:4: deny.CITY: has an empty item"),
        (b'[deny]\nCITY = ["Ankh", 1]', "p.toml:4: deny.CITY: must be a list of strings"),
        (b'allow_files = [""]', "p.toml:3: allow_files: has an empty item"),
    ],
)
def test_an_item_that_is_wrong_is_told(source: bytes, said: str) -> None:
    assert mistakes(LEAST.replace(b"rules", b"dictionary") + source) == [said]


def test_a_recognizer_is_named_once() -> None:
    source = LEAST.replace(b'"rules"', b'"rules", "tagger", "rules"')
    assert mistakes(source) == ["p.toml:2: recognizers: names one of them twice"]


def test_the_digest_is_that_of_the_file() -> None:
    one, other = read_policy(LEAST, name="p"), read_policy(LEAST + b"\n", name="p")
    assert one.sha256 != other.sha256
    assert len(one.sha256) == 64


def test_an_unknown_name_says_which_there_are() -> None:
    with pytest.raises(InvalidPolicy, match="surrogate"):
        read_shipped_policy("nothing")


@pytest.mark.parametrize(
    ("scopes", "told"),
    [
        ('EMAIL = "document"', "p.toml:4: scopes.EMAIL: EMAIL must be of the scope of PATIENT or"),
        ('URL = "mention"', "p.toml:4: scopes.URL: URL must be of the scope of PATIENT or DOCTOR"),
        ('ZIP = "tenant"', "p.toml:4: scopes.ZIP: CITY, STATE, ZIP must be of one scope"),
        ('AGE = "mention"\nCITY = "tenant"', "p.toml:5: scopes.CITY: CITY, STATE, ZIP must be of"),
    ],
)
def test_labels_whose_surrogates_agree_share_a_scope(scopes: str, told: str) -> None:
    (mistake,) = mistakes(LEAST + f"[scopes]\n{scopes}".encode())
    assert mistake.startswith(told)


@pytest.mark.parametrize(
    "source",
    [
        b'[scopes]\nDOCTOR = "tenant"\nEMAIL = "tenant"',
        b'[scopes]\nEMAIL = "document"\n[operators]\nEMAIL = "hash"',
        b'[scopes]\nEMAIL = "document"\n[operators]\nPATIENT = "redact"\nDOCTOR = "redact"',
        b'[scopes]\nZIP = "tenant"\n[operators]\nZIP = "generalise"',
    ],
)
def test_scopes_may_differ_where_nothing_agrees(source: bytes) -> None:
    assert read_policy(LEAST + source, name="p")


def test_the_degree_may_not_pass_its_upper_bound() -> None:
    head = LEAST.replace(b"surrogate", b"kneo-words") + b"purpose = 'training'\n"
    words = b"[words]\ndegree = 9\ndegree_to = 7\n"
    assert mistakes(head + words) == [
        "p.toml:5: words.degree: must be no more than words.degree_to"
    ]
    assert read_policy(head + words.replace(b"9", b"7"), name="p").words.degree == 7


@pytest.mark.parametrize("technique", [one for one in Technique if one.rewrites])
def test_kneo_is_refused_unless_the_outputs_are_for_training(technique: Technique) -> None:
    section = "kneo.donors" if technique in SENTENCE_KNEO else "words.degree"
    head = f'technique = "{technique}"\nrecognizers = ["rules"]\n{section} = 2\n'
    (refusal,) = mistakes(head.encode())
    assert refusal.startswith(f'p.toml:1: technique: {technique} needs purpose = "training": ')
    assert mistakes(f'purpose = "reading"\n{head}'.encode())
    trained = read_policy(f'purpose = "training"\n{head}'.encode(), name="p")
    assert trained.purpose is Purpose.TRAINING
    red = f'[risk]\non_red = "strengthen"\nstronger = "{technique}"\n'.encode()
    (refusal,) = mistakes(LEAST + red)
    assert refusal.startswith(f"p.toml:5: risk.stronger: {technique} needs purpose")
    assert read_policy(b'purpose = "training"\n' + LEAST + red, name="p").purpose


def test_a_policy_that_extends_kneo_has_its_purpose() -> None:
    assert read_policy(b'extends = "kneo"\n', name="p").purpose is Purpose.TRAINING
    assert mistakes(b'extends = "kneo"\npurpose = "reading"\n')
    for name in list_policies():
        expected = Purpose.TRAINING if name.startswith("kneo") else Purpose.READING
        assert read_shipped_policy(name).purpose is expected
