"""A result with everything that reports have to cope with."""

import model
import points

HOSTILE = 'printf says: \x1b[31mred\x1b[0m \x00\x01 ]]> </failure> & "quotes" ``` \ud800 \ufffe end'
KERNEL = points.Part(
    "kernel",
    [
        points.Test("TODO(1): one", 2, 1, False, [], []),
        points.Test("TODO(2): two", 2, 2, False, ["TODO(1): one"], []),
        points.Test("the product is right", 1.5, None, False, ["TODO(2): two"], []),
        points.Test("on a card", 1, None, False, [], []),
        points.Test("hidden: other shapes", 3, None, True, [], []),
        points.Test("hidden: large ones", 3, None, True, [], []),
    ],
)
ADD = points.Part("matrix_add", [points.Test("the sum is right", 4, None, False, [], [])])


def verdict(status: str, explanation: str = "", findings=()) -> dict:
    return {"status": status, "explanation": explanation, "findings": list(findings)}


def result(student: str = "ada") -> dict:
    verdicts = {
        "TODO(1): one": verdict("passed"),
        "TODO(2): two": verdict("failed", f"lab9/kernel.cu:12: {HOSTILE}", ["race"]),
        "the product is right": verdict("failed", "the product is wrong"),
        "on a card": verdict("left out", "there is no card"),
        "hidden: other shapes": verdict("passed"),
        "hidden: large ones": verdict("failed", "64 of 64 elements are wrong", ["wrong-element"]),
    }
    parts = [
        model.part_result(KERNEL, "kernel.cu", "graded", verdicts=verdicts),
        model.part_result(ADD, "matrix_add.cu", "does not compile", "matrix_add.cu:3: no ';'"),
    ]
    remarks = ["It tried to overwrite the results."]
    return model.student_result(student, [model.lab_result("lab9", parts)], 12.25, remarks)
