"""Verifies evidence of a run as section 4.10 of docs/interface.md describes it: the standard library, and nothing of this repository.

Reads one case a line, as JSON: {"evidence": JWS, "keys": [JWK] or null, "imports": [entry] or null, "results": base64 of JSON Lines or null}.
Writes one line for each: what does not hold, as a sorted list of "check" or "check import_id"; [] if all holds. Keys must have come another
way than the evidence; null: there are none, and the signature is "signature not checked".

Or {"plan": [line of the list of a plan with include=record, as JSON]}: writes the digest of the plan.
"""

import base64, functools, hashlib, json, re, sys
from datetime import datetime

P = 2**256 - 2**224 + 2**192 + 2**96 - 1
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
G = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)


def add(p, q):
    if p is None or q is None:
        return p or q
    if p[0] == q[0] and (p[1] + q[1]) % P == 0:
        return None
    slope = (3 * p[0] * p[0] - 3) * pow(2 * p[1], -1, P) if p == q else (q[1] - p[1]) * pow(q[0] - p[0], -1, P)
    x = (slope * slope - p[0] - q[0]) % P
    return x, (slope * (p[0] - x) - p[1]) % P


def times(k, p):
    sum_ = None
    for bit in bin(k)[2:]:
        sum_ = add(sum_, sum_)
        if bit == "1":
            sum_ = add(sum_, p)
    return sum_


def decoded(text):
    if not re.fullmatch(r"[A-Za-z0-9_-]+", text):
        raise ValueError("base64url")
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if base64.urlsafe_b64encode(data).rstrip(b"=").decode() != text:
        raise ValueError("another spelling")
    return data


def parsed(text):
    def refuse(name):
        raise ValueError(name)

    return json.loads(text, parse_constant=refuse)


def thumbprint(key):
    """RFC 7638: a key that does not fit its kid may be anybody's."""
    members = {name: key[name] for name in ("crv", "kty", "x", "y")}
    text = json.dumps(members, sort_keys=True, separators=(",", ":"))
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()


@functools.lru_cache(maxsize=64)
def payload_of(evidence, keys):
    header, payload, signature = evidence.split(".")
    head, claims, signature = parsed(decoded(header).decode()), parsed(decoded(payload).decode()), decoded(signature)
    if head["alg"] != "ES256" or head["typ"] != "migration-evidence+jwt" or "crit" in head or len(signature) != 64:
        raise ValueError("header")
    digest = int.from_bytes(hashlib.sha256(f"{header}.{payload}".encode()).digest(), "big")
    r, s = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
    given = parsed(keys)
    if given is None:
        return claims
    for key in given:
        if key.get("kid") != head["kid"] or key.get("kty") != "EC" or key.get("crv") != "P-256" or thumbprint(key) != key["kid"]:
            continue
        x, y = (int.from_bytes(decoded(key[name]), "big") for name in "xy")
        if len(decoded(key["x"])) != 32 or len(decoded(key["y"])) != 32 or not (0 < r < N and 0 < s < N and x < P and y < P and (y * y - x * x * x + 3 * x - B) % P == 0):
            continue
        w = pow(s, -1, N)
        point = add(times(digest * w % N, G), times(r * w % N, (x, y)))
        if point is not None and point[0] % N == r:
            return claims
    raise ValueError("signature")


PLAN = ("applied_at", "applied_by", "approved_at", "approved_by", "comment", "created_by", "plan_digest")


def known(claims):
    """Evidence names each plan with these members; that of an earlier version names none."""
    for plan in claims.get("plans", []):
        whole = all(name in plan for name in PLAN) and re.fullmatch(r"[0-9a-f]{64}", plan["plan_digest"])
        users = [plan[name] for name in PLAN if name.endswith("_by")]
        texts = [plan[name] for name in PLAN if name.endswith("_at") or name == "comment"]
        if not (whole and all(user is None or isinstance(user, int) for user in users) and all(text is None or isinstance(text, str) for text in texts)):
            raise ValueError("plans")
    return claims


def number(value):
    """As ECMAScript writes it, which RFC 8785 asks for."""
    value = float(value)
    if value in (float("inf"), float("-inf")):
        return "null"
    if value == 0:
        return "0"
    sign, digits, exponent = re.fullmatch(r"(-?)([\d.]+)(?:e([+-]\d+))?", repr(value)).groups()
    whole, _, part = digits.partition(".")
    point = len(whole) + int(exponent or 0)
    all_ = whole + (part if part != "0" else "")
    point -= len(all_) - len(all_.lstrip("0"))
    all_ = all_.strip("0")
    if len(all_) <= point <= 21:
        return sign + all_ + "0" * (point - len(all_))
    if 0 < point <= 21:
        return sign + all_[:point] + "." + all_[point:]
    if -6 < point <= 0:
        return sign + "0." + "0" * -point + all_
    return sign + all_[0] + ("." + all_[1:] if len(all_) > 1 else "") + f"e{point - 1:+d}"


