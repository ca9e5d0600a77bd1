"use strict";

// The findings, each with the steps that show it.

/** Returns the steps of all findings of a run, in order. */
function findingSteps(run) {
    const all = run.data.findings.flatMap((one) => [one.step, one.other]);
    return [...new Set(all.filter((step) => step >= 0))].sort((a, b) => a - b);
}

/** Makes one side of a race: the access, the path to it, and a button that goes there. */
function side(run, step, go) {
    const name = run.threadName(run.thread[step]);
    return make(
        "div",
        { class: "side", "data-side": step },
        make("h4", {}, `Thread ${name}`),
        make("p", {}, `${deed(run, step)}, ${lineName(run.line[step])}`),
        make("p", { class: "since" }, "its lines since the last barrier:"),
        pathList(run, step),
        stepButton(run, step, go, `go to step ${step}`),
    );
}

/** Makes both sides of a race, and says where a barrier is missing. */
function raceSides(run, finding, go) {
    const [first, second] = [finding.step, finding.other].sort((a, b) => a - b);
    const from = lineName(run.line[first]), to = lineName(run.line[second]);
    const where = from === to ? `from ${from} to the next time there` : `from ${from} to ${to}`;
    const words = `No barrier stands on the way ${where}: either may come first.`;
    return [
        make("div", { class: "sides" }, side(run, first, go), side(run, second, go)),
        make("p", { class: "missing" }, words),
    ];
}

/** Groups threads by their action at a step: Map of words to names of threads. */
function whoIsWhere(run, step) {
    const state = makeState(run);
    moveTo(state, step);
    const found = new Map();
    for (let thread = 0; thread < run.threads; ++thread) {
        const what = threadState(state, thread);
        const at = what === "waits" ? ` at ${lineName(run.line[state.last[thread]])}` : "";
        const words = `${SIGNS[what]} ${what}${at}`;
        found.set(words, [...(found.get(words) ?? []), run.threadName(thread)]);
    }
    return found;
}

/** Makes the list of the threads and the lines where they wait. */
function waitingList(run, step) {
    const rows = [...whoIsWhere(run, step)].map(([words, names]) => {
        const some = names.slice(0, 12).join(" ") + (names.length > 12 ? " …" : "");
        const which = `${several(names.length, "thread")}, ${some}`;
        return make("li", {}, make("strong", {}, `${words}: `), which);
    });
    return make("ul", { class: "waiting-threads" }, ...rows);
}

/** Says which thread stores an element that was read while it was unset. */
function storesAfter(run, step) {
    const all = historyOf(run, run.array[step], run.slot[step]);
    const after = all.find((one) => one > step && run.what[one] !== LOAD);
    const name = elementName(run.arrays[run.array[step]], indexOf(run, step));
    return make(
        "p",
        { class: "missing" },
        after === undefined
            ? `No thread of the block stores ${name}.`
            : `${name} is stored too late, in step ${after}. ${sentence(run, after)}`,
    );
}

/** Lists the variables of the thread at the finding's step. */
function variablesThen(run, step) {
    const found = [...variablesAt(run, run.thread[step], step)];
    if (!found.length) {
        return null;
    }
    const nameOf = (number) => run.data.variables[number].name;
    const words = found.map(([number, { value }]) => `${nameOf(number)} = ${value}`);
    return make("p", { class: "then" }, `Its variables then: ${words.join(", ")}.`);
}

/** Makes the elements that show the steps of a finding. */
function evidence(run, finding, go) {
    const { step, other, kind } = finding;
    if (step >= 0 && other >= 0) {
        return raceSides(run, finding, go);
    }
    if (kind.includes("barrier")) {
        const at = step >= 0 ? step : run.count - 1;
        return [waitingList(run, at), stepButton(run, at, go, `go to step ${at}`)];
    }
    if (step < 0) {
        return [make("p", { class: "since" }, "No step of the block that is shown makes it.")];
    }
    const late = kind.includes("unset") && run.slot[step] >= 0 ? storesAfter(run, step) : null;
    const said = make("p", {}, sentence(run, step));
    const jump = stepButton(run, step, go, `go to step ${step}`);
    const away = finding.elsewhere ? make("p", { class: "missing" }, finding.elsewhere) : null;
    const parts = [said, variablesThen(run, step), away, late, jump];
    return parts.filter((part) => part !== null);
}

/** Makes the part of a finding. */
function findingPart(run, finding, go, isOpen) {
    const { kind, title, file, line, details, remedy } = finding;
    const here = file === run.data.file;
    const where = line > 0 ? `${here ? "" : `${file}, `}line ${line}` : "";
    const code = here && line > 0 ? make("code", { class: "at" }, lineText(run, line)) : null;
    return make(
        "details",
        { class: "finding", open: isOpen, "data-kind": kind },
        make("summary", {}, make("span", { class: "finding-mark" }, "▲"), ` ${title}`),
        make("p", { class: "where" }, [kind, where].filter(Boolean).join(", ")),
        code,
        ...evidence(run, finding, go),
        ...(remedy ? [make("p", { class: "remedy" }, remedy)] : []),
        ...details.map((text) => make("p", { class: "detail" }, text)),
    );
}

/** Makes the panel of the findings. */
function makeFindings(run, go) {
    const { findings } = run.data;
    const parts = findings.map((one, i) => findingPart(run, one, go, i === 0));
    if (!parts.length) {
        const none = run.data.hidden
            ? "Hidden: this replay asks you to find out what is wrong."
            : "None: nothing wrong was seen in this run.";
        parts.push(make("p", { class: "none" }, none));
    }
    const title = findings.length ? `Findings (${findings.length})` : "Findings";

    /** Opens the finding that a step belongs to. */
    function show(step) {
        findings.forEach((one, i) => {
            const here = one.step === step || one.other === step;
            parts[i].classList.toggle("here", here);
            if (here) {
                parts[i].open = true;
            }
        });
    }

    return { panel: makePanel("findings-panel", title, ...parts), show };
}
