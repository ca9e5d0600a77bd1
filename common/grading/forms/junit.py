"""Makes JUnit XML, which most systems for continuous integration read: a suite for each part."""

import xml.etree.ElementTree as ET

from forms import wording


def add_case(suite, name: str, classname: str, kind: str, text: str, **attributes) -> None:
    """Adds a case; `kind` is failure, error or skipped, with the text on it, or "" for none."""
    case = ET.SubElement(suite, "testcase", {"name": name, "classname": classname, "time": "0"})
    if kind:
        message = {"message": text.split("\n", 1)[0], **attributes}
        ET.SubElement(case, kind, message).text = text


def add_test(suite, classname: str, test: dict) -> str:
    """Adds a test; returns the count to which it adds."""
    classname += ".hidden" if test["hidden"] else ""
    name, text = wording.line(test["test"]), wording.explained(test)
    if test["status"] == "failed":
        found = [] if test["hidden"] else map(wording.line, test["findings"])
        kinds = ", ".join(found) or "failed"
        add_case(suite, name, classname, "failure", text, type=kinds)
        return "failures"
    kind = "skipped" if test["status"] in ("waiting", "left out") else ""
    add_case(suite, name, classname, kind, text)
    return kind


def add_part(root, lab: dict, part: dict) -> dict:
    name = f"{lab['lab']}.{part['part']}"
    suite = ET.SubElement(root, "testsuite", {"name": wording.line(name)})
    found = [add_test(suite, name, test) for test in part["tests"]]
    if reason := wording.why_not_run(part):
        add_case(suite, wording.line(part["file"]), name, "error", reason, type=part["state"])
        found.append("errors")
    counts = {kind: found.count(kind) for kind in ("failures", "errors", "skipped")}
    counts["tests"] = len(found)
    suite.attrib.update({kind: str(count) for kind, count in counts.items()}, time="0")
    return counts


def text(result: dict) -> str:
    root = ET.Element("testsuites", {"name": wording.line(result["student"])})
    suites = [add_part(root, lab, part) for lab in result["labs"] for part in lab["parts"]]
    for kind in ("tests", "failures", "errors", "skipped"):
        root.set(kind, str(sum(counts[kind] for counts in suites)))
    root.set("time", f"{result['seconds']:.3f}")
    body = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'