def canonical(value):
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
        return "{" + ",".join(canonical(name) + ":" + canonical(value[name]) for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, str):
        text = json.dumps(value, ensure_ascii=False)
        return re.sub("[\ud800-\udfff]", lambda lone: f"\\u{ord(lone[0]):04x}", text)
    return {None: "null", True: "true", False: "false"}[value] if value is None or value is True or value is False else number(value)


def digest(values):
    return hashlib.sha256("".join(canonical(value) + "\n" for value in values).encode()).hexdigest()


def list_of(claims, imports):
    """The entries as they were signed, and what came later; None if they are not those that were signed."""
    entries = imports[: claims["imports"]]
    since = lambda entry: entry["reverted_at"] and datetime.fromisoformat(entry["reverted_at"].replace("Z", "+00:00")).timestamp() >= claims["iat"]
    unreverted = [{**entry, "reverted_at": None} if since(entry) else entry for entry in entries]
    for base, reverts in ((entries, False), (unreverted, True)):
        for erasures in (False, True):
            then = [{name: entry[name] for name in entry if not (erasures and name == "erased")} for entry in base]
            if len(entries) == claims["imports"] and digest(then) == claims["imports_digest"]:
                later = {f"imports {e['import_id']}" for e in entries if (reverts and since(e)) or (erasures and e.get("erased"))}
                return entries, later | ({"imports"} if len(imports) > len(entries) else set())
    return None, {"imports"}


def results_of(entries, text):
    wrong, place = set(), {entry["import_id"]: index for index, entry in enumerate(entries)}
    lines, at = [[] for _ in entries], 0
    for line in text.split(b"\n"):
        try:
            if not line.decode().strip():
                continue
            result = parsed(line.decode())
            index, own = result["index"], place[result["import_id"]]
            if isinstance(index, bool) or index != int(index) or own < at:
                raise ValueError("place")
            at = own
            lines[own].append(result)
        except (ValueError, KeyError, TypeError, OverflowError):
            wrong.add("results")
    all_have = any("record" in result for own in lines for result in own)
    for entry, own in zip(entries, lines):
        name = entry["import_id"]
        if [result["index"] for result in own] != list(range(entry["counts"]["total"])):
            wrong.add(f"results {name}")
        elif entry["results_digest"] is not None and entry["records_digest"] is not None:
            bare = [{member: result[member] for member in result if member != "record"} for result in own]
            if digest(bare) != entry["results_digest"]:
                wrong.add(f"results {name}")
            has = all("record" in result for result in own)
            if all_have and not (has and digest(result["record"] for result in own) == entry["records_digest"]):
                wrong.add(f"records {name}")
    return wrong


def verify(case):
    try:
        claims = known(payload_of(case["evidence"], json.dumps(case["keys"])))
    except (ValueError, KeyError, TypeError, AttributeError):
        return {"signature"}
    unchecked = {"signature not checked"} if case["keys"] is None else set()
    return unchecked | rest_of(case, claims)


def rest_of(case, claims):
    if case["imports"] is None:
        return set()
    try:
        entries, wrong = list_of(claims, case["imports"])
        if entries is None:
            return wrong
        counted = [{"archived": 0, **entry["counts"]} for entry in entries]
        sums = {name: sum(counts[name] for counts in counted) for name in claims["counts"] if name != "imports"}
        if {**sums, "imports": len(entries)} != claims["counts"]:
            wrong.add("counts")
    except (ValueError, KeyError, TypeError, AttributeError):
        return {"imports"}
    return wrong if case["results"] is None else wrong | results_of(entries, base64.b64decode(case["results"]))


def digest_of_plan(lines):
    """Section 4.11: a line for each dry run, in the order of the list."""
    imports = {}
    for result in map(parsed, lines):
        imports.setdefault(result["import_id"], []).append(result)
    bare = lambda result: {member: result[member] for member in result if member != "record"}
    return hashlib.sha256("".join(f"{digest(r['record'] for r in own)} {digest(map(bare, own))}\n" for own in imports.values()).encode()).hexdigest()


for line in sys.stdin:
    case = json.loads(line)
    print(json.dumps(digest_of_plan(case["plan"]) if "plan" in case else sorted(verify(case))))
