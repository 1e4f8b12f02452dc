"""Looks at monitoring/postgres_exporter.yaml with psql and with the exporter itself. PGDATABASE has the extension."""
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request

MONITORING = os.path.join(os.path.dirname(__file__), "../../../monitoring")
WORLD = """
SELECT arbiter.create_store('shop'), arbiter.create_store('Odd "name"');
SELECT arbiter.append('shop', 'a-1', -1, 'Made', '{}');
SELECT arbiter.save_cursor('shop', 'reader', 0);
SELECT arbiter.create_ledger('shop', 'mails', 'after_lease', '1 microsecond');
SELECT arbiter.claim('shop', 'mails', 'm');
CREATE FUNCTION seen(event jsonb) RETURNS void LANGUAGE sql AS 'SELECT';
SELECT arbiter.create_projection('shop', 'board', 'transactional', 'seen');
CREATE TABLE due (id text, due boolean);
SELECT arbiter.create_sweep('shop', 'close', 'due', 'id', 'due', 'id');
"""
RIGHTS = """
CREATE ROLE watcher LOGIN;
GRANT pg_monitor TO watcher;
GRANT USAGE ON SCHEMA arbiter, {store} TO watcher;
GRANT SELECT ON ALL TABLES IN SCHEMA {store} TO watcher;
GRANT SELECT ON ALL SEQUENCES IN SCHEMA {store} TO watcher;
"""
number = failed = 0


def says(what, fault=None):
    global number, failed
    number += 1
    print("not ok" if fault else "ok", number, "-", what, flush=True)
    if fault:
        failed += 1
        print("#", str(fault).replace("\n", "\n# "))


def psql(sql, user=None, *options):
    done = subprocess.run(["psql", "-qXv", "ON_ERROR_STOP=1", *options], input=sql, text=True, capture_output=True,
                          env={**os.environ, **({"PGUSER": user} if user else {})})
    if done.returncode:
        raise RuntimeError(done.stderr)
    return done.stdout


def read(name):
    with open(os.path.join(MONITORING, name), encoding="utf-8") as file:
        return file.read()


def namespaces():
    for name, block in re.findall(r"^(\w+):\n((?:(?: .*)?\n)+)", read("postgres_exporter.yaml"), re.M):
        query, metrics = re.search(r"  query: \|\n(.*?)  metrics:\n(.*)", block, re.S).groups()
        yield name, query, re.findall(r"^    - (\w+): \{usage: (LABEL|GAUGE|COUNTER), description: \"[^\"]+\"\}$", metrics, re.M)


def answers(query, metrics):
    lines = psql(query, "watcher", "-A", "-F", "\t").splitlines()
    if lines[0].split("\t") != [name for name, _ in metrics]:
        return f"columns: {lines[0]}"
    for row in lines[1:-1]:
        for value, (name, usage) in zip(row.split("\t"), metrics):
            if usage != "LABEL" and not re.fullmatch(r"-?\d+(\.\d+)?", value):
                return f"{name} is no number: {value!r}"
    return None


def scraped():
    exporter = subprocess.Popen(
        ["prometheus-postgres-exporter", "--web.listen-address=127.0.0.1:0", "--disable-default-metrics",
         "--disable-settings-metrics", f"--extend.query-path={MONITORING}/postgres_exporter.yaml"],
        stderr=subprocess.PIPE, text=True,
        env={**os.environ, "DATA_SOURCE_NAME": f"user=watcher host={os.environ['PGHOST']} port={os.environ['PGPORT']} "
                                               f"dbname={os.environ['PGDATABASE']} sslmode=disable"})
    try:
        return fetch(exporter)
    finally:
        exporter.terminate()
        exporter.wait()


def fetch(exporter):
    for _ in range(600):
        for line in open(f"/proc/{exporter.pid}/net/tcp", encoding="ascii").read().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and fields[9] in sockets(exporter.pid):
                port = int(fields[1].split(":")[1], 16)
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
                    return answer.read().decode()
        if exporter.poll() is not None:
            raise RuntimeError(exporter.stderr.read())
        time.sleep(0.1)
    raise RuntimeError("the exporter does not listen")


def sockets(pid):
    links = (os.readlink(f"/proc/{pid}/fd/{fd}") for fd in os.listdir(f"/proc/{pid}/fd"))
    return {link[len("socket:["):-1] for link in links if link.startswith("socket:")}


psql(WORLD)
for store in ("shop", '"Odd ""name"""'):
    psql(RIGHTS.format(store=store).replace("CREATE ROLE watcher LOGIN;", "" if store != "shop" else "CREATE ROLE watcher LOGIN;"))
known = {}
for namespace, query, metrics in namespaces():
    says(f"{namespace}: the query answers what the metrics name", answers(query, metrics))
    known.update({f"{namespace}_{name}": namespace for name, usage in metrics if usage != "LABEL"})
strangers = set(re.findall(r"\barbiter_\w+", read("alerts.yaml"))) - set(known)
says("the alerts ask for metrics that there are", strangers and sorted(strangers))
if shutil.which("prometheus-postgres-exporter"):
    text = scraped()
    says("the exporter reads the file", "pg_exporter_user_queries_load_error" in text
         and not re.search(r"^pg_exporter_user_queries_load_error\{.*\} 0$", text, re.M) and text)
    says("no query fails", not re.search(r"^pg_exporter_last_scrape_error 0$", text, re.M) and text)
    for metric, namespace in known.items():
        if namespace != "arbiter_calls":  # has no series where the library is not preloaded
            says(f"{metric} is served", not re.search(rf"^{metric}\{{.*store=\"shop\".*\}} [0-9.e+-]+$", text, re.M) and "no such series")
else:
    says("the exporter serves them # SKIP no exporter here")
psql("DROP OWNED BY watcher; DROP ROLE watcher")
sys.exit(failed > 0)
