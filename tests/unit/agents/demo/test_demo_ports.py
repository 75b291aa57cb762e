"""The ports of the demo's pages."""

import socket

import pytest

from deidstream.agents.demo.demo_ports import LOOPBACK, DemoPorts
from support.ports import free_port


def test_ports_that_are_free_are_taken() -> None:
    asked = free_port()
    chosen = DemoPorts.choose(asked, 0)
    assert chosen.operations_url == f"http://127.0.0.1:{asked}/"
    assert chosen.review not in {0, asked}


def test_a_port_in_use_is_replaced_and_named(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as other:
        other.bind((LOOPBACK, 0))
        other.listen()
        taken = other.getsockname()[1]
        chosen = DemoPorts.choose(taken, 0)
    assert chosen.operations != taken
    assert capsys.readouterr().err == f"port {taken} is taken; {chosen.operations} in its place\n"
