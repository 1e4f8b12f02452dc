"""A primary and its standby, in one of three ways: synchronous, asynchronous, or each in a network of its own."""
import os
import signal
import subprocess
import time

from cluster import Cluster

CONF = """
wal_level = replica
wal_log_hints = on
wal_keep_size = 512MB
wal_sender_timeout = 3s
wal_receiver_timeout = 3s
hot_standby_feedback = on
"""


class Network:
    """Two namespaces of this run's own, and the one line between them. Wants root."""

    def __init__(self):
        self.spaces = [f'arb-a{os.getpid()}', f'arb-b{os.getpid()}']
        self.ends = [f'va{os.getpid()}', f'vb{os.getpid()}']
        for space in self.spaces:
            self.ip('netns', 'add', space)
        self.ip('link', 'add', self.ends[0], 'type', 'veth', 'peer', 'name', self.ends[1])
        for n, (space, end) in enumerate(zip(self.spaces, self.ends)):
            self.ip('link', 'set', end, 'netns', space)
            self.ip('-n', space, 'addr', 'add', f'{self.address(n)}/24', 'dev', end)
            for device in 'lo', end:
                self.ip('-n', space, 'link', 'set', device, 'up')

    @staticmethod
    def ip(*arguments, check=True):
        subprocess.run(['ip', *arguments], check=check, stderr=subprocess.PIPE)

    @staticmethod
    def address(n):
        return f'10.99.0.{n + 1}'

    def cut(self):
        self.ip('-n', self.spaces[0], 'link', 'set', self.ends[0], 'down')

    def heal(self):
        self.ip('-n', self.spaces[0], 'link', 'set', self.ends[0], 'up')

    def remove(self):
        for space in self.spaces:
            self.ip('netns', 'del', space, check=False)


class Pair:
    def __init__(self, binaries, folder, synchronous, network=None):
        self.synchronous, self.network = synchronous, network
        spaces = network.spaces if network else (None, None)
        self.primary = Cluster(binaries, folder, 'one', 5432, spaces[0])
        self.standby = Cluster(binaries, folder, 'two', 5433, spaces[1])
        self.hosts = {self.primary: 0, self.standby: 1}
        for node, n in self.hosts.items():
            node.options = f"-p {node.port} -c listen_addresses='{network.address(n) if network else ''}'"

    def start(self):
        # The names come later: nothing is committed while nobody is there to hear of it.
        self.primary.init(CONF)
        if self.network:
            with open(f'{self.primary.data}/pg_hba.conf', 'a', encoding='utf-8') as file:
                file.write('host all,replication all 10.99.0.0/24 trust\n')
            self.primary.ask('SELECT pg_reload_conf()')
        self.standby.program('pg_basebackup', '-d', self.source(self.primary), '-D', self.standby.data, '-R', '-c', 'fast')
        self.standby.start()
        if self.synchronous:
            for node in self.hosts:
                node.configure("synchronous_standby_names = 'pair'\n")
                node.ask('SELECT pg_reload_conf()')
        self.wait_for_standby()

    def source(self, node):
        host = self.network.address(self.hosts[node]) if self.network else node.folder
        return f'host={host} port={node.port} user=postgres dbname=postgres application_name=pair'

    def wait_for_standby(self):
        wanted = "'sync'" if self.synchronous else "'async'"
        self.wait(self.primary, f"SELECT 1 FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = {wanted}")

    @staticmethod
    def wait(node, sql):
        for _ in range(1200):
            if node.ask(sql):
                return
            time.sleep(0.1)
        raise RuntimeError(f'history: in vain: {sql}')

    def catch_up(self):
        ((lsn,),) = self.primary.ask('SELECT pg_current_wal_insert_lsn()')
        self.primary.ask('SELECT pg_switch_wal()')
        self.wait(self.standby, f"SELECT 1 WHERE pg_last_wal_replay_lsn() >= '{lsn}'")

    def hold_the_sender(self):
        """From now on the standby hears of nothing, and the primary does not know."""
        for (pid,) in self.primary.ask('SELECT pid FROM pg_stat_replication'):
            os.kill(pid, signal.SIGSTOP)
            yield pid

    def promote(self):
        self.standby.program('pg_ctl', '-D', self.standby.data, '-w', 'promote')
        self.primary, self.standby = self.standby, self.primary
        self.primary.ask('CHECKPOINT')  # pg_rewind asks the control file for the timeline

    def rejoin(self):
        """The old primary forgets what the new one has never heard of, and follows it."""
        for _ in range(300):  # its children may not all have noticed yet that it was killed
            done = self.standby.program('pg_rewind', '-D', self.standby.data, '-R',
                                        '--source-server', self.source(self.primary), check=False)
            if done.returncode == 0:
                break
            time.sleep(0.1)
        else:
            raise RuntimeError(f'history: pg_rewind: {done.stderr.decode()}')
        self.standby.start()
        self.wait_for_standby()

    def stop(self):
        for node in self.hosts:
            node.stop()
