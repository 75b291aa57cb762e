import asyncio

from deidstream.stream.redis.memory_store import MemorySurrogateStore, TrialStore


def test_claims_stay_in_the_trial_and_what_is_stored_comes_first() -> None:
    async def body() -> None:
        stored = MemorySurrogateStore()
        await stored.claim([(b"a", b"1")])
        trial = TrialStore(stored)
        assert await trial.claim([(b"a", b"2"), (b"b", b"3"), (b"b", b"4")]) == [b"1", b"3", b"3"]
        assert await trial.recall([b"a", b"b", b"c"]) == [b"1", b"3", None]
        assert await stored.recall([b"a", b"b"]) == [b"1", None]
        await stored.claim([(b"b", b"5")])
        assert await trial.recall([b"b"]) == [b"5"]

    asyncio.run(body())
