"""Write injected notes by another generator than the one that makes training notes.

    python benchmarks/recognition/other_injection.py DATA --out FILE.jsonl --notes 200 --seed 7

The prose is the test side of MTSamples, which is never trained on; its own dates and ages stay as
they stand. The frames, the places of insertion and the values are this module's own: half of the
names and all towns are spelled letter by letter after names of seven languages, so that no list
holds them; the others come from the package names and from Faker.
"""

import argparse
import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import names as census
from faker import Faker

from deidstream.schemas.label import PhiLabel
from deidstream.schemas.labelled import LabelledNote, encode_labelled
from deidstream.study.corpus.frames import Draft, Template, TemplateSlot
from deidstream.study.corpus.prose.layout import replace_placeholders
from deidstream.study.corpus.prose.prose import Passage
from deidstream.study.corpus.prose.read_prose import learn_words, read_unlabelled
from deidstream.study.corpus.prose.rows import read_rows
from deidstream.study.corpus.sources import read_sources

SOURCES = Path(__file__).parents[2] / "training" / "sources.toml"

LOCALES = ("it_IT", "pl_PL", "cs_CZ", "ro_RO", "pt_BR", "fi_FI", "id_ID")
MARK = re.compile(r"%([A-Z_]+?)(\d?)%")
BREAK = re.compile(r"(?<=[a-z]), (?=[a-z])")
SUBJECT = re.compile(r"^(?:He|She|The patient)(?= )")

TOPS = (
    "%HOSPITAL1%, %CITY1%\nChart %MEDICALRECORD1% opened %DATE%\nBearer: %PATIENT1%, b. %DATE%\n\n",
    "Summary for %PATIENT1% (%AGE%), written by %DOCTOR1% on %DATE%\n",
    "|| %PATIENT1% || %DATE% || file %MEDICALRECORD1% || %HOSPITAL1% ||\n",
    "%DATE%\n%DOCTOR1%\n%STREET%\n%CITY1%, %ZIP%\n\nconcerning our mutual patient %PATIENT1%\n\n",
    "[%USERNAME% @ %IPADDR%] opened record %MEDICALRECORD1% of %PATIENT1%\n",
    "Attn: %DOCTOR2%  fax %FAX%\nSender: %DOCTOR1%, %HOSPITAL1%, phone %PHONE%\nOn: %PATIENT1%\n",
    "Insured: %PATIENT1%. Carrier: %ORGANIZATION%. Certificate %HEALTHPLAN%. Bill no. %ACCOUNT%.\n",
    "",
)
TAILS = (
    "\n%DOCTOR1%, %DATE%",
    "\nSigned for %DOCTOR1% by %DOCTOR2%. Mail: %EMAIL%.",
    "\nFiled under %IDNUM%; copy to %DOCTOR2% at %HOSPITAL2%.",
    "\nRead back to %PATIENT2% (spouse of %PATIENT1%), mobile %PHONE%.",
    "\nLicence %LICENSE%. Web: %URL%",
    "",
)
LINES = (
    "A letter went to %ORGANIZATION%, where the patient is employed as %PROFESSION%.",
    "The ride home was by %PATIENT2% in the car registered %VEHICLE%.",
    "Tax number %SSN% was struck out by %DOCTOR2%.",
    "Unit implanted: serial %DEVICE%, tested %DATE% by %DOCTOR2%.",
    "The thumbprint file %BIOID% was destroyed on %DATE%.",
    "Neighbour %PATIENT3% from %STREET% rang at noon; her number is %PHONE%.",
    "Grew up in %CITY2%, %COUNTRY%, and came over in %YEAR%.",
    "%DOCTOR2% of %HOSPITAL2% had advised against surgery in %YEAR%.",
    "Grandfather %PATIENT3% died at %AGE%, his brother at %AGE%.",
    "We expect %PATIENT1% back on %DATE%; otherwise write to %EMAIL%.",
    "Questions about account %ACCOUNT% go to %PHONE%.",
    "Passport %IDNUM% and driving permit %LICENSE% were seen.",
    "Between %DATE% and %DATE% the patient lodged at %STREET%, %CITY2%.",
    "Sample %IDNUM% left for %ORGANIZATION% with the evening courier.",
    "Mother, %PATIENT2%, is %AGE% and a retired %PROFESSION%.",
    "%PATIENT1%'s card (%HEALTHPLAN%) lapsed on %DATE%.",
    "Logged by %USERNAME% from %IPADDR%.",
    "Leaflet at %URL% handed over.",
    "Strength 5/5, murmur 2/6, Foley out, Bovie at 30, Kelly clamp in reserve.",
    "Glasgow 15, Apgar 9, Gleason 6, Child class A; nothing for Crohn or Graves.",
)
ASIDES = ("(see %DOCTOR2%, %DATE%)", "as %PATIENT2% noted", "since %DATE%", "per %DOCTOR2%",
          "while in %CITY2%", "at %HOSPITAL2%", "aged %AGE%", "on %DATE%")  # fmt: skip
