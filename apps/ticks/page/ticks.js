// The page of ticks: the candles of one symbol as they form.
import { follow, headers } from '/page/feed.js';
import { count } from '/page/format.js';

const by = (id) => document.getElementById(id);
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const charts = await import('/ticks/page/lightweight-charts.standalone.production.mjs').catch(() => null);
const dark = matchMedia('(prefers-color-scheme: dark)');
let wanted = decodeURIComponent(location.hash.slice(1)), shown = null;

// A chart of candles over volume, and marks on bars that were changed late.
class Candles {
  #revised = new Map();

  constructor(into) {
    this.chart = charts.createChart(into, { autoSize: true, timeScale: { timeVisible: true, secondsVisible: false }, ...this.#colours() });
    this.candles = this.chart.addSeries(charts.CandlestickSeries, { borderVisible: false, priceLineVisible: true });
    this.volume = this.chart.addSeries(charts.HistogramSeries, { priceScaleId: '', priceFormat: { type: 'volume' }, priceLineVisible: false,
      lastValueVisible: false });
    this.volume.priceScale().applyOptions({ scaleMargins: { top: 0.82, bottom: 0 } });
    this.marks = charts.createSeriesMarkers(this.candles, []);
    this.#paint();
    dark.addEventListener('change', () => this.#paint());
  }

  #colours() {
    return { layout: { background: { color: css('--card') }, textColor: css('--quiet'), attributionLogo: false },
      grid: { vertLines: { color: css('--line') }, horzLines: { color: css('--line') } } };
  }
  #paint() {
    this.chart.applyOptions(this.#colours());
    this.candles.applyOptions({ upColor: css('--water'), wickUpColor: css('--water'), downColor: css('--bad'), wickDownColor: css('--bad') });
    this.volume.applyOptions({ color: css('--line') });
  }
  #mark(bar) {
    if (bar.revised) this.#revised.set(bar.start, { time: bar.start / 1000, position: 'aboveBar', shape: 'circle', size: 0, text: 'R', color: css('--warn') });
  }
  show(bars) {
    this.#revised.clear();
    bars.forEach((b) => this.#mark(b));
    this.candles.setData(bars.map((b) => ({ time: b.start / 1000, open: b.open, high: b.high, low: b.low, close: b.close })));
    this.volume.setData(bars.map((b) => ({ time: b.start / 1000, value: b.volume })));
    this.marks.setMarkers([...this.#revised.values()]);
    this.chart.timeScale().scrollToRealTime();
  }
}

const candles = charts ? new Candles(by('chart')) : null;
if (!charts) {
  by('chart').textContent = 'built without charts: npm was not there';
  by('chart').className = 'missing';
}
let bars = [];

function choose(symbol) {
  wanted = symbol;
  location.hash = encodeURIComponent(symbol);
  location.reload();  // the stream is of one symbol
}

function list(symbols, current) {
  const focused = document.activeElement?.dataset?.symbol;
  by('symbols').replaceChildren(...symbols.map((s) => {
    const line = document.createElement('li'), button = document.createElement('button'), price = document.createElement('span');
    button.type = 'button';
    button.dataset.symbol = s.symbol;
    button.setAttribute('aria-pressed', String(s.symbol === current));
    price.textContent = s.close ?? '';
    button.append(s.symbol, price);
    button.onclick = () => choose(s.symbol);
    line.append(button);
    return line;
  }));
  if (focused) by('symbols').querySelector(`[data-symbol="${CSS.escape(focused)}"]`)?.focus();
}

async function all(symbol) {
  const response = await fetch('/ticks/bars?' + encodeURIComponent(symbol), { headers: headers(), cache: 'no-store' });
  return (await response.json()).bars;
}

async function show(state) {
  by('health').textContent = 'live';
  by('health').dataset.state = 'good';
  by('clock').textContent = `${count(state.ticks)} ticks, to ${state.time ? new Date(state.time).toISOString().replace('T', ' ').slice(0, 19) : '–'}`;
  list(state.symbols, state.symbol);
  by('symbol').textContent = state.symbol || 'no symbol yet';
  document.title = (state.symbol || 'ticks') + ' – ticks';
  const last = state.bars.at(-1);
  if (!last) return;
  by('last').textContent = `open ${last.open}  high ${last.high}  low ${last.low}  close ${last.close}  volume ${last.volume}  trades ${last.trades}`;
  if (shown !== state.symbol || bars.length === 0 || bars.at(-1).start < state.bars[0].start) {
    shown = state.symbol;
    bars = await all(state.symbol);
  } else {
    bars = bars.filter((b) => b.start < state.bars[0].start).concat(state.bars).slice(-240);
  }
  candles?.show(bars);
}

follow('/ticks/events?' + encodeURIComponent(wanted), {
  state: show,
  gone: () => { by('health').textContent = 'disconnected'; by('health').dataset.state = 'gone'; },
  locked: () => new Promise(() => {}),
});
