"""Recordings as others read them, and runs to record."""

from mcap.records import Channel, Message, Schema
from mcap.stream_reader import StreamReader
from mcap_ros2.decoder import DecoderFactory
from rosbags.rosbag2 import Reader
from rosbags.typesys import get_typestore, Stores

from symcontact_ros.recording.logged_simulation import LoggedSimulation
from symcontact_ros.recording.run_writer import RunWriter


def read_by_mcap(path):
    """Return decoded messages with their times by topic, also of a file without its end."""
    schemas, channels, found, factory = {}, {}, {}, DecoderFactory()
    with path.open('rb') as stream:
        records = StreamReader(stream).records
        while True:
            try:
                record = next(records)
            except Exception:  # the end of the file is missing: the package has no word for it
                break
            if isinstance(record, Schema):
                schemas[record.id] = record
            elif isinstance(record, Channel):
                channels[record.id] = record
            elif isinstance(record, Message):
                channel = channels[record.channel_id]
                decode = factory.decoder_for('cdr', schemas[channel.schema_id])
                message = record.log_time, decode(record.data)
                found.setdefault(channel.topic, []).append(message)
            elif type(record).__name__ == 'Footer':
                break
    return found


def read_by_rosbags(path):
    """Return decoded messages with their times by topic, of a whole file."""
    store, found = get_typestore(Stores.ROS2_JAZZY), {}
    with Reader(path) as reader:
        for connection, time, data in reader.messages():
            message = store.deserialize_cdr(data, connection.msgtype)
            found.setdefault(connection.topic, []).append((time, message))
    return found


def recorded(path, model, run, **options):
    """Record a run: `run` is called with the simulation and with what records its state."""
    simulation = LoggedSimulation(model, **options)
    writer = RunWriter(path, simulation)
    run(simulation, writer.mark)
    writer.close()
    return simulation
