"""Points the teacher to suspicious code in a submission's source; it costs no points."""

import re

from .choosing import normal

MOST = 5  # of a file
COMMENT = re.compile(
    r'//[^\n]*|/\*.*?\*/|("(?:\\.|[^"\\\n])*")|(\'(?:\\.|[^\'\\\n])*\')', re.DOTALL
)
WORDS = {
    "includes a file that is not a header of the course": (
        r'#\s*include\s*[<"](?:/|[^>"]*\.\./|[^>"]*solutions|[^>"]*\.(?:cpp|cu)[>"])'
    ),
    "includes what a macro names": r"#\s*include\s+[A-Za-z_]",
    "runs code before or after the tests": (
        r"\bconstructor\b\s*(?:\(\s*\d+\s*\))?\s*\)\s*\)|gnu::(?:con|de)structor"
    ),
    "calls the system": (
        r"\b(?:system|popen|v?fork|exec[lv]p?e?|posix_spawnp?|ptrace|kill|raise|dlopen|dlsym|"
        r"mprotect|syscall|socket|prctl|process_vm_\w+)\s*\("
    ),
    "ends the program as if all were well": (
        r"\b_?_?(?:exit|Exit|quick_exit)\s*\(\s*(?:0|EXIT_SUCCESS)?\s*\)"
    ),
    "changes how the program ends": (
        r"\b(?:at_quick_exit|atexit|set_terminate|sigaction|sigsetjmp|setjmp|longjmp)\s*\("
    ),
    "contains assembly": r"\b(?:asm|__asm|__asm__)\b",
    "opens files": (
        r"\b(?:fopen|freopen|fdopen|[io]?fstream|opendir|unlink|openat|creat|ftruncate)\b"
    ),
    "reads or changes the environment": r"\b(?:getenv|setenv|putenv|environ)\b",
    "names what belongs to the system or to the grader": (
        r"\b(?:LAB|CUSIM)_[A-Z]+|LD_PRELOAD|/proc/|/etc/|/dev/"
    ),
    "names the tests or the simulator": (
        r"\b(?:TEST_CASE|CATCH_\w+|INTERNAL_CATCH\w*|SECTION)\b|\bCatch\s*::|"
        r"\b(?:cusim|testing|guard|lab)\s*::|\bcusim[A-Z]\w+|\b__(?:real|wrap|tsan)_\w+"
    ),
    "has to do with the clock": r"\b(?:clock_gettime|gettimeofday|clock_settime)\s*\(",
    "holds what looks like a report": r"\d+ passed, \d+ failed|\"[^\"\n]*  ok  ",
    "adds to what belongs to the C++ library, the tests or the simulator": (
        r"\bnamespace\s+(?:std|cusim|testing|guard|matrix|device|lab|Catch)\s*(?:\{|$)"
    ),
    "holds a table of numbers": r"(?:-?\d[\d.]*f?\s*,\s*){12}",
    "looks at the frames of its callers": (
        r"\b__builtin_(?:frame_address|return_address|apply|unwind_init)\b"
    ),
    "closes a stream that the tests use": r"\bfclose\s*\(\s*(?:std\s*::\s*)?std(?:in|out|err)\b",
    "keeps a value from call to call": (
        r"\bstatic\s+(?:(?:std::)?size_t|u?int\d*(?:_t)?|unsigned|signed|long|short|bool|char)\b"
        r"[\w\s]*[=;{]"
    ),
    "redefines a word of the language": (
        r"#\s*define\s+(?:if|for|while|return|int|float|double|main|static|const|void)\b"
    ),
}
RULES = [(re.compile(pattern), sentence) for sentence, pattern in WORDS.items()]
ON_DEVICE = re.compile(r"__(?:global|device)__[^;{}]*\{")
PRODUCT = re.compile(r"\+=[^;=]*\]\s*\*[^;=]*\[")


def without_device_code(text):
    """Empties the device functions; the number of lines stays."""
    out, at = "", 0
    for found in ON_DEVICE.finditer(text):
        if found.start() < at:
            continue
        out += text[at : found.start()]
        depth, at = 1, found.end()
        while depth and at < len(text):
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            at += 1
        out += "\n" * text.count("\n", found.start(), at)
    return out + text[at:]


def look(file, data, skeleton):
    """Returns sentences with file and line."""
    given = set(normal(skeleton).decode(errors="replace").split("\n"))
    text = data.decode(errors="replace").replace("\r\n", "\n").replace("\\\n", " \n")
    original, found = text.split("\n"), []
    # Without comments; the number of lines stays.
    code = COMMENT.sub(lambda m: m[1] or m[2] or "\n" * m[0].count("\n") or " ", text)
    on_host = without_device_code(code).split("\n")
    for number, line in enumerate(code.split("\n"), 1):
        if original[number - 1].rstrip() in given:
            continue
        sentence = next((sentence for rule, sentence in RULES if rule.search(line)), "")
        shown = " ".join(line.split())
        if PRODUCT.search(on_host[number - 1]):
            sentence, shown = "multiplies elements on the host", line.strip()
        if sentence:
            found.append(f"{file}:{number} {sentence}: {shown[:100]}")
    more = len(found) - MOST
    return found[:MOST] + ([f"{file}: and {more} lines more like these."] if more > 0 else [])
