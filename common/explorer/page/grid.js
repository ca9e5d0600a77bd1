"use strict";

// An array as a grid of values. A large one shows a window, which follows the steps.

const ROOM = { large: 5, medium: 4, small: 4 }; // characters per value
const WIDTHS = { large: 44, medium: 26, small: 25 }; // pixels of a cell, as in the style

const MAP = 160; // pixels of a map and of the labels beside it
const WINDOW_ROWS = 10; // of an array that is not shown completely

/** Moves the focus between cells with the arrow keys. */
function enableArrows(sheet, cells, columns) {
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns };
    sheet.addEventListener("keydown", (event) => {
        const at = cells.indexOf(event.target);
        const next = cells[at + by[event.key]];
        if (at < 0 || event.shiftKey || !(event.key in by || event.key === "Enter")) {
            return;
        }
        event.preventDefault();
        event.stopPropagation();
        if (event.key === "Enter") {
            event.target.click();
        } else if (next) {
            next.focus();
        }
    });
    sheet.addEventListener("focusin", (event) => {
        if (cells.includes(event.target)) {
            sheet.querySelector("[tabindex='0']")?.setAttribute("tabindex", -1);
            event.target.tabIndex = 0;
        }
    });
}

/** Returns the label of a row: its indices, or its first element if the array has one dimension. */
function rowLabel(array, row) {
    if (array.extents.length < 2) {
        return String(row * array.columns);
    }
    const label = [];
    for (let i = array.extents.length - 2, rest = row; i >= 0; --i) {
        label.unshift(rest % array.extents[i]);
        rest = Math.floor(rest / array.extents[i]);
    }
    return label.join(",");
}

/** Makes the grid of an array with a maximal number of cells and pixels. */
function makeGrid(run, array, budget, width) {
    const size = array.columns <= 8 ? "large" : array.columns <= 16 ? "medium" : "small";
    const isWide = array.columns * WIDTHS[size] + 34 > width;
    const isLarge = isWide || array.size > budget;
    const room = Math.floor((width - (isWide ? MAP : 34)) / WIDTHS[size]);
    const columns = Math.min(array.columns, Math.max(4, room));
    const rows = Math.min(array.rows, isLarge ? WINDOW_ROWS : array.rows);
    const grid = {
        run, array, size, rows, columns,
        left: 0, top: 0,
        windowed: columns < array.columns || rows < array.rows,
        cells: [], // {element, value, thread, slot}
        painted: new Int32Array((rows * columns + array.outside.length) * 4).fill(-2),
        epoch: -1,
    };
    grid.sheet = make("div", {
        role: "grid", class: `sheet ${size}`, "aria-label": array.name,
        "aria-rowcount": array.rows, "aria-colcount": array.columns,
        style: `--columns: ${columns}`,
    });
    grid.heads = addHeads(grid);
    grid.labels = [];
    for (let row = 0; row < rows; ++row) {
        const label = make("span", { role: "rowheader", class: "label" });
        grid.labels.push(label);
        const line = make("div", { role: "row", class: "line" }, label);
        for (let column = 0; column < columns; ++column) {
            line.append(addCell(grid));
        }
        grid.sheet.append(line);
    }
    addOutside(grid);
    const elements = grid.cells.map((cell) => cell.element);
    if (elements.length) {
        elements[0].tabIndex = 0;
    }
    enableArrows(grid.sheet, elements, columns);
    place(grid, 0, 0);
    return grid;
}

/** Adds the row with the numbers of the columns. */
function addHeads(grid) {
    const row = make("div", { role: "row", class: "line" }, make("span", { class: "label" }));
    const heads = Array.from({ length: grid.columns }, () =>
        make("span", { role: "columnheader", class: "head" }),
    );
    row.append(...heads);
    grid.sheet.append(row);
    return heads;
}

/** Makes a cell; its content comes later. */
function addCell(grid) {
    const value = document.createTextNode("");
    const thread = document.createTextNode("");
    const element = make("div", { role: "gridcell", tabindex: -1, class: "cell" }, value);
    if (grid.size === "large") {
        element.append(make("small", {}, thread));
    }
    element.dataset.cell = grid.cells.length;
    grid.cells.push({ element, value, thread, slot: -1 });
    return element;
}

