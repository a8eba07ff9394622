"""`~/simulate_steps`, and the runs of a scheduler behind it."""

import os
import signal
from types import SimpleNamespace

import pytest

pytest.importorskip('rclpy', reason='needs ROS 2; `make test` brings it')

from action_msgs.msg import GoalStatus
from helpers.processes import LONG
from helpers.schedulers import response, scheduler
from rclpy.action import ActionClient
from std_srvs.srv import SetBool

from symcontact_ros.ros.standard import results
from symcontact_ros.ros.standard.steps import StepsAction
from symcontact_ros.ros.stepping.commands import Commands
from symcontact_ros.ros.tf_frames import Frames


def fast(**settings):
    return scheduler(start_paused=True, real_time_factor=0.0, **settings)


def test_a_run_makes_its_steps_and_pauses():
    found = fast(publish_rate=50.0)
    run = found.run(123)
    while not run.over:
        found.tick()
    assert (run.left, run.made, found.steps, found.paused) == (0, 123, 123, True)
    assert found._audience.instants[-1] == 123_000_000, 'the last instant is published'
    found.tick()
    assert found.steps == 123


def test_a_run_that_a_guard_stops_shows_its_state_and_keeps_the_checkpoint(write_model):
    text = (
        'materials: {default: {stiffness: 1.0}}\n'
        'bodies:\n'
        '  floor: {fixed: true, shapes: [{type: half_space}]}\n'
        '  ball: {mass: 1, shapes: [{type: circle, radius: 0.1}], '
        'initial: {position: [0, 0.2, 0]}}\n'
    )
    found = fast(
        model=str(write_model(text)),
        publish_rate=10.0,
        checkpoint_file='run.state',
        checkpoint_period=0.05,
    )
    saved = []
    found.simulation.save_checkpoint = lambda path: saved.append(found.steps)
    found.pause(False)
    while found.failure is None:
        found.tick()
    assert 'max_depth_ratio' in str(found.failure)
    assert found.paused
    assert found._audience.instants[-1] == found.nanoseconds, 'the state that is kept is shown'
    found.save()
    assert found.steps not in saved, 'it would be resumed from'
    found.reset()
    found.save()
    assert saved[-1] == found.steps


@pytest.mark.parametrize('paused', [True, False])
def test_whoever_pauses_or_goes_on_ends_a_run(paused):
    found = fast()
    run = found.run(10**9)
    found.tick()
    found.pause(paused)
    assert run.over
    assert 0 < run.made == found.steps == 10**9 - run.left
    assert found.paused == paused


def test_a_run_goes_on_over_a_reset():
    found = fast(publish_rate=1000.0)
    found._audience.show = lambda time: found.simulation.steps == 40 and found.reset()
    run = found.run(100)
    while not run.over:
        found.tick()
    assert (run.left, found.simulation.steps) == (0, 100 - 40 - 40)


def test_a_run_in_lockstep_waits_for_its_answers():
    found = fast(lockstep=True, step_count=4)
    found.show()
    run = found.run(6)
    for steps in (4, 6):
        found.tick()
        assert found.steps == steps - (4 if steps == 4 else 2), 'not without an answer'
        found.lockstep.offer(found.nanoseconds)
        found.tick()
        assert found.steps == steps
    assert run.over
    assert found.paused


class Goal:
    """A goal that remembers what became of it."""

    def __init__(self, steps):
        self.request = SimpleNamespace(steps=steps)
        self.is_cancel_requested = False
        self.feedback, self.ends = [], []

    def publish_feedback(self, feedback):
        self.feedback.append((feedback.completed_steps, feedback.remaining_steps))

    def succeed(self):
        self.ends.append('succeeded')

    def canceled(self):
        self.ends.append('canceled')

    def abort(self):
        self.ends.append('aborted')


@pytest.fixture
def act(monkeypatch):
    """Return a function that works on a goal; between two spins `meanwhile` is done."""
    monkeypatch.setattr('symcontact_ros.ros.standard.steps.ActionServer', lambda *a, **k: None)
    kind = SimpleNamespace(Result=response, Feedback=SimpleNamespace)

    def execute(found, goal, meanwhile=lambda: None):
        task = StepsAction(None, kind, found).execute(goal)
        while True:
            try:
                task.send(None)
            except StopIteration as end:
                return end.value.result.result, end.value.result.error_message
            meanwhile()
            found.tick()

    return execute


def test_a_goal_is_reached_with_feedback(act):
    found, goal = fast(tick_rate=10_000.0), Goal(3000)
    assert act(found, goal) == (results.OK, '')
    assert goal.ends == ['succeeded']
    assert goal.feedback[-1] == (3000, 0)
    made = [made for made, _ in goal.feedback]
    assert made == sorted(set(made))
    assert all(sum(told) == 3000 for told in goal.feedback)
    assert (found.steps, found.paused) == (3000, True)


