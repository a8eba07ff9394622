"""
Pages: one HTML file with everything in it, that loads nothing from anywhere.

Names and texts of models are not trusted: they are escaped, and the page runs and styles itself by
nothing but what has the hashes that its own policy names.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
import copy
from dataclasses import dataclass
import hashlib
import html
import json
import re
import struct
from typing import Any
import zlib

from symcontact_ros.errors import DivergenceError
from symcontact_ros.simulation.simulation import Simulation
from symcontact_ros.web.export import check_exportable, web_model
from symcontact_ros.web.page_model import page_model
from symcontact_ros.web.page_script import PAGE, page_script

FORMAT = 1  # of what a page carries
# Steps whose result a page compares with that of the native run: the whole run, or so many; fewer
# where a step takes long.
CHECKED = 8000
CHECKED_OF_BODIES = 80_000
_PLACE = re.compile(r'\{\{(\w+)\}\}')

Report = Callable[[str], None]


@dataclass(frozen=True)
class Variant:
    """
    A way to simulate a model, as a page carries it.

    Attributes
    ----------
    about
        Detector, integrator, and hash of the native run after some steps.
    pack
        Description, WebAssembly module and memory; deflated.
    """

    about: dict[str, Any]
    pack: bytes


def page_text(
    sims: Sequence[Simulation],
    title: str = '',
    text: str = '',
    report: Report = lambda _: None,
) -> str:
    """
    Return the page of a model.

    Parameters
    ----------
    sims
        Simulations of the model, one per detector and integrator to choose from; the page starts
        with the first one. OptionError for those that a browser cannot run.
    title
        Of the page; by default the name of the model.
    text
        Line below the title.
    report
        Is told what is being done.
    """
    from symcontact_ros.symbolic.mathml import equations_mathml

    for sim in sims:
        check_exportable(sim)
    first = sims[0]
    report('equations')
    equations = equations_mathml(first.model)
    report('view')
    model = page_model(first, text)
    variants = []
    for sim in sims:
        report(f'{sim.detector}, {sim.integrator}')
        variants.append(variant_of(sim))
    data = {'format': FORMAT, 'model': model, 'variants': [one.about for one in variants]}
    name = first.model.name.replace('_', ' ')
    return filled_page(
        title or name[:1].upper() + name[1:],
        data,
        equations,
        [base64.b64encode(one.pack).decode() for one in variants],
    )


def variant_of(sim: Simulation) -> Variant:
    """Return a simulation as a page carries it, and what the native one comes to."""
    web = web_model(sim)
    description = json.dumps(web.description, separators=(',', ':'), allow_nan=False)
    parts = (description.encode(), web.wasm, web.image)
    pack = b''.join(struct.pack('<I', len(part)) + part for part in parts)
    about = {'detector': sim.detector, 'integrator': sim.integrator, 'check': native_check(sim)}
    return Variant(about, zlib.compress(pack, 9))


def native_check(sim: Simulation) -> dict[str, Any] | None:
    """Return steps and hash of a run from the start; None for one that does not come that far."""
    run = copy.copy(sim)
    run.reset()
    whole = sim.model.duration / sim.step_size
    steps = round(max(1, min(whole, CHECKED, CHECKED_OF_BODIES / len(sim.model.bodies))))
    try:
        run.step(steps)
    except DivergenceError:
        return None
    return {'steps': steps, 'hash': run.state_hash()}


def filled_page(
    title: str, data: dict[str, Any], equations: str = '', engines: Sequence[str] = ()
) -> str:
    """Return the page with a title, its data and its packed engines."""
    style = (PAGE / 'style.css').read_text(encoding='utf-8')
    script = page_script()
    connect = "connect-src 'self'" if data.get('live') else ''
    policy = [
        "default-src 'none'",
        f"script-src '{_hash(script)}' 'wasm-unsafe-eval'",
        f"style-src '{_hash(style)}'",
        'img-src data:',
        "base-uri 'none'",
        "form-action 'none'",
        *filter(None, [connect]),
    ]
    parts = {
        'TITLE': html.escape(title),
        'POLICY': html.escape('; '.join(policy)),
        'STYLE': style,
        'EQUATIONS': equations,
        'DATA': script_json(data),
        'ENGINES': '\n'.join(
            f'<script type="text/plain" id="engine-{i}">{pack}</script>'
            for i, pack in enumerate(engines)
        ),
        'SCRIPT': script,
    }
    page = (PAGE / 'page.html').read_text(encoding='utf-8')
    return _PLACE.sub(lambda found: parts[found[1]], page)


def script_json(data: object) -> str:
    """Return JSON that stays within its script element, whatever texts it has."""
    text = json.dumps(data, separators=(',', ':'), allow_nan=False)
    return text.replace('<', '\\u003c').replace('>', '\\u003e').replace('&', '\\u0026')


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f'sha256-{base64.b64encode(digest).decode()}'
