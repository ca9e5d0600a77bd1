"use strict";

// Time: a bar over all steps, cut at barriers into epochs, and the buttons that move along it.

const MARKS = "blue marks: steps of the thread that is followed; red triangles: findings";
const SPEEDS = [1, 2, 5, 20, 100]; // steps per second

/** Returns the step of a thread that is next in a direction, or the step itself. */
function neighbour(run, thread, step, direction) {
    const steps = run.stepsOfThread(thread);
    const at = direction > 0 ? lowerBound(steps, step + 1) : lowerBound(steps, step) - 1;
    return steps[at] ?? step;
}

/** Returns the first step of the next epoch, or of this one or the one before it. */
function barrier(run, step, direction) {
    const { starts } = run;
    if (direction > 0) {
        return starts.find((start) => start > step) ?? run.count - 1;
    }
    return starts.findLast((start) => start < step) ?? 0;
}

/** Returns the next or the previous of some steps, or the step itself. */
function nextOf(steps, step, direction) {
    const after = (one) => one > step, before = (one) => one < step;
    return (direction > 0 ? steps.find(after) : steps.findLast(before)) ?? step;
}

/** Returns the place of an epoch in words: not as a phase, which is two epochs in the handouts. */
function atBarrier(run, epoch) {
    return epoch ? `after barrier ${epoch}` : run.starts.length > 1 ? "before barrier 1" : "";
}

/** Draws epochs, findings and the steps of the chosen thread, for a width on the screen or paper. */
function drawBar(canvas, run, thread, room) {
    const pixels = (length) => Math.max(1, Math.round(length * devicePixelRatio));
    const width = (canvas.width = pixels(room));
    const height = (canvas.height = pixels(canvas.clientHeight));
    const context = canvas.getContext("2d");
    const style = getComputedStyle(canvas);
    const colour = (name) => style.getPropertyValue(name).trim();
    const x = (step) => (run.count > 1 ? (step / (run.count - 1)) * (width - 4) + 2 : 2);
    context.font = `${Math.round(12 * devicePixelRatio)}px sans-serif`;
    run.starts.forEach((start, epoch) => {
        const from = epoch ? x(start - 0.5) : 0;
        const to = epoch + 1 < run.starts.length ? x(run.starts[epoch + 1] - 0.5) : width;
        context.fillStyle = colour(epoch % 2 ? "--epoch-odd" : "--epoch-even");
        context.fillRect(from, 0, to - from, height);
        context.fillStyle = colour("--line");
        context.fillRect(from, 0, epoch ? 1 : 0, height);
        const wide = to - from > 110 * devicePixelRatio;
        const label = wide ? atBarrier(run, epoch) : String(epoch || "");
        if (context.measureText(label).width < to - from - 6) {
            context.fillStyle = colour("--text");
            context.fillText(label, from + 4, height * 0.42);
        }
    });
    context.fillStyle = colour("--accent");
    for (const step of run.stepsOfThread(thread)) {
        context.fillRect(x(step) - 0.5, height * 0.78, pixels(1), height * 0.22);
    }
    context.fillStyle = colour("--wrong");
    for (const step of findingSteps(run)) {
        const size = 5 * devicePixelRatio;
        context.beginPath();
        context.moveTo(x(step) - size, height * 0.76);
        context.lineTo(x(step) + size, height * 0.76);
        context.lineTo(x(step), height * 0.76 - 1.6 * size);
        context.fill();
    }
}

/** Makes the time bar. moves: {go, ...} by the same names as for the keys. */
function makeTimeline(run, moves) {
    const canvas = make("canvas", { class: "bar", "aria-hidden": "true" });
    const slider = make("input", {
        type: "range", min: 0, max: Math.max(0, run.count - 1), value: 0,
        "aria-label": "step", title: MARKS, oninput: () => moves.go(Number(slider.value)),
    });
    const playing = make("button", { class: "play", onclick: moves.play }, "▶ play");
    const speed = make("select", { "aria-label": "speed" });
    for (const number of SPEEDS) {
        const about = { value: number, selected: number === 5 };
        speed.append(make("option", about, `${number} a second`));
    }
    const button = (sign, words, move) =>
        make("button", { title: words, "aria-label": words, onclick: moves[move] }, sign);
    const where = make("p", { class: "where-now" });
    const findings = findingSteps(run).length > 0;
    const buttons = make(
        "div",
        { class: "buttons", role: "group", "aria-label": "move through time" },
        button("⇤ barrier", "previous barrier", "barrierBack"),
        button("↶ thread", "step back, same thread", "overBack"),
        button("← step", "step back", "back"),
        playing,
        button("step →", "step", "on"),
        button("thread ↷", "step over: the next step of the same thread", "over"),
        button("barrier ⇥", "next barrier", "barrier"),
        findings ? button("finding ▲", "next finding", "finding") : null,
        make("label", { class: "speed" }, "speed ", speed),
        where,
    );
    const panel = make("div", {}, buttons, make("div", { class: "track" }, canvas, slider));
    let drawn = -1;

    /** Draws the bar again, after a change of width, colours or thread. */
    function redraw(width = canvas.clientWidth) {
        drawBar(canvas, run, drawn, width);
    }

    function show(step, thread) {
        slider.value = step;
        const epoch = run.epoch[step] ?? 0;
        slider.setAttribute("aria-valuetext", `step ${step}, ${atBarrier(run, epoch)}`);
        const last = counted(Math.max(0, run.count - 1));
        const barriers = run.starts.length - 1;
        const place = barriers ? `, ${atBarrier(run, epoch)} of ${barriers}` : "";
        where.textContent = `Step ${counted(step)} of ${last}${place}`;
        if (drawn !== thread) {
            drawn = thread;
            later();
        }
    }

    /** Redraws the bar when the steps pause, because it has many marks. */
    let timer = 0;
    function later() {
        clearTimeout(timer);
        timer = setTimeout(() => redraw(), 120);
    }

    const isPlaying = (on) => (playing.textContent = on ? "‖ pause" : "▶ play");
    return { panel, show, redraw, isPlaying, delay: () => 1000 / Number(speed.value) };
}
