"""Pieces of Python that random kernels are broken with."""

NAMES = """
    f n s rows P Q SOFT abs math ratio twice nowhere len range Item TABLE float int bool min
    Shelf None KEPT _ enumerate
"""
ATTRIBUTES = """
    x k on pair p vals a b items extra law nothing _replace at real _start of factor sum shown
    size __class__ _fields bumped count __len__ imag _make ruled doubled
"""
CONSTANTS = (0, 1, -1, 2.5, -0.0, True, None, 'text', 10**30, 2**63, 1j, b'', ..., 7, 1e400)
# One in a line.
SNIPPETS = """
    lambda v: v
    [1, 2]
    {1: 2}
    {3}
    (v for v in (1, 2))
    [v for v in (1, 2)]
    f'{n}'
    (w := 3)
    (*(1, 2), 3)
    ()
    (1.0,)
    n[0:2]
    f[1:]
    f[::2]
    rows[0]
    s.items
    s
    P(1.0)
    Q(P(1.0), 2.0)
    P(1.0, 2, 3)
    P(c=1)
    abs()
    min(1)
    float()
    Item.at(f)
    Item.at(f, 1)
    Item.at(n)
    Item.at(f, -1)
    Item.at()
    int(f[0], 2)
    math.floor(f[0])
    math.sqrt(f[0])
    math.log(f[0])
    bits_of(f[0])
    from_bits(n[0])
    f[0] / f[1]
    n[0] // n[1]
    n[0] % n[1]
    n[0] / n[1]
    n[0] * n[1] * n[2]
    1 / 0
    1 // 0
    f[n[0]]
    rows[n[1]]
    (1, 2)[n[2]]
    (1, 2.0)[n[2]]
    f[-1]
    not f[0]
    f[0] and f[1]
    f[0] is f[0]
    n[0] in (n[1], 2.0)
    f[0] in (f[0], 1.0)
    len(s)
    len(n)
    SOFT.of
    SOFT
    twice
    P
    math
    math.pi
    -n[0]
    ~f[0]
    +True
    -f
    n[0] < f[0]
    f < f
    s.law
    s.law.of(1)
    P.sum(P(1.0))
    print
    print(1)
    rows[0].p
    max(f[0], 1)
    sum
    n[0] << 70
    n[0] >> 70
    yield_
    rows[:1]
    rows[1:][n[0]]
    s.extra[n[0]]
    s.items[2]
    f[n[0]:n[1]]
    ratio(1.0)
    ratio(1.0, b=2.0)
    ratio(b=1, c=2)
    (f, f[2:])[n[0] % 2]
    (n, f)[0]
    1 if f[0] > 0.0 else 2.0
    P(1.0) if f[0] > 0.0 else (1.0, 4)
"""
STATEMENTS = """
    global COUNT
    del f
    assert f[0]
    raise ValueError
    return 1.0
    return
    pass
    import math
    v = lost
    f[0] = 1
    n[0] = 1.0
    n[0] = True
    f = n
    s = 1
    rows = rows[1:]
    f[0:2] = f
    s.item = s.items[0]
    s.extra = f
    s.ks = n
    s.item.vals[0] = 1
    s.nothing = 1
    s.item.p = 1.0
    s.item.pair = (1, 2)
    s.item.pair[0] = 1.0
    s.law = SOFT
    P.a = 1.0
    v = P(1.0); v.a = 2.0
    a, b = f
    a, b = 1, 2, 3
    a, *b = (1, 2)
    (a, b), c = (1, 2), 3
    def inner(): pass
    class C: pass
    while f[0] > 1.0: f[0] -= 1.0
    for v in f: pass
    for v in range(3.0): pass
    for v in range(0, 3, 2): pass
    for v in enumerate((1, 2)): pass
    for v, w in enumerate((1, 2), 1): n[0] = v
    for v in rows: pass
    for a, b in ((1, 2), 3): pass
    for v in (1, 2.0): w = v
    for v in (): n[0] = v.x
    with f: pass
    try:\\n    pass\\nfinally:\\n    pass
    if n[0]: pass
    if f: pass
    while n[0] > 0:\\n    pass\\nelse:\\n    n[0] = 1
    n[0] += 1.0
    for v in (1, 2):\\n    pass\\nelse:\\n    n[0] = 7
    f[0] **= 2.0
    n[0] /= 2
    f[0] //= 2.0
    n[0] @= 2
    x: float
    f[0]: float
    abs = 3
    range = 2
    len = f
    P = Q
    math = 1.0
    n[0] = n[0] * n[0] * n[0]
    n[9] = 1
    f[n[0]] = 1.0
    f[-1] = 1.0
    return ratio
    break_
    n[0] = 1 << n[1] % 64
    f[0] = math.exp(f[1])
    f[0] = math.sin(f[1])
    n[1] = int(f[0])
    _ = nothing
    f[0] = _
    f[0] = f[1] = n[0]
    print(f[0])
    async def g(): pass
    match n[0]:\\n    case 1: pass
    f[0] = P(1.0)._replace(a=2.0).a
    f[0] = P(1.0)._replace(c=2.0).a
    n[0] = P(1.0)._replace(1).b
"""
