"""Makes the points of each test and the findings of a class as CSV, without names: a line a student."""

import hashlib
import hmac

import points
from forms import wording
from forms.table import cell, of_fields

FIXED = "code", "status", "score", "max_score", "findings"


def code(seed: str, identity: str) -> str:
    """Returns a student's code. It cannot be computed from the name without the secret seed."""
    key = hashlib.sha256(b"anonymous\0" + seed.encode()).digest()
    return hmac.new(key, identity.encode("utf-8", "replace"), hashlib.sha256).hexdigest()[:16]


def row_of(result: dict) -> dict:
    row: dict[str, str | float] = {}
    findings: dict[str, int] = {}
    for lab in result["labs"]:
        for part in lab["parts"]:
            file = wording.title(lab, part)
            row[file] = cell(part["state"])
            for test in part["tests"]:
                row[f"{file}: {wording.line(test['test'])}"] = points.total([test["score"]])
                if test["status"] == "failed":
                    findings |= {f"{file}: {wording.line(kind)}": 1 for kind in test["findings"]}
    return row | {"findings": cell("; ".join(findings))}


def text(results: list[tuple[str, dict]]) -> str:
    """Takes pairs of a code and a result; the order of the codes hides that of the names."""
    rows = []
    for own, result in sorted(results, key=lambda pair: pair[0]):
        fixed = {of: result[of] for of in FIXED[1:-1]}
        rows.append({"code": own, **fixed, **row_of(result)})
    names = dict.fromkeys(name for row in rows for name in row if name not in FIXED)
    # By file; the tests of a file keep their order.
    columns = sorted(names, key=lambda name: name.partition(": ")[0])
    return of_fields([*FIXED[:-1], *columns, FIXED[-1]], rows)