WARDS = ("Ospedale", "Clinica", "Szpital", "Nemocnice", "Spitalul", "Sairaala")
WAYS = ("Street", "Road", "Lane", "Way", "Quay")
FIRMS = ("S.A.", "Foundry", "Insurance", "Transport", "Bakeries")
COUNTRIES = ("Italy", "Poland", "Romania", "Brazil", "Finland", "Czechia")
JOBS = ("stonecutter", "tram driver", "notary", "cheesemaker", "piano tuner", "welder", "shepherd")
KINDS = ("Hospital", "Medical Center", "Clinic", "Polyclinic", "Infirmary", "Maternity Hospital")
FORMS = ("%d %B %Y", "%d.%m.%Y", "%m/%d/%Y", "%m/%d/%y", "%Y-%m-%d", "%B %d, %Y", "%b %d", "%B %Y",
         "%A", "%d-%b-%y", "%m/%d", "%a %d %b")  # fmt: skip
CODES: dict[PhiLabel, tuple[str, ...]] = {
    PhiLabel.MEDICALRECORD: ("#######", "??-#####", "##-##-##", "?######"),
    PhiLabel.HEALTHPLAN: ("???#########", "####-####-##", "?##-###-###"),
    PhiLabel.ACCOUNT: ("##########", "##-######-#", "AC#######"),
    PhiLabel.LICENSE: ("??#######", "?####-#####", "##########"),
    PhiLabel.VEHICLE: ("??? ####", "??-###-??", "#??####"),
    PhiLabel.DEVICE: ("??######?", "##-####-##", "SN#######"),
    PhiLabel.BIOID: ("BIO-######", "FP##-????", "??-PRINT-####"),
    PhiLabel.IDNUM: ("##?####", "????-####", "#########"),
    PhiLabel.SSN: ("###-##-####", "### ## ####"),
    PhiLabel.ZIP: ("#####", "##-###", "#####-###"),
    PhiLabel.IPADDR: ("10.##.#.##", "172.16.##.#"),
    PhiLabel.FAX: ("(###) ###-####", "+## ## ### ####"),
}


@dataclass(slots=True)
class Letters:
    """Spells words after the words of seven languages."""

    after: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def learn(self, word: str) -> None:
        padded = f"^^{word.lower()}$"
        for place in range(len(padded) - 2):
            self.after[padded[place : place + 2]].append(padded[place + 2])

    def spell(self, rng: random.Random) -> str:
        while True:
            word = "^^"
            while word[-1] != "$" and len(word) < 14:  # noqa: PLR2004
                word += rng.choice(self.after[word[-2:]])
            if word[-1] == "$" and len(word) > 6:  # noqa: PLR2004
                return word[2:-1].capitalize()


@dataclass(slots=True)
class World:
    """Invents the values of one note; a numbered one keeps its value."""

    rng: random.Random
    fake: Faker
    letters: Letters
    invented: dict[str, str] = field(default_factory=dict[str, str])

    def say(self, label: str, number: str) -> str:
        key = label + number
        if not number:
            return self._new(label)
        if key not in self.invented:
            self.invented[key] = self._new(label)
        return self.invented[key]

    def _new(self, label: str) -> str:
        maker = _MAKERS.get(label)
        if maker is not None:
            return maker(self)
        pattern = self.rng.choice(CODES[PhiLabel(label)])
        return self.fake.bothify(pattern, letters="ABCDEFGHJKLMNPRSTUVWXYZ")

    def person(self) -> str:
        draw = self.rng.random()
        if draw < 0.5:  # noqa: PLR2004
            first, last = self.spell(), self.spell()
        elif draw < 0.7:  # noqa: PLR2004
            # The package asks the module's own source, which main() seeds.
            first, last = census.get_first_name(), census.get_last_name()
        else:
            first, last = self.fake.first_name(), self.fake.last_name()
        forms = (f"{first} {last}", f"{last}, {first}", f"{first[0]}. {last}", last)
        return self.rng.choice(forms)

    def hospital(self) -> str:
        town = self.spell()
        if self.rng.random() < 0.2:  # noqa: PLR2004
            return f"{self.rng.choice(WARDS)} {town}"
        return f"{town} {self.rng.choice(KINDS)}"

    def date(self) -> str:
        return self.fake.date_between("-60y", "+2y").strftime(self.rng.choice(FORMS))

    def street(self) -> str:
        return f"{self.rng.randint(1, 999)} {self.spell()} {self.rng.choice(WAYS)}"

    def spell(self) -> str:
        return self.letters.spell(self.rng)


def _address(world: World) -> str:
    return f"{world.spell().lower()}{world.rng.randint(1, 99)}@post.example"


