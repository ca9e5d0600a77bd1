"use strict";

// All panels of one run.

/** Returns the modelled time on a card, or why it is missing; null if the launch did not end. */
function makeModelled(modelled) {
    if (!modelled) {
        return null;
    }
    if (modelled.missing) {
        return make("p", { class: "modelled" }, modelled.missing);
    }
    const microseconds = modelled.nanoseconds / 1000;
    const digits = microseconds < 1000 ? 1 : 0;
    const rounded = { minimumFractionDigits: digits, maximumFractionDigits: digits };
    const time = microseconds.toLocaleString("en-US", rounded);
    const words = `${modelled.card}: ${time} us, limited by ${modelled.limitedBy}.`;
    return make("p", { class: "modelled" }, `The launch is modelled on ${words}`);
}

/** Makes the panel that says which blocks ran, and which of them is shown. */
function makeBlocks(run) {
    const { grid, block, blocks, left, modelled } = run.data;
    const shown = (extents, sign) => extents.slice(0, grid[2] > 1 ? 3 : 2).join(sign);
    const words = `Block (${shown(block, ",")}) of a grid of ${shown(grid, " × ")} is shown.`;
    const rows = blocks.map(({ block, steps, loads, stores }) => [
        `(${block.join(",")})`,
        ...[steps, loads, stores].map(counted),
    ]);
    const table = makeTable(["block", "steps", "loads", "stores"], rows);
    const total = grid.reduce((product, extent) => product * extent);
    const some = `${blocks.length} of ${several(total, "block")} are recorded`;
    const which = blocks.length < total ? some : `all ${several(total, "block")}`;
    const summary = make("summary", {}, which);
    const all = rows.length > 1 ? make("details", {}, summary, table) : null;
    const limits = left ? make("p", { class: "left" }, left) : null;
    const said = [make("p", {}, words), makeModelled(modelled), limits];
    return makePanel("blocks-panel", "Blocks", ...said, all);
}

/** Makes the view of a run. moves has go(step) and pin(thread), for this run's steps. */
function makeView(run, moves) {
    const state = makeState(run);
    const code = makeCode(run);
    const threads = makeThreads(run, moves.pin);
    const variables = makeVariables(run);
    const memory = makeMemory(run, pick);
    const request = makeRequest(run);
    const element = makeElement(run, moves.go);
    const findings = makeFindings(run, moves.go);
    const said = make("p", { class: "said", "aria-live": "polite" });
    const small = run.threads <= 64;
    const upper = small ? [threads.panel, variables.panel] : [variables.panel, threads.panel];
    let hovered = null, picked = null;

    /** Shows the history of the element below the pointer, of the focus, or of the step. */
    function showElement() {
        const { step } = state;
        const [array, slot] = hovered ?? picked ?? [run.array[step] ?? -1, run.slot[step] ?? -1];
        element.show(state, array, slot);
    }

    /** Sets the chosen element: a lasting one, or the one below the pointer. */
    function pick(array, slot, lasting) {
        const one = array >= 0 && slot >= 0 ? [array, slot] : null;
        if (lasting) {
            picked = one;
        } else {
            hovered = one;
        }
        showElement();
    }

    function show(step, thread) {
        const line = run.line[step] ?? 0;
        moveTo(state, step);
        said.textContent = sentence(run, step);
        code.show(line, run.line[state.last[thread]] ?? 0);
        memory.show(state);
        threads.show(state, thread);
        variables.show(state, thread);
        request.show(step);
        findings.show(step);
        showElement();
    }

    const root = make(
        "article",
        { class: "view", "aria-label": run.data.file },
        make("p", { class: "run-caption" }, run.data.caption),
        said,
        make(
            "div",
            { class: "columns" },
            make("div", { class: "column" }, code.panel, findings.panel, makeBlocks(run)),
            make("div", { class: "column wide" }, memory.panel, request.panel),
            make(
                "div",
                { class: "column split" },
                make("div", { class: "upper" }, ...upper),
                element.panel,
            ),
        ),
    );
    return {
        root, show,
        build: (width) => {
            memory.build(width);
            code.reveal();
        },
        drawAll: () => {
            memory.paintAll();
            threads.drawNow();
        },
        recolour: () => {
            memory.recolour();
            threads.recolour();
        },
        release: () => pick(-1, -1, true),
    };
}
