"""Run ``deidstream validate sample``: draw the notes that are read."""

import orjson

from deidstream.agents.runtime.private_files import write_private
from deidstream.agents.runtime.root_keys import read_keys
from deidstream.agents.runtime.terminal import say
from deidstream.agents.settings import Settings
from deidstream.models.keyring import Keyring
from deidstream.schemas.errors import InvalidSettings
from deidstream.study.evaluation.read_gold import identify
from deidstream.study.validation.site.draw_sample import TENANT, draw_members, read_drawn
from deidstream.study.validation.site.frame import describe_frame, name_files
from deidstream.study.validation.site.population import (
    PopulationFiles,
    check_facts,
    read_population,
)
from deidstream.study.validation.site.validation_folder import ValidationFolder


def find_ring(settings: Settings) -> Keyring:
    """Return the keys of validations under the root key in force.

    Raises:
        MissingArtefact: No key file is set, or it holds no key.
    """
    keys = read_keys(settings.key)
    return Keyring(keys.roots[keys.version], keys.version, TENANT)


def take_sample(folder: ValidationFolder, files: PopulationFiles, settings: Settings) -> int:
    """Draw the sample of a plan and keep it; return 0.

    Raises:
        MissingArtefact: A file or the key cannot be read, or the folder not be written.
        InvalidSettings: The plan divides notes by a fact that nothing states, or notes were read.
        Refused: A file is not what it should be.
    """
    plan = folder.read_plan()
    if plan.is_standing:
        msg = f"{folder.plan}: is of a standing sample, which deidstream validate follow fetches"
        raise InvalidSettings(msg)
    folder.refuse_begun()
    check_facts(plan.strata, files.reading.keep)
    ring = find_ring(settings)
    population = read_population(files)
    drawn = draw_members(population, plan, ring)
    notes = list(read_drawn(files, drawn, plan, ring))
    frame = describe_frame(population, drawn, plan, ring)
    named = [("outputs", files.outputs), ("risk", files.risk), ("audit", files.audit)]
    if files.originals.is_file():
        named.append(("originals", files.originals))
    frame["files"] = name_files((kind, identify(path)) for kind, path in named)
    write_private(folder.sample, b"".join(orjson.dumps(note.encode()) + b"\n" for note in notes))
    write_private(folder.frame, orjson.dumps(frame, option=orjson.OPT_INDENT_2) + b"\n")
    plain = sum(not note.is_extra for note in notes)
    say(
        f"{plain:,} notes of {len(population.members):,}, and {len(notes) - plain:,} extra ones of "
        f"risky strata, are in {folder.sample}: it holds originals"
    )
    if plain < plan.stages[-1].notes:
        say(f"the plan asks for up to {plan.stages[-1].notes:,} notes; there are no more")
    if population.without_output:
        say(f"{population.without_output:,} notes have no output and are not in the sample")
    return 0
