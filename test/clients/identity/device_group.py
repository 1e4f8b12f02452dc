"""The device group's id in Python, and the exported vectors run against it."""
import json
import string
import sys
import uuid

NAMESPACE = uuid.UUID("6f6b1a52-5f0e-5d8e-9d54-3a9d6f1e0c11")
# What JavaScript's trim() strips; str.strip() alone strips 29 code points.
SPACES = ("\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
          "\u2028\u2029\u202f\u205f\u3000\ufeff")
LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def device_group_id(organization_id, serial_numbers):
    serials = {serial.strip(SPACES).translate(LOWER) for serial in serial_numbers} - {""}
    ordered = sorted(serials, key=lambda serial: serial.encode("utf-16-be"))
    name = json.dumps(ordered, ensure_ascii=False, separators=(",", ":"))
    return uuid.uuid5(NAMESPACE, f"{organization_id.lower()}:{name}")


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        vectors = json.load(file)["vectors"]
    wrong = [vector for vector in vectors
             if str(device_group_id(**vector["args"])) != vector["uuid"]]
    sys.exit(f"wrong: {wrong}" if wrong or not vectors else 0)
