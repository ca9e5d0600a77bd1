"use strict";

// All arrays as grids of values; beside a large one a map of it, on which the window is drawn.

const MAP_WIDTH = 100, MAP_HEIGHT = 200; // at most, in pixels
const CELLS = 1700; // of all grids together: more would not be drawn within a step's time

/** Describes an array: "shared, float, 2 x 2". */
function arrayWords(array) {
    return `${array.space}, ${array.type}, ${array.extents.join("\u00a0×\u00a0")}`;
}

/** Makes the map of a large array: a point per element, in the colour of the thread. */
function makeMap(grid, moved) {
    const { run, array } = grid;
    const scale = Math.min(MAP_WIDTH / array.columns, MAP_HEIGHT / array.rows);
    const width = `width: ${Math.max(MAP_WIDTH / 5, scale * array.columns)}px`;
    const canvas = make("canvas", {
        width: array.columns, height: array.rows, class: "map",
        style: `${width}; height: ${scale * array.rows}px`,
    });
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", `map of ${array.name}: what was accessed since the last barrier`);
    const frame = make("span", { class: "map-window" });
    const context = canvas.getContext("2d", { willReadFrequently: true });
    const picture = new Uint32Array(array.size);
    const image = new ImageData(array.columns, array.rows);
    let shown = -1, colours = [];

    /** Reads the colours of the threads from the style. */
    function readColours() {
        const style = getComputedStyle(document.documentElement);
        const colour = (_, i) => style.getPropertyValue(`--e${i}`).trim();
        colours = Array.from({ length: COLOURS }, colour);
        shown = -1;
    }

    /** Draws the last access of each element in the epoch. */
    function drawEpoch(state) {
        const packed = colours.map((text) => {
            const [r, g, b] = [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16));
            return (255 << 24) | (b << 16) | (g << 8) | r;
        });
        const loaded = state.loaded[array.number], stored = state.stored[array.number];
        const start = run.starts[epochOf(state)];
        for (let slot = 0; slot < array.size; ++slot) {
            const last = Math.max(loaded[slot], stored[slot]);
            picture[slot] = last < start ? 0 : packed[run.thread[last] % COLOURS];
        }
        new Uint32Array(image.data.buffer).set(picture);
        context.putImageData(image, 0, 0);
    }

    /** Draws the access of one step. */
    function drawStep(step) {
        const slot = run.slot[step];
        if (run.array[step] === array.number && slot < array.size) {
            context.fillStyle = colours[run.thread[step] % COLOURS];
            context.fillRect(slot % array.columns, Math.floor(slot / array.columns), 1, 1);
        }
    }

    function show(state) {
        const { step } = state;
        if (step === shown + 1 && run.epoch[step] === run.epoch[shown]) {
            drawStep(step);
        } else if (step !== shown) {
            drawEpoch(state);
        }
        shown = step;
        const part = (number, all) => `${(100 * number) / all}%`;
        frame.style.left = part(grid.left, array.columns);
        frame.style.top = part(grid.top, array.rows);
        frame.style.width = part(grid.columns, array.columns);
        frame.style.height = part(grid.rows, array.rows);
    }

    const box = make("div", { class: "map-box" }, canvas, frame);
    box.addEventListener("click", (event) => {
        const { left, top, width, height } = canvas.getBoundingClientRect();
        const row = Math.floor(((event.clientY - top) / height) * array.rows);
        const column = Math.floor(((event.clientX - left) / width) * array.columns);
        place(grid, row - (grid.rows >> 1), column - (grid.columns >> 1));
        moved();
    });
    readColours();
    return { box, show, readColours };
}

