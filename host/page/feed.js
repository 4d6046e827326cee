// What the server says, once a second, for as long as the page is open: it is asked again and again while it cannot be reached.
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// Events of a stream (server-sent events, of which only data is used).
async function* events(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const data = text.slice(0, end).split('\n').filter((line) => line.startsWith('data: ')).map((line) => line.slice(6)).join('\n');
      text = text.slice(end + 2);
      if (data) yield data;
    }
  }
}

export function headers() {
  const token = sessionStorage.getItem('weir-token');
  return token ? { Authorization: 'Bearer ' + token } : {};
}

// `on.state(value)` for each event, `on.gone()` while there is none, `on.locked()` where a token is needed: returns a promise then.
export async function follow(path, on) {
  for (;;) {
    try {
      const response = await fetch(path, { headers: headers(), cache: 'no-store' });
      if (response.status === 401) await on.locked();
      else if (response.ok) for await (const data of events(response)) on.state(JSON.parse(data));
    } catch {
      // The server is gone for now.
    }
    on.gone();
    await pause(1000);
  }
}
