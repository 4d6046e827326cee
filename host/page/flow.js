// What comes from where, and what becomes of it: a line for each pipeline, with the rate on the edge.
import { count, rate } from './format.js';

function node(title, note, bad) {
  const out = document.createElement('div');
  out.className = bad ? 'node bad' : 'node';
  out.append(title);
  const small = document.createElement('small');
  small.textContent = note;
  out.append(small);
  return out;
}

export function showFlow(list, pipelines) {
  list.replaceChildren(...pipelines.map((p) => {
    const line = document.createElement('li'), edge = document.createElement('span');
    edge.className = p.rate ? 'edge' : 'edge dry';
    edge.textContent = rate(p.rate);
    const wrong = p.partitions.some((one) => one.stalled || one.failure);
    const n = p.partitions.length, what = p.connected ? (n === 1 ? 'one partition' : n + ' partitions') : 'not connected';
    line.append(node(p.source, p.failure ?? what, Boolean(p.failure)), edge,
      node(p.name, p.guarantee + '; ' + count(p.records) + ' records', wrong));
    return line;
  }));
}
