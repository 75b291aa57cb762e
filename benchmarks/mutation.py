"""Mutate the verifier and the permit, and see whether their tests fail.

    python benchmarks/mutation.py [--every N] [--only FILE]

Each mutant changes one place of ``models/verification`` or ``schemas/permit.py``: a comparison, a
logical operator, a constant, a condition, a filter, an entry of a list or a statement. It runs in a
fork of this process, so that models and lists are loaded once. Mutants that no test kills are
printed by file and line, but for those of ``EQUIVALENT``, which no test can kill.
"""

import argparse
import ast
import contextlib
import copy
import importlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

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
SWAPPED = {"any": "all", "all": "any", "min": "max", "max": "min"}
SECONDS = 120


EQUIVALENT: dict[tuple[str, str], str] = {
    ("if not counting:", "never"): "nothing is detected again, which takes longer",
    ("_NEVER = 2", "one-more"): "both are more than any score",
    (
        "certain = (rule for rule in BUILT_IN if is_direct(rule.label) and rule.score >= least)",
        "opposite",
    ): "no rule has the very score",
    (
        "while first < len(replaced) and replaced[first].end <= span.start:",
        "opposite",
    ): "a span that ends where another begins is passed over by the next loop",
    (
        "while place < len(replaced) and replaced[place].start < span.end:",
        "opposite",
    ): "a span that begins where another ends leaves an empty stretch",
}
"""Why a mutant, by its line and kind, behaves as the original does."""


def mutants(tree: ast.Module) -> Iterator[tuple[int, str, ast.Module]]:
    """Yield the line, the kind and the tree of each mutant."""
    settings = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef | ast.FunctionDef)
        for decorator in node.decorator_list
        for inner in ast.walk(decorator)
    }
    for place, node in enumerate(ast.walk(tree)):
        if id(node) in settings:
            continue  # whether a class is frozen, how much a cache holds
        for kind in changes(node):
            mutant = copy.deepcopy(tree)
            changed = list(ast.walk(mutant))[place]
            changes(changed)[kind](changed)
            yield _line_of(node), kind, ast.fix_missing_locations(mutant)


def _line_of(node: ast.AST) -> int:
    first = node.target if isinstance(node, ast.comprehension) else node
    return int(getattr(first, "lineno", 0))


Changes = dict[str, Callable[[Any], None]]
"""By kind, what changes a node in place."""


def changes(node: ast.AST) -> Changes:
    """Return how a node can be changed."""
    return CHANGES.get(type(node), lambda _: {})(node)


def _assign(**fields: object) -> Callable[[Any], None]:
    def change(node: Any) -> None:  # noqa: ANN401
        for name, value in fields.items():
            setattr(node, name, value)

    return change


def _of_constant(node: Any) -> Changes:  # noqa: ANN401
    if type(node.value) is int:
        return {"one-more": _assign(value=node.value + 1)}
    return {"not": _assign(value=not node.value)} if type(node.value) is bool else {}


def _of_comparison(node: Any) -> Changes:  # noqa: ANN401
    opposite = OPPOSITE[type(node.ops[0])]()
    return {"opposite": _assign(ops=[opposite])} if len(node.ops) == 1 else {}


def _of_sum(node: Any) -> Changes:  # noqa: ANN401
    if not isinstance(node.op, ast.Add | ast.Sub):
        return {}
    return {"plus-minus": _assign(op=ast.Sub() if isinstance(node.op, ast.Add) else ast.Add())}


def _of_call(node: Any) -> Changes:  # noqa: ANN401
    other = SWAPPED.get(ast.unparse(node.func))
    return {"swap": _assign(func=ast.Name(other, ast.Load()))} if other else {}


def _of_set(node: Any) -> Changes:  # noqa: ANN401
    return {f"without-{ast.unparse(one)}": _drop(at) for at, one in enumerate(node.elts)}


def _of_return(node: Any) -> Changes:  # noqa: ANN401
    """Return nothing instead, unless what is returned counts as nothing."""
    nothing = isinstance(node.value, ast.Constant) and not node.value.value
    return {} if nothing else {"return-none": _assign(value=None)}


def _drop(place: int) -> Callable[[Any], None]:
    def change(node: Any) -> None:  # noqa: ANN401
        del node.elts[place]

    return change


def _remove(node: Any) -> None:  # noqa: ANN401
    node.__class__ = ast.Pass


def _either(_: ast.AST) -> Changes:
    return {
        "always": _assign(test=ast.Constant(value=True)),
        "never": _assign(test=ast.Constant(value=False)),
    }


CHANGES: dict[type[ast.AST], Callable[[Any], Changes]] = {
    ast.Constant: _of_constant,
    ast.Compare: _of_comparison,
    ast.BinOp: _of_sum,
    ast.Call: _of_call,
    ast.Set: _of_set,
    ast.If: _either,
    ast.IfExp: _either,
    ast.BoolOp: lambda node: {
        "and-or": _assign(op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
    },
    ast.UnaryOp: lambda node: (
        {"plain": _assign(operand=ast.UnaryOp(ast.Not(), node.operand))}
        if isinstance(node.op, ast.Not)
        else {}
    ),
    ast.comprehension: lambda node: {"unfiltered": _assign(ifs=[])} if node.ifs else {},
    ast.Expr: lambda node: {"nothing": _remove} if isinstance(node.value, ast.Call) else {},
    ast.Return: _of_return,
    ast.AugAssign: lambda _: {"nothing": _remove},
    ast.Raise: lambda _: {"nothing": _remove},
}


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
    parser.add_argument("--only", default="", help="mutate the file of this name alone")
    given = parser.parse_args()
    os.environ["TEST_TIME_FACTOR"] = "10"
    os.chdir(ROOT)
    if pytest.main(["-q", "-x", "-p", "no:cacheprovider", str(TESTS)]):
        sys.exit("the tests fail without a mutant")
    total = killed = equal = 0
    for path in (each for each in MUTATED if given.only in each.name):
        lines = path.read_text().splitlines()
        for line, kind, tree in list(mutants(ast.parse("\n".join(lines))))[:: given.every]:
            text = lines[line - 1].strip()
            total += 1
            if not survives(path, tree):
                killed += 1
            elif (text, kind) in EQUIVALENT:
                equal += 1
            else:
                print(f"survives: {path.relative_to(ROOT)}:{line} {kind}: {text}", flush=True)
    print(f"{killed} of {total} mutants killed, {equal} known to be equivalent")
    return killed + equal < total


if __name__ == "__main__":
    sys.exit(main())
