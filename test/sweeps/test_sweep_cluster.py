"""A sweep on a Dask cluster of real processes, of which one is killed."""

import os
import signal
import threading
import time

from helpers.processes import LONG
import pytest

import symcontact_ros as sc
from symcontact_ros.sweeps import sweep as sweeping
from symcontact_ros.sweeps.journal import Journal

distributed = pytest.importorskip('distributed')
GIVEN = {'model': 'rectangle_circle', 'parameters': {'damping': '0:1:120'}}
GIVEN |= {'measures': ['dissipated'], 'duration': 0.5}


@pytest.fixture(scope='module')
def cluster():
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as made:
        yield made


def test_a_worker_that_is_killed_in_mid_run_loses_nothing(cluster, tmp_path, monkeypatch):
    monkeypatch.setattr(sweeping, 'CLUSTER_CHUNK', 0.02)
    written = []
    add = Journal.add
    monkeypatch.setattr(Journal, 'add', lambda self, rows: (written.extend(rows), add(self, rows)))
    victims = [worker.pid for worker in cluster.workers.values()][:1]
    killed_at = []

    def kill():
        given_up = time.monotonic() + LONG
        while len(written) < 20 and time.monotonic() < given_up:
            time.sleep(0.005)
        killed_at.append(len(written))
        os.kill(victims[0], signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    out = tmp_path / 'out.csv'
    table = sc.sweep(**GIVEN, scheduler=cluster.scheduler_address, out=out)
    killer.join()
    assert killed_at[0] < 120  # in mid-run
    assert sorted(row.point for row in written) == list(range(120))
    assert table.counts['good'] == 120
    chosen = {'damping': table['materials.default.damping'][[3, 60, 119]]}
    alone = sc.sweep(**{**GIVEN, 'parameters': chosen}, cores=1)
    assert alone['dissipated'].tobytes() == table['dissipated'][[3, 60, 119]].tobytes()


def test_an_address_without_a_scheduler_is_told(monkeypatch):
    monkeypatch.setattr('symcontact_ros.sweeps.dispatch.ANSWER', 0.5)
    with pytest.raises(sc.OptionError, match='no Dask scheduler answers'):
        sc.sweep(**GIVEN, scheduler='tcp://127.0.0.1:1')
