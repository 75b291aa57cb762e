"""Invent people for generated messages: names that are no words, numbers, addresses."""

import random
from dataclasses import dataclass

_HEADS = (
    "Bra", "Cro", "Dwe", "Fli", "Gro", "Hul", "Jes", "Klo", "Mur", "Nev", "Pra", "Quo", "Ros",
    "Sve", "Tro", "Ulm", "Vex", "Wol", "Yar", "Zim",
)  # fmt: skip
_TAILS = (
    "dalf", "bornik", "tachwe", "lowan", "gendra", "vistle", "meroth", "pandik", "sorvel",
    "thurin", "waskel", "yendor",
)  # fmt: skip
_STREETS = ("Kiln", "Larkspur", "Tannery", "Harbormaster", "Pellwood", "Quarryman")
_WAYS = ("Rd", "Ave", "Lane")
_CITIES = ("Carrowby", "Eastmerrow", "Dunholme", "Vexleigh", "Norgate", "Thistledown")


@dataclass(frozen=True, slots=True)
class Person:
    """A person with what identifies one."""

    given: str
    family: str
    number: str
    phone: str
    street: str
    city: str
    zip: str
    birth: str

    @classmethod
    def draw(cls, chance: random.Random, decade: int) -> "Person":
        """Draw a person who was born in a decade of the last century."""
        area, exchange, line = (201, 989), (2, 9), (10**5, 10**6)
        return cls(
            given=_name(chance),
            family=_name(chance),
            number=f"{chance.choice('KMXZ')}{chance.randrange(10**6, 10**7)}",
            phone="".join(str(chance.randrange(*part)) for part in (area, exchange, line)),
            street=_street(chance),
            city=chance.choice(_CITIES),
            zip=f"{chance.randrange(10_000, 99_999)}",
            birth=_birth(chance, decade),
        )

    @property
    def address(self) -> str:
        """The address as a field."""
        return f"{self.street}^^{self.city}^WI^{self.zip}"

    @property
    def dashed(self) -> str:
        """The telephone number with dashes."""
        return f"{self.phone[:3]}-{self.phone[3:6]}-{self.phone[6:]}"

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must not come out, in no case and with no separators between its digits."""
        return (self.given, self.family, self.number, self.phone, self.street, self.birth)


def _name(chance: random.Random) -> str:
    return chance.choice(_HEADS) + chance.choice(_TAILS)


def _street(chance: random.Random) -> str:
    return f"{chance.randrange(12, 989)} {chance.choice(_STREETS)} {chance.choice(_WAYS)}"


def _birth(chance: random.Random, decade: int) -> str:
    year, month, day = (chance.randrange(*part) for part in ((2, 8), (1, 13), (1, 29)))
    year += decade
    return f"19{year}{month:02}{day:02}"


@dataclass(frozen=True, slots=True)
class Cast:
    """The people of a message, and the numbers of the patient."""

    patient: Person
    kin: Person
    payer: Person
    doctor: Person
    ssn: str
    plan: str

    @classmethod
    def draw(cls, chance: random.Random) -> "Cast":
        """Draw the people of a message."""
        # No date of one person, moved by up to a year, is that of another.
        patient, kin, payer, doctor = (Person.draw(chance, one) for one in (30, 50, 70, 80))
        parts = ((101, 665), (10, 99), (1000, 9999))
        ssn = "-".join(str(chance.randrange(*part)) for part in parts)
        return cls(patient, kin, payer, doctor, ssn, f"BL{chance.randrange(10**7, 10**8)}")

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must not come out; of the doctor the names and the number are in the message."""
        doctor = (self.doctor.given, self.doctor.family, self.doctor.number)
        beside = (*self.patient.secrets, *self.kin.secrets, *self.payer.secrets)
        return (*sorted({*beside, *doctor}), self.ssn, self.plan)
