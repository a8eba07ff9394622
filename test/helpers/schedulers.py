"""Parts of the node without a network, and stand-ins for messages that are not installed."""

import math
import sys
from types import ModuleType, SimpleNamespace

import symcontact_ros as sc
from symcontact_ros.ros.parameters import SimulationParameters
from symcontact_ros.ros.stepping.commands import Commands
from symcontact_ros.ros.stepping.step_scheduler import StepScheduler
from symcontact_ros.ros.tf_frames import Frames


class Silent:
    """An audience that remembers when it was told of something."""

    def __init__(self):
        self.instants, self.clocks = [], []

    def show(self, time):
        self.instants.append(time)

    def show_clock(self, time):
        self.clocks.append(time)


def scheduler(model='bouncing_circle', duration=math.inf, **settings):
    loaded = sc.load_model(model)
    parameters = SimulationParameters(**settings).for_model(loaded)
    simulation = sc.Simulation(loaded, step_size=parameters.step_size)
    observer = simulation.observer()
    frames = Frames(simulation.model, 'world', '', 'world')
    commands = Commands(simulation, observer, frames, parameters.command_timeout)
    return StepScheduler(simulation, commands, parameters, Silent(), duration)


def hide(monkeypatch, *packages):
    """Let packages be as if they were not installed, also where a test has imported them."""
    for name in (*packages, *sys.modules):
        is_stand_in = name in sys.modules and getattr(sys.modules[name], '__spec__', None) is None
        if name.partition('.')[0] in packages and not is_stand_in:
            monkeypatch.setitem(sys.modules, name, None)


def module(monkeypatch, name, **members):
    """Put a module that stands in for one, and for all of its package."""
    made, package = ModuleType(name), name.partition('.')[0]
    vars(made).update(members)
    hide(monkeypatch, package)
    monkeypatch.setitem(sys.modules, package, ModuleType(package))
    monkeypatch.setitem(sys.modules, name, made)


def response(**fields):
    return SimpleNamespace(result=SimpleNamespace(result=0, error_message=''), **fields)