/** Adds the elements outside of the array, each below its number. */
function addOutside(grid) {
    const { array, sheet } = grid;
    if (!array.outside.length) {
        return;
    }
    const row = make("div", { role: "row", class: "outside" });
    row.append(make("span", { role: "rowheader" }, `outside of ${array.name}:`));
    array.outside.forEach((index, i) => {
        const cell = addCell(grid);
        grid.cells.at(-1).slot = array.size + i;
        cell.setAttribute("aria-label", `element ${index}, outside`);
        row.append(make("span", { class: "stray" }, make("span", {}, `${index}`), cell));
    });
    sheet.append(row);
}

/** Moves the window so that its first element is in this row and column. */
function place(grid, top, left) {
    const { array } = grid;
    grid.top = Math.max(0, Math.min(top, array.rows - grid.rows));
    grid.left = Math.max(0, Math.min(left, array.columns - grid.columns));
    grid.heads.forEach((head, i) => (head.textContent = grid.left + i));
    grid.labels.forEach((label, i) => (label.textContent = rowLabel(array, grid.top + i)));
    for (let row = 0, i = 0; row < grid.rows; ++row) {
        for (let column = 0; column < grid.columns; ++column, ++i) {
            const slot = (grid.top + row) * array.columns + grid.left + column;
            grid.cells[i].slot = slot < array.size ? slot : -1;
            grid.cells[i].element.hidden = slot >= array.size;
        }
    }
    grid.painted.fill(-2);
}

/** Moves the window if needed, so that a slot is in it. */
function follow(grid, slot) {
    const { array } = grid;
    if (!grid.windowed || slot >= array.size) {
        return;
    }
    const row = Math.floor(slot / array.columns) - grid.top;
    const column = (slot % array.columns) - grid.left;
    if (row < 0 || row >= grid.rows || column < 0 || column >= grid.columns) {
        const above = row < 0 || row >= grid.rows ? row - (grid.rows >> 1) : 0;
        const beside = column < 0 || column >= grid.columns ? column - (grid.columns >> 1) : 0;
        place(grid, grid.top + above, grid.left + beside);
    }
}

/** Paints the changes since the grid was last painted. */
function paintGrid(grid, state) {
    const { run, array, painted } = grid;
    const stored = state.stored[array.number], loaded = state.loaded[array.number];
    const start = run.starts[epochOf(state)];
    const here = run.array[state.step] === array.number ? run.slot[state.step] : -1;
    for (let i = 0, at = 0; i < grid.cells.length; ++i, at += 4) {
        const slot = grid.cells[i].slot;
        if (slot < 0) {
            continue;
        }
        const store = stored[slot], load = loaded[slot];
        const loader = load >= start ? run.thread[load] : -1;
        const storer = store >= start ? run.thread[store] : -1;
        const flags = (slot === here ? 1 : 0) + (load > store ? 2 : 0);
        if (
            painted[at] !== store || painted[at + 1] !== loader ||
            painted[at + 2] !== storer || painted[at + 3] !== flags
        ) {
            painted[at] = store;
            painted[at + 1] = loader;
            painted[at + 2] = storer;
            painted[at + 3] = flags;
            paintCell(grid, state, grid.cells[i], loader, storer, flags);
        }
    }
}

/** Paints a cell: its value, the threads of this epoch, and whether it is the step's. */
function paintCell(grid, state, cell, loader, storer, flags) {
    const { run, array } = grid;
    const outside = cell.slot >= array.size;
    const value = valueAt(state, array.number, cell.slot);
    const stored = state.stored[array.number][cell.slot], isStored = stored >= 0;
    const fails = run.what[stored] === FAILED;
    const unset = value === null && !isStored && !outside;
    let name = unset ? "cell unset" : "cell";
    if (storer >= 0 && !fails) {
        name += ` stored s${storer % COLOURS}`;
    }
    if (loader >= 0) {
        name += ` loaded l${loader % COLOURS}`;
    }
    if (flags & 1) {
        name += run.what[state.step] === LOAD ? " now now-load" : " now now-store";
    }
    cell.element.className = outside ? `${name} stray-cell` : name;
    cell.value.data = value === null ? (unset ? "" : "?") : shortValue(value, ROOM[grid.size]);
    const last = flags & 2 ? loader : storer;
    const thread = last < 0 ? "" : run.threadName(last).slice(1, -1);
    const deed = flags & 2 ? "ld" : fails ? SIGNS.failed : "st";
    cell.thread.data = thread.length < 1 || thread.length > 3 ? thread : `${deed} ${thread}`;
}
