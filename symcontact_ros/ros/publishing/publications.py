"""All messages of an instant, with one stamp."""

from __future__ import annotations

from collections.abc import Callable, Collection

import numpy as np
from rosgraph_msgs.msg import Clock

from symcontact_ros.model.model import Model
from symcontact_ros.ros.conversions import stamp
from symcontact_ros.ros.parameters import SimulationParameters
from symcontact_ros.ros.publishing.clouds import Clouds
from symcontact_ros.ros.publishing.gazebo import GazeboContacts
from symcontact_ros.ros.publishing.markers import Markers
from symcontact_ros.ros.publishing.model_topics import Descriptions, Equations
from symcontact_ros.ros.publishing.pair_topics import PairTopics
from symcontact_ros.ros.publishing.sensor_topics import Sensors
from symcontact_ros.ros.publishing.state_topics import Energies, JointStates, Odometries
from symcontact_ros.ros.publishing.topics import Topics
from symcontact_ros.ros.publishing.transforms import Transforms
from symcontact_ros.ros.publishing.view_topics import ViewTopics
from symcontact_ros.ros.publishing.wrench_topics import ContactWrenches
from symcontact_ros.ros.tf_frames import Frames
from symcontact_ros.simulation.observing.instant import Instant
from symcontact_ros.simulation.observing.observer import Observer
from symcontact_ros.simulation.simulation import Simulation

NOTHING = np.zeros(0)  # numbers of a message with only a stamp


class Publications:
    """
    Topics of one simulation.

    Parameters
    ----------
    first
        The model with which the node began, if bodies have come or gone since: its robots alone
        are those of robot_state_publisher.

    Attributes
    ----------
    instant
        The one published last.
    pairs
        The pairs that have topics.

    """

    def __init__(
        self,
        topics: Topics,
        simulation: Simulation,
        observer: Observer,
        frames: Frames,
        settings: SimulationParameters,
        *,
        first: Model | None = None,
    ) -> None:
        model: Model = simulation.model
        first = model if first is None else first
        changed = None if first is model else model
        self._simulation = simulation
        self._observer = observer
        self._allowance = topics.allowance
        self.settings = settings
        self.pairs = PairTopics(topics.node, model, settings)
        clock = Clock()
        self._clock = (
            topics.add_numbers(clock, '/clock', [], [clock.clock], always=True)
            if settings.publish_clock
            else None
        )
        mode = tf_mode(settings, first)
        robots = {robot.name for robot in first.contents.robots}
        self._transforms = Transforms(topics, model, frames, mode, self.pairs.rows, robots=robots)
        self._joints = JointStates(topics, model)
        self._wrenches = ContactWrenches(topics, model, frames, self.pairs.rows)
        self._odometries = Odometries(topics, model, frames)
        self._clouds = Clouds(topics, frames.world)
        self.markers = Markers(topics, model, frames.world, simulation.parameters)
        self._gazebo = GazeboContacts(topics, model, frames.world)
        self._energies = Energies(topics)
        self._sensors = Sensors(topics, model, frames)
        self.equations = (
            Equations(topics, settings, '~/equations', 'latex', changed),
            Equations(topics, settings, '~/equations_mathml', 'mathml', changed),
        )
        self.view = ViewTopics(topics, simulation, observer)
        Descriptions(topics, model, first)
        self.marked = -(2**62)  # when markers were sent last [ns]
        self.mark: Callable[[], None] = lambda: None  # records the state of an instant
        self.instant: Instant = observer.observe()
        self.show_static(0)

    @property
    def parents(self) -> dict[str, str]:
        """Parents of the frames of bodies and sites that are published, by child."""
        return self._transforms.parents

    def configure(self, settings: SimulationParameters) -> None:
        """Set other parameters."""
        self.settings = settings
        self.pairs.configure(settings)

    def look(self) -> None:
        """Let pairs have topics that somebody listens to; called a few times a second."""
        if self.pairs.look():
            self._wrenches.follow(self.pairs.rows)
            self._transforms.follow_pairs(self.pairs.rows)

    def leave(self, frames: Collection[str]) -> None:
        """Leave frames of bodies to another node; the others go on."""
        self._transforms.leave(frames)
        self.show_static(self._time)

    def replace(self, before: Publications) -> None:
        """Take the place of the topics of a model before."""
        self.markers.delete(before.markers)
        self.marked = before.marked
        for equations in before.equations:
            equations.close()

    def show_static(self, time: int) -> None:
        """Send what depends on live symbols only."""
        self._time = time
        values = self._simulation.parameters
        self._transforms.publish_static(self._observer.observe(), values, stamp(time))
        self.markers.refresh(values)
        self._joints.refresh(values)
        self.view.refresh()

    def show_clock(self, time: int) -> None:
        """Send the time [ns]."""
        if self._clock is not None:
            self._clock.send_numbers(NOTHING, time)

    def show(self, time: int) -> None:
        """Send this instant: the clock first, so that no stamp is ahead of it."""
        self._time = time
        self._allowance.begin()
        self.show_clock(time)
        instant = self.instant = self._observer.observe()
        self._transforms.publish(instant, time)
        self._joints.publish(instant, time)
        self._wrenches.publish(instant, time)
        self._odometries.publish(instant, time)
        if self._clouds.contacts.listeners:
            self._clouds.publish_contacts(instant.contacts, stamp(time))
        if self._clouds.proximities.listeners:
            self._clouds.publish_proximities(self._observer.proximities(), stamp(time))
        self._gazebo.publish(instant, time)
        self._energies.publish(self._simulation)
        self._sensors.publish(self._simulation, time)
        self.view.publish(instant, time)
        if not self.markers.topic.listeners:
            self.markers.heard = 0
        elif self._markers_due(time):
            self.markers.publish(instant, stamp(time))
        self.mark()

    def _markers_due(self, time: int) -> bool:
        passed = abs(time - self.marked)  # time may be set back
        # The same instant again: for a new subscriber, or after a change.
        due = passed == 0 or passed >= 1e9 / self.settings.marker_rate
        if due:
            self.marked = time
        return due


def tf_mode(settings: SimulationParameters, model: Model) -> str:
    """Return the mode of /tf; links of robots are left to robot_state_publisher."""
    if settings.tf_mode != 'auto':
        return settings.tf_mode
    return 'base' if model.contents.robots else 'bodies'
