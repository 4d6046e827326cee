// The table of partitions: what needs somebody stands first, and of thousands only the rows that can be seen are there.
import { bytes, count, duration, moment, rate } from './format.js';

const height = 1.85 * 14 + 1;  // of a row, as the style sheet has it
const kind = (p) => (p.failure ? 'halted' : p.stalled ? 'stalled' : p.phase === 'waiting' ? 'waiting' : '');
const rank = { halted: 0, stalled: 1, waiting: 2, '': 3 };
const age = (time, now) => (time ? Math.max(0, now - Date.parse(time) / 1000) : null);
const low = (times) => times.filter(Boolean).sort()[0] ?? null;

export class Partitions {
  #all = [];
  #shown = [];

  constructor() {
    this.scroll = document.getElementById('scroll');
    this.rows = document.getElementById('rows');
    this.filter = document.getElementById('filter');
    this.howMany = document.getElementById('how-many');
    this.scroll.addEventListener('scroll', () => this.#draw());
    this.filter.addEventListener('input', () => this.#choose());
  }

  show(all) {
    this.#all = all;
    this.#choose();
  }

  #choose() {
    const words = this.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const said = (p) => `${p.pipeline} ${p.stream} ${p.partition} ${p.phase} ${kind(p)}`.toLowerCase();
    this.#shown = this.#all.filter((p) => words.every((w) => said(p).includes(w)));
    this.#shown.sort((a, b) => rank[kind(a)] - rank[kind(b)] || a.order - b.order);
    const many = this.#all.length, few = this.#shown.length;
    this.howMany.textContent = few === many ? `(${many})` : `(${few} of ${many})`;
    this.#draw();
  }

  #draw() {
    const first = Math.max(0, Math.floor(this.scroll.scrollTop / height) - 10);
    const last = Math.min(this.#shown.length, first + Math.ceil(this.scroll.clientHeight / height) + 30);
    const now = Date.now() / 1000;
    this.rows.replaceChildren(this.#gap(first), ...this.#shown.slice(first, last).map((p) => this.#row(p, now)),
      this.#gap(this.#shown.length - last));
  }

  #gap(rows) {
    const out = document.createElement('tr'), cell = document.createElement('td');
    out.className = 'gap';
    out.hidden = rows === 0;
    cell.style.height = rows * height + 'px';
    cell.colSpan = 9;
    out.append(cell);
    return out;
  }

  #row(p, now) {
    const out = document.createElement('tr'), windows = p.windows.reduce((n, w) => n + w.windows, 0);
    const state = Object.values(p.state_bytes).reduce((n, b) => n + b, 0);
    out.className = kind(p);
    const phase = p.failure ? 'halted' : p.phase + (p.phase_seconds >= 1 && !p.idle ? ' ' + duration(p.phase_seconds) : '') + (p.stalled ? ', stalled' : '');
    const cells = [p.many ? `${p.pipeline} / ${p.partition}` : p.partition, phase, rate(p.rate), count(p.unread), count(p.frontier_gap),
      duration(age(p.committed_at, now)), moment(low(p.inputs.map((i) => i.watermark)), now), count(windows), bytes(state)];
    out.append(...cells.map((text, i) => {
      const cell = document.createElement('td');
      if (i > 1) cell.className = 'n';
      cell.textContent = text;
      return cell;
    }));
    out.title = p.failure ?? '';
    return out;
  }
}
