"use strict";

// The path of a thread: its lines since the last barrier.

/** Returns the steps of a thread in the epoch of a step, up to it. */
function pathOf(run, step) {
    const steps = run.stepsOfThread(run.thread[step]);
    const end = lowerBound(steps, step + 1);
    return steps.slice(lowerBound(steps, run.starts[run.epoch[step]]), end);
}

/** Returns the lines of a path, with repeated ones counted: [{line, times}]. */
function linesOf(run, steps) {
    const found = [];
    for (const step of steps) {
        const line = run.line[step];
        if (found.length && found.at(-1).line === line) {
            ++found.at(-1).times;
        } else {
            found.push({ line, times: 1 });
        }
    }
    return found;
}

/** Makes the list of the lines of a path; the last ones, if it is long. */
function pathList(run, step) {
    const lines = linesOf(run, pathOf(run, step));
    const shown = lines.slice(-8);
    const rows = shown.map(({ line, times }) =>
        make(
            "li",
            {},
            make("span", { class: "line-number" }, lineName(line)),
            make("code", {}, lineText(run, line)),
            times > 1 ? ` ${times} accesses` : "",
        ),
    );
    if (shown.length < lines.length) {
        const words = `${lines.length - shown.length} lines before these`;
        rows.unshift(make("li", { class: "more" }, words));
    }
    return make("ol", { class: "path" }, ...rows);
}
