"use strict";

// The history of one element: which threads loaded and stored it, at which line and step.

const SHOWN = 24; // steps of a history that are listed, around the one of the page

/** Makes a button that leads to a step. */
function stepButton(run, step, go, words) {
    return make("button", { class: "step", "data-step": step, onclick: () => go(step) }, words);
}

/** Makes the panel of the element; show(state, array, slot, why). */
function makeElement(run, go) {
    const title = make("p", { class: "element-name" });
    const list = make("ol", { class: "history" });
    const panel = makePanel("element-panel", "Element", title, list);
    let steps = [], known = "";

    /** Makes the line of a step of the history. */
    function line(step, now) {
        const name = run.threadName(run.thread[step]);
        const what = run.what[step];
        const words = what === FAILED ? "fails" : `${WHAT[what]} ${valueWords(run, step)}`;
        const when = step > now ? "later" : step === now ? "current" : "";
        return make(
            "li",
            { class: when, "aria-current": step === now ? "step" : null },
            stepButton(run, step, go, `step ${step}`),
            ` thread ${name}: ${words}, ${lineName(run.line[step])}`,
        );
    }

    function show(state, array, slot) {
        if (array < 0 || slot < 0) {
            title.textContent = "This step is about no element. Point at one to see its history.";
            list.replaceChildren();
            known = "";
            return;
        }
        if (known !== `${array} ${slot}`) {
            known = `${array} ${slot}`;
            steps = historyOf(run, array, slot);
        }
        const one = run.arrays[array];
        const index = slot < one.size ? slot : one.outside[slot - one.size];
        const value = valueAt(state, array, slot);
        const isKnown = value !== null || (slot < one.size && state.stored[array][slot] < 0);
        const words = isKnown ? valueText(value) : "not known";
        title.textContent = `${elementName(one, index)}: ${words}`;
        const middle = lowerBound(steps, state.step);
        const first = Math.max(0, Math.min(middle - SHOWN / 2, steps.length - SHOWN));
        const shown = [...steps.slice(first, first + SHOWN)];
        const rows = shown.map((step) => line(step, state.step));
        if (first > 0) {
            rows.unshift(make("li", { class: "more" }, `${first} steps before these`));
        }
        const after = steps.length - first - shown.length;
        if (after > 0) {
            rows.push(make("li", { class: "more" }, `${after} steps after these`));
        }
        if (!steps.length) {
            rows.push(make("li", { class: "more" }, "No step of this block is about it."));
        }
        list.replaceChildren(...rows);
        requestAnimationFrame(reveal);
    }

    /** Scrolls the list so that the line of the page's step can be seen. */
    function reveal() {
        const row = list.querySelector(".current");
        list.scrollTop = row ? row.offsetTop - list.clientHeight / 2 : 0;
    }

    return { panel, show };
}
