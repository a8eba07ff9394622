"""What a child with limits is asked to do in tests."""

import os
import signal
import subprocess
import sys
import time


def prepare():
    """Import nothing."""


def answer(request):
    """Do what the first word says, with the rest of the request."""
    word, _, rest = request.decode().partition(' ')
    return {
        'echo': lambda: rest.encode(),
        'pid': lambda: str(os.getpid()).encode(),
        'large': lambda: b'x' * int(rest),
        'memory': lambda: bytes(len(bytearray(int(rest))) % 7),
        'sleep': lambda: time.sleep(600),
        'burn': burn,
        'raise': lambda: 1 / 0,
        'deep': deep,
        'exit': lambda: os._exit(int(rest)),
        'crash': lambda: os.kill(os.getpid(), signal.SIGSEGV),
        'write': lambda: write(rest),
        'limits': limits,
        'grandchild': lambda: grandchild(rest),
        'lie': lie,
        'print': lambda: os.write(1, b'noise') and os.write(2, b'noise') and b'done',
    }[word]()


def burn():
    while True:
        pass


def deep():
    return deep()


def write(path):
    with open(path, 'wb') as stream:
        stream.write(b'x')
    return b''


def limits():
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    return f'{soft == hard} {soft != resource.RLIM_INFINITY}'.encode()


def grandchild(path):
    """Start a process that outlives its parent, unless its group is ended."""
    code = 'import os, sys, time; open(sys.argv[1], "w").close(); time.sleep(600)'
    started = subprocess.Popen([sys.executable, '-c', code, path])
    return str(started.pid).encode()


def lie():
    """Say that more bytes follow than may."""
    import socket
    import struct

    for number in range(3, 10):
        try:
            socket.socket(fileno=os.dup(number)).send(struct.pack('<BQ', 0, 2**60))
        except OSError:
            continue
    return b''
