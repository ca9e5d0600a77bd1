"use strict";

// The page: reads its data, makes its parts, and moves them from step to step.

const PAPER = 680; // pixels of a line on A4 or letter, between usual margins

/** Returns {step, thread} from the link; null for a part that it does not name. */
function asked() {
    const words = new URLSearchParams(location.hash.slice(1));
    const number = (name) => (/^\d+$/.test(words.get(name) ?? "") ? Number(words.get(name)) : null);
    return { step: number("step"), thread: number("thread") };
}

/** Makes the head of the page: what ran, and the buttons for colours and keys. */
function makeTop(run, moves) {
    const { kernel, caption, test } = run.data;
    document.title = `${kernel}, step by step`;
    const words = test ? `${caption}; the launch of the test "${test}"` : caption;
    return [
        make("h1", {}, kernel),
        make("p", { class: "caption" }, words),
        make("button", { class: "theme", onclick: moves.theme }, "dark"),
        make("button", { class: "keys-button", onclick: moves.help }, "keys ?"),
    ];
}

/** Makes the player: it calls next repeatedly, and told with whether it plays. */
function makePlayer(next, delay, told) {
    let timer = 0;

    function tick() {
        timer = setTimeout(tick, delay());
        next();
    }

    function begin() {
        told(true);
        timer = setTimeout(tick, delay());
    }

    function stop() {
        clearTimeout(timer);
        timer = 0;
        told(false);
    }

    return { begin, stop, isPlaying: () => timer !== 0 };
}

/** Makes the function that writes a state into the address, not more often than browsers allow. */
function makeLink() {
    let timer = 0;
    return (step, thread) => {
        clearTimeout(timer);
        timer = setTimeout(() => {
            const words = thread === null ? "" : `&thread=${thread}`;
            history.replaceState(null, "", `#step=${step}${words}`);
        }, 150);
    };
}

/** Calls a function after the window's size has changed. */
function whenResized(call) {
    let timer = 0;
    window.addEventListener("resize", () => {
        clearTimeout(timer);
        timer = setTimeout(call, 150);
    });
}

/** Starts the page. */
function start(data) {
    const runs = data.runs.map(makeRun);
    const run = runs[0], last = run.count - 1;
    const help = document.getElementById("help");
    const found = findingSteps(run);
    const link = makeLink();
    let step = 0, pinned = null;

    /** Returns the thread that is followed: the chosen one, else that of the step. */
    const thread = () => pinned ?? run.thread[step] ?? 0;

    /** Shows the step everywhere. */
    function show() {
        views.forEach((view, i) => {
            const own = i === 0 ? step : paired(run, runs[i], step);
            const followed = pinned !== null && pinned < runs[i].threads ? pinned : null;
            view.show(own, followed ?? runs[i].thread[own] ?? 0);
        });
        timeline.show(step, thread());
        tour?.show(step);
        release.hidden = pinned === null;
        release.textContent = `follows thread ${run.threadName(thread())}: let it go`;
        link(step, pinned);
    }

    /** Goes to a step, or to the nearest one of the run. */
    function go(to) {
        step = Math.max(0, Math.min(last, to));
        show();
        if (step === last) {
            player.stop();
        }
    }

    /** Follows a thread, or the thread of each step again. */
    function pin(one) {
        pinned = one === pinned ? null : one;
        show();
    }

    /** Changes to light or to dark. */
    function setTheme(name) {
        document.documentElement.dataset.theme = name;
        document.querySelector("button.theme").textContent = name === "dark" ? "light" : "dark";
        views.forEach((view) => view.recolour());
        timeline.redraw();
    }

    const halted = (move) => () => {
        player.stop();
        move();
    };
    const moves = {
        go,
        pin,
        visit: (to, one) => {
            pinned = one ?? null;
            go(to);
        },
        on: halted(() => go(step + 1)),
        back: halted(() => go(step - 1)),
        over: halted(() => go(neighbour(run, thread(), step, 1))),
        overBack: halted(() => go(neighbour(run, thread(), step, -1))),
        barrier: halted(() => go(barrier(run, step, 1))),
        barrierBack: halted(() => go(barrier(run, step, -1))),
        finding: halted(() => go(nextOf(found, step, 1))),
        findingBack: halted(() => go(nextOf(found, step, -1))),
        first: halted(() => go(0)),
        last: halted(() => go(last)),
        play: () => {
            if (player.isPlaying()) {
                player.stop();
                return;
            }
            if (step === last) {
                go(0);
            }
            player.begin();
        },
        tourNext: () => tour?.next(),
        tourBack: () => tour?.back(),
        release: () => {
            pinned = null;
            views.forEach((view) => view.release());
            show();
        },
        drawAll: () => views.forEach((view) => view.drawAll()),
        theme: () => setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"),
        help: () => help.showModal(),
    };

    const timeline = makeTimeline(run, moves);
    const player = makePlayer(() => go(step + 1), timeline.delay, timeline.isPlaying);
    const tour = data.tour.length ? makeTour(data.tour, moves) : null;
    const release = make("button", { class: "release", onclick: moves.release });
    const views = runs.map((one, i) =>
        makeView(one, { pin, go: (to) => go(i === 0 ? to : paired(one, run, to)) }),
    );
    document.getElementById("top").append(...makeTop(run, moves));
    document.getElementById("time").append(timeline.panel);
    timeline.panel.querySelector(".buttons").append(release);
    if (tour) {
        document.getElementById("time").append(tour.panel);
    }
    if (runs.length > 1) {
        document.getElementById("runs").append(makeBeside(...runs));
        document.body.classList.add("two");
    }
    document.getElementById("runs").append(...views.map((view) => view.root));
    fillHelp(help);
    listen(moves);

    const dark = matchMedia("(prefers-color-scheme: dark)");
    const takeTheme = () => setTheme(dark.matches ? "dark" : "light");
    takeTheme();
    dark.addEventListener("change", takeTheme);
    window.addEventListener("hashchange", () => moves.visit(asked().step ?? step, asked().thread));
    const fit = (panel, bar) => {
        views.forEach((view) => {
            view.build(panel);
            view.drawAll();
        });
        timeline.redraw(bar);
    };
    whenResized(() => fit());
    let onScreen = ""; // the theme on the screen; a dark one would be dark on paper
    window.addEventListener("beforeprint", () => {
        onScreen = document.documentElement.dataset.theme;
        setTheme("light");
        fit(PAPER - 24, PAPER);
    });
    window.addEventListener("afterprint", () => {
        setTheme(onScreen);
        fit();
    });

    const wanted = asked();
    pinned = wanted.thread !== null && wanted.thread < run.threads ? wanted.thread : null;
    go(wanted.step ?? data.begin);
    timeline.redraw();
    return moves;
}

/** Returns the page's data: compressed JSON in letters. */
function unpack() {
    const letters = atob(document.getElementById("data").textContent);
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const whole = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(whole).json();
}

let moves = null;
if (window.DecompressionStream) {
    unpack().then((data) => (moves = start(data)));
} else {
    document.body.textContent = "This page needs a browser of 2023 or newer.";
}
