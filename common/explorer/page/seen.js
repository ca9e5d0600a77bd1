"use strict";

// What cannot be seen waits, so that a leap takes no longer than what it changes in sight.

const PAUSE = 120; // milliseconds without a step, after which the rest is drawn

/** Returns what draws at once where an element can be seen or it is a must; else when the steps
    pause, or the element comes into sight. */
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
