"""Words of kinds come from the names of presets of institutions alone."""

import json
from pathlib import Path

from deidstream.models.phi.places.kind_words import is_kind_word
from deidstream.study.lists.make_kinds import make_kinds


def test_only_presets_of_institutions_give_words(tmp_path: Path) -> None:
    presets = {
        "shop/bakery": {"name": "Bread Bakery", "terms": "cake"},
        "amenity/dojo": {"name": "Dojo / Martial Arts Academy"},
        "natural/tree": {"name": "Tree"},
        "craft": {},
    }
    source = tmp_path / "en.json"
    source.write_text(json.dumps({"en": {"presets": {"presets": presets}}}))
    words = make_kinds(source).splitlines()[-1]
    assert words == "academy arts bakery bread dojo martial"


def test_a_word_of_kinds_that_is_also_a_name_says_no_kind() -> None:
    assert is_kind_word("veterinary")
    assert is_kind_word("toxicological")
    for name in ("barber", "candy", "christian", "mercy", "orange", "sky"):
        assert not is_kind_word(name)
