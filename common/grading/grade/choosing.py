"""Names the file of a part."""


def file_of(part):
    return "answers.h" if part == "answers" else f"{part}.cu"
