"""A server of the run's own: fsync on, and whatever may be done to one. As root it runs as the user postgres."""
import os
import shutil
import signal
import subprocess
import tempfile
import time

import psycopg2
import psycopg2.extras

CONF = """
fsync = on
restart_after_crash = on
max_prepared_transactions = 30
max_connections = 60
log_min_messages = warning
"""


def as_server(*command, check=True, namespace=None):
    prefix = ['ip', 'netns', 'exec', namespace] if namespace else []
    if os.getuid() == 0:
        prefix += ['runuser', '-u', 'postgres', '--']
    return subprocess.run([*prefix, *command], check=check, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd='/')


class Cluster:
    def __init__(self, binaries, folder, name, port=5432, namespace=None):
        self.binaries, self.folder, self.name, self.port, self.namespace = binaries, folder, name, port, namespace
        self.data = f'{folder}/{name}'
        self.options = f"-p {port} -c listen_addresses=''"

    def program(self, name, *arguments, check=True):
        return as_server(f'{self.binaries}/{name}', *arguments, check=check, namespace=self.namespace)

    def init(self, more=''):
        self.program('initdb', '-D', self.data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C')
        self.configure(CONF + more + f"unix_socket_directories = '{self.folder}'\n")
        self.start()

    def configure(self, text):
        with open(f'{self.data}/postgresql.conf', 'a', encoding='utf-8') as file:
            file.write(text)

    def dsn(self):
        return f'host={self.folder} port={self.port} user=postgres dbname=postgres'

    def ask(self, sql, dictionaries=False):
        """Asks until the server is there to answer."""
        for _ in range(1200):
            try:
                connection = psycopg2.connect(self.dsn(), application_name='history')
                break
            except psycopg2.OperationalError:
                time.sleep(0.1)
        else:
            raise RuntimeError('history: the server does not come back')
        connection.autocommit = True
        with connection.cursor(cursor_factory=psycopg2.extras.RealDictCursor if dictionaries else None) as cursor:
            cursor.execute(sql)
            rows = [dict(row) if dictionaries else row for row in cursor.fetchall()] if cursor.description else []
        connection.close()
        return rows

    def start(self, more=''):
        """The memory of one that was killed is free only when the last of its children has noticed."""
        for _ in range(300):
            if self.program('pg_ctl', '-D', self.data, '-l', f'{self.data}.log', '-o', self.options + more, '-w', 'start',
                            check=False).returncode == 0:
                return
            time.sleep(0.1)
        raise RuntimeError(f'history: {self.name} does not start, see {self.data}.log')

    def stop(self, mode='immediate'):
        self.program('pg_ctl', '-D', self.data, '-m', mode, '-w', 'stop', check=False)

    def kill_postmaster(self):
        with open(f'{self.data}/postmaster.pid', encoding='utf-8') as file:
            os.kill(int(file.readline()), signal.SIGKILL)


def new_folder():
    """Short: a socket's path is 107 bytes at most."""
    folder = tempfile.mkdtemp(prefix='arbiter-history.', dir='/tmp')
    if os.getuid() == 0:
        shutil.chown(folder, 'postgres', 'postgres')
    os.chmod(folder, 0o755)
    return folder
