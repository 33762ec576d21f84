"""The type stubs name what the native module has, and say what its functions take."""

import ast
import inspect
import pathlib

import pytest

import pliant
from pliant import _pliant


def test_stubs_name_all_that_there_is():
    stub = pathlib.Path(_pliant.__file__).parent / "_pliant.pyi"
    parsed = ast.parse(stub.read_text())
    classes = {node.name: node for node in parsed.body if isinstance(node, ast.ClassDef)}
    native = {name: kind for name, kind in vars(_pliant).items() if inspect.isclass(kind)}
    assert classes.keys() == native.keys()
    for name, kind in native.items():
        told = {node.name for node in classes[name].body if isinstance(node, ast.FunctionDef)}
        found = {key for key in vars(kind) if not key.startswith("_")}
        assert {key for key in told if not key.startswith("_")} == found, name
        for key in found:
            assert inspect.getdoc(getattr(kind, key)), f"{name}.{key} has no words"
    assert set(native) <= set(pliant.__all__)


def parameters(arguments: ast.arguments) -> tuple:
    """Names, kinds and defaults of what a function takes, without the object itself."""
    plain = arguments.posonlyargs + arguments.args
    if plain and plain[0].arg in ("self", "cls"):
        plain = plain[1:]
    required = len(plain) - len(arguments.defaults)
    defaults = [None] * required + arguments.defaults
    pairs = [*zip(plain, defaults), *zip(arguments.kwonlyargs, arguments.kw_defaults)]
    told = [(parameter.arg, default and ast.dump(default)) for parameter, default in pairs]
    return told, len(plain), len(arguments.posonlyargs), *(rest and rest.arg for rest in (arguments.vararg, arguments.kwarg))


def parameters_of(signature: str) -> tuple:
    """The same from what the native module says of a function."""
    (function,) = ast.parse(f"def function{signature.replace('$self', 'self')}: ...").body
    return parameters(function.args)


def test_stubs_take_what_the_native_functions_take():
    stub = pathlib.Path(_pliant.__file__).parent / "_pliant.pyi"
    compared = 0
    for owner in ast.parse(stub.read_text()).body:
        functions = owner.body if isinstance(owner, ast.ClassDef) else [owner]
        native = getattr(_pliant, owner.name) if isinstance(owner, ast.ClassDef) else _pliant
        for function in functions:
            if not isinstance(function, ast.FunctionDef):
                continue
            is_property = any(getattr(mark, "id", None) == "property" for mark in function.decorator_list)
            is_special = function.name.startswith("__") and function.name != "__new__"
            if is_property or is_special:
                continue
            made = native if function.name == "__new__" else getattr(native, function.name)
            name = f"{getattr(owner, 'name', '')}.{function.name}"
            assert parameters(function.args) == parameters_of(made.__text_signature__), name
            compared += 1
    assert compared > 70


@pytest.mark.parametrize(
    "other",
    ["(a, b=2, *, c=None)", "(a, b=1, *, d=None)", "(a, b=1, c=None)", "(a, b=1, *c)", "(a, *, b=1, c=None)", "(a, b=1, *, c)"],
)
def test_functions_that_take_other_things_are_told_apart(other):
    one = "(a, b=1, *, c=None)"
    assert parameters_of(one) == parameters_of(one.replace("(", "($self, "))
    assert parameters_of(one) != parameters_of(other)
