from deidstream.agents.runtime.load_as_deployment import list_precisions
from deidstream.schemas.note import PipelineStamp


def _stamp(tagger: str | None, embedder: str | None) -> PipelineStamp:
    return PipelineStamp("1", (), tagger, embedder, None, 1)


def test_each_model_of_all_pipelines_is_pinned_by_its_digest() -> None:
    stamps = [_stamp("aa:fp32", "ee:int8"), _stamp("aa:fp32,bb:bf16", None), _stamp(None, "ff")]
    assert list_precisions(stamps) == {"aa": "fp32", "bb": "bf16", "ee": "int8"}
