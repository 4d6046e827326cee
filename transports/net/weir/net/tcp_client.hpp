#pragma once
#include <weir/net/byte_stream.hpp>
#include <weir/net/http_options.hpp>
#include <weir/task.hpp>

#include <memory>
#include <string>

namespace weir::net {

/// Opens connections as streams of bytes, over TCP ("tcp://host:5672") or TLS ("tls://host:5671"), for protocols other than HTTP.
///
/// Of the options count `connect_timeout`, `tls_timeout`, `ca_file` and the proxy, which is asked for a tunnel also for tcp, by the
/// variables for http. A stream's `close` does not wait for the peer.
///
/// Errors of `open`: `errc::invalid_option` for a URL without a port, or of another scheme; those of `http_client` on the way to the
/// server. Cancelled: the connection is closed. Thread-safety: a value; `open` from any strand, to which the stream then belongs.
class tcp_client {
public:
  /// Throws `errc::invalid_option` for a limit of zero.
  explicit tcp_client(http_options options = {});

  task<std::unique_ptr<byte_stream>> open(std::string url) const;

private:
  struct parts;
  static task<std::unique_ptr<byte_stream>> open_by(std::shared_ptr<parts> p, std::string url);
  std::shared_ptr<parts> parts_;
};

}  // namespace weir::net
