"use strict";

// Keys, each with the move that it makes; "?" lists them.

const KEYS = [
    ["→", "on", "step", ["ArrowRight", "."]],
    ["←", "back", "step back", ["ArrowLeft", ","]],
    ["Shift →", "over", "step over: the next step of the same thread", ["Shift+ArrowRight", ">"]],
    ["Shift ←", "overBack", "the step before of the same thread", ["Shift+ArrowLeft", "<"]],
    ["Page down", "barrier", "next barrier", ["PageDown", "]"]],
    ["Page up", "barrierBack", "previous barrier", ["PageUp", "["]],
    ["f", "finding", "next finding", ["f"]],
    ["F", "findingBack", "previous finding", ["Shift+F", "F"]],
    ["Home", "first", "first step", ["Home"]],
    ["End", "last", "last step", ["End"]],
    ["p", "play", "play, pause", ["p"]],
    ["n", "tourNext", "tour: next", ["n"]],
    ["b", "tourBack", "tour: back", ["b"]],
    ["t", "release", "follow the thread of each step again", ["t", "Escape"]],
    ["d", "theme", "dark or light", ["d"]],
    ["?", "help", "this list", ["?", "Shift+?"]],
];

/** Makes the list of the keys. */
function keysTable() {
    const rows = KEYS.map(([key, , words]) =>
        make("tr", {}, make("th", { scope: "row" }, make("kbd", {}, key)), make("td", {}, words)),
    );
    return make("table", { class: "keys" }, make("tbody", {}, ...rows));
}

/** Fills the dialog with the keys. */
function fillHelp(dialog) {
    const more =
        "Tab leads to threads, arrays and findings; arrow keys move between threads and " +
        "between elements. There , and . step. Enter chooses a thread, t lets it go. " +
        `On the bar of time, ${MARKS}.`;
    const close = make("button", { onclick: () => dialog.close() }, "close");
    dialog.append(make("h2", {}, "Keys"), keysTable(), make("p", {}, more), close);
}

/** Makes keys move. */
function listen(moves) {
    const moveOf = new Map(KEYS.flatMap(([, move, , keys]) => keys.map((key) => [key, move])));
    document.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT") {
            return;
        }
        const shifted = event.shiftKey ? `Shift+${event.key}` : event.key;
        const move = moveOf.get(shifted) ?? moveOf.get(event.key);
        if (!move || document.querySelector("dialog[open]")) {
            return;
        }
        event.preventDefault();
        moves[move]();
    });
}
