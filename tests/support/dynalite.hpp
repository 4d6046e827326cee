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
///
/// A table cannot be given an index later, which KCL 3 does with its lease table: this one has it from the beginning.
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
const with_index_of_kcl = (text) => {
  const table = JSON.parse(text)
  if (table.KeySchema.length !== 1 || table.KeySchema[0].AttributeName !== 'leaseKey') return text
  table.AttributeDefinitions.push({AttributeName: 'leaseOwner', AttributeType: 'S'})
  table.GlobalSecondaryIndexes = [{IndexName: 'LeaseOwnerToLeaseKeyIndex', Projection: {ProjectionType: 'KEYS_ONLY'}, KeySchema:
    [{AttributeName: 'leaseOwner', KeyType: 'HASH'}, {AttributeName: 'leaseKey', KeyType: 'RANGE'}]}]
  return Buffer.from(JSON.stringify(table))
}
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
      let whole = Buffer.concat(body)
      if (/CreateTable$/.test(request.headers['x-amz-target'])) whole = with_index_of_kcl(whole)
      const headers = {...request.headers, 'content-length': whole.length}
      const to = {host: '127.0.0.1', port: db.address().port, method: request.method, path: request.url, headers}
      const passed = http.request(to, (answer) => {
        const parts = []
        answer.on('data', (part) => parts.push(part))
        answer.on('end', () => {
          if (how === 'reply') return request.socket.destroy()
          reply.writeHead(answer.statusCode, answer.headers)
          reply.end(Buffer.concat(parts))
        })
      })
      passed.end(whole)
    })
  })
  proxy.listen(0, '127.0.0.1', () => console.log(proxy.address().port))
})
)js");
}

}  // namespace weir::test
