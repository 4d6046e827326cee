#pragma once
#include "support/node_server.hpp"
#include "support/skip.hpp"

#include <memory>
#include <string>

namespace weir::test {

/// DynamoDB as dynalite, an emulator of npm, has it: in memory, empty, with tables that come and go at once. Null, and the running test
/// is reported as skipped, where it cannot be had. It does not verify signatures, and knows no transactions.
///
/// Connections can be cut: after `GET /fate?after=3&how=HOW` the fourth request meets it. `request`: it is lost before the server has it;
/// `reply`: the answer to it is; `dead`: as `request`, and all after it too, until another fate is asked for.
inline std::unique_ptr<node_server> dynalite() {
  auto const folder = has_node() ? npm_package("dynalite", "4.0.0") : std::nullopt;
  if (!folder) {
    skip("needs node, npm, and dynalite from it");
    return nullptr;
  }
  return std::make_unique<node_server>(*folder, R"js(
const http = require('http')
const db = require('dynalite')({createTableMs: 0, deleteTableMs: 0, updateTableMs: 0})
let fate = {after: -1, how: ''}
db.listen(0, '127.0.0.1', () => {
  const proxy = http.createServer((request, reply) => {
    if (request.url.startsWith('/fate')) {
      const asked = new URL(request.url, 'http://x').searchParams
      fate = {after: Number(asked.get('after')), how: asked.get('how')}
      return reply.end('ok')
    }
    const body = []
    request.on('data', (part) => body.push(part))
    request.on('end', () => {
      const how = fate.after === 0 ? fate.how : ''
      if (fate.after > 0 || (fate.after === 0 && how !== 'dead')) fate.after--
      if (how === 'request' || how === 'dead') return request.socket.destroy()
      const to = {host: '127.0.0.1', port: db.address().port, method: request.method, path: request.url, headers: request.headers}
      const passed = http.request(to, (answer) => {
        const parts = []
        answer.on('data', (part) => parts.push(part))
        answer.on('end', () => {
          if (how === 'reply') return request.socket.destroy()
          reply.writeHead(answer.statusCode, answer.headers)
          reply.end(Buffer.concat(parts))
        })
      })
      passed.end(Buffer.concat(body))
    })
  })
  proxy.listen(0, '127.0.0.1', () => console.log(proxy.address().port))
})
)js");
}

}  // namespace weir::test
