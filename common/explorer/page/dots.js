"use strict";

// The threads of a large block in one picture, because elements take a browser ten times as long.

const DOT = { width: 14, height: 12, edge: 3 }; // pixels, as in the style; one pixel between dots

/** Makes the picture. set(thread, state) changes it, show() draws the changes; recolour() uses
    new colours. */
function makeDots(threads, columns) {
    const sharp = Math.ceil(devicePixelRatio); // points per pixel
    const wide = sharp * (DOT.width + 1), high = sharp * (DOT.height + 1);
    const image = new ImageData(columns * wide, Math.ceil(threads / columns) * high);
    const points = new Uint32Array(image.data.buffer);
    const states = new Uint8Array(threads);
    const about = { class: "dots", width: image.width, height: image.height };
    const canvas = make("canvas", { ...about, "aria-hidden": "true" });
    const context = canvas.getContext("2d", { willReadFrequently: true });
    let samples = null; // the points of a thread in each colour and state, one below the other

    /** Draws a thread of a colour in a state. */
    function drawSample(brush, read, colour, state) {
        const isThere = state === RUNS || state === WAITS, fails = STATES[state] === "failed";
        const edge = isThere ? 0 : DOT.edge;
        brush.fillStyle = read(fails ? "--wrong-back" : isThere ? `--c${colour}` : "--panel");
        brush.fillRect(0, 0, DOT.width, DOT.height);
        brush.fillStyle = read(fails ? "--wrong" : `--e${colour}`);
        brush.fillRect(0, 0, DOT.width, edge);
        brush.fillStyle = read(fails ? "--wrong" : "--text");
        brush.fillText(SIGNS[STATES[state]], DOT.width / 2, (DOT.height + edge) / 2);
    }

    function set(thread, state) {
        states[thread] = state;
        if (!samples) {
            return; // the page has no colours yet
        }
        const from = (state * COLOURS + (thread % COLOURS)) * wide * high;
        const row = Math.floor(thread / columns) * high;
        const first = row * image.width + (thread % columns) * wide;
        for (let y = 0; y < high; ++y) {
            const to = first + y * image.width;
            for (let x = 0; x < wide; ++x) {
                points[to + x] = samples[from + y * wide + x];
            }
        }
    }

    function show() {
        context.putImageData(image, 0, 0);
    }

    function recolour() {
        const style = getComputedStyle(document.documentElement);
        const read = (name) => style.getPropertyValue(name).trim();
        const brush = new OffscreenCanvas(wide, high * STATES.length * COLOURS).getContext("2d");
        Object.assign(brush, { textAlign: "center", textBaseline: "middle", font: "9px sans-serif" });
        brush.scale(sharp, sharp);
        for (let i = 0; i < STATES.length * COLOURS; ++i) {
            drawSample(brush, read, i % COLOURS, Math.floor(i / COLOURS));
            brush.translate(0, DOT.height + 1);
        }
        const { width, height } = brush.canvas;
        samples = new Uint32Array(brush.getImageData(0, 0, width, height).data.buffer);
        states.forEach((state, thread) => set(thread, state));
        show();
    }

    return { canvas, set, show, recolour };
}
