"use strict";

// The local variables of the chosen thread, and what its last step changed.

/** Returns a variable's value before a thread's last step, or null. */
function valueBefore(run, thread, variable, step) {
    return variablesAt(run, thread, step - 1).get(variable)?.value ?? null;
}

/** Returns the variables that threads change after their first value; these are shown first. */
function changing(run) {
    const counts = run.data.variables.map(() => 0);
    for (const changes of run.changes) {
        for (let i = 0; changes && i < changes.length; i += 2) {
            counts[changes[i]] += changes[i + 1] === null ? 0 : 1;
        }
    }
    return counts.map((count) => count > run.threads);
}

/** Makes the panel of the variables; show(state, thread). */
function makeVariables(run) {
    const body = make("tbody"), changes = changing(run);
    const head = make("tr", {});
    for (const name of ["variable", "value", "changed"]) {
        head.append(make("th", { scope: "col" }, name));
    }
    const whose = make("p", { class: "whose" });
    const none = make("p", { class: "none" }, "No variable is known here.");
    const table = make("table", { class: "variables" }, make("thead", {}, head), body);
    const panel = makePanel("variables-panel", "Variables", whose, table, none);

    /** Makes the row of a variable. */
    function row(number, { value, step }, thread, last) {
        const { name, type, line } = run.data.variables[number];
        const changed = step === last;
        const before = changed ? valueBefore(run, thread, number, step) : null;
        const words = before === null ? "new" : `was ${before}`;
        return make(
            "tr",
            { class: changed ? "changed" : "", "data-variable": name },
            make("th", { scope: "row", title: `${type} ${name}, line ${line}` }, name),
            make("td", { class: "value" }, valueText(value)),
            make("td", {}, changed ? words : ""),
        );
    }

    function show(state, thread) {
        const last = state.last[thread];
        const found = [...variablesAt(run, thread, state.step)];
        const ofFunction = (number) => run.data.variables[number].function;
        const inner = last >= 0 ? run.data.steps.function[last] : -1;
        const rank = (number) => (ofFunction(number) === inner ? 0 : 1);
        const byFunction = (a, b) => rank(a) - rank(b) || ofFunction(a) - ofFunction(b);
        found.sort(([a], [b]) => byFunction(a, b) || changes[b] - changes[a] || a - b);
        const rows = [];
        let shown = inner;
        for (const [number, entry] of found) {
            if (ofFunction(number) !== shown) {
                shown = ofFunction(number);
                const name = `in ${run.data.functions[shown]}`;
                rows.push(make("tr", {}, make("th", { colspan: 3, class: "frame" }, name)));
            }
            rows.push(row(number, entry, thread, last));
        }
        body.replaceChildren(...rows);
        table.hidden = rows.length === 0;
        none.hidden = rows.length > 0;
        const place = last >= 0 ? placeWords(run, last) : "";
        const name = run.threadName(thread);
        whose.textContent = `Thread ${name}: ${threadState(state, thread)}${place}`;
    }

    return { panel, show };
}
