"use strict";

// The threads of the block, each with what it does; choosing one follows it.

const SIGNS = { "not begun": "·", runs: "▶", waits: "‖", returned: "✓", failed: "✗" };

/** Returns the layout of the threads: that of the block, in rows of at most 32. */
function layout(run) {
    const columns = Math.min(run.data.blockSize[0], 32);
    const size = columns <= 8 && run.threads <= 64 ? "large" : columns <= 16 ? "medium" : "small";
    return { columns, size };
}

/** Returns the lines at which threads wait, as words: "3 wait at line 36". */
function waiting(state) {
    const lines = new Map();
    for (let thread = 0; thread < state.run.threads; ++thread) {
        if (stateNumber(state, thread) === WAITS) {
            const line = state.run.line[state.last[thread]];
            lines.set(line, (lines.get(line) ?? 0) + 1);
        }
    }
    return [...lines].map(([line, number]) => `${SIGNS.waits} ${number} at ${lineName(line)}`);
}

/** Makes the label of a row in which a warp begins. */
function warpLabel(first, columns) {
    const last = (first + columns - 1) >> 5; // the warp of the row's last thread
    const begins = first % 32 === 0 || first >> 5 !== last;
    return make("span", { class: "warp", title: `warp ${last}` }, begins ? `w${last}` : "");
}

/** Makes the panel of the threads; pick(thread) is called when one is chosen. */
function makeThreads(run, pick) {
    const { columns, size } = layout(run);
    const states = new Uint8Array(run.threads);
    const counts = new Int32Array(STATES.length);
    const cells = [], rows = [];
    const names = Array.from(states, (_, thread) => run.threadName(thread));
    const dots = size === "small" ? makeDots(run.threads, columns) : null;
    let now = -1, chosen = -1;

    /** Puts the state of a thread into its cell. */
    function paint(thread) {
        const name = STATES[states[thread]];
        const cell = cells[thread];
        const marks = (thread === now ? " now" : "") + (thread === chosen ? " chosen" : "");
        cell.ariaSelected = thread === chosen;
        cell.ariaLabel = `thread ${names[thread]}: ${name}`;
        if (dots) {
            dots.set(thread, states[thread]);
            cell.className = `thread${marks}`;
        } else {
            cell.className = `thread c${thread % COLOURS} ${name.replace(" ", "-")}${marks}`;
            cell.firstChild.data = SIGNS[name];
        }
    }

    for (let first = 0; first < run.threads; first += columns) {
        const row = make("div", { role: "row", class: "thread-row" });
        row.append(warpLabel(first, columns));
        for (let thread = first; thread < Math.min(first + columns, run.threads); ++thread) {
            const about = { role: "gridcell", tabindex: -1, "data-thread": thread };
            const cell = make("div", about, dots ? "" : "·");
            if (size === "large") {
                cell.append(make("small", {}, names[thread]));
            }
            cells.push(cell);
            row.append(cell);
            paint(thread);
        }
        rows.push(row);
    }
    cells[0].tabIndex = 0;
    counts[0] = run.threads;

    const sheet = make("div", {
        role: "grid", class: `sheet threads ${size}`, "aria-label": "threads",
        style: `--columns: ${columns}`,
    });
    sheet.append(...(dots ? [dots.canvas] : []), ...rows);
    sheet.addEventListener("click", (event) => {
        const cell = event.target.closest("[data-thread]");
        if (cell) {
            pick(Number(cell.dataset.thread));
        }
    });
    enableArrows(sheet, cells, columns);
    const legend = make("p", { class: "legend states" });
    const panel = makePanel("threads-panel", "Threads", legend, sheet);

    let state = null, followed = -1;

    /** Paints the changes since it was last painted. */
    function draw() {
        const dirty = new Set([now, chosen]);
        now = run.thread[state.step] ?? -1;
        chosen = followed;
        dirty.add(now).add(chosen).delete(-1);
        for (let one = 0; one < run.threads; ++one) {
            const code = stateNumber(state, one);
            if (code !== states[one]) {
                --counts[states[one]];
                ++counts[code];
                states[one] = code;
                dirty.add(one);
            }
        }
        dirty.forEach(paint);
        dots?.show();
        const there = STATES.map((name, i) => [name, counts[i]]).filter(([, number]) => number > 0);
        const word = ([name, number]) => `${SIGNS[name]} ${number} ${plural(name, number)}`;
        legend.textContent = there.map(word).join(", ");
        const lines = waiting(state);
        if (lines.length > 1) {
            legend.append(make("strong", {}, ` Not at one barrier: ${lines.join(", ")}.`));
        }
    }

    const drawSeen = drawnWhenSeen(panel, draw);

    function show(shown, thread) {
        state = shown;
        followed = thread;
        drawSeen();
    }

    return { panel, show, drawNow: () => drawSeen(true), recolour: () => dots?.recolour() };
}

/** Returns the words for a number of threads in a state. */
function plural(name, number) {
    if (number === 1) {
        return name;
    }
    return { runs: "run", waits: "wait" }[name] ?? name;
}
