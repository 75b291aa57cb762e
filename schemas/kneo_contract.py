"""What KNEO did with a note, as JSON Schema: a part of ``notes.anonymized``."""

from deidstream.schemas.json_schema import count, described, json_object, places, share

KNEO_REPORT = json_object(
    {
        "units": count("Lines and sentences, or words, that the note was cut into."),
        "replaced": count("Sentences of the pool, or drawn words, in the text."),
        "kept": {
            "type": "object",
            "additionalProperties": count("Units of this form."),
            "description": "Units that stay as they were, by form.",
        },
        "withheld": count("Units that were dropped or redacted."),
        "kept_characters": share("Share of the characters that stand in kept units."),
        "donors": count("Patients, or chosen notes, that gave the sentences."),
    },
    {
        "exchanged": places(
            "First code point of each exchanged sentence or word in the text, and that after it."
        ),
        "anonymity_set": count("Notes that each donor was drawn among."),
        "deniability": described(
            json_object(
                {
                    "wanted": count("Rank that the policy asks for."),
                    "jaccard": count("Rank of the own original by shared words."),
                    "dense": count("Rank of the own original by sentence vectors."),
                    "of": count("Reference notes it was ranked among."),
                    "rounds": count("How often the text was changed for it."),
                    "redacted": {"type": "boolean", "description": "Every sentence was left out."},
                    "reached": {"type": "boolean", "description": "Both ranks are the wanted one."},
                }
            ),
            "Rank of the note's own original among reference notes, where the policy asks for one.",
        ),
    },
)
