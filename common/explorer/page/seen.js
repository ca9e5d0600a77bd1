"use strict";

// Draws hidden elements later, so that a leap takes only the time of the visible changes.

const PAUSE = 120; // milliseconds without a step, after which the rest is drawn

/** Returns a function that draws at once if an element is visible or if isMust; else when the steps
    pause, or when the element becomes visible. */
function drawnWhenSeen(element, draw) {
    let isSeen = true, isStale = false, timer = 0;

    function drawNow() {
        clearTimeout(timer);
        isStale = false;
        draw();
    }

    const watch = new IntersectionObserver((changes) => {
        isSeen = changes.at(-1).isIntersecting;
        if (isSeen && isStale) {
            drawNow();
        }
    });
    watch.observe(element);
    return (isMust = false) => {
        if (isSeen || isMust) {
            drawNow();
            return;
        }
        isStale = true;
        clearTimeout(timer);
        timer = setTimeout(drawNow, PAUSE);
    };
}
