"use strict";

// The student's file, with the step's line highlighted, and the cost of each line beside it.

const COSTS = [
    ["runs", "how often the line ran"],
    ["loads", "elements that it loaded"],
    ["stores", "elements that it stored"],
    ["sectors", "sectors of 32 bytes that its requests took from global memory"],
    ["passes", "passes over the 32 banks of shared memory that its requests took"],
];
const TOKEN = new RegExp(
    [
        "(?<comment>//.*|/\\*.*?\\*/)",
        '(?<text>"(?:\\\\.|[^"\\\\])*")',
        "(?<mark>__syncthreads|__shared__|__global__|__device__|__constant__|^\\s*#\\s*\\w+)",
        "(?<word>\\b(?:if|else|for|while|do|return|break|continue|const|static|extern|unsigned" +
            "|void|int|float|double|char|bool|size_t|struct|template|auto)\\b)",
        "(?<number>\\b\\d[\\w.]*)",
    ].join("|"),
    "g",
);

/** Returns the parts of a line, coloured by their kinds. */
function coloured(text) {
    const parts = [];
    let end = 0;
    for (const match of text.matchAll(TOKEN)) {
        const kind = Object.keys(match.groups).find((name) => match.groups[name] !== undefined);
        parts.push(text.slice(end, match.index), make("span", { class: kind }, match[0]));
        end = match.index + match[0].length;
    }
    parts.push(text.slice(end));
    return parts;
}

/** Returns a cost in words: "4 sectors", "1 load". */
function costWords(number, name) {
    return several(number, name === "passes" ? "pass" : name.slice(0, -1));
}

/** Returns the lines after which the findings' remedies add a barrier. */
function linesWithoutBarrier({ findings, file }) {
    const own = findings.filter((one) => one.file === file);
    const after = own.map((one) => one.remedy.match(/__syncthreads\(\) after line (\d+)/)?.[1]);
    return new Set(after.map(Number));
}

/** Makes a row: number, marks of findings, the code, its costs. */
function codeRow(run, text, line, costs, found) {
    const cost = run.data.lines[line] ?? {};
    const mark = found.length
        ? make("span", { class: "finding-mark", title: found.join("\n") }, `▲ ${found.length}`)
        : null;
    const cells = costs.map(([name]) =>
        make("td", { class: "cost" }, cost[name] ? counted(cost[name]) : ""),
    );
    const words = costs.filter(([name]) => cost[name]).map(([name]) => costWords(cost[name], name));
    const margin = text.search(/\S|$/) + 4;
    const source = make("td", { class: "source" });
    const parts = coloured(text.replace(/ +\\$/, " \\")); // no row for a \ far to the right
    source.append(make("div", { style: `--margin: ${margin}ch` }, ...parts));
    if (words.length) {
        source.append(make("small", {}, words.join(", ")));
    }
    if (linesWithoutBarrier(run.data).has(line)) {
        const words = "▲ a __syncthreads() is missing after this line";
        source.append(make("p", { class: "no-barrier" }, words));
    }
    return make(
        "tr",
        { "data-line": line },
        make("th", { scope: "row" }, String(line)),
        make("td", { class: "marks" }, mark),
        source,
        ...cells,
    );
}

/** Makes the panel of the code; show(step, thread) highlights the lines. */
function makeCode(run) {
    const { code, lines, file, findings } = run.data;
    const costs = COSTS.filter(([name]) => Object.values(lines).some((line) => line[name]));
    const heads = costs.map(([name, why]) => make("th", { scope: "col", title: why }, name));
    const titlesOf = (line) =>
        findings.filter((one) => one.line === line && one.file === file).map((one) => one.title);
    const rows = code.map((text, i) => codeRow(run, text, i + 1, costs, titlesOf(i + 1)));
    const table = make(
        "table",
        { class: "code" },
        make("thead", {}, make("tr", {}, make("th"), make("th"), make("th", {}, "code"), ...heads)),
        make("tbody", {}, ...rows),
    );
    const about = { class: "pane", tabindex: 0, "aria-label": `code of ${file}` };
    const pane = make("div", about, table);
    const panel = makePanel("code-panel", file, pane);
    let lit = null, chosen = null;

    /** Scrolls the pane if needed to show a row: the highlighted one if none is given. */
    function reveal(row = lit) {
        const top = row?.offsetTop ?? 0, room = pane.clientHeight;
        if (top < pane.scrollTop + 30 || top > pane.scrollTop + room - 40) {
            pane.scrollTop = top - room / 2;
        }
    }

    /** Moves a class and a mark of "now" from one row to another. */
    function mark(old, row, name) {
        if (old !== row) {
            old?.classList.remove(name);
            row?.classList.add(name);
        }
        return row;
    }

    function show(line, lineOfThread) {
        const row = rows[line - 1] ?? null;
        if (row && row !== lit) {
            reveal(row);
        }
        lit?.removeAttribute("aria-current");
        lit = mark(lit, row, "now");
        lit?.setAttribute("aria-current", "step");
        chosen = mark(chosen, rows[lineOfThread - 1] ?? null, "chosen");
    }

    return { panel, show, reveal: () => reveal() };
}
