// Numbers and times as people read them.
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

export const count = (n) => (n === null || n === undefined ? '–' : n < 10000 ? String(Math.round(n)) : compact.format(n));
export const rate = (n) => (n === null || n === undefined ? '–' : (n < 100 ? Math.round(n * 10) / 10 : count(n)) + '/s');

export function bytes(n) {
  if (!n) return '–';
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let at = 0;
  for (; n >= 1024 && at < units.length - 1; n /= 1024) ++at;
  return (n < 10 && at ? n.toFixed(1) : Math.round(n)) + ' ' + units[at];
}

export function duration(seconds) {
  if (seconds === null || seconds === undefined || Number.isNaN(seconds)) return '–';
  if (seconds < 10) return seconds.toFixed(1) + ' s';
  if (seconds < 120) return Math.round(seconds) + ' s';
  if (seconds < 7200) return Math.round(seconds / 60) + ' min';
  return seconds < 172800 ? Math.round(seconds / 3600) + ' h' : Math.round(seconds / 86400) + ' d';
}

// A time of RFC 3339, and how long ago that is where it is of today's work.
export function moment(time, now) {
  if (!time) return '–';
  const ago = now - Date.parse(time) / 1000;
  return ago < 172800 ? duration(Math.max(0, ago)) + ' ago' : time.replace('T', ' ').slice(0, 19);
}
