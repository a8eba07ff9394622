"""
Latched topics of the model: `robot_description` of its robots, its equations in two formats.

Deriving equations takes a second or more: a process of its own does it, once there is a
subscriber, while the simulation continues.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

from std_msgs.msg import String

from symcontact_ros.model.including.robot_files import description_text
from symcontact_ros.model.library import model_file
from symcontact_ros.model.model import Model
from symcontact_ros.ros.model_options import command_line
from symcontact_ros.ros.parameters import SimulationParameters
from symcontact_ros.ros.publishing.topics import LATCHED, Topics


class Descriptions:
    """
    `robot_description`, sent once, with the names of links and joints as used by the node.

    Several robots have `<robot>/robot_description` each, and those that came later always.
    """

    def __init__(self, topics: Topics, model: Model, first: Model) -> None:
        alone = [robot.name for robot in first.contents.robots]
        for robot in model.contents.robots:
            place = '' if alone == [robot.name] else f'{robot.topic}/'
            message = String(data=description_text(robot))
            topic = topics.add(message, f'{place}robot_description', LATCHED)
            if topic.is_new:  # who has it needs it only once
                topic.send()


class Equations:
    """
    Equations on a topic: derived for the first subscriber, and sent when ready.

    Parameters
    ----------
    name, style
        Of the topic, and what `symcontact equations --format` calls the format.
    model
        The model, where it is no longer that of the parameters.
    """

    def __init__(
        self,
        topics: Topics,
        settings: SimulationParameters,
        name: str,
        style: str,
        model: Model | None,
    ) -> None:
        self._topic = topics.add(String(), name, LATCHED, recorded=False)
        self._failed = '<p>Not derived. {}</p>' if style == 'mathml' else '% not derived; {}'
        self._command = [sys.executable, '-m', 'symcontact_ros', 'equations']
        self._model = model
        self._file = None if model is None else tempfile.NamedTemporaryFile(suffix='.yaml')  # noqa: SIM115
        if self._file is None:
            self._command += [str(model_file(settings.model)), '--format', style]
            self._command += command_line(settings)
        else:
            self._command += [self._file.name, '--format', style]
        self._process: subprocess.Popen[bytes] | None = None
        # A pipe could fill up before it is read; `close` closes this.
        self._output = tempfile.TemporaryFile()  # noqa: SIM115

    def update(self) -> None:
        """Start deriving if there is a subscriber, and send the result when ready."""
        if self._process is None:
            if self._topic.listeners and not self._topic.sent:
                self._begin()
        elif not self._topic.sent and self._process.poll() is not None:
            self._output.seek(0)
            text = self._output.read().decode(errors='replace')
            if self._process.returncode != 0:
                text = self._failed.format('The command `symcontact equations` says why.')
            self._topic.message.data = text
            self._topic.send()

    def close(self) -> None:
        """End the process."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        self._output.close()
        if self._file is not None:
            self._file.close()

    def _begin(self) -> None:
        if self._model is not None:
            self._model.to_yaml(self._command[4])
        environment = {**os.environ, 'PYTHONPATH': os.pathsep.join(sys.path)}
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.DEVNULL,
            stdout=self._output,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
