"""The pages on policies: every example on them is so.

A text in braces is given, as if it had been found; what follows detection is real. Where names and
numbers are drawn from something else than before, ``PYTHONPATH=tests python`` with this file writes
the examples anew.
"""

import re
import shlex
import tomllib
from dataclasses import fields, replace
from pathlib import Path

import pytest

from deidstream.agents.cli.main import parser
from deidstream.agents.policy_review.show import MANY_ALLOWED
from deidstream.agents.runtime.policy_files import MOST_BYTES, Tenants, read_tenants
from deidstream.models.phi.not_phi import drop_terms_not_phi
from deidstream.models.policy.reader import read_policy, read_shipped_policy
from deidstream.models.policy.shipped import list_policies
from deidstream.models.policy.term_lists import LONGEST_TERM, read_list
from deidstream.models.recognizers.dictionary.dictionary import DictionaryRecognizer
from deidstream.schemas.errors import InvalidPolicy
from deidstream.schemas.kneo_policy import Guard, KneoPolicy
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.policy import (
    LABELS_OF,
    AgePolicy,
    DatePolicy,
    DoubtPolicy,
    LanguagePolicy,
    OperatorName,
    Policy,
    Scope,
    Technique,
    scopes_of,
)
from deidstream.schemas.release_policy import ReleasePolicy
from deidstream.schemas.risk_policy import RedAction, RiskPolicy
from deidstream.schemas.site_list import ListedTerms, SiteList, Spelling
from deidstream.schemas.site_pattern import LONGEST_PATTERN, MOST_WORDS, SitePattern
from deidstream.schemas.span import Span
from deidstream.schemas.word_policy import WordPolicy
from support.spans import substituted

DOCS = Path(__file__).parents[4] / "docs"
FILES = [DOCS / "policies.md", *sorted((DOCS / "policies").glob("*.md"))]
PAGES = {file.stem: file.read_text("utf-8") for file in FILES}
BLOCK = re.compile(r"```(\w*)\n(.*?)```", re.DOTALL)


def blocks(page: str, kind: str) -> list[str]:
    """The blocks of one kind on a page."""
    return [text for each, text in BLOCK.findall(PAGES[page]) if each == kind]


def row_of(line: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in line.strip("|").split("|"))


def rows_of(page: str) -> list[tuple[str, ...]]:
    """The rows of the tables of a page whose first cell is code."""
    return [row_of(line) for line in PAGES[page].splitlines() if line.startswith("| `")]


ROWS = [row for page in PAGES for row in rows_of(page)]
SECOND = "`ACHTERBERG, Jonathan`"
WRITTEN = "2024-05-03T10:00:00Z"
HEAD = 'technique = "surrogate"\nrecognizers = ["rules"]\n'


def plain(cell: str) -> str:
    return cell.strip("`")


def lines(cell: str) -> str:
    """The lines of a policy that a cell names, each in backticks."""
    return "\n".join(re.findall(r"`([^`]+)`", cell))


def policy(body: str) -> Policy:
    return read_policy((HEAD + body).encode(), name="p")


def comes_out(text: str, under: Policy, patient: str = "p1", note_id: str = "n1") -> str:
    return substituted(text, under, WRITTEN, patient, note_id).text


def quoted(*texts: str) -> tuple[str, ...]:
    return tuple(f"`{text}`" for text in texts)


def is_label(row: tuple[str, ...]) -> bool:
    return len(row) == 3 and plain(row[0]) in set(PhiLabel)


def is_operator(row: tuple[str, ...]) -> bool:
    return len(row) == 4 and plain(row[1]) in set(OperatorName)


def is_option(row: tuple[str, ...]) -> bool:
    return len(row) == 3 and row[1].startswith("`") and "{" in row[1]


def is_scope(row: tuple[str, ...]) -> bool:
    return len(row) == 4 and row[0].startswith("`default = ")


def is_example(row: tuple[str, ...]) -> bool:
    return is_label(row) or is_operator(row) or is_option(row) or is_scope(row)


