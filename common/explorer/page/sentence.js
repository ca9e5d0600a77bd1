"use strict";

// What a step does, in words.

/** Returns the value of a step in words: null means unset if no thread has stored yet. */
function valueWords(run, step) {
    const array = run.arrays[run.array[step]];
    const isInside = array && run.slot[step] < array.size;
    const isUnset = run.what[step] === LOAD && isInside && run.storeBefore[step] < 0;
    return run.value[step] === null && !isUnset ? "not known" : valueText(run.value[step]);
}

/** Returns what a step does, without its thread: "stores 3.5 in Mds[0][1]". */
function deed(run, step) {
    const array = run.arrays[run.array[step]];
    const place = array ? elementName(array, indexOf(run, step)) : "memory";
    const value = valueWords(run, step);
    switch (run.what[step]) {
        case LOAD:
            return run.value[step] === null
                ? `loads ${place}, which is ${value}`
                : `loads ${value} from ${place}`;
        case STORE:
            return `stores ${value} in ${place}`;
        case ATOMIC:
            return `leaves ${value} in ${place}, atomically`;
        case BARRIER:
            return "reaches the barrier";
        case RETURNED:
            return "returns";
        default:
            return "fails";
    }
}

/** Returns "line 31", or the place of a step that is in no line of the file. */
function lineName(line) {
    return line > 0 ? `line ${line}` : "another file";
}

/** Returns the place of a step, as the end of a sentence; "" for a return, which is in no line. */
function placeWords(run, step) {
    const isNowhere = run.what[step] === RETURNED && run.line[step] <= 0;
    return isNowhere ? "" : `, ${lineName(run.line[step])}`;
}

/** Returns a step's sentence: "Thread (1,0) stores 3.5 in Mds[0][1], line 31." */
function sentence(run, step) {
    if (step < 0 || step >= run.count) {
        return "Nothing ran.";
    }
    const name = run.threadName(run.thread[step]);
    return `Thread ${name} ${deed(run, step)}${placeWords(run, step)}.`;
}
