#pragma once
#include <weir/aws/credentials_cache.hpp>
#include <weir/aws/event_stream.hpp>
#include <weir/aws/json_client.hpp>
#include <weir/net/http2_options.hpp>
#include <weir/stream.hpp>
#include <weir/task.hpp>

#include <memory>
#include <string>

namespace weir::aws {

/// Calls operations of a service of AWS that answer with an event stream, over HTTP/2: SubscribeToShard of Kinesis.
///
/// A call is made once, whatever `json_client_options::retry` says, since who reads knows where to go on; but for a signature of another
/// time, and credentials whose time is up: then it is made again at once, one time, as by `json_client`.
/// A copy is the same client. Thread-safety: as `net::http2_client`.
/// Source: "Event stream" (Smithy's documentation): an initial response, events, and exceptions and errors, which end it.
class event_stream_client {
public:
  /// Of `json_client_options`, `http` does not count: it is in `http`.
  event_stream_client(json_client_options options, net::http2_options http, credentials_cache keys);

  /// The events of the answer; an initial response is left out. Returns when the service has agreed.
  /// - Emits when: an event is whole, and valid until the next pull.   Backpressures: as the body of `net::streamed_response`.
  /// - Completes when: the service ends it.   Fails with what the service says in it (`to_error`, as if it were an answer); what
  ///   `event_stream_decoder` throws; `errc::unavailable` when the connection is lost, or it ends within an event.
  /// Fails as `json_client::call` does, and with `errc::incompatible` where HTTP/2 is not spoken, and `errc::malformed` for an answer that
  /// is no event stream.
  task<stream<event_message>> open(std::string operation, std::string body) const;

private:
  struct parts;
  static task<stream<event_message>> open_by(std::shared_ptr<parts> p, std::string operation, std::string body);
  std::shared_ptr<parts> parts_;
};

}  // namespace weir::aws
