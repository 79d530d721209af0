// What of an open page a person cannot read or reach: a page wider than its window, texts that are cut off, texts and
// controls that lie over one another, controls outside the window. Answers with one line for each.
() => {
    const found = new Set();
    const { clientWidth: width, scrollWidth: needed } = document.documentElement;
    if (needed > width) found.add(`page: ${needed} px wide`);

    const CONTROLS = "a[href], button, input:not([type=hidden]), select, textarea, summary";
    // Drawn by ligatures, moved by hand, or said to screen readers alone.
    const UNREAD = ".sr-only, .visually-hidden, .material-symbols-outlined, svg, script, style, template, option, noscript";
    const LAYERS = /fixed|sticky/;
    const styles = new Map();
    const style = (box) => styles.get(box) ?? styles.set(box, getComputedStyle(box)).get(box);
    const isSeen = (box) => box.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    const said = (box) => (box.textContent.trim() || box.getAttribute("aria-label") || box.name || box.tagName).trim().replace(/\s+/g, " ").slice(0, 60);
    const where = (box) => `<${box.tagName.toLowerCase()} class="${box.getAttribute("class") ?? ""}">`;

    // An ancestor that stays where it is while the page moves lies over it on purpose.
    const layerOf = (box) => {
        for (let at = box; at; at = at.parentElement) {
            if (LAYERS.test(style(at).position) || at.matches("dialog, [popover]")) return at;
        }
        return null;
    };
    const isShort = (box) => style(box).textOverflow === "ellipsis" || style(box).webkitLineClamp !== "none";

    // The part of a rectangle that is seen through its ancestors; `cut` says where an ancestor hides some of it.
    const seenOf = (box, rect, cut) => {
        let { left, top, right, bottom } = rect;
        let isFree = { x: true, y: true };
        for (let at = box; at && at !== document.body; at = at.parentElement) {
            const { overflowX, overflowY, position } = style(at);
            if (overflowX !== "visible" || overflowY !== "visible") {
                const edge = at.getBoundingClientRect();
                const isHidden = /hidden|clip/;
                if (isFree.x && isHidden.test(overflowX) && (left < edge.left - 1.5 || right > edge.right + 1.5)) cut?.(at);
                if (isFree.y && isHidden.test(overflowY) && (top < edge.top - 4 || bottom > edge.bottom + 4)) cut?.(at);
                if (/auto|scroll/.test(overflowX)) isFree.x = false;
                if (/auto|scroll/.test(overflowY)) isFree.y = false;
                left = Math.max(left, edge.left);
                top = Math.max(top, edge.top);
                right = Math.min(right, edge.right);
                bottom = Math.min(bottom, edge.bottom);
            }
            if (position === "fixed") break;
        }
        return right - left > 1 && bottom - top > 1 ? { left, top, right, bottom } : null;
    };

    const things = [];
    const add = (box, rect, what) => {
        const seen = seenOf(box, rect);
        if (seen) things.push({ box, what, layer: layerOf(box), ...seen });
    };

    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const box = node.parentElement;
        if (!node.data.trim() || box.closest(UNREAD) || !isSeen(box)) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const { left, right, top, bottom } of range.getClientRects()) {
            if (right - left <= 1 || bottom - top <= 1) continue;
            const inset = (bottom - top) * 0.2; // between the letters and the edges of their line
            const rect = { left, right, top: top + inset, bottom: bottom - inset };
            if (!seenOf(box, rect, () => {}) && !box.clientWidth) continue;
            seenOf(box, rect, (edge) => {
                const { width: across, height: down } = edge.getBoundingClientRect();
                if (across > 2 && down > 2 && !isShort(edge)) found.add(`cut off: ${said(box)} in ${where(edge)}`);
            });
            add(box, rect, "text");
        }
    }
    for (const control of document.querySelectorAll(CONTROLS)) {
        if (!isSeen(control) || control.closest(UNREAD) || style(control).opacity === "0") continue;
        const rect = control.getBoundingClientRect();
        if (rect.width <= 1 || rect.height <= 1) continue;
        // Links among words take the place of their lines, which are texts already.
        if (style(control).display !== "inline") add(control, rect, "control");
        const scrolls = (box) => box && (/auto|scroll/.test(style(box).overflowX) || (/hidden|clip/.test(style(box).overflowX)) || scrolls(box.parentElement));
        const isOutside = rect.left < -1 || rect.right > width + 1;
        if (isOutside && !scrolls(control.parentElement)) found.add(`outside: ${said(control)} ${where(control)}`);
    }

    const holds = (one, other) =>
        one.left <= other.left + 1 && one.right >= other.right - 1 && one.top <= other.top + 1 && one.bottom >= other.bottom - 1;
    things.sort((one, other) => one.top - other.top);
    things.forEach((one, place) => {
        for (let next = place + 1; next < things.length && things[next].top < one.bottom - 2; next++) {
            const other = things[next];
            if (one.box === other.box || one.layer !== other.layer) continue;
            if (one.box.contains(other.box) && one.what === "control" && other.what === "control") continue;
            const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
            const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
            if (across > 2 && down > 2 && !holds(one, other) && !holds(other, one)) {
                found.add(`overlap: ${said(one.box)} ${where(one.box)} and ${said(other.box)} ${where(other.box)}`);
            }
        }
    });
    return [...found];
}
