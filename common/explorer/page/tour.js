"use strict";

// A tour: sentences that lead through the run, each at its step.

/** Makes the tour. moves has visit(step, thread). */
function makeTour(tour, moves) {
    const text = make("p", { class: "tour-text", "aria-live": "polite" });
    const back = make("button", { onclick: () => go(at - 1) }, "back");
    const next = make("button", { onclick: () => go(at + 1) }, "next");
    const panel = make("section", { class: "tour", "aria-label": "tour" }, back, next, text);
    let at = -1;

    function go(to) {
        at = Math.max(0, Math.min(tour.length - 1, to));
        moves.visit(tour[at].step, tour[at].thread);
    }

    /** Shows the sentence, and whether the page is still at its step. */
    function show(step) {
        const here = tour.findIndex((one) => one.step === step);
        if (here >= 0 && tour[at]?.step !== step) {
            at = here;
        }
        const away = at < 0 || tour[at].step !== step;
        const number = `${at + 1} of ${tour.length}: `;
        const words = at < 0 ? "A tour leads through this run." : number + tour[at].text;
        text.textContent = at >= 0 && away ? `${words} (you left it)` : words;
        back.disabled = at <= 0;
        next.disabled = at === tour.length - 1;
    }

    return { panel, show, next: () => go(at + 1), back: () => go(at - 1) };
}
