"""Trajectories as messages."""

from builtin_interfaces.msg import Duration, Time
import numpy as np
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

JOINTS = [f'panda_joint{i}' for i in range(1, 8)]
WAY = np.array([0.4, -0.3, 0.2, 0.3, -0.2, 0.2, 0.3])  # of the joints of a Panda [rad]


def split(seconds):
    """Return whole seconds and the rest in nanoseconds."""
    return divmod(round(1e9 * seconds), 1_000_000_000)


def point(time, positions, velocities=(), accelerations=()):
    """Return a point of a trajectory."""
    sec, nanosec = split(time)
    return JointTrajectoryPoint(
        positions=[float(x) for x in positions],
        velocities=[float(x) for x in velocities],
        accelerations=[float(x) for x in accelerations],
        time_from_start=Duration(sec=sec, nanosec=nanosec),
    )


def trajectory(joints, *points, stamp=0.0):
    """Return a trajectory through points: (time, positions, velocities, accelerations)."""
    message = JointTrajectory(joint_names=list(joints), points=[point(*p) for p in points])
    sec, nanosec = split(stamp)
    message.header.stamp = Time(sec=sec, nanosec=nanosec)
    return message


def panda_trajectory(start, duration=2.0, count=50):
    """Return a trajectory as MoveIt sends it, with velocities, and where it ends."""
    start, points = np.array(start), []
    for s in np.linspace(0.0, 1.0, count):
        way = 10 * s**3 - 15 * s**4 + 6 * s**5
        rate = (30 * s**2 - 60 * s**3 + 30 * s**4) / duration
        points.append((s * duration, start + way * WAY, rate * WAY))
    return trajectory(JOINTS, *points), start + WAY