def _page(world: World) -> str:
    return f"https://{world.spell().lower()}.example/p/{world.rng.randint(10, 99)}"


_MAKERS: dict[str, Callable[[World], str]] = {
    "PATIENT": World.person,
    "DOCTOR": World.person,
    "HOSPITAL": World.hospital,
    "DATE": World.date,
    "YEAR": lambda world: str(world.rng.randint(1950, 2024)),
    "AGE": lambda world: str(world.rng.randint(2, 99)),
    "STREET": World.street,
    "CITY": World.spell,
    "STATE": World.spell,
    "COUNTRY": lambda world: world.rng.choice(COUNTRIES),
    "PHONE": lambda world: world.fake.phone_number(),
    "EMAIL": _address,
    "URL": _page,
    "USERNAME": lambda world: f"{world.spell().lower()[:6]}{world.rng.randint(1, 99)}",
    "ORGANIZATION": lambda world: f"{world.spell()} {world.rng.choice(FIRMS)}",
    "LOCATION_OTHER": lambda world: f"{world.spell()} County",
    "PROFESSION": lambda world: world.rng.choice(JOBS),
}


def write(frame: str, world: World, draft: Draft) -> None:
    done = 0
    for match in MARK.finditer(frame):
        draft.add(frame[done : match.start()])
        name = "DATE" if match.group(1) == "YEAR" else match.group(1)
        draft.add(world.say(match.group(1), match.group(2)), PhiLabel(name))
        done = match.end()
    draft.add(frame[done:])


def put_sentence(sentence: Template, world: World, draft: Draft) -> None:
    """Write a sentence of prose; what it held as a slot keeps its words where it may."""
    for place, piece in enumerate(sentence):
        if isinstance(piece, TemplateSlot) and piece.label is not None:
            said = piece.given or world.say(piece.label.value, "1" if piece.which != "2" else "2")
            # A title stood in front, which no comma may follow.
            draft.add(said.partition(",")[0] if piece.part == "titled" else said, piece.label)
        elif isinstance(piece, str):
            write(_marked(piece, world.rng, begins=place == 0), world, draft)


def _marked(text: str, rng: random.Random, *, begins: bool) -> str:
    if begins and rng.random() < 0.25:  # noqa: PLR2004
        text = SUBJECT.sub("%PATIENT1%", text)
    if rng.random() < 0.15:  # noqa: PLR2004
        text = BREAK.sub(f" {rng.choice(ASIDES)}, ", text, count=1)
    return text


def note(passage: Passage, world: World, note_id: str) -> LabelledNote:
    draft = Draft()
    write(world.rng.choice(TOPS), world, draft)
    first = world.rng.randrange(len(passage.lines))
    for line in passage.lines[first : first + 12]:
        draft.add(f"{line.heading.capitalize()}. " if line.heading else "")
        for sentence in line.sentences[:10]:
            put_sentence(sentence, world, draft)
            draft.add(" ")
            if world.rng.random() < 0.12:  # noqa: PLR2004
                write(world.rng.choice(LINES), world, draft)
                draft.add(" ")
        draft.add("\n")
    write(world.rng.choice(TAILS), world, draft)
    return draft.note(note_id, "other-injected")


def read_test_side(data: Path) -> Iterator[Passage]:
    """Yield the held-out notes that a task of MTSamples tests with."""
    notes = read_unlabelled(read_sources(SOURCES, data))
    reading, mtsamples = learn_words(notes), notes["mtsamples"]
    splits = mtsamples.source.splits
    rows = [row for path in splits.path for row in read_rows(path)] if splits else []
    tested = {row.key("id") for row in rows if row.key("split") == "test"}
    for row in mtsamples.held_out:
        if row.key("id") in tested:
            for text in mtsamples.written(row):
                yield reading.passage("mtsamples", *replace_placeholders(text))


def generate(data: Path, seed: int, notes: int) -> Iterator[LabelledNote]:
    fakers, letters = [Faker(locale) for locale in LOCALES], Letters()
    for fake in fakers:
        fake.seed_instance(seed)
        for _ in range(400):
            letters.learn(re.sub(r"[^a-zA-Z]", "", fake.last_name()))
    held = [passage for passage in read_test_side(data) if passage.lines]
    for number in range(notes):
        rng = random.Random(f"{seed}:{number}")
        random.seed(f"{seed}:{number}")
        fake = rng.choice(fakers)
        fake.seed_instance(f"{seed}:{number}")
        yield note(rng.choice(held), World(rng, fake, letters), f"other-{seed}-{number}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--notes", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7)
    asked = parser.parse_args()
    with asked.out.open("wb") as lines:
        for each in generate(asked.data, asked.seed, asked.notes):
            lines.write(encode_labelled(each) + b"\n")


if __name__ == "__main__":
    main()
