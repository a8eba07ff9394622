"""Thumbnails of models: the scene of a run, as `symcontact simulate --plot` draws it, alone."""

from symcontact_ros.cli.figure_style import COLOURS, Format, write_figure
from symcontact_ros.cli.plane_panel import PlanePanel
from symcontact_ros.cli.recording import Recorder, Recording
from symcontact_ros.cli.run_panels import drawable
from symcontact_ros.cli.space_panel import SpacePanel
from symcontact_ros.model.library import load_model
from symcontact_ros.simulation.simulation import Simulation

WIDTH = 4.0  # [in]
ASPECT = 0.62  # height over width
SAMPLES = 200
FORMAT = Format(WIDTH, 1, 7.0, 1.0, 1.0, dpi=130)


def recorded(sim):
    """Run a simulation for the time that its model names; return samples of it."""
    recorder = Recorder(sim)
    steps = max(SAMPLES, round(sim.model.duration / sim.step_size))
    recorder.sample()
    for _ in range(SAMPLES):
        sim.step(steps // SAMPLES)
        recorder.sample()
    table = recorder.recording()
    return Recording(table.units, drawable(table.values))


def draw_thumbnail(name, path):
    """Draw a shipped model into a file."""
    sim = Simulation(load_model(name))
    table = recorded(sim)
    model = sim.model
    bodies = [body for body in model.body_names if body not in model.grounded]
    colours = dict(zip(bodies, COLOURS * (1 + len(bodies) // len(COLOURS)), strict=False))
    if model.dimension == 2:
        panel = PlanePanel(sim, table, bodies, colours, WIDTH)
    else:
        panel = SpacePanel(sim, table, colours, WIDTH)

    def draw(figure):
        axes = figure.subplots()
        panel.draw(axes)
        axes.set_title('')
        axes.set_axis_off()
        axes.set_anchor('C')

    write_figure(path, (WIDTH, ASPECT * WIDTH), draw, FORMAT)
