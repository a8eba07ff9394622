"""Settings of a run that a model file may name: what the model is made for."""

from __future__ import annotations

from dataclasses import asdict, dataclass
import math

from symcontact_ros.model.building.reader import Section

# The names that model files may have, in the order in which they are listed.
INTEGRATORS = ('auto', 'rk4', 'verlet', 'semi_implicit', 'implicit', 'implicit2', 'reference')


@dataclass(frozen=True)
class RunSettings:
    """Settings of a run; those of a model that names none are the defaults."""

    detector: str = 'sat'
    integrator: str = 'auto'
    step_size: float = 1e-3  # [s]


@dataclass(frozen=True)
class OwnSettings:
    """Settings that a model names; None: it does not."""

    detector: str | None = None
    integrator: str | None = None
    step_size: float | None = None  # [s]

    def completed(
        self,
        detector: str | None = None,
        integrator: str | None = None,
        step_size: float | None = None,
    ) -> RunSettings:
        """Return settings of a run: what the user gives, else what is named here, or defaults."""
        given = {'detector': detector, 'integrator': integrator, 'step_size': step_size}
        named = {name: value for name, value in asdict(self).items() if value is not None}
        named |= {name: value for name, value in given.items() if value is not None}
        return RunSettings(**named)


def read_settings(root: Section) -> OwnSettings:
    """Return the settings that a model file names; faults are collected."""
    detector = integrator = step_size = None
    if 'detector' in root:
        from symcontact_ros.collision.detection import DETECTORS  # few files name one

        detector = root.text('detector', choices=DETECTORS)
    if 'integrator' in root:
        integrator = root.text('integrator', choices=INTEGRATORS)
    if 'step_size' in root:
        step_size = root.value('step_size', math.nan, above=0.0)
    return OwnSettings(detector, integrator, step_size)
