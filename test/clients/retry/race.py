
import sys
import threading

failures = []


def add(item):
    try:
        with psycopg.connect() as connection:
            add_item(connection, sys.argv[1], {"sku": f"S{item}"}, attempts=100)
    except Exception as failure:
        failures.append(failure)


threads = [threading.Thread(target=add, args=[item]) for item in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
if failures:
    raise failures[0]
