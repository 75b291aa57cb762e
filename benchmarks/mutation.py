"""Mutate the verifier and the permit, and see whether their tests fail.

    python benchmarks/mutation.py [--every N]

Each mutant changes one place of ``models/verification`` or ``schemas/permit.py``: a comparison, a
logical operator, a constant, a condition or a statement. It runs in a fork of this process, so that
models and lists are loaded once. Mutants that no test kills are printed by file and line.
"""

import argparse
import ast
import contextlib
import copy
import importlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]
MUTATED = (
    *sorted((ROOT / "models" / "verification").glob("[a-z]*.py")),
    ROOT / "schemas/permit.py",
)
TESTS = ROOT / "tests" / "unit" / "models" / "verification"
OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
KINDS: dict[type[ast.AST], tuple[str, ...]] = {
    ast.BoolOp: ("and-or",),
    ast.If: ("always", "never"),
    ast.Raise: ("nothing",),
    ast.AugAssign: ("nothing",),
    ast.Return: ("return-none",),
}
SECONDS = 180


def mutants(tree: ast.Module) -> Iterator[tuple[int, str, ast.Module]]:
    """Yield the line, the kind and the tree of each mutant."""
    for place, node in enumerate(ast.walk(tree)):
        for kind in changes(node):
            mutant = copy.deepcopy(tree)
            change(list(ast.walk(mutant))[place], kind)
            yield getattr(node, "lineno", 0), kind, ast.fix_missing_locations(mutant)


def changes(node: ast.AST) -> tuple[str, ...]:
    """Return how a node can be changed."""
    if isinstance(node, ast.Constant):
        return ("one-more",) if type(node.value) is int else ("not",) * (type(node.value) is bool)
    if isinstance(node, ast.Compare):
        return ("opposite",) * (len(node.ops) == 1)
    if isinstance(node, ast.Expr):
        return ("nothing",) * isinstance(node.value, ast.Call)
    if isinstance(node, ast.BinOp):
        return ("plus-minus",) * isinstance(node.op, ast.Add | ast.Sub)
    return KINDS.get(type(node), ())


def change(node: ast.AST, kind: str) -> None:
    """Change a node in place."""
    match node, kind:
        case ast.Compare(), _:
            node.ops = [OPPOSITE[type(node.ops[0])]()]
        case ast.BoolOp(), _:
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        case ast.BinOp(), _:
            node.op = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
        case ast.Constant(), _:
            node.value = not node.value if kind == "not" else int(str(node.value)) + 1
        case ast.If(), _:
            node.test = ast.Constant(value=kind == "always")
        case ast.Return(), _:
            node.value = None
        case _:
            node.__class__ = ast.Pass  # type: ignore[assignment]


def survives(path: Path, tree: ast.Module) -> bool:
    """Run the tests against a mutant in a fork, and return whether they all pass."""
    child = os.fork()
    if child == 0:
        os._exit(_run_tests(path, tree))
    ended = time.monotonic() + SECONDS
    while time.monotonic() < ended:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status == 0
        time.sleep(0.02)
    os.kill(child, 9)
    os.waitpid(child, 0)
    return False


def _run_tests(path: Path, tree: ast.Module) -> int:
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    own = ("deidstream.models.verification", "deidstream.schemas.permit", "support", "tests")
    for name in list(sys.modules):
        if name.startswith(own) or name.rpartition(".")[2].startswith("test_"):
            del sys.modules[name]
    name = "deidstream." + ".".join(path.relative_to(ROOT).with_suffix("").parts)
    with contextlib.suppress(Exception):
        importlib.import_module(name.rpartition(".")[0])
        module = ModuleType(name)
        module.__file__ = str(path)
        sys.modules[name] = module
        exec(compile(tree, str(path), "exec"), module.__dict__)  # noqa: S102
        return int(pytest.main(["-q", "-x", "-p", "no:cacheprovider", str(TESTS)]))
    return 1


def main() -> int:
    """Print the surviving mutants and how many were killed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1, help="take one mutant in so many")
    every = parser.parse_args().every
    os.chdir(ROOT)
    if pytest.main(["-q", "-x", "-p", "no:cacheprovider", str(TESTS)]):
        sys.exit("the tests fail without a mutant")
    total = killed = 0
    for path in MUTATED:
        found = list(mutants(ast.parse(path.read_text())))[::every]
        for line, kind, tree in found:
            total += 1
            if survives(path, tree):
                print(f"survives: {path.relative_to(ROOT)}:{line} {kind}", flush=True)
            else:
                killed += 1
    print(f"{killed} of {total} mutants killed")
    return killed < total


if __name__ == "__main__":
    sys.exit(main())
