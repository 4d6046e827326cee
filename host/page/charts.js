// Two charts of the last five minutes, by uPlot; where the program was built without it, they say so.
const kept = 300;
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export class Chart {
  #data;
  #plot = null;
  #into;

  constructor(into, names, UPlot) {
    this.#into = into;
    this.#data = [[], ...names.map(() => [])];
    if (!UPlot) {
      into.textContent = 'built without charts: npm was not there';
      into.className = 'missing';
      return;
    }
    const draw = () => {
      this.#plot?.destroy();
      const axis = { stroke: css('--quiet'), grid: { stroke: css('--line'), width: 1 }, ticks: { show: false }, font: '12px system-ui' };
      const colours = [css('--water'), css('--warn')];
      this.#plot = new UPlot({
        width: into.clientWidth || 480, height: 150, cursor: { show: false }, legend: { show: names.length > 1 },
        series: [{}, ...names.map((label, i) => ({ label, stroke: colours[i], width: 2, points: { show: false }, fill: i ? undefined : css('--water-soft'), spanGaps: true }))],
        axes: [axis, { ...axis, size: 52 }], scales: { y: { range: (_, low, high) => [0, Math.max(high, 1)] } },
      }, this.#data, into);
    };
    draw();
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
    new ResizeObserver(() => this.#plot.setSize({ width: this.#into.clientWidth, height: 150 })).observe(into);
  }

  add(seconds, values) {
    this.#data[0].push(seconds);
    values.forEach((v, i) => this.#data[i + 1].push(v));
    if (this.#data[0].length > kept) this.#data.forEach((column) => column.shift());
    this.#plot?.setData(this.#data);
  }
}
