"use strict";

// A run as the page needs it: columns of numbers, and links from each step to related ones.

/** Returns, for a column of numbers below a limit, the steps that have each of them, in order. */
function stepsBy(column, limit) {
    const starts = new Int32Array(limit + 1);
    for (const number of column) {
        if (number >= 0) {
            ++starts[number + 1];
        }
    }
    for (let i = 0; i < limit; ++i) {
        starts[i + 1] += starts[i];
    }
    const next = starts.slice();
    const steps = new Int32Array(starts[limit]);
    column.forEach((number, step) => {
        if (number >= 0) {
            steps[next[number]++] = step;
        }
    });
    return (number) => steps.subarray(starts[number], starts[number + 1]);
}

/** Returns the first index of an ordered column whose number is not below this one. */
function lowerBound(column, number) {
    let low = 0, high = column.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (column[middle] < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/** Returns the largest number of a column, -1 if it has none. */
function largest(column) {
    return column.reduce((most, number) => (number > most ? number : most), -1);
}

/** Prepares an array. Elements outside of it get the slots after its own. */
function makeArray(data, number) {
    const size = data.before.length;
    const extents = data.extents;
    const columns = extents.length > 1 ? extents[extents.length - 1] : Math.min(size, 16) || 1;
    const rows = Math.ceil(size / columns);
    return { ...data, number, size, rows, columns, outside: [], slotOf: new Map() };
}

/** Returns the slot of an element; a new slot for a new one outside of the array. */
function slotOf(array, index) {
    if (index >= 0 && index < array.size) {
        return index;
    }
    if (!array.slotOf.has(index)) {
        array.slotOf.set(index, array.size + array.outside.length);
        array.outside.push(index);
    }
    return array.slotOf.get(index);
}

/** Returns an element's name: "Mds[0][1]"; outside of the array its number. */
function elementName(array, index) {
    if (index < 0 || index >= array.size) {
        return `element ${index} of ${array.name}, outside`;
    }
    let rest = index, text = "";
    for (let i = array.extents.length - 1; i >= 0; --i) {
        text = `[${rest % array.extents[i]}]${text}`;
        rest = Math.floor(rest / array.extents[i]);
    }
    return array.name + text;
}

/** Fills in, for each step, the slot and the last load and store there before; and the steps of
    each element. */
function link(run) {
    const { count, array, what, data } = run;
    const loaded = [], stored = [];
    for (let step = 0; step < count; ++step) {
        const one = run.arrays[array[step]];
        run.slot[step] = one ? slotOf(one, data.steps.index[step]) : -1;
    }
    let elements = 0;
    for (const one of run.arrays) {
        one.slots = one.size + one.outside.length;
        one.first = elements;
        elements += one.slots;
        loaded.push(new Int32Array(one.slots).fill(-1));
        stored.push(new Int32Array(one.slots).fill(-1));
    }
    for (let step = 0; step < count; ++step) {
        const slot = run.slot[step];
        if (slot < 0) {
            continue;
        }
        run.loadBefore[step] = loaded[array[step]][slot];
        run.storeBefore[step] = stored[array[step]][slot];
        (what[step] === LOAD ? loaded : stored)[array[step]][slot] = step;
    }
    const first = (step) => run.arrays[array[step]].first;
    const element = run.slot.map((slot, step) => (slot < 0 ? -1 : first(step) + slot));
    run.stepsOfElement = stepsBy(element, elements);
}

/** Returns the first step of each epoch. */
function epochStarts(epoch) {
    const starts = [];
    epoch.forEach((number, step) => {
        while (starts.length <= number) {
            starts.push(step);
        }
    });
    return starts.length ? starts : [0];
}

/** Prepares a run of the contract. */
function makeRun(data) {
    const columns = data.steps;
    const count = columns.thread.length;
    const block = data.blockSize;
    const thread = Int32Array.from(columns.thread);
    const request = Int32Array.from(columns.request);
    const epoch = Int32Array.from(columns.epoch);
    const threads = block[0] * block[1] * block[2];
    const run = {
        data, count, thread, request, epoch, threads,
        what: Uint8Array.from(columns.what),
        line: Int32Array.from(columns.line),
        array: Int32Array.from(columns.array),
        value: columns.value,
        changes: columns.changes,
        arrays: data.arrays.map(makeArray),
        slot: new Int32Array(count).fill(-1),
        loadBefore: new Int32Array(count).fill(-1),
        storeBefore: new Int32Array(count).fill(-1),
        stepsOfThread: stepsBy(thread, threads),
        stepsOfRequest: stepsBy(request, largest(request) + 1),
        starts: epochStarts(epoch),
        threadName: (number) => position(number, block),
    };
    link(run);
    return run;
}

/** Returns the index of the element that a step is about. */
function indexOf(run, step) {
    return run.data.steps.index[step];
}

/** Returns the text of a line of the code, without its margin. */
function lineText(run, line) {
    return (run.data.code[line - 1] ?? "").trim();
}

/** Returns all steps that are about an element. */
function historyOf(run, array, slot) {
    return run.stepsOfElement(run.arrays[array].first + slot);
}
