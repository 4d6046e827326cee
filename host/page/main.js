// The live page: what an application is at, as it says once a second.
import { Chart } from './charts.js';
import { follow } from './feed.js';
import { showFlow } from './flow.js';
import { count, duration } from './format.js';
import { look, mean } from './metrics.js';
import { Partitions } from './partitions.js';
import { Rates } from './rates.js';

const by = (id) => document.getElementById(id);
const UPlot = await import('/page/uPlot.esm.js').then((m) => m.default, () => null);
const throughput = new Chart(by('throughput'), ['records/s'], UPlot);
const latency = new Chart(by('latency'), ['commit', 'handler'], UPlot);
const partitions = new Partitions(), rates = new Rates();
let figures = new Map();

function health(text, state) {
  const out = by('health');
  if (out.textContent !== text) out.textContent = text;
  out.dataset.state = state;
}

function causes(app) {
  const out = [];
  for (const p of app.pipelines) {
    if (p.failure) out.push(`${p.source}: ${p.failure}`);
    for (const one of p.partitions) {
      const where = `${p.name}, partition ${one.partition}`;
      if (one.failure) out.push(`${where} has halted: ${one.failure}`);
      else if (one.stalled) {
        const what = one.phase === 'committing' ? 'a commit has not come back' : 'its handler has not asked for more';
        out.push(`${where} is stalled: ${what} for ${duration(one.phase_seconds)}`);
      }
    }
  }
  return out;
}

function showCounts(pairs) {
  by('counts').replaceChildren(...pairs.map(([name, value]) => {
    const pair = document.createElement('div'), dt = document.createElement('dt'), dd = document.createElement('dd');
    dt.textContent = name;
    dd.textContent = value;
    pair.append(dt, dd);
    return pair;
  }));
}

function show(app) {
  const now = performance.now() / 1000, all = [];
  for (const p of app.pipelines) {
    p.rate = null;
    p.records = 0;
    p.partitions.forEach((one) => {
      one.pipeline = p.name;
      one.many = app.pipelines.length > 1;
      one.order = all.length;
      one.rate = rates.of(p.name + '\n' + one.partition, one.records, now);
      if (one.rate !== null) p.rate = (p.rate ?? 0) + one.rate;
      p.records += one.records;
      all.push(one);
    });
  }
  document.title = app.application + ' – Weir';
  by('name').textContent = app.application;
  const wrong = causes(app);
  by('troubles').hidden = wrong.length === 0;
  by('causes').replaceChildren(...wrong.slice(0, 20).map((text) => {
    const line = document.createElement('li');
    line.textContent = text;
    return line;
  }));
  if (wrong.length) health(wrong.length === 1 ? 'one thing is wrong' : wrong.length + ' things are wrong', 'bad');
  else health(app.draining ? 'draining' : app.ready ? 'running' : 'starting', app.draining || !app.ready ? 'waiting' : 'good');
  showFlow(by('flow'), app.pipelines);
  partitions.show(all);
  const sum = (of) => all.reduce((n, p) => n + (of(p) ?? 0), 0), total = (name) => figures.get('weir_' + name) ?? 0;
  showCounts([['records', count(sum((p) => p.records))], ['waiting at the source', count(sum((p) => p.unread))],
    ['not committed', count(sum((p) => p.frontier_gap))], ['late', count(total('late_total'))],
    ['duplicates', count(total('duplicate_total'))], ['dead letters', count(total('dead_letter_total'))]]);
  throughput.add(Date.now() / 1000, [sum((p) => p.rate)]);
}

async function lookAtFigures() {
  try {
    const now = await look(), ms = (name) => {
      const value = mean(figures, now, name);
      return value === null ? null : value * 1000;
    };
    latency.add(Date.now() / 1000, [ms('weir_commit_seconds'), ms('weir_handler_chunk_seconds')]);
    figures = now;
  } catch {
    // It is asked again.
  }
}

function askForToken() {
  const form = by('ask');
  form.hidden = false;
  by('token').focus();
  return new Promise((done) => {
    form.onsubmit = (event) => {
      event.preventDefault();
      sessionStorage.setItem('weir-token', by('token').value);
      form.hidden = true;
      done();
    };
  });
}

setInterval(lookAtFigures, 1000);
follow('/events', { state: show, gone: () => health('disconnected', 'gone'), locked: askForToken });
