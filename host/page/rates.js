// How fast counters grow: by partition, from one look to the next, smoothed over some seconds.
export class Rates {
  #before = new Map();

  // `total` at `seconds`; null until it is known.
  of(key, total, seconds) {
    const before = this.#before.get(key);
    if (!before || total < before.total) {
      this.#before.set(key, { total, seconds, rate: null });
      return null;
    }
    const passed = seconds - before.seconds;
    if (passed < 0.2) return before.rate;
    const now = (total - before.total) / passed;
    const rate = before.rate === null ? now : before.rate + (now - before.rate) * Math.min(1, passed / 3);
    this.#before.set(key, { total, seconds, rate });
    return rate;
  }
}
