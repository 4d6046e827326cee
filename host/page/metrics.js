// Figures in the text of Prometheus: sums over all partitions, and of histograms what they have grown by.
import { headers } from './feed.js';

export function parse(text) {
  const sums = new Map();
  for (const line of text.split('\n')) {
    if (!line || line.startsWith('#')) continue;
    const at = line.lastIndexOf(' '), name = line.slice(0, line.indexOf('{') >= 0 ? line.indexOf('{') : at);
    const value = Number(line.slice(at + 1));
    if (Number.isFinite(value)) sums.set(name, (sums.get(name) ?? 0) + value);
  }
  return sums;
}

export async function look() {
  const response = await fetch('/metrics', { headers: headers(), cache: 'no-store' });
  return response.ok ? parse(await response.text()) : new Map();
}

// The mean of a histogram's values between two looks, in its unit; null where there were none.
export function mean(before, now, name) {
  const n = (now.get(name + '_count') ?? 0) - (before.get(name + '_count') ?? 0);
  return n > 0 ? ((now.get(name + '_sum') ?? 0) - (before.get(name + '_sum') ?? 0)) / n : null;
}
