"""What the launch files say of their scenarios; read, not run."""

import ast

from helpers.places import ROOT


def scenarios():
    """Return launch file -> what it says of its scenario; read, not run."""
    found = {}
    for path in sorted((ROOT / 'launch').glob('*.launch.py')):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, 'id', '') == 'scenario':
                said = {word.arg: ast.literal_eval(word.value) for word in node.keywords}
                found[path.name] = {'model': ast.literal_eval(node.args[0]), **said}
    return found


SCENARIOS = scenarios()
