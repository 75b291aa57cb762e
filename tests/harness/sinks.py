"""Search every sink for canaries: topics, logs, pages, Redis, files of the broker, other files."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import ahocorasick
import redis

_MOST_PLACES = 20


@dataclass(slots=True)
class SinkSearch:
    """All canaries of a run in one automaton; case does not matter."""

    canaries: Iterable[str] = field(repr=False)
    searched: dict[str, int] = field(default_factory=dict[str, int])
    """Bytes by sink."""
    hits: list[str] = field(default_factory=list[str])
    """Where canaries are; which ones is not said."""
    _automaton: ahocorasick.Automaton = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._automaton = ahocorasick.Automaton()
        for canary in self.canaries:
            self._automaton.add_word(canary.encode().decode("latin-1").lower(), 1)
        self._automaton.make_automaton()

    def search(self, sink: str, content: bytes, where: str = "") -> None:
        """Search one piece of a sink."""
        self.searched[sink] = self.searched.get(sink, 0) + len(content)
        if not len(self._automaton):
            return
        text = content.decode("latin-1").lower()
        self.hits += [f"{sink} {where}".strip() for _ in self._automaton.iter(text)]

    def search_files(self, sink: str, folder: Path, *, without: str = "\0") -> None:
        """Search every file below a folder, except below names that begin with ``without``."""
        for file in sorted(folder.rglob("*")):
            below = file.relative_to(folder)
            if any(part.startswith(without) for part in below.parts):
                continue
            try:
                if file.is_file():
                    self.search(sink, file.read_bytes(), str(below))
            except OSError:
                continue
            self.search(f"{sink} names", str(below).encode())

    def search_redis(self, url: str) -> None:
        """Search names, values and the slow log of a Redis that runs."""
        with redis.Redis.from_url(url, socket_timeout=5) as client:
            for piece in _pieces(client):
                self.search("redis", piece)


def _pieces(client: redis.Redis) -> Iterator[bytes]:
    for name in client.scan_iter(count=1_000):
        yield bytes(name)
        dumped = client.dump(name)
        yield bytes(dumped or b"")
        if client.type(name) == b"hash":
            fields: Mapping[bytes, bytes] = client.hgetall(name)  # type: ignore[assignment]
            yield b"\n".join(part for pair in fields.items() for part in pair)
    yield repr(client.slowlog_get(1_000)).encode()
    yield repr(client.client_list()).encode()
