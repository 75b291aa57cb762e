"""Small archives, a policy that runs rules alone, and the commands on them."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from deidstream.agents.cli.main import main
from deidstream.agents.runtime.root_keys import write_key
from support.tenants import RULES

SURNAMES = ("Achterberg", "Balogun", "Castellanos", "Dvorak", "Eriksen", "Fairweather")
TEXT = (
    "Ms. Rosalind {0} (MRN: 55128{1:04}) was seen on 03/{2:02}/2024 by Dr. Ann {3}. "
    "Call 415-555-{1:04}. The wound heals well."
)


@dataclass(frozen=True, slots=True)
class ArchiveSite:
    """A folder with a policy and a key."""

    folder: Path

    @classmethod
    def make(cls, folder: Path) -> "ArchiveSite":
        """Write the policy and the key."""
        (folder / "rules.toml").write_text(RULES.format("surrogate"))
        write_key(folder / "root.key")
        return cls(folder)

    @property
    def job(self) -> Path:
        """The job folder."""
        return self.folder / "job"

    @property
    def out(self) -> Path:
        """The folder of the outputs."""
        return self.folder / "out"

    def plan_words(self, notes: Path, *more: str) -> Sequence[str]:
        """Return the words of the command ``plan``."""
        flags = {
            "--out": self.out,
            "--policy": self.folder / "rules.toml",
            "--key-file": self.folder / "root.key",
        }
        words = [str(word) for pair in flags.items() for word in pair]
        return ["archive", "plan", str(notes), str(self.job), *words, "--measure", "0", *more]

    def plan(self, notes: Path, *more: str) -> int:
        """Run the command ``plan``."""
        return main(self.plan_words(notes, *more))

    def make_all(self, notes: Path, *more: str) -> int:
        """Run the command ``make``: plan, run and verify."""
        _, _, *words = self.plan_words(notes)
        return main(["archive", "make", *words[: words.index("--measure")], *more])

    def run_here(self, *more: str) -> int:
        """Do the shards in this process, as each process of ``run`` does."""
        return main(["archive", "run", str(self.job), "--alone", *more])

    def verify(self) -> int:
        """Run the command ``verify``."""
        return main(["archive", "verify", str(self.job)])


def make_rows(count: int) -> list[dict[str, str]]:
    """Return notes of which three are about one patient each."""
    return [
        {
            "note_id": f"note-{number}",
            "patient_id": f"patient-{number // 3}",
            "text": TEXT.format(
                SURNAMES[number // 3 % 6], number // 3, number % 28 + 1, SURNAMES[number % 5]
            ),
        }
        for number in range(count)
    ]


def write_parquet(path: Path, rows: Sequence[Mapping[str, object]]) -> Path:
    """Write rows as Parquet."""
    pq.write_table(pa.Table.from_pylist([*rows]), path)
    return path


def write_csv(path: Path, rows: Sequence[Mapping[str, object]]) -> Path:
    """Write rows as CSV."""
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
    return path


def read_notes(out: Path) -> dict[str, str]:
    """Return the texts of an archive of Parquet, by the pseudonym of their note."""
    files = sorted((out / "notes").glob("part-*.parquet"))
    rows = [row for file in files for row in pq.read_table(file).to_pylist()]
    assert len({row["note_id"] for row in rows}) == len(rows)
    return {row["note_id"]: row["text"] for row in rows}


def read_others(out: Path) -> list[tuple[int, str, str | None]]:
    """Return place, status and reason of every row without an output."""
    files = sorted((out / "quarantine").glob("part-*.parquet"))
    rows = [row for file in files for row in pq.read_table(file).to_pylist()]
    return sorted((row["place"], row["status"], row["reason"]) for row in rows)
