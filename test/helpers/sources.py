"""The modules of the package, and what they import."""

import ast

from helpers.places import ROOT

PACKAGE = 'symcontact_ros'
SOURCES = ROOT / PACKAGE


def modules():
    return sorted(SOURCES.rglob('*.py'))


def imports(path):
    """Yield (module, whether it waits: in a function, or for type checking) of every import."""
    tree = ast.parse(path.read_text(encoding='utf-8'))
    inner = {
        node
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
    }
    checked_only = {
        node
        for branch in ast.walk(tree)
        if isinstance(branch, ast.If) and 'TYPE_CHECKING' in ast.unparse(branch.test)
        for node in ast.walk(branch)
    }
    for node in ast.walk(tree):
        waits = node in inner or node in checked_only
        if isinstance(node, ast.Import):
            yield from ((alias.name, waits) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f'{path}: relative imports hide where a name comes from'
            yield node.module, waits
