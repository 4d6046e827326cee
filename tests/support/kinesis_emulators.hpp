#pragma once
#include "support/node_server.hpp"
#include "support/skip.hpp"

#include <memory>
#include <string>

namespace weir::test {

/// Kinesis as kinesalite, an emulator of npm, has it: in memory, empty, strict; its streams change at once. It does not verify signatures,
/// and does not say into what shards go on. Null, and the running test is reported as skipped, where it cannot be had.
inline std::unique_ptr<node_server> kinesalite() {
  auto const folder = has_node() ? npm_package("kinesalite", "3.3.3") : std::nullopt;
  if (!folder) {
    skip("needs node, npm, and kinesalite from it");
    return nullptr;
  }
  return std::make_unique<node_server>(*folder,
                                       "const s = require('kinesalite')({createStreamMs: 0, deleteStreamMs: 0, updateStreamMs: 0})\n"
                                       "s.listen(0, '127.0.0.1', () => console.log(s.address().port))");
}

/// Kinesis as kinesis-mock (kinesis-local at npm) has it: with all operations, slow. It does not verify signatures. Null, and the running
/// test is reported as skipped, where it cannot be had.
/// `identity`: a file with a certificate and its key (`server.json` of the package), then the port is that of TLS, where it speaks HTTP/2
/// too.
inline std::unique_ptr<node_server> kinesis_mock(std::string const& identity = "") {
  auto const folder = has_node() ? npm_package("kinesis-local", "0.6.2") : std::nullopt;
  if (!folder) {
    skip("needs node, npm, and kinesis-local from it");
    return nullptr;
  }
  return std::make_unique<node_server>(*folder, "const identity = '" + identity + "'" + R"(
    const net = require('net'), http = require('http'), home = require('path').resolve('node_modules/kinesis-local')
    const free = () => new Promise(done => {
      const s = net.createServer()
      s.listen(0, '127.0.0.1', () => { const p = s.address().port; s.close(() => done(p)) })
    })
    ;(async () => {
      const plain = await free(), tls = await free(), print = process.stdout.write.bind(process.stdout)
      process.stdout.write = process.stderr.write = () => true  // where it writes its log
      Object.assign(process.env, {KINESIS_MOCK_PLAIN_PORT: plain, KINESIS_MOCK_TLS_PORT: tls,
        KINESIS_MOCK_CERT_PATH: identity || home + '/server.json', LOG_LEVEL: 'ERROR', CREATE_STREAM_DURATION: '1ms',
        SPLIT_SHARD_DURATION: '1ms', MERGE_SHARDS_DURATION: '1ms', UPDATE_SHARD_COUNT_DURATION: '1ms', DELETE_STREAM_DURATION: '1ms',
        REGISTER_STREAM_CONSUMER_DURATION: '1ms'})
      import(home + '/main.js').catch(() => process.exit(1))
      const look = () => http.get({host: '127.0.0.1', port: plain, path: '/healthcheck'}, r => { r.resume(); print((identity ? tls : plain) + '\n') })
                             .on('error', () => setTimeout(look, 50))
      look()
    })())");
}

}  // namespace weir::test
