"""Makes the tables that Canvas and Moodle import into their gradebooks: a line a person.

Canvas finds a person by ID, SIS User ID, SIS Login ID or name, and an assignment by its title. Moodle
asks for the column that names the person, and for the assignment of each column of points.
"""

from collections.abc import Iterable

import points
from forms.table import cell, written


def scores(result: dict, labs: Iterable[str], of: str = "score") -> list:
    found = {lab["lab"]: points.total([lab[of]]) for lab in result["labs"]}
    return [found.get(lab, 0) for lab in labs]


def canvas(rows: list, labs: dict[str, str]) -> str:
    """Takes pairs of a person and a result, and the title of the assignment of each lab."""
    head = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *map(cell, labs.values())]
    most = [max(column) for column in zip(*(scores(it, labs, "max_score") for _, it in rows))]
    table = [head, ["    Points Possible", "", "", "", "", *most]]
    for one, result in rows:
        who = (one.name, one.number, one.id, one.login, one.section)
        table.append([*map(cell, who), *scores(result, labs)])
    return written(table)


def moodle(rows: list, labs: list[str]) -> str:
    """Takes pairs of a person and a result."""
    table = [["Full name", "ID number", "Email address", "Username", "Group", *labs]]
    for one, result in rows:
        who = (one.name, one.id, one.email, one.login, one.section)
        table.append([*map(cell, who), *scores(result, labs)])
    return written(table)
