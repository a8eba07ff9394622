"""
Node beside a simulation that shows it in browsers; it talks to it by ROS alone.

What the simulation publishes goes to all browsers, and what these ask for becomes calls of
services, parameters and commands. It outlives the simulation and finds the next one of its name.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
import json
from typing import Any

from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile
from std_msgs.msg import Float64MultiArray, String
from std_srvs.srv import SetBool, Trigger

from symcontact_ros.errors import one_line
from symcontact_ros.view.asking import ParameterAsker, ServiceAsker
from symcontact_ros.view.browsers import Browser
from symcontact_ros.view.hands import Hands
from symcontact_ros.view.requests import REQUESTS, WrongRequestError
from symcontact_ros.view.server import PageServer
from symcontact_ros.view.switches import Switch, Switches

NODE_NAME = 'symcontact_view'
LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
INSTANTS = 100  # that may wait to be read
BODIES = 3  # place of the number of bodies in an instant
LONGEST_EQUATIONS = 10**6  # characters
MOST_WAITING = 1000  # requests of browsers
WATCH_PERIOD = 1.0  # [s wall] between two looks whether the simulation is there
CAN = {'seek': False, 'link': False, 'hash': False, 'drive': True}


class ViewNode(Node):
    """
    A node that shows a simulation.

    Parameters
    ----------
    simulation
        Full name of the node of the simulation.
    switches
        Parameters of other nodes, true or false, that pages show as check boxes.
    host, port
        Where the page is served; port 0: any that is free.
    """

    def __init__(
        self, simulation: str, switches: Sequence[Switch] = (), host: str = '', port: int = 0
    ) -> None:
        super().__init__(NODE_NAME)
        self.simulation = simulation
        self.server = PageServer(self._page, self._receive, self._left, host, port)
        self._has_news = self.create_guard_condition(self._act)
        # To be done by the executor; of a flood, the oldest is left out.
        self._waiting: deque[Callable[[], None]] = deque(maxlen=MOST_WAITING)
        self._model: dict[str, Any] = {}
        self._geometry: dict[str, Any] = {}
        self._told = ''  # run whose model the browsers have
        self._is_there = True
        self._setter = ParameterAsker(self, simulation, self._refuse)
        self._callers = {
            name: ServiceAsker(self, kind, f'{simulation}/{name}', self._refuse)
            for name, kind in {
                'pause': SetBool,
                **dict.fromkeys(('step', 'reset', 'rewind'), Trigger),
            }.items()
        }
        self.hands: Hands = Hands(self, simulation)
        self._switches = Switches(self, switches, self.server.browsers.tell, self._refuse)
        self._subscribe(simulation)
        clock = Clock(clock_type=ClockType.STEADY_TIME)
        self.create_timer(WATCH_PERIOD, self._watch, clock=clock)

    def _subscribe(self, simulation: str) -> None:
        for topic, take in (
            ('model', self._take_model),
            ('geometry', self._take_geometry),
            ('status', self._take_status),
            ('equations_mathml', self._take_equations),
        ):
            self.create_subscription(String, f'{simulation}/{topic}', take, LATCHED)
        instant = f'{simulation}/instant'
        self.create_subscription(Float64MultiArray, instant, self._take_instant, INSTANTS)

    def destroy_node(self) -> None:
        """Close the server, and free all that the node has."""
        self.server.close()
        super().destroy_node()

    # From the simulation ------------------------------------------------------------------------

    def _take_model(self, message: String) -> None:
        description = json.loads(message.data)
        self._model = {**description, 'can': {**CAN, **description['can']}}
        self._tell_model()

    def _take_geometry(self, message: String) -> None:
        self._geometry = json.loads(message.data)
        self._tell_model()

    def _tell_model(self) -> None:
        """Send the model once with its geometry, and then what changes."""
        run, tell = self._model.get('run'), self.server.browsers.tell
        if run is None or self._geometry.get('run') != run:
            return  # the other one is still under way
        shapes, values = self._geometry['geometry'], self._geometry['values']
        if run != self._told:
            self._told = run
            self.hands.begin(self._model)
            tell('model', description=self._model, geometry=shapes, values=values)
        self.hands.geometry = shapes
        tell('geometry', geometry=shapes)
        tell('values', values=values)

    def _take_status(self, message: String) -> None:
        self.server.browsers.tell('state', **json.loads(message.data))

    def _take_equations(self, message: String) -> None:
        if len(message.data) <= LONGEST_EQUATIONS:
            self.server.browsers.tell('equations', mathml=message.data)

    def _take_instant(self, message: Float64MultiArray) -> None:
        if not self._told or int(message.data[BODIES]) != len(self._model['bodies']):
            return  # of a model that is not known yet
        self.hands.see(message.data)
        self.server.browsers.show(message.data.tobytes())

    def _watch(self) -> None:
        """Say when the simulation goes and comes."""
        is_there = self.count_publishers(f'{self.simulation}/instant') > 0
        if is_there != self._is_there:
            self._is_there = is_there
            words = 'is back' if is_there else 'is not there: waiting for it'
            self.server.browsers.tell('say', text=f'{self.simulation} {words}')
            self.get_logger().info(f'{self.simulation} {words}')
        self._switches.ask()

    def _refuse(self, reason: str) -> None:
        """Tell all browsers why something was not done, and what is so instead."""
        self.server.browsers.tell('refused', reason=one_line(reason))
        if self._geometry:
            self.server.browsers.tell('values', values=self._geometry['values'])

    # From browsers ------------------------------------------------------------------------------

    def _page(self) -> str:
        from symcontact_ros.web.page_file import filled_page

        name = str(self._model.get('name', 'simulation')).replace('_', ' ')
        return filled_page(name[:1].upper() + name[1:], {'format': 1, 'live': True})

    def _receive(self, browser: Browser, message: Mapping[str, Any]) -> None:
        self._later(lambda: self._do(browser, message))

    def _left(self, browser: Browser) -> None:
        self._later(lambda: self.hands.release(browser))

    def _later(self, act: Callable[[], None]) -> None:
        """Let the executor do something; called by the thread of the server."""
        self._waiting.append(act)
        self._has_news.trigger()

    def _act(self) -> None:
        while self._waiting:
            self._waiting.popleft()()

    def _do(self, browser: Browser, message: Mapping[str, Any]) -> None:
        """Do what a browser asks for."""
        try:
            REQUESTS[str(message['type'])](self, browser, message)
        except KeyError as error:
            self._refuse(f'{error} is missing or unknown in a message of a page')
        except WrongRequestError as error:
            self._refuse(str(error))

    def set(self, values: Mapping[str, float | bool]) -> None:
        """Set parameters of the simulation."""
        self._setter.set(values)

    def call(self, service: str, times: int = 1, **fields: Any) -> None:
        """Call a service of the simulation, some times."""
        for _ in range(times):
            self._callers[service].call(**fields)

    def switch(self, name: str, value: bool) -> None:
        """Set a parameter of another node."""
        self._switches.set(name, value)
