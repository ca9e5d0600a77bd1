"use strict";

// Two runs beside each other: their steps that correspond, and their costs.

/** Tells whether two runs have the same number of epochs, so that these correspond. */
function inEpochs(from, to) {
    return from.starts.length === to.starts.length;
}

/** Returns the step of another run that corresponds to a step: as far in the epoch or run. */
function paired(from, to, step) {
    let start = 0, end = from.count, first = 0, last = to.count;
    if (inEpochs(from, to)) {
        const epoch = from.epoch[step];
        [start, end] = [from.starts[epoch], from.starts[epoch + 1] ?? from.count];
        [first, last] = [to.starts[epoch], to.starts[epoch + 1] ?? to.count];
    }
    const share = end - start > 1 ? (step - start) / (end - start - 1) : 1;
    return Math.max(0, first + Math.round(share * (last - first - 1)));
}

/** Returns the costs of a run: [words, number] each. */
function costsOf(run) {
    const loads = { global: 0, shared: 0, constant: 0 };
    let stores = 0;
    for (let step = 0; step < run.count; ++step) {
        const array = run.arrays[run.array[step]];
        if (array && run.what[step] === LOAD) {
            ++loads[array.space];
        } else if (array) {
            ++stores;
        }
    }
    const lines = Object.values(run.data.lines), { modelled } = run.data;
    const told = modelled?.nanoseconds && `the launch on ${modelled.card}, modelled, ns`;
    const sum = (name) => lines.reduce((all, line) => all + (line[name] ?? 0), 0);
    return [
        ["steps", run.count],
        ["barriers", run.starts.length - 1],
        ["loads from global memory", loads.global],
        ["loads from shared memory", loads.shared],
        ["stores and atomics", stores],
        ["requests of warps", sum("requests")],
        ["sectors of global memory", sum("sectors")],
        ["passes over shared memory", sum("passes")],
        ...(told ? [[told, modelled.nanoseconds]] : []),
    ];
}

/** Returns how two numbers compare, in words. */
function ratioWords(one, other) {
    if (one === other) {
        return "equal";
    }
    if (!one || !other) {
        return "";
    }
    const side = one > other ? "left" : "right";
    const times = Math.max(one, other) / Math.min(one, other);
    if (times < 1.1) {
        return `${counted(Math.abs(one - other))} more ${side}`;
    }
    return `${times.toFixed(1)} times as many ${side}`;
}

/** Makes the table that compares two runs. */
function makeBeside(left, right) {
    const others = new Map(costsOf(right));
    const both = costsOf(left).filter(([words]) => others.has(words));
    const rows = both.map(([words, one]) => {
        const other = others.get(words);
        return [words, counted(one), counted(other), ratioWords(one, other)];
    });
    const files = [`left: ${left.data.file}`, `right: ${right.data.file}`];
    const table = makeTable(["this block's", ...files, "compared"], rows);
    const how = inEpochs(left, right)
        ? "They have as many barriers: the right run is as far after its last one as the left one."
        : "Their barriers differ in number: the right run is as far on its way as the left one.";
    return makePanel("beside-panel", "Side by side", table, make("p", { class: "how" }, how));
}
