"use strict";
// Draws every section.timeline of the page: a row per core with what it did, its transfers below,
// and the use of one core's scratchpad. The wheel zooms, dragging moves, a double click shows all.
for (const section of document.querySelectorAll("section.timeline")) drawTimeline(section);

function drawTimeline(section) {
  const data = JSON.parse(section.querySelector("script").textContent);
  const LEFT = 64, TOP = 26, LDM_HEIGHT = 110;
  const ROW = data.cores.length > 32 ? 12 : 20;
  // "17" of "core 17", "2:17" of "group 2, CPE 17".
  const label = name => name.match(/\d+/g).join(":");
  const rowOf = new Map(data.cores.map((core, row) => [core, row]));
  const perCore = (flat, width, begin, end) => {
    const lists = data.cores.map(() => []);
    for (let i = 0; i < flat.length; i += width) {
      const record = flat.slice(i, i + width);
      if (rowOf.has(record[0])) {
        lists[rowOf.get(record[0])].push({ record, begin: record[begin], end: record[end] });
      }
    }
    return lists;
  };
  const runs = perCore(data.runs, 4, 2, 3);
  const waits = perCore(data.waits, 5, 2, 3);
  const transfers = perCore(data.transfers, 7, 5, 6);
  const levels = perCore(data.levels, 3, 1, 1);
  const cycles = Math.max(1, data.cycles);
  let from = 0, to = cycles;  // what is shown
  let selected = 0;           // whose scratchpad
  let peak = -1;
  levels.forEach((list, row) => list.forEach(({ record }) => {
    if (record[2] > peak) { peak = record[2]; selected = row; }
  }));

  const element = (tag, className, parent) => {
    const made = document.createElement(tag);
    made.className = className;
    parent.appendChild(made);
    return made;
  };
  const legend = element("div", "legend", section);
  const entry = (name, text) => {
    const one = element("span", "", legend);
    element("i", "", one).style.background = `var(--${name})`;
    one.append(text);
  };
  entry("computing", "computes");
  for (const kind of data.kinds) entry(kind, `waits: ${kind}`);
  entry("get", "get");
  entry("put", "put");
  const canvas = element("canvas", "cores", section);
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", "What each core did when; arrow keys move, + and - zoom.");
  const ldm = element("canvas", "ldm", section);
  const help = element("p", "", section);
  help.textContent = "Wheel: zoom. Drag: move. Double click: all. Click a row: its scratchpad." +
    (data.resolution ? ` Waits that lie nearer than ${data.resolution.toLocaleString("en")}` +
      " cycles are joined, shorter ones are not drawn." : "");
  const tip = element("div", "tip", section);
  tip.hidden = true;

  const color = name => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`);
  const bytes = n => n < 1024 ? `${n} B` : `${(n / 1024).toFixed(1)} KiB`;
  const number = n => Math.round(n).toLocaleString("en");
  const micros = n => `${(n / data.clock).toFixed(2)} us`;

  function prepared(target, height) {
    const width = target.clientWidth, scale = window.devicePixelRatio || 1;
    target.style.height = `${height}px`;
    target.width = Math.round(width * scale);
    target.height = Math.round(height * scale);
    const g = target.getContext("2d");
    g.setTransform(scale, 0, 0, scale, 0, 0);
    g.clearRect(0, 0, width, height);
    g.font = "11px system-ui, sans-serif";
    g.textBaseline = "middle";
    return [g, width];
  }

  const xOf = (cycle, width) => LEFT + (cycle - from) / (to - from) * (width - LEFT);
  const cycleOf = (x, width) => from + (x - LEFT) / (width - LEFT) * (to - from);

  /// The first of a list that ends behind `cycle`; lists lie in the order of their begins.
  function firstBehind(list, cycle) {
    let low = 0, high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (list[middle].end < cycle) low = middle + 1; else high = middle;
    }
    return low;
  }

  function axis(g, width, height) {
    const step = niceStep((to - from) / Math.max(2, (width - LEFT) / 120));
    g.textAlign = "center";
    for (let at = Math.ceil(from / step) * step; at <= to; at += step) {
      const x = xOf(at, width);
      g.fillStyle = color("line");
      g.fillRect(x, TOP - 6, 1, height - TOP + 6);
      g.fillStyle = color("soft");
      g.fillText(number(at), Math.min(width - 28, Math.max(LEFT + 20, x)), 11);
    }
    g.textAlign = "left";
    g.fillText("cycles", 6, 11);
  }

  function niceStep(about) {
    const power = 10 ** Math.floor(Math.log10(about));
    return Math.max(1, [1, 2, 5, 10].map(k => k * power).find(step => step >= about));
  }

  function drawCores() {
    const height = TOP + data.cores.length * ROW + 4;
    const [g, width] = prepared(canvas, height);
    axis(g, width, height);
    const state = Math.round(ROW * 0.62);
    data.cores.forEach((_, row) => {
      const y = TOP + row * ROW;
      g.fillStyle = row === selected ? color("ink") : color("soft");
      g.textAlign = "right";
      if (ROW > 12 || row % 2 === 0 || row === selected) g.fillText(label(data.core_names[row]), LEFT - 8, y + state / 2);
      const spans = (list, top, size, style) => {
        for (let i = firstBehind(list, from); i < list.length && list[i].begin < to; ++i) {
          const left = Math.max(LEFT, xOf(list[i].begin, width));
          g.fillStyle = style(list[i].record);
          g.fillRect(left, top, Math.min(width, xOf(list[i].end, width)) - left, size);
        }
      };
      g.fillStyle = color("idle");
      g.fillRect(LEFT, y, width - LEFT, state);
      spans(runs[row], y, state, () => color("computing"));
      spans(waits[row], y, state, record => kindColors[record[1]]);
      spans(transfers[row], y + state, ROW - state - 1, record => transferColors[record[1]]);
    });
    g.textAlign = "left";
  }

  function drawLdm() {
    const [g, width] = prepared(ldm, LDM_HEIGHT);
    const most = Math.max(data.ldm, 1), base = LDM_HEIGHT - 6;
    const yOf = amount => base - amount / most * (base - 22);
    g.fillStyle = color("soft");
    g.fillText(`scratchpad of ${data.core_names[selected]}: at most ` +
      `${bytes(Math.max(0, ...levels[selected].map(l => l.record[2])))} of ${bytes(data.ldm)}`, 6, 11);
    g.fillStyle = color("line");
    g.fillRect(LEFT, yOf(most), width - LEFT, 1);
    g.fillStyle = color("get");
    levels[selected].forEach(({ record }, i) => {
      const end = i + 1 < levels[selected].length ? levels[selected][i + 1].begin : cycles;
      const left = Math.max(LEFT, xOf(record[1], width));
      const right = Math.min(width, xOf(end, width));
      if (right > left) g.fillRect(left, yOf(record[2]), right - left, base - yOf(record[2]));
    });
  }

  let kindColors, transferColors;
  function draw() {
    kindColors = data.kinds.map(color);
    transferColors = [color("get"), color("put")];
    drawCores();
    drawLdm();
    section.dataset.shown = `${Math.round(from)} ${Math.round(to)}`;
  }

  function show(begin, end) {
    const least = Math.min(cycles, 20);
    const span = Math.min(cycles, Math.max(least, end - begin));
    from = Math.min(Math.max(0, begin), cycles - span);
    to = from + span;
    draw();
  }

  function zoom(factor, at) {
    show(at - (at - from) * factor, at + (to - at) * factor);
  }

  const rowAt = y => Math.floor((y - TOP) / ROW);
  const textAt = (row, cycle, inTransfers) => {
    const head = `${data.core_names[row]}, cycle ${number(cycle)} (${micros(cycle)})`;
    const at = list => list.filter(one => one.begin <= cycle && cycle < one.end);
    if (inTransfers && at(transfers[row]).length) {
      return [head, ...at(transfers[row]).map(({ record, begin, end }) =>
        `${record[1] ? "put" : "get"} of ${bytes(record[4])}` +
        (record[3] > 1 ? ` in ${number(record[3])} requests` : "") +
        `, ${number(end - begin)} cycles, ${data.names[record[2]]}`)].join("\n");
    }
    const wait = at(waits[row])[0], run = at(runs[row])[0];
    if (wait) {
      return `${head}\nwaits: ${data.kinds[wait.record[1]]}, ${number(wait.record[4])} cycles` +
        (wait.record[4] < wait.end - wait.begin ? ` in ${number(wait.end - wait.begin)}` : "");
    }
    return run ? `${head}\ncomputes: ${data.names[run.record[1]]}` : `${head}\nidle`;
  };

  let drag = null;
  canvas.addEventListener("wheel", event => {
    event.preventDefault();
    zoom(event.deltaY > 0 ? 1.25 : 0.8, cycleOf(event.offsetX, canvas.clientWidth));
  }, { passive: false });
  canvas.addEventListener("pointerdown", event => {
    drag = { x: event.offsetX, from, moved: false };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", event => {
    const width = canvas.clientWidth;
    if (drag) {
      const by = (drag.x - event.offsetX) / (width - LEFT) * (to - from);
      drag.moved = drag.moved || Math.abs(drag.x - event.offsetX) > 3;
      if (drag.moved) show(drag.from + by, drag.from + by + to - from);
      return;
    }
    const row = rowAt(event.offsetY);
    tip.hidden = !(row >= 0 && row < data.cores.length && event.offsetX >= LEFT);
    if (tip.hidden) return;
    const inTransfers = (event.offsetY - TOP - row * ROW) > ROW * 0.62;
    tip.textContent = textAt(row, cycleOf(event.offsetX, width), inTransfers);
    tip.style.left = `${Math.min(event.clientX + 14, window.innerWidth - tip.offsetWidth - 8)}px`;
    tip.style.top = `${event.clientY + 16}px`;
  });
  canvas.addEventListener("pointerup", event => {
    const row = rowAt(event.offsetY);
    if (drag && !drag.moved && row >= 0 && row < data.cores.length) { selected = row; draw(); }
    drag = null;
  });
  canvas.addEventListener("pointerleave", () => { tip.hidden = true; });
  canvas.addEventListener("dblclick", () => show(0, cycles));
  canvas.addEventListener("keydown", event => {
    const middle = (from + to) / 2, step = (to - from) / 5;
    if (event.key === "+" || event.key === "=") zoom(0.8, middle);
    else if (event.key === "-") zoom(1.25, middle);
    else if (event.key === "ArrowLeft") show(from - step, to - step);
    else if (event.key === "ArrowRight") show(from + step, to + step);
    else if (event.key === "Home") show(0, cycles);
    else return;
    event.preventDefault();
  });
  new ResizeObserver(draw).observe(section);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  draw();
}
