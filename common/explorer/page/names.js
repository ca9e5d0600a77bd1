"use strict";

// The words and the HTML elements of the page.

const WHAT = ["load", "store", "atomic", "barrier", "returned", "failed"];
const LOAD = 0, STORE = 1, ATOMIC = 2, BARRIER = 3, RETURNED = 4, FAILED = 5;
const COLOURS = 8; // of threads; a thread has that of its number % 8

/** Makes an element; attributes that begin with "on" are listeners. */
function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (name.startsWith("on")) {
            element.addEventListener(name.slice(2), value);
        } else if (value === true) {
            element.setAttribute(name, "");
        } else if (value !== false && value !== null) {
            element.setAttribute(name, value);
        }
    }
    element.append(...children.filter((child) => child !== null));
    return element;
}

/** Makes a panel with a heading, then its content. */
function makePanel(name, title, ...children) {
    const heading = make("h2", {}, title);
    return make("section", { class: `panel ${name}`, "aria-label": title }, heading, ...children);
}

/** Makes a table of texts; the first of a row is its head. */
function makeTable(heads, rows) {
    const head = heads.map((text) => make("th", { scope: "col" }, text));
    const body = rows.map(([first, ...rest]) => {
        const cells = rest.map((text) => make("td", {}, text));
        return make("tr", {}, make("th", { scope: "row" }, first), ...cells);
    });
    const top = make("thead", {}, make("tr", {}, ...head));
    return make("table", {}, top, make("tbody", {}, ...body));
}

/** Returns a number with commas: 2,097,152. */
function counted(number) {
    return Number(number).toLocaleString("en-US");
}

/** Returns "1 load" or "2 loads". */
function several(number, word) {
    const plural = word.endsWith("s") ? `${word}es` : `${word}s`;
    return `${counted(number)} ${number === 1 ? word : plural}`;
}

/** Returns a position in a grid or a block: "(1,0)". */
function position(number, extents) {
    const [x, y, z] = extents;
    const all = [number % x, Math.floor(number / x) % y, Math.floor(number / x / y)];
    return `(${all.slice(0, z > 1 ? 3 : y > 1 ? 2 : 1).join(",")})`;
}

/** Returns the words for a value; null is unset or unknown. */
function valueText(value) {
    return value === null || value === undefined ? "unset" : String(value);
}

/** Returns a value in at most so many characters, "…" if it needs more. */
function shortValue(value, room) {
    const whole = valueText(value);
    if (whole.length <= room) {
        return whole;
    }
    for (let digits = typeof value === "number" ? room : 0; digits > 0; --digits) {
        const text = String(Number(value.toPrecision(digits))).replace(/^(-?)0\./, "$1.");
        if (text.length <= room) {
            return text.replace("e+", "e");
        }
    }
    const thousands = typeof value === "number" ? `${Math.round(value / 1000)}k` : "…";
    return thousands.length <= room && Math.abs(value) >= 1000 ? thousands : "…";
}
