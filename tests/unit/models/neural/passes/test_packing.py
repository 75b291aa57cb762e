from collections.abc import Sequence

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import AutoModelForTokenClassification

from deidstream.models.neural.model_turn import work_beside
from deidstream.models.neural.passes.packing import (
    HANDED_OVER,
    HANDED_OVER_BESIDE,
    Forward,
    ForwardPass,
    Layout,
    Results,
    Window,
    cut_windows,
    forward_groups,
    padded_length,
    run_packed_sequences,
    stitch,
)
from support.checkpoints import token_classifier

LENGTHS = st.lists(st.integers(0, 600), max_size=60)


@given(LENGTHS, st.integers(1, 2000))
def test_nothing_is_lost_or_done_twice(lengths: list[int], budget: int) -> None:
    places = [place for _, group in forward_groups(lengths, budget) for place in group]
    assert sorted(places) == list(range(len(lengths)))


@given(LENGTHS, st.integers(1, 2000))
def test_a_pass_is_within_the_budget_unless_alone(lengths: list[int], budget: int) -> None:
    for size, group in forward_groups(lengths, budget):
        assert len(group) == 1 or size * len(group) <= budget


@given(LENGTHS, st.integers(1, 2000))
def test_padding_depends_on_the_own_length_alone(lengths: list[int], budget: int) -> None:
    for size, group in forward_groups(lengths, budget):
        assert {padded_length(lengths[place]) for place in group} == {size}
        assert all(lengths[place] <= size for place in group)


def test_full_passes_are_as_few_as_they_can_be() -> None:
    groups = forward_groups([16] * 10, budget_tokens=64)
    assert [len(group) for _, group in groups] == [4, 4, 2]


def test_padding_is_masked() -> None:
    seen: list[tuple[list[list[int]], list[list[int]]]] = []

    def forward(passes: Sequence[ForwardPass]) -> list[Results]:
        seen.extend((one.ids.tolist(), one.mask.tolist()) for one in passes)
        return [one.ids.astype(np.float32) for one in passes]

    rows = dict(run_packed_sequences(forward, [[5, 6], [7] * 17], Layout(64, pad_id=9)))
    assert rows[1].tolist() == [7] * 17 + [9] * 7
    assert seen[0] == ([[5, 6] + [9] * 6], [[1, 1] + [0] * 6])


@pytest.fixture(scope="module", params=[torch.float32, torch.bfloat16], ids=["fp32", "bf16"])
def forward(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Forward:
    folder = token_classifier(tmp_path_factory.mktemp("rows"))
    model = AutoModelForTokenClassification.from_pretrained(str(folder), dtype=request.param)
    model.eval()

    def logits(one: ForwardPass) -> Results:
        ids, mask = torch.from_numpy(one.ids), torch.from_numpy(one.mask)
        with torch.inference_mode():
            answered: Results = model(input_ids=ids, attention_mask=mask).logits.float().numpy()
        return answered

    return lambda passes: [logits(one) for one in passes]


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_a_row_is_bitwise_the_same_in_any_company(forward: Forward, threads: int) -> None:
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        _assert_invariant(forward)
    finally:
        torch.set_num_threads(before)


def _assert_invariant(forward: Forward) -> None:
    generator = torch.Generator().manual_seed(0)
    lengths = [*range(1, 50), 100, 127, 128, 128, 128, 300, *range(110, 129)]
    sequences = [
        torch.randint(5, 90, (length,), generator=generator).tolist() for length in lengths
    ]
    alone = [next(run_packed_sequences(forward, [ids], Layout(1, 0)))[1] for ids in sequences]
    for budget in (256, 1024, 4096):
        for at, row in run_packed_sequences(forward, sequences, Layout(budget, 0)):
            length = lengths[at]
            assert np.array_equal(row[:length], alone[at][:length])


def test_equal_sequences_are_run_once() -> None:
    seen: list[int] = []

    def forward(passes: Sequence[ForwardPass]) -> list[Results]:
        seen.extend(len(one.mask) for one in passes)
        return [one.ids.astype(np.float32) for one in passes]

    rows = [[1, 2], [3], [1, 2], [1, 2]]
    results = dict(run_packed_sequences(forward, rows, Layout(64, pad_id=0)))
    assert seen == [2]
    assert [results[place].tolist()[:2] for place in range(4)] == [[1, 2], [3, 0], [1, 2], [1, 2]]


def test_passes_are_handed_over_together_within_a_bound() -> None:
    handed: list[int] = []

    def forward(passes: Sequence[ForwardPass]) -> list[Results]:
        handed.append(sum(one.ids.size for one in passes))
        return [one.ids.astype(np.float32) for one in passes]

    few = [[place] * (8 + 8 * (place % 4)) for place in range(40)]
    assert {place: row[0] for place, row in run_packed_sequences(forward, few, Layout(64, 0))} == {
        place: place for place in range(40)
    }
    assert handed == [sum(map(len, few))]

    handed.clear()
    many = [[place] * 256 for place in range(1 + 2 * HANDED_OVER // 256)]
    found = dict(run_packed_sequences(forward, many, Layout(4096, 0)))
    assert handed == [HANDED_OVER, HANDED_OVER, 256]
    assert [found[place][0] for place in range(len(many))] == list(range(len(many)))

    handed.clear()
    with work_beside():
        beside = dict(run_packed_sequences(forward, many, Layout(4096, 0)))
    assert {*handed} == {HANDED_OVER_BESIDE, 256}
    assert all(np.array_equal(beside[place], found[place]) for place in range(len(many)))


def test_nothing_has_no_window() -> None:
    assert cut_windows(0, size=8, overlap=2) == ()


def test_what_fits_is_one_window() -> None:
    assert cut_windows(8, size=8, overlap=2) == (Window(0, 8, 0, 8),)


def test_the_last_window_may_be_short() -> None:
    assert cut_windows(9, size=8, overlap=4) == (Window(0, 8, 0, 6), Window(4, 9, 6, 9))


def test_windows_without_overlap_meet() -> None:
    assert cut_windows(5, size=2, overlap=0) == (
        Window(0, 2, 0, 2),
        Window(2, 4, 2, 4),
        Window(4, 5, 4, 5),
    )


@pytest.mark.parametrize(("length", "size", "overlap"), [(-1, 4, 0), (5, 4, 4), (5, 4, -1)])
def test_what_cannot_be_cut_is_refused(length: int, size: int, overlap: int) -> None:
    with pytest.raises(ValueError, match="cannot be cut"):
        cut_windows(length, size=size, overlap=overlap)


def test_each_row_comes_from_its_own_window() -> None:
    windows = cut_windows(9, size=8, overlap=4)
    results = [
        np.full((window.end - window.start, 2), number, dtype=np.int16)
        for number, window in enumerate(windows)
    ]
    assert stitch(windows, results)[:, 0].tolist() == [0] * 6 + [1] * 3
