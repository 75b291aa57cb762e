"""The losses that int8 has by each engine, on processors of both kinds."""

from pathlib import Path

import pytest

from deidstream.models.neural.engine_port import OPENVINO, ROUNDING
from deidstream.models.neural.quantization import MOST_LOSS
from deidstream.models.neural.sentence_embedder import SentenceEmbedder
from deidstream.models.neural.weights import PACKAGED, find_encoder
from deidstream.models.recognizers.tagger import Tagger, TaggerOptions
from deidstream.study.tagger import quantize
from deidstream.study.tagger.quantize import EXACT, quantize_embedder, quantize_tagger
from support.checkpoints import token_classifier

TEXTS = ["Seen by Dr. Ayala on 03/04.", "Metformin was begun.", "MRN 4471, ward 4 West."] * 3


@pytest.fixture(params=[False, True], ids=["as it is", "overflows"])
def _processor(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    def find_wrong_sums(engine: str) -> str:
        return "wrong sums" if engine == OPENVINO else ""

    if request.param:
        monkeypatch.setattr(quantize, "find_wrong_sums", find_wrong_sums)


@pytest.mark.usefixtures("_processor")
def test_a_tagger_has_the_loss_of_every_engine_that_rounds(tmp_path: Path) -> None:
    folder = token_classifier(tmp_path)
    tagger = Tagger.load(str(folder), settings=TaggerOptions(run=EXACT))
    found = quantize_tagger(tagger, folder, TEXTS, TEXTS)
    assert set(found.loss) == set(ROUNDING)
    for loss in found.loss.values():
        assert set(loss) == {"mean_change", "other_labels", "lost_pieces"}
        assert 0 < loss["mean_change"] < MOST_LOSS["mean_change"]


@pytest.mark.slow
@pytest.mark.usefixtures("_processor")
def test_an_embedder_has_the_loss_of_every_engine_that_rounds() -> None:
    folder = find_encoder(PACKAGED)
    embedder = SentenceEmbedder.load(PACKAGED, run=EXACT)
    found = quantize_embedder(embedder, folder, TEXTS, TEXTS)
    assert set(found.loss) == set(ROUNDING)
    for loss in found.loss.values():
        assert 0 < loss["mean_distance"] < MOST_LOSS["mean_distance"]
