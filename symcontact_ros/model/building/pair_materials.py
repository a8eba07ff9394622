"""Reading of ``materials: {pairs: ...}``: which pair of bodies has which material."""

from __future__ import annotations

from collections.abc import Sequence

from symcontact_ros.errors import shown
from symcontact_ros.model.building.collision_rules import read_pair
from symcontact_ros.model.building.reader import Section
from symcontact_ros.model.pair_rules import NamePair, PairList


def read_pair_materials(
    section: Section, known: Sequence[str], pairs: Sequence[NamePair], bodies: Sequence[str]
) -> dict[NamePair, str]:
    """
    Return the names of the materials of pairs; exact names win, then the first pattern.

    Parameters
    ----------
    section
        ``materials:``.
    known
        Names of materials.
    pairs, bodies
        Pairs that may touch, and the names of all bodies.
    """
    named: dict[NamePair, str] = {}
    patterns: list[tuple[PairList, str]] = []
    for entry in section.items('pairs'):
        both = entry.take('bodies')
        material = entry.text('material', choices=known)
        found = read_pair(entry, entry.at('bodies'), both, bodies)
        if found is not None:
            a, b = found
            if not isinstance(a, str) or not isinstance(b, str):
                patterns.append((PairList(matched=((frozenset(a), frozenset(b)),)), material))
            elif (a, b) in named:
                reason = f'and {shown(b)} have a material already'
                entry.fault('bodies', f'{shown(a)} {reason}')
            else:
                named[a, b] = material
        entry.close()
    matched = {
        pair: next(material for listed, material in patterns if pair in listed)
        for pair in pairs
        if any(pair in listed for listed, _ in patterns)
    }
    return matched | named
