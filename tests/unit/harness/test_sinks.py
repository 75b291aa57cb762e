"""A canary is found in every kind of sink, whatever its case."""

from pathlib import Path

from harness.sinks import SinkSearch


def test_a_canary_is_found_in_any_case() -> None:
    search = SinkSearch(["Zyxwvuts", "MZ99"])
    search.search("logs", b"of ZYXWVUTS and mz99")
    assert search.hits == ["logs", "logs"]
    assert search.searched == {"logs": 20}


def test_a_canary_of_another_script_is_found() -> None:
    search = SinkSearch(["Жук"])
    search.search("logs", "a Жук b".encode())
    assert search.hits == ["logs"]


def test_other_words_are_not_found() -> None:
    search = SinkSearch(["Zyxwvuts"])
    search.search("logs", b"zyxwvut")
    assert search.hits == []


def test_files_and_their_names_are_searched(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x").write_text("of zyxwvuts")
    (tmp_path / "zyxwvuts.log").write_text("")
    (tmp_path / "raw").mkdir()
    (tmp_path / "raw" / "x").write_text("of zyxwvuts")
    search = SinkSearch(["Zyxwvuts"])
    search.search_files("files", tmp_path, without="raw")
    assert search.hits == ["files a/x", "files names"]
