"""Recording of a run of `symcontact simulate` as messages, for Foxglove and for replay."""

from __future__ import annotations

from pathlib import Path

from symcontact_ros.recording.logged_simulation import LoggedSimulation
from symcontact_ros.recording.run_writer import RunWriter
from symcontact_ros.recording.scene_topics import SceneTopics
from symcontact_ros.ros.tf_frames import Frames
from symcontact_ros.simulation.simulation import Simulation


class RunRecording:
    """
    An .mcap file that grows with the run.

    Attributes
    ----------
    what
        What is in it, in words.

    """

    what = 'messages of ROS 2, with model and inputs; symcontact replay reads it'

    def __init__(self, path: Path, simulation: Simulation) -> None:
        if not isinstance(simulation, LoggedSimulation):
            raise TypeError('the inputs of this simulation are not logged')
        self._writer = RunWriter(path, simulation)
        self._scene = SceneTopics(
            self._writer, simulation, Frames(simulation.model, 'world', '', 'world')
        )

    def sample(self) -> None:
        """Record this instant."""
        self._scene.record()

    def diverged(self, error: Exception) -> None:
        """Record that the run has diverged."""
        self._writer.write_divergence(error)

    def close(self, path: Path) -> None:
        """End the file; OSError if not all could be written."""
        self._writer.close()
        if self._writer.failure:
            raise OSError(0, self._writer.failure)