/** Makes the buttons that move the window of a large array. */
function windowButtons(grid, moved) {
    const button = (sign, words, rows, columns) =>
        make(
            "button",
            {
                "aria-label": `${grid.array.name}: ${words}`,
                title: words,
                onclick: () => {
                    place(grid, grid.top + rows * grid.rows, grid.left + columns * grid.columns);
                    moved();
                },
            },
            sign,
        );
    return make(
        "span",
        { class: "window-buttons" },
        button("←", "window to the left", 0, -1),
        button("→", "window to the right", 0, 1),
        button("↑", "window up", -1, 0),
        button("↓", "window down", 1, 0),
    );
}

/** Makes the legend: what hatches, fills, stripes and frames mean. */
function memoryLegend() {
    const item = (name, words) =>
        make("span", { class: "key" }, make("span", { class: `cell sample ${name}` }), words);
    return make(
        "p",
        { class: "legend" },
        item("unset", "unset"),
        item("stored s0", "stored since the last barrier"),
        item("loaded l0", "loaded since the last barrier"),
        item("now", "this step (dashed: a load)"),
        "Colour: the thread, by its number % 8. Values are rounded to fit.",
    );
}

/** Makes the panel of the memory. pick(array, slot, lasting) gets the chosen element. */
function makeMemory(run, pick) {
    const body = make("div", { class: "arrays" });
    const panel = makePanel("memory-panel", "Memory", body, memoryLegend());
    let grids = [], maps = [], draws = [], state = null;

    /** Draws each array that can be seen, or that must be drawn. */
    function paint(mustDraw) {
        draws.forEach((draw, array) => draw(mustDraw(array)));
    }

    const paintAll = () => paint(() => true);

    /** Picks the element below a pointer or a focus. */
    function pickBelow(event, grid, lasting) {
        const cell = event.target.closest?.("[data-cell]");
        if (cell) {
            pick(grid.array.number, grid.cells[cell.dataset.cell].slot, lasting);
        }
    }

    /** Makes the part of an array. */
    function part(array, width) {
        const grid = makeGrid(run, array, CELLS / run.arrays.length, width);
        grid.sheet.addEventListener("mouseover", (event) => pickBelow(event, grid, false));
        grid.sheet.addEventListener("mouseleave", () => pick(-1, -1, false));
        grid.sheet.addEventListener("focusin", (event) => pickBelow(event, grid, true));
        const title = make("h3", {}, array.name, make("small", {}, ` ${arrayWords(array)}`));
        const whole = make("section", { class: "array", "data-array": array.name }, title);
        const map = grid.windowed ? makeMap(grid, () => draw(true)) : null;
        const draw = drawnWhenSeen(whole, () => {
            paintGrid(grid, state);
            map?.show(state);
        });
        if (map) {
            maps.push(map);
            title.append(windowButtons(grid, () => draw(true)));
            whole.append(make("div", { class: "with-map" }, grid.sheet, map.box));
        } else {
            whole.append(grid.sheet);
        }
        grids.push(grid);
        draws.push(draw);
        return whole;
    }

    /** Makes all grids again for a width: that of the panel if none is given. */
    function build(width = body.clientWidth || 480) {
        grids = [];
        maps = [];
        draws = [];
        body.replaceChildren(...run.arrays.map((array) => part(array, width)));
        if (state) {
            paintAll();
        }
    }

    /** Scrolls the panel if needed, so that the element of the step can be seen. */
    function reveal() {
        const cell = grids[run.array[state.step]]?.sheet.querySelector(".cell.now");
        if (cell) {
            const box = cell.getBoundingClientRect(), room = panel.getBoundingClientRect();
            if (box.top < room.top + 4 || box.bottom > room.bottom - 4) {
                panel.scrollTop += box.top - room.top - room.height / 2;
            }
        }
    }

    function show(now) {
        state = now;
        if (!grids.length) {
            build();
        }
        const array = run.array[now.step];
        if (grids[array]) {
            follow(grids[array], run.slot[now.step]);
        }
        paint((one) => one === array);
        requestAnimationFrame(reveal);
    }

    const recolour = () => {
        maps.forEach((map) => map.readColours());
        paintAll();
    };
    return { panel, show, build, recolour, paintAll };
}
