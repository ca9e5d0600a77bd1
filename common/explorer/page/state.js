"use strict";

// Memory and threads at any step. Going from one step to another does or undoes each step between
// them. That takes a store or two of numbers per step, so no copies of the memory are needed.

/** Makes the state before the first step. */
function makeState(run) {
    const empty = () => run.arrays.map((array) => new Int32Array(array.slots).fill(-1));
    return {
        run,
        step: -1,
        loaded: empty(), // the step that last loaded, by array and slot
        stored: empty(), // the step that last stored
        last: new Int32Array(run.threads).fill(-1), // a thread's last step
        before: beforeInThread(run),
    };
}

/** Returns, for each step, the one before it of its thread. */
function beforeInThread(run) {
    const last = new Int32Array(run.threads).fill(-1);
    return run.thread.map((thread, step) => {
        const before = last[thread];
        last[thread] = step;
        return before;
    });
}

/** Returns the array in which a step records that it was the last at its element. */
function notes(state, step) {
    const { what, array } = state.run;
    return (what[step] === LOAD ? state.loaded : state.stored)[array[step]];
}

/** Moves the state after a step. */
function moveTo(state, target) {
    const { run, last, before } = state;
    while (state.step < target) {
        const step = ++state.step;
        last[run.thread[step]] = step;
        if (run.slot[step] >= 0) {
            notes(state, step)[run.slot[step]] = step;
        }
    }
    while (state.step > target) {
        const step = state.step--;
        last[run.thread[step]] = before[step];
        if (run.slot[step] >= 0) {
            const by = run.what[step] === LOAD ? run.loadBefore : run.storeBefore;
            notes(state, step)[run.slot[step]] = by[step];
        }
    }
}

/** Returns the value of an element; null: unset or not known. */
function valueAt(state, array, slot) {
    const step = state.stored[array][slot];
    return step >= 0 ? state.run.value[step] : (state.run.arrays[array].before[slot] ?? null);
}

/** Returns the epoch of the state. */
function epochOf(state) {
    return state.run.epoch[state.step] ?? 0;
}

const STATES = ["not begun", "runs", "waits", "returned", "failed"];
const NOT_BEGUN = 0, RUNS = 1, WAITS = 2, GONE = 3; // GONE: returned, or failed

/** Returns what a thread does, as a number of STATES. */
function stateNumber(state, thread) {
    const step = state.last[thread];
    if (step < 0) {
        return NOT_BEGUN;
    }
    const what = state.run.what[step];
    if (what === BARRIER) {
        return state.run.epoch[step] === epochOf(state) ? WAITS : RUNS;
    }
    return what < BARRIER ? RUNS : what - RETURNED + GONE;
}

/** Returns what a thread does: "not begun", "runs", "waits", "returned" or "failed". */
function threadState(state, thread) {
    return STATES[stateNumber(state, thread)];
}

/** Returns a thread's variables after a step: Map of variable to {value, step that changed it}. */
function variablesAt(run, thread, target) {
    const found = new Map();
    for (const step of run.stepsOfThread(thread)) {
        if (step > target) {
            break;
        }
        const changes = run.changes[step];
        for (let i = 0; changes && i < changes.length; i += 2) {
            if (changes[i + 1] === null) {
                found.delete(changes[i]);
            } else {
                found.set(changes[i], { value: changes[i + 1], step });
            }
        }
    }
    return found;
}
