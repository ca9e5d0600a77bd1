"""Writes JUnit XML, which most systems for continuous integration read: a suite for each part."""

import xml.etree.ElementTree as ET

import model
from forms import wording


def case(suite, name: str, classname: str):
    return ET.SubElement(suite, "testcase", {"name": name, "classname": classname, "time": "0"})


def told(element, kind: str, text: str, **attributes) -> None:
    first = text.split("\n", 1)[0]
    child = ET.SubElement(element, kind, {"message": first, **attributes})
    child.text = text


def add_test(suite, classname: str, test: dict) -> str:
    """Adds a test; returns the count to which it adds."""
    name = wording.line(test["test"])
    element = case(suite, name, classname + (".hidden" if test["hidden"] else ""))
    text = wording.explained(test)
    if test["status"] == "failed":
        kinds = ", ".join(wording.line(kind) for kind in test["findings"])
        told(element, "failure", text, type=kinds or "failed")
        return "failures"
    if test["status"] in ("waiting", "left out"):
        told(element, "skipped", text)
        return "skipped"
    return "passed"


def add_part(root, lab: dict, part: dict) -> dict:
    name = f"{lab['lab']}.{part['part']}"
    suite = ET.SubElement(root, "testsuite", {"name": wording.line(name)})
    found = [add_test(suite, name, test) for test in part["tests"]]
    reason = wording.why_not_run(part)
    if reason:
        told(case(suite, wording.line(part["file"]), name), "error", reason, type=part["state"])
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


def write(path, result: dict) -> None:
    model.write_text(path, text(result))