def as_it_is(row: tuple[str, ...]) -> tuple[str, ...]:
    """An example with what really comes out."""
    if is_scope(row):
        under = policy("[scopes]\n" + lines(row[0]))
        (text,) = re.findall(r"Three notes that all say `(.+)`", PAGES["scopes"])
        places = [("p1", "n1"), ("p1", "n2"), ("p2", "n3")]
        return (row[0], *quoted(*(comes_out(text, under, *place) for place in places)))
    if is_option(row):
        return (*row[:2], *quoted(comes_out(plain(row[1]), policy(lines(row[0])))))
    label, given = plain(row[0]), plain(row[-2])
    named = f'[operators]\n{label} = "{plain(row[1])}"'
    under = policy(named) if is_operator(row) else read_shipped_policy("surrogate")
    return (*row[:-1], *quoted(comes_out(f"{{{label}:{given}}}", under)))


LABELS, OPERATORS, OPTIONS, SCOPED = (
    [row for row in ROWS if kind(row)] for kind in (is_label, is_operator, is_option, is_scope)
)


def test_every_label_has_a_surrogate_on_the_page() -> None:
    assert sorted(plain(row[0]) for row in LABELS) == sorted(PhiLabel)


@pytest.mark.parametrize("row", [row for row in ROWS if is_example(row)], ids=str)
def test_an_example_is_what_comes_out(row: tuple[str, ...]) -> None:
    assert row == as_it_is(row)


def test_the_examples_show_what_the_page_says_of_names() -> None:
    out = {(row[1], row[2]): row[3] for row in OPERATORS if row[0] == "`PATIENT`"}
    jon, jonathan = out["`surrogate`", "`Jon Achterberg`"], out["`surrogate`", SECOND]
    assert plain(jon).split()[-1].upper() == plain(jonathan).split(",")[0]
    assert len({out["`hash`", f"`{given} Achterberg`"] for given in ("Jon", "Jonathan")}) == 2
    notes = {lines(row[0]).split('"')[1]: row[1:] for row in SCOPED}
    assert len(set(notes["document"])) == 3
    assert notes["patient"][0] == notes["patient"][1] != notes["patient"][2]


def test_enough_examples_are_on_the_page() -> None:
    assert len(OPTIONS) >= 6
    assert {lines(row[0]).split('"')[1] for row in SCOPED} == set(Scope)
    told = {row[0] for row in ROWS if len(row) == 4 and row[0] in {f"`{o}`" for o in OperatorName}}
    assert told == {f"`{operator}`" for operator in OperatorName}
    assert {plain(row[1]) for row in OPERATORS} == set(OperatorName)


def test_an_operator_is_for_the_labels_that_the_page_says() -> None:
    named = {plain(row[0]): row[1] for row in ROWS if len(row) == 4}
    for operator in OperatorName:
        able = LABELS_OF[operator]
        said = set(re.findall("`([A-Z]+)`", named[operator])) or {"all"}
        assert said == ({"all"} if able == set(PhiLabel) else {str(label) for label in able})


def test_the_shipped_policies_are_on_the_page() -> None:
    start = PAGES["policies"].partition("## Which to start from")[2].partition("## ")[0]
    assert set(re.findall(r"^\| `([a-z-]+)` \|", start, re.MULTILINE)) == set(list_policies())


def test_the_defaults_are_those_of_the_page() -> None:
    told = dict(re.findall(r"^- `([a-z_.]+)` \(`?(\w+)`?\)", PAGES["dates"], re.MULTILINE))
    ages, dates = AgePolicy(), DatePolicy()
    assert told == {
        "ages.cap": str(ages.cap),
        "ages.band": str(ages.band),
        "ages.jitter": str(ages.jitter),
        "dates.max_shift_days": str(dates.max_shift_days),
        "dates.weekday": dates.weekday,
    }


@pytest.mark.parametrize(
    ("section", "kind"),
    [
        ("ages", AgePolicy),
        ("dates", DatePolicy),
        ("doubtful", DoubtPolicy),
        ("kneo", KneoPolicy),
        ("language", LanguagePolicy),
        ("lists.NAME", SiteList),
        ("patterns.NAME", SitePattern),
        ("release", ReleasePolicy),
        ("risk", RiskPolicy),
        ("words", WordPolicy),
    ],
)
def test_every_key_of_a_section_is_in_the_table_of_keys(section: str, kind: type) -> None:
    cells = [row[1] for row in rows_of("keys") if row[0].startswith(f"`[{section}]`")]
    named = {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}
    assert {item.name for item in fields(kind)} - named == set()


