"use strict";

// A warp's request: its 32 lanes, and the sectors, banks or addresses that they access.

const SECTOR = 32, BANKS = 32, WORD = 4, LANES = 32; // bytes, banks, bytes, threads
const PICTURE = 512; // width of the drawing
const SVG = "http://www.w3.org/2000/svg";

/** Makes an element of a drawing. */
function draw(tag, attributes, text = "") {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) {
        element.setAttribute(name, value);
    }
    element.textContent = text;
    return element;
}

/** Returns the lanes of a request: {lane, step, address}, in the order of the lanes. */
function lanesOf(run, request) {
    const steps = run.stepsOfRequest(request).filter((step) => run.array[step] >= 0);
    const lanes = Array.from(steps, (step) => {
        const array = run.arrays[run.array[step]];
        const address = array.start + indexOf(run, step) * array.bytes;
        return { lane: run.thread[step] % LANES, step, address };
    });
    return lanes.sort((a, b) => a.lane - b.lane);
}

/** Returns the units of this size that some bytes touch. */
function unitsOf(address, bytes, size) {
    const units = [];
    const last = Math.floor((address + bytes - 1) / size);
    for (let unit = Math.floor(address / size); unit <= last; ++unit) {
        units.push(unit);
    }
    return units;
}

/** Returns the words that each bank must serve for some lanes. */
function wordsOfBanks(lanes, bytes) {
    const banks = Array.from({ length: BANKS }, () => new Set());
    for (const { address } of lanes) {
        for (const word of unitsOf(address, bytes, WORD)) {
            banks[((word % BANKS) + BANKS) % BANKS].add(word);
        }
    }
    return banks;
}

/** Returns the passes over the banks: accesses of 8 and 16 bytes are served in parts of a warp. */
function passesOf(lanes, bytes) {
    const group = Math.max(1, (LANES * WORD) / Math.max(WORD, bytes));
    let passes = 1;
    for (let first = 0; first < lanes.length; first += group) {
        const banks = wordsOfBanks(lanes.slice(first, first + group), bytes);
        passes += Math.max(1, ...banks.map((words) => words.size)) - 1;
    }
    return passes;
}

/** Returns the traffic of a request: the kind of its targets, and their number. */
function trafficOf(run, request) {
    const lanes = lanesOf(run, request);
    const array = run.arrays[run.array[lanes[0].step]];
    if (array.space === "shared") {
        const banks = wordsOfBanks(lanes, array.bytes);
        for (const one of lanes) {
            const words = unitsOf(one.address, array.bytes, WORD);
            one.targets = words.map((word) => ((word % BANKS) + BANKS) % BANKS);
            one.turn = [...banks[one.targets[0]]].indexOf(words[0]);
        }
        return { lanes, array, unit: "pass", banks, number: passesOf(lanes, array.bytes) };
    }
    const isConstant = array.space === "constant";
    const size = isConstant ? 1 : SECTOR;
    const bytes = isConstant ? 1 : array.bytes;
    const all = lanes.flatMap(({ address }) => unitsOf(address, bytes, size));
    const units = [...new Set(all)].sort((a, b) => a - b);
    for (const one of lanes) {
        one.targets = unitsOf(one.address, bytes, size).map((unit) => units.indexOf(unit));
        one.turn = 0;
    }
    return { lanes, array, unit: isConstant ? "address" : "sector", units, number: units.length };
}

/** Returns the label of a sector or an address: the array's first and last element in it. If it
    contains no element of the array, the label has the numbers that they would have. */
function unitLabel({ array, unit }, number) {
    const size = unit === "sector" ? SECTOR : 1;
    let first = Math.floor((number * size - array.start) / array.bytes);
    let last = Math.floor((number * size + size - 1 - array.start) / array.bytes);
    if (first < array.size && last >= 0) {
        [first, last] = [Math.max(first, 0), Math.min(last, array.size - 1)];
    }
    return first === last ? `${first}` : `${first}–${last}`;
}

/** Returns the request in words. */
function requestWords(run, step, traffic) {
    const { lanes, array, unit, number } = traffic;
    const verb = ["load from", "store to", "change"][run.what[step]];
    const made = lanes.filter((one) => one.step <= step).length;
    const cost = {
        pass: `${several(number, "pass")} over the 32 banks`,
        sector: `${several(number, "sector")} of 32 bytes`,
        address: `${several(number, "address")}, one after the other`,
    }[unit];
    const warp = Math.floor(run.thread[step] / LANES);
    const warpWords = `Warp ${warp}, ${lineName(run.line[step])}`;
    const told = made < lanes.length ? ` So far ${made} of them ran here.` : "";
    return `${warpWords}: ${several(lanes.length, "lane")} ${verb} ${array.name}: ${cost}.${told}`;
}

