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


def module(monkeypatch, name, **members):
    """Put a module that stands in for one that is not installed."""
    made = ModuleType(name)
    vars(made).update(members)
    monkeypatch.setitem(sys.modules, name.partition('.')[0], ModuleType(name.partition('.')[0]))
    monkeypatch.setitem(sys.modules, name, made)


def response(**fields):
    return SimpleNamespace(result=SimpleNamespace(result=0, error_message=''), **fields)