def test_every_key_of_a_policy_is_in_the_table_of_keys() -> None:
    named = {name for row in rows_of("keys") for name in re.findall(r"`\[?(\w+)[`\].]", row[0])}
    assert {item.name for item in fields(Policy)} - named == {"name", "sha256"}


def test_every_key_of_kneo_is_explained() -> None:
    explained = PAGES["sentences"] + PAGES["donors"]
    assert [item.name for item in fields(KneoPolicy) if f"`{item.name}`" not in explained] == []
    assert [guard for guard in Guard if f"| `{guard}` |" not in explained] == []


def test_dates_have_the_scopes_that_the_page_says() -> None:
    said = dict(re.findall(r"^- `(\w+)`(.*)$", PAGES["scopes"], re.MULTILINE))
    assert {scope for scope in Scope if "Not for `DATE`" not in said[scope]} == scopes_of(
        PhiLabel.DATE
    )


def test_the_whole_policy_is_right() -> None:
    (_, source), (wards,) = blocks("policies", "toml"), blocks("lists", "text")
    lists = {"lists/never.txt": b"Pike sign\n", "lists/wards.txt": wards.encode()}
    made = read_policy(source.encode(), name="site", lists=lists)
    assert made.deny[PhiLabel.HOSPITAL] == ("Old Annexe", "Hill Unit", "Ward #4")
    assert made.allow == ("Zellig sign", "Pike sign")
    assert made.risk.on_red is RedAction.QUARANTINE


@pytest.mark.parametrize("page", ["running", "patterns"])
def test_mistakes_are_told_as_on_the_page(page: str) -> None:
    (_, mistaken), (told,) = blocks(page, "toml"), blocks(page, "text")
    with pytest.raises(InvalidPolicy) as caught:
        read_policy(mistaken.encode(), name="site")
    assert str(caught.value) == told.strip()


@pytest.mark.parametrize("page", ["detection", "operators", "releases"])
def test_a_part_of_a_policy_is_right(page: str) -> None:
    (part,) = blocks(page, "toml")
    assert policy(part).technique is Technique.SURROGATE


def test_labels_of_a_sites_own_are_as_on_the_page() -> None:
    (source,) = blocks("labels", "toml")
    made = read_policy(source.encode(), name="site")
    assert made.own_labels == {
        "STUDY_NUMBER": PhiLabel.IDNUM,
        "TRANSPLANT_ID": PhiLabel.MEDICALRECORD,
    }
    assert made.operators["TRANSPLANT_ID"] is made.operators[PhiLabel.MEDICALRECORD]


def test_patterns_are_as_on_the_page() -> None:
    source, _ = blocks("patterns", "toml")
    assert set(policy(source).patterns) == {"case_number", "bed"}
    rows = {row[0]: row[1] for row in rows_of("patterns") if len(row) == 3}
    assert set(rows) == {f"`{item.name}`" for item in fields(SitePattern)}
    assert f"up to {LONGEST_PATTERN:,} characters" in rows["`pattern`"]
    least = SitePattern("x", PhiLabel.IDNUM)
    assert rows["`within`"] == f"1 to {MOST_WORDS}; {least.within} if not given"
    assert rows["`score`"] == f"0 to 1; {least.score:g} if not given"


def test_the_limits_of_lists_are_those_of_the_page() -> None:
    page = PAGES["lists"].replace("\n", " ")
    assert f"more than {LONGEST_TERM} characters" in page
    assert f"no more than {MOST_BYTES // 2**20} MiB" in page
    assert f"more than {MANY_ALLOWED:,} allowed ones" in page
    (first, _), wrong = read_list("w", b"\xef\xbb\xbfHill\nWard #4\n")
    assert (first.term, wrong) == ("Hill", [])


@pytest.mark.parametrize(("page", "label"), [("policies", None), ("extends", PhiLabel.SSN)])
def test_a_policy_that_extends_another_is_right(page: str, label: PhiLabel | None) -> None:
    source, *_ = blocks(page, "toml")
    made, base = read_policy(source.encode(), name="site"), read_shipped_policy("surrogate")
    assert made.allow == ("Zellig sign",)
    changed = {one for one in PhiLabel if made.operators[one] is not base.operators[one]}
    assert changed == ({label} if label else set())
    assert made.recognizers == base.recognizers
    on_red = RedAction.QUARANTINE if page == "policies" else base.risk.on_red
    assert made.risk == replace(base.risk, on_red=on_red)