/** Returns which bank is the slowest, in words; "" if none has to wait. */
function conflictWords({ unit, lanes, banks, number }) {
    if (unit !== "pass" || number === 1) {
        return "";
    }
    const sizes = banks.map((words) => words.size);
    const most = sizes.indexOf(Math.max(...sizes));
    const there = lanes.filter((one) => one.targets.includes(most)).map((one) => one.lane);
    const some = there.slice(0, 6).join(", ");
    const names = there.length > 8 ? `${some} and ${there.length - 6} more` : there.join(", ");
    return `Bank ${most} serves ${sizes[most]} different words in turn, for lanes ${names}.`;
}

/** Makes the boxes of lanes or of targets, with texts; returns the boxes. */
function makeBoxes(group, y, texts) {
    const width = PICTURE / texts.length;
    return texts.map((text, i) => {
        const box = draw("rect", { x: i * width + 1, y, width: width - 2, height: 18, rx: 2 });
        const middle = { x: (i + 0.5) * width, y: y + 9, class: "box-text" };
        group.append(box, draw("text", middle, text));
        return box;
    });
}

/** Makes the picture of a request; update(step, traffic) changes only what differs. */
function makePicture() {
    const svg = draw("svg", { viewBox: "-4 -16 520 150", class: "request", "aria-hidden": "true" });
    const ways = draw("g", {}), fixed = draw("g", {}), targets = draw("g", {});
    const below = draw("text", { x: 0, y: 129, class: "side" });
    const lanes = makeBoxes(fixed, 0, Array.from({ length: LANES }, (_, i) => String(i)));
    const above = draw("text", { x: 0, y: -5, class: "side" }, "lanes of the warp");
    svg.append(ways, fixed, targets, above, below);
    let known = "", boxes = [];

    /** Returns the line from a lane to a target. */
    function way(one, target, step) {
        const x1 = ((one.lane + 0.5) * PICTURE) / LANES;
        const x2 = ((target + 0.5) * PICTURE) / boxes.length;
        const name = `way turn${Math.min(one.turn, 3)}${one.step > step ? " to-come" : ""}`;
        return draw("line", { x1, y1: 18, x2, y2: 96, class: name });
    }

    function update(step, traffic) {
        const { unit, units, banks, array } = traffic;
        const label = (number) => (units.length <= 12 ? unitLabel(traffic, number) : "");
        const texts = units ? units.map(label) : banks.map((_, bank) => String(bank));
        if (known !== texts.join()) {
            known = texts.join();
            targets.replaceChildren();
            boxes = makeBoxes(targets, 96, texts);
        }
        const what = { pass: "banks", sector: "sectors", address: "addresses" }[unit];
        below.textContent = units ? `${what}, by element of ${array.name}` : what;
        boxes.forEach((box, i) => box.setAttribute("class", banks?.[i].size > 1 ? "slow" : "unit"));
        lanes.forEach((lane) => lane.setAttribute("class", "idle"));
        for (const one of traffic.lanes) {
            const name = one.step === step ? "now" : one.step < step ? "done" : "to-come";
            lanes[one.lane].setAttribute("class", name);
        }
        const waysOf = (one) => one.targets.map((target) => way(one, target, step));
        ways.replaceChildren(...traffic.lanes.flatMap(waysOf));
    }

    return { svg, update };
}

/** Makes the panel of the request. */
function makeRequest(run) {
    const words = make("p", { class: "request-words" });
    const conflict = make("p", { class: "conflict" });
    const picture = makePicture();
    const place = make("div", { class: "request-picture" }, picture.svg);
    const panel = makePanel("request-panel", "The warp's request", words, conflict, place);
    let known = -1, traffic = null;

    function show(step) {
        const request = run.array[step] >= 0 ? run.request[step] : -1;
        place.hidden = request < 0;
        if (request < 0) {
            words.textContent = "This step makes no request.";
            conflict.textContent = "";
            return;
        }
        if (known !== request) {
            known = request;
            traffic = trafficOf(run, request);
        }
        words.textContent = requestWords(run, step, traffic);
        conflict.textContent = conflictWords(traffic);
        picture.update(step, traffic);
    }

    return { panel, show };
}