def test_a_goal_of_a_simulation_that_runs_is_aborted(act):
    goal = Goal(5)
    assert act(scheduler(), goal) == (results.FAILED, 'not paused: pause it first')
    assert goal.ends == ['aborted']


def test_a_goal_that_is_cancelled_leaves_the_simulation_paused(act):
    found, goal = fast(), Goal(10**9)
    code, text = act(found, goal, lambda: setattr(goal, 'is_cancel_requested', found.steps > 0))
    assert (code, text) == (results.FAILED, f'cancelled after {found.steps} of 1000000000 steps')
    assert goal.ends == ['canceled']
    assert found.paused
    assert goal.feedback[-1][0] == found.steps


def test_a_goal_on_which_the_simulation_diverges_is_aborted_and_says_why(act, write_model):
    wild = 'gravity: [0, "g", 0]\nparameters: {g: 0.0}\n'
    ball = 'bodies: {ball: {mass: 1, shapes: [{type: circle, radius: 1}]}}\n'
    found, goal = fast(model=str(write_model(wild + ball))), Goal(10**6)
    code, text = act(found, goal, lambda: found.simulation.configure({'g': 1e308}))
    assert (code, goal.ends) == (results.FAILED, ['aborted'])
    assert 'ball' in text
    assert found.paused
    found.reset()
    assert found.paused, 'as it was before the goal'


class Client:
    """Somebody who sends goals over DDS; needs the messages themselves."""

    def __init__(self, lab):
        self.kind = pytest.importorskip(
            'simulation_interfaces.action', reason='there is no wheel of simulation_interfaces'
        ).SimulateSteps
        self._lab = lab
        self._client = ActionClient(lab.node, self.kind, f'{lab.name}/simulate_steps')
        self.feedback = []

    def send(self, steps):
        """Return a goal that was accepted."""
        assert self._lab.spin_until(self._client.server_is_ready)
        self.feedback.clear()
        goal = self._done(
            self._client.send_goal_async(
                self.kind.Goal(steps=steps),
                feedback_callback=lambda told: self.feedback.append(told.feedback),
            )
        )
        assert goal.accepted
        return goal

    def result(self, goal):
        """Return the status of a goal, the code of its result, and the reason."""
        found = self._done(goal.get_result_async())
        return found.status, found.result.result.result, found.result.result.error_message

    def cancel(self, goal):
        return self._done(goal.cancel_goal_async())

    def _done(self, future):
        assert self._lab.spin_until(future.done)
        return future.result()


def test_goals_are_reached_cancelled_and_aborted_over_dds(domain, ros_environment):
    pytest.importorskip('simulation_interfaces', reason='there is no wheel of it')
    from helpers.laboratory import laboratory, node_command

    command = node_command('bouncing_circle', start_paused='true', real_time_factor='20.0')
    with laboratory(domain, ros_environment, command) as lab:
        client = Client(lab)
        assert client.result(client.send(1000)) == (GoalStatus.STATUS_SUCCEEDED, results.OK, '')
        assert lab.spin_until(lambda: [f for f in client.feedback if f.completed_steps == 1000])
        assert float(lab.trigger('step').split()[-2]) == pytest.approx(1.001)
        goal = client.send(10**9)
        assert lab.spin_until(lambda: client.feedback)
        second = client.result(client.send(1))
        assert second[:2] == (GoalStatus.STATUS_ABORTED, results.FAILED)
        assert client.cancel(goal).goals_canceling
        status, code, text = client.result(goal)
        assert (status, code) == (GoalStatus.STATUS_CANCELED, results.FAILED)
        assert text.startswith('cancelled after')
        goal = client.send(10**9)
        assert lab.ask(SetBool, 'pause', data=True).success
        assert client.result(goal)[0] == GoalStatus.STATUS_ABORTED
        goal = client.send(2**64 - 1)
        waited = goal.get_result_async()
        lab.spin_until(lambda: client.feedback)
        os.kill(lab.process.pid, signal.SIGINT)
        assert lab.spin_until(waited.done), 'who waits for a node that is ended is told'
        assert waited.result().status == GoalStatus.STATUS_ABORTED
        assert lab.process.wait(timeout=LONG) == 0


def test_loads_of_a_restored_state_end_as_commands_do():
    simulation = scheduler(model='cart_pole_walls').simulation
    frames = Frames(simulation.model, 'world', '', 'world')
    commands = Commands(simulation, simulation.observer(), frames, 0.05)
    simulation.set_wrench('cart', force=[3.0, 0.0, 0.0])
    simulation.set_effort('rail', 2.0)
    state = simulation.save_state()
    simulation.reset()
    simulation.restore_state(state)
    commands.adopt(simulation.steps)
    commands.apply(49)
    assert simulation.parts.loads.commanded() == (
        [simulation.model.body_names.index('cart')],
        ['rail'],
    )
    commands.apply(50)
    assert simulation.parts.loads.commanded() == ([], [])