def test_a_mistake_of_what_is_extended_is_told_as_on_the_page() -> None:
    (told,) = blocks("extends", "text")
    base = (HEAD + '[operators]\nSSN = "shift"').encode()
    with pytest.raises(InvalidPolicy) as caught:
        read_policy(b'extends = "base.toml"', name="site", bases={"base.toml": base})
    assert str(caught.value) == told.strip()


def test_lists_are_as_on_the_page() -> None:
    (part,) = blocks("lists", "toml")
    source = (HEAD.replace("rules", "dictionary") + part).encode()
    made = read_policy(source, name="site", lists={"lists/staff.txt": b"Asa Lind"})
    assert made.lists["staff"] == ListedTerms(PhiLabel.DOCTOR, Spelling.FOLD, ("Asa Lind",))
    assert made.lists["ward_codes"].spelling is Spelling.EXACT


@pytest.mark.parametrize("spelling", Spelling)
def test_spellings_are_as_on_the_page(spelling: Spelling) -> None:
    told = {row[0].split("`")[1]: re.findall(r"`(.+?)`", row[2]) for row in rows_of("lists")}
    every = told[Spelling.FOLD]
    one = ListedTerms(PhiLabel.DOCTOR, spelling, (every[0],))
    recognizer = DictionaryRecognizer.build({}, {"staff": one})
    notes = [RawNote("n", "p", f"seen by {written}.") for written in every]
    sources = [{span.source for span in spans} for spans in recognizer.recognize(notes)]
    found = [text for text, own in zip(every, sources, strict=True) if "list:staff" in own]
    assert found == told[spelling]


@pytest.mark.parametrize(
    ("source", "stays"),
    [("known", False), ("rules:title", True), ("dictionary:deny", True), ("tagger", True)],
)
def test_an_allowed_term_stays_unless_the_sender_knows_it(source: str, *, stays: bool) -> None:
    span = Span(0, 4, PhiLabel.PATIENT, 1.0, source)
    assert (drop_terms_not_phi("Rose", [span], ["rose"]) == ()) is stays


@pytest.mark.parametrize("source", ["dictionary:deny", "list:wards", "pattern:ward"])
def test_a_denied_term_is_replaced_though_it_is_a_clinical_one(source: str) -> None:
    text, label = "Parkinson", PhiLabel.HOSPITAL
    denied = Span(0, 9, label, 1.0, source)
    assert drop_terms_not_phi(text, [denied, Span(0, 9, label, 0.5, "dictionary")], []) == (denied,)


def test_the_file_of_tenants_is_right(tmp_path: Path) -> None:
    file = tmp_path / "tenants.toml"
    written, _ = blocks("running", "toml")
    file.write_text(written)
    anne = str(tmp_path / "anne" / "site.toml")
    assert read_tenants(str(file)) == Tenants({"mercy": "redact", "st.anne": anne}, None)
    assert tomllib.loads(written)["otherwise"] == "refuse"


def test_the_commands_are_there() -> None:
    commands = [
        row.partition("#")[0]
        for page in PAGES
        for text in blocks(page, "")
        for row in text.split("\n")
    ]
    named = {
        name for page in PAGES.values() for name in re.findall(r"`(deidstream [a-z].+?)`", page)
    }
    for command in filter(None, map(str.strip, commands)):
        parser().parse_args(shlex.split(command)[1:])
    assert {"deidstream config check", "deidstream simulate leaks"} <= named


def page_as_it_is(page: str) -> str:
    """A page with what really comes out, its width as it was."""
    made = {row: as_it_is(row) for row in ROWS if is_example(row)}
    new = (
        f"| {' | '.join(made[row_of(line)])} |" if row_of(line) in made else line
        for line in page.split("\n")
    )
    return "\n".join(new)


if __name__ == "__main__":
    for file in FILES:
        file.write_text(page_as_it_is(PAGES[file.stem]), "utf-8")
