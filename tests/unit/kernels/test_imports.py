"""Kernels stand alone: NumPy, the standard library and each other."""

import ast
import sys
from pathlib import Path

import pytest

from phenesthe import kernels

MODULES = sorted(Path(kernels.__path__[0]).glob("*.py"))

#: What a kernel may use where it is installed; Arrow's arc sine is the same on any processor.
MORE = {"machines": ("numba",), "sphere": ("pyarrow",)}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_a_kernel_imports_nothing_else(path: Path) -> None:
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    foreign = {
        name
        for name in names
        if name.split(".")[0] not in {"numpy", *MORE.get(path.stem, ()), *sys.stdlib_module_names}
        and not name.startswith("phenesthe.kernels.")
    }
    assert not foreign
