"""Definitions of the ROS 2 messages in recordings, as their .msg files have them."""

from __future__ import annotations

from dataclasses import dataclass
import functools

SEPARATOR = '=' * 80
# Fields alone, without constants and comments; names of types in full.
DEFINITIONS = {
    'builtin_interfaces/msg/Time': 'int32 sec\nuint32 nanosec',
    'builtin_interfaces/msg/Duration': 'int32 sec\nuint32 nanosec',
    'std_msgs/msg/Header': 'builtin_interfaces/Time stamp\nstring frame_id',
    'std_msgs/msg/String': 'string data',
    'std_msgs/msg/Float64': 'float64 data',
    'std_msgs/msg/ColorRGBA': 'float32 r\nfloat32 g\nfloat32 b\nfloat32 a',
    'std_msgs/msg/MultiArrayDimension': 'string label\nuint32 size\nuint32 stride',
    'std_msgs/msg/MultiArrayLayout': 'std_msgs/MultiArrayDimension[] dim\nuint32 data_offset',
    'std_msgs/msg/Float64MultiArray': 'std_msgs/MultiArrayLayout layout\nfloat64[] data',
    'rosgraph_msgs/msg/Clock': 'builtin_interfaces/Time clock',
    'geometry_msgs/msg/Vector3': 'float64 x\nfloat64 y\nfloat64 z',
    'geometry_msgs/msg/Point': 'float64 x\nfloat64 y\nfloat64 z',
    'geometry_msgs/msg/Quaternion': 'float64 x\nfloat64 y\nfloat64 z\nfloat64 w',
    'geometry_msgs/msg/Pose': (
        'geometry_msgs/Point position\ngeometry_msgs/Quaternion orientation'
    ),
    'geometry_msgs/msg/PoseWithCovariance': 'geometry_msgs/Pose pose\nfloat64[36] covariance',
    'geometry_msgs/msg/Twist': 'geometry_msgs/Vector3 linear\ngeometry_msgs/Vector3 angular',
    'geometry_msgs/msg/TwistWithCovariance': 'geometry_msgs/Twist twist\nfloat64[36] covariance',
    'geometry_msgs/msg/Transform': (
        'geometry_msgs/Vector3 translation\ngeometry_msgs/Quaternion rotation'
    ),
    'geometry_msgs/msg/TransformStamped': (
        'std_msgs/Header header\nstring child_frame_id\ngeometry_msgs/Transform transform'
    ),
    'geometry_msgs/msg/Wrench': 'geometry_msgs/Vector3 force\ngeometry_msgs/Vector3 torque',
    'geometry_msgs/msg/WrenchStamped': 'std_msgs/Header header\ngeometry_msgs/Wrench wrench',
    'tf2_msgs/msg/TFMessage': 'geometry_msgs/TransformStamped[] transforms',
    'sensor_msgs/msg/JointState': (
        'std_msgs/Header header\nstring[] name\nfloat64[] position\nfloat64[] velocity\n'
        'float64[] effort'
    ),
    'sensor_msgs/msg/Imu': (
        'std_msgs/Header header\n'
        'geometry_msgs/Quaternion orientation\nfloat64[9] orientation_covariance\n'
        'geometry_msgs/Vector3 angular_velocity\nfloat64[9] angular_velocity_covariance\n'
        'geometry_msgs/Vector3 linear_acceleration\nfloat64[9] linear_acceleration_covariance'
    ),
    'sensor_msgs/msg/PointField': 'string name\nuint32 offset\nuint8 datatype\nuint32 count',
    'sensor_msgs/msg/PointCloud2': (
        'std_msgs/Header header\nuint32 height\nuint32 width\nsensor_msgs/PointField[] fields\n'
        'bool is_bigendian\nuint32 point_step\nuint32 row_step\nuint8[] data\nbool is_dense'
    ),
    'sensor_msgs/msg/CompressedImage': 'std_msgs/Header header\nstring format\nuint8[] data',
    'nav_msgs/msg/Odometry': (
        'std_msgs/Header header\nstring child_frame_id\n'
        'geometry_msgs/PoseWithCovariance pose\ngeometry_msgs/TwistWithCovariance twist'
    ),
    'trajectory_msgs/msg/JointTrajectoryPoint': (
        'float64[] positions\nfloat64[] velocities\nfloat64[] accelerations\nfloat64[] effort\n'
        'builtin_interfaces/Duration time_from_start'
    ),
    'trajectory_msgs/msg/JointTrajectory': (
        'std_msgs/Header header\nstring[] joint_names\n'
        'trajectory_msgs/JointTrajectoryPoint[] points'
    ),
    'diagnostic_msgs/msg/KeyValue': 'string key\nstring value',
    'diagnostic_msgs/msg/DiagnosticStatus': (
        'byte level\nstring name\nstring message\nstring hardware_id\n'
        'diagnostic_msgs/KeyValue[] values'
    ),
    'diagnostic_msgs/msg/DiagnosticArray': (
        'std_msgs/Header header\ndiagnostic_msgs/DiagnosticStatus[] status'
    ),
    'visualization_msgs/msg/UVCoordinate': 'float32 u\nfloat32 v',
    'visualization_msgs/msg/MeshFile': 'string filename\nuint8[] data',
    'visualization_msgs/msg/Marker': (
        'std_msgs/Header header\nstring ns\nint32 id\nint32 type\nint32 action\n'
        'geometry_msgs/Pose pose\ngeometry_msgs/Vector3 scale\nstd_msgs/ColorRGBA color\n'
        'builtin_interfaces/Duration lifetime\nbool frame_locked\n'
        'geometry_msgs/Point[] points\nstd_msgs/ColorRGBA[] colors\n'
        'string texture_resource\nsensor_msgs/CompressedImage texture\n'
        'visualization_msgs/UVCoordinate[] uv_coordinates\nstring text\nstring mesh_resource\n'
        'visualization_msgs/MeshFile mesh_file\nbool mesh_use_embedded_materials'
    ),
    'visualization_msgs/msg/MarkerArray': 'visualization_msgs/Marker[] markers',
}


@dataclass(frozen=True)
class FieldType:
    """Type of a field: of one element, and how many there are."""

    name: str
    kind: str  # a basic type, or the full name of a message
    count: int | None  # of a fixed array; -1: of any length; None: a single value


@functools.cache
def fields_of(kind: str) -> tuple[FieldType, ...]:
    """Return the fields of a message, in their order; KeyError if it has no definition."""
    return tuple(_field(line) for line in DEFINITIONS[kind].splitlines())


def _field(line: str) -> FieldType:
    written, name = line.split(' ')
    written, _, count = written.partition('[')
    if '/' in written:
        written = written.replace('/', '/msg/')
    return FieldType(name, written, (int(count[:-1] or -1) if count else None))


@functools.cache
def schema_text(kind: str) -> str:
    """Return the definition of a message with all that it is made of, as MCAP's ros2msg has it."""
    parts, seen, waiting = [DEFINITIONS[kind]], {kind}, [kind]
    while waiting:
        for field in fields_of(waiting.pop(0)):
            if field.kind in DEFINITIONS and field.kind not in seen:
                seen.add(field.kind)
                waiting.append(field.kind)
                short = field.kind.replace('/msg/', '/')
                parts.append(f'{SEPARATOR}\nMSG: {short}\n{DEFINITIONS[field.kind]}')
    return '\n'.join(parts) + '\n'
