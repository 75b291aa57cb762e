"""The token classification pipeline of transformers with the tagger of the settings, a note a call.

Windows of 512 word pieces that share 64, and the label of a word's first piece for all of it; else
the pipeline's defaults.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import torch
import transformers
from exchange import Absent, Found, Runner

from deidstream.agents.runtime.load_models import find_tagger
from deidstream.agents.settings import read_settings
from deidstream.schemas.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

OVERLAP = 64


def prepare() -> Runner:
    try:
        folder = find_tagger(read_settings(os.environ))
    except Refused as refused:
        raise Absent(refused) from None
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder, model_max_length=512)
    classify = transformers.pipeline(
        "token-classification",
        model=str(folder),
        tokenizer=tokenizer,
        aggregation_strategy="first",
        stride=OVERLAP,
        device="cpu",
    )

    def find(texts: Sequence[str]) -> list[list[Found]]:
        spans: list[list[Found]] = []
        for text in texts:
            entities: list[dict[str, Any]] = classify(text)
            spans.append([(e["start"], e["end"], e["entity_group"]) for e in entities])
        return spans

    what = f"transformers {transformers.__version__}, {classify.model.dtype}"
    what += f", {torch.get_num_threads()} threads, the tagger of {folder.name}"
    return Runner(what, find)
