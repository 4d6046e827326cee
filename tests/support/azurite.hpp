#pragma once
#include "support/node_server.hpp"
#include "support/skip.hpp"

#include <memory>
#include <string>

namespace weir::test {

/// Azurite's account, and its key, which are the same everywhere.
inline constexpr char const* azurite_account = "devstoreaccount1";
inline constexpr char const* azurite_key = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

/// Blob storage as azurite, Microsoft's emulator, has it: in memory, with one container "box" that is empty. It verifies signatures. Null,
/// and the running test is reported as skipped, where it cannot be had.
inline std::unique_ptr<node_server> azurite() {
  auto const folder = has_node() ? npm_package("azurite", "3.35.0") : std::nullopt;
  if (!folder) {
    skip("needs node, npm, and azurite from it");
    return nullptr;
  }
  return std::make_unique<node_server>(*folder, R"js(
process.argv = ['node', 'azurite-blob', '--blobHost', '127.0.0.1', '--blobPort', '0', '--inMemoryPersistence', '--silent',
                '--skipApiVersionCheck', '--disableTelemetry', '--disableProductStyleUrl']
const {BlobServerFactory} = require('azurite/dist/src/blob/BlobServerFactory')
const crypto = require('crypto'), http = require('http')
const key = Buffer.from('Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==', 'base64')
new BlobServerFactory().createServer().then(async (server) => {
  await server.start()
  const port = new URL(server.getHttpServerAddress()).port, date = new Date().toUTCString()
  const text = 'PUT' + '\n'.repeat(12) + 'x-ms-date:' + date + '\nx-ms-version:2021-12-02\n' +
               '/devstoreaccount1/devstoreaccount1/box\nrestype:container'
  const headers = {'x-ms-date': date, 'x-ms-version': '2021-12-02', 'content-length': 0,
                   authorization: 'SharedKey devstoreaccount1:' + crypto.createHmac('sha256', key).update(text).digest('base64')}
  const to = {host: '127.0.0.1', port, method: 'PUT', path: '/devstoreaccount1/box?restype=container', headers}
  http.request(to, (answer) => console.log(answer.statusCode === 201 ? port : '')).end()
})
)js");
}

}  // namespace weir::test
