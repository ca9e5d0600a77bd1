"""Makes Gradescope's results.json."""

from forms import wording

# Students see after_published when the teacher publishes the grades.
VISIBILITY = {False: "visible", True: "after_published"}


def shown(output: str, visibility: str = "visible") -> dict:
    return {"output": output, "output_format": "text", "visibility": visibility}


def entry(name: str, number: str, score: float, most: float, **more) -> dict:
    named = {"name": name, "name_format": "text", "number": number}
    return {**named, "score": score, "max_score": most, **more}


def tests_of(result: dict):
    """Yields an entry for each test, and one for a part that was not judged to its end."""
    for i, lab in enumerate(result["labs"], 1):
        for j, part in enumerate(lab["parts"], 1):
            title, why = wording.title(lab, part), wording.why_not_run(part)
            if why:
                most = 0 if part["tests"] else part["max_score"]
                yield entry(title, f"{i}.{j}", 0, most, status="failed", **shown(why))
            for k, test in enumerate(part["tests"], 1):
                more = shown(wording.explained(test), VISIBILITY[test["hidden"]])
                if test["status"] != "left out":
                    more["status"] = "passed" if test["status"] == "passed" else "failed"
                name = f"{title}: {wording.line(test['test'])}"
                yield entry(name, f"{i}.{j}.{k}", test["score"], test["points"], **more)


def report(result: dict) -> dict:
    output = "\n".join([wording.counts(result, hidden=False), *wording.advice(result)])
    if wording.passed_of(result, hidden=True):
        output += "\nThe hidden tests are shown when the grades are published."
    return {
        "score": result["score"],
        "execution_time": result["seconds"],
        **shown(output),
        # The autograder prints for the teacher.
        "stdout_visibility": "hidden",
        "tests": list(tests_of(result)),
    }
