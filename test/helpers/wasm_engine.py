"""An engine of `web` in wasmtime: what `web/page/engine.js` does in a browser."""

import ctypes
import functools
import hashlib
import struct

import numpy as np
import wasmtime

DONE, STOPPED, NO_MEMORY, REFUSED = range(4)
PAGE = 1 << 16


@functools.cache
def engine_of_wasmtime():
    return wasmtime.Engine()


class WasmEngine:
    """A model of `web_model`, in its start."""

    def __init__(self, model):
        self.model = model
        about = self.about = model.description
        self.records = about['records']
        self.store = wasmtime.Store(engine_of_wasmtime())
        module = wasmtime.Module(engine_of_wasmtime(), model.wasm)
        assert not module.imports
        self.exports = wasmtime.Instance(self.store, module, []).exports(self.store)
        self.exports['memory'].write(self.store, model.image, about['base'])
        self.symbols = {symbol['name']: i for i, symbol in enumerate(about['symbols'])}
        self.start = self.bytes()
        self.values = self.block('engine', 'Engine', 'symbols')

    # Memory -------------------------------------------------------------------------------------

    def slots(self, kind):
        memory, base = self.exports['memory'], self.about['base']
        size = memory.data_len(self.store) - base
        address = ctypes.addressof(memory.data_ptr(self.store).contents) + base
        return np.ctypeslib.as_array((ctypes.c_byte * size).from_address(address)).view(kind)

    @property
    def floats(self):
        return self.slots('f8')

    @property
    def ints(self):
        return self.slots('i8')

    def bytes(self):
        used = self.ints[self.place('engine', 'Engine', 'free')]
        return self.floats[: int(used)].tobytes()

    def restore(self, data):
        end = int(self.ints[self.place('engine', 'Engine', 'end')])
        self.slots('u1')[: len(data)] = np.frombuffer(data, 'u1')
        self.ints[self.place('engine', 'Engine', 'end')] = end

    def place(self, start, record, field):
        return self.about['starts'][start] + self.records[record]['fields'][field][0]

    def number(self, field, start='engine', record='Engine'):
        at = self.place(start, record, field)
        kind = self.records[record]['fields'][field][1]
        return float(self.floats[at]) if kind == 'f' else int(self.ints[at])

    def block(self, start, record, field, width=1):
        at = self.place(start, record, field)
        offset, count = self.ints[at : at + 2].tolist()
        first = self.about['starts'][start] + offset
        return self.floats[first : first + count * width]

    def call(self, name, *arguments, records=('memory', 'world', 'engine', 'inspection')):
        given = list(arguments)
        for record in records:
            if record == 'memory':
                given += [self.about['base'], len(self.floats)]
            else:
                given.append(self.about['base'] + 8 * self.about['starts'][record])
        self.exports[name](self.store, *given)
        return self.number('status')

    def grow(self):
        pages = -(-8 * self.number('needed') // PAGE) + 4
        self.exports['memory'].grow(self.store, pages)
        self.ints[self.place('engine', 'Engine', 'end')] = len(self.floats)

    def until_roomy(self, name, *arguments):
        while self.call(name, *arguments) == NO_MEMORY:
            self.grow()

    # The engine ---------------------------------------------------------------------------------

    def step(self, count=1):
        self.call('keep', records=('world', 'engine'))
        return self._advance(count)

    def _advance(self, count):
        made = 0
        while True:
            status = self.call('advance', count - made, records=('memory', 'world', 'engine'))
            made += self.number('made')
            if status != NO_MEMORY:
                return made
            self.grow()

    def set_parameters(self, values):
        before = self.bytes()
        while True:
            symbols = self.block('engine', 'Engine', 'symbols')
            for name, value in values.items():
                symbols[self.symbols[name]] = value
            status = self.call('change')
            if status == NO_MEMORY:
                self.grow()
                self.restore(before)
                continue
            if status == REFUSED:
                self.restore(before)
                raise ValueError(f'refused: {self.number("fault")}')
            self.start = None
            return

    def reset(self):
        if self.start is not None:
            self.restore(self.start)
            return
        self.until_roomy('reset')
        if self.about['keepsStart']:
            self.start = self.bytes()

    @property
    def state(self):
        return self.block('world', 'World', 'state')

    def state_hash(self):
        digest = hashlib.sha256(struct.pack('<q', self.number('steps')))
        digest.update(self.state.tobytes())
        if self.about['sticks']:
            width = self.records['Anchor']['slots']
            rows = self.block('world', 'World', 'anchors', width).reshape(-1, width)
            count = self.number('anchor_count', 'world', 'World')
            digest.update(rows[:count][:, self.about['anchorSlots']].tobytes())
        return digest.hexdigest()
