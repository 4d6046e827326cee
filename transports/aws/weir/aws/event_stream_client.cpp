#include <weir/aws/event_stream_client.hpp>

#include <weir/aws/clock_skew.hpp>
#include <weir/aws/service_error.hpp>
#include <weir/aws/signing.hpp>
#include <weir/context.hpp>
#include <weir/error.hpp>
#include <weir/net/http2_client.hpp>

#include <simdjson.h>

#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace weir::aws {
namespace {

constexpr std::size_t most_refusal = std::size_t{1024} * 1024;  // bytes of what is no event stream
constexpr std::string_view content_type = "application/vnd.amazon.eventstream";

// What a service calls an error of its own, and what it is to be called.
struct naming {
  naming(std::string failed, std::optional<std::error_code> (*own_code)(std::string_view)) : what(std::move(failed)), own(own_code) {}
  error of(service_error const& said) const { return to_error(said, what, own ? own(said.code) : std::nullopt); }
  std::string what;
  std::optional<std::error_code> (*own)(std::string_view);
};

std::string message_in(std::string_view json) {
  simdjson::dom::parser parser;
  simdjson::dom::element all;
  std::string_view text;
  if (parser.parse(json.data(), json.size()).get(all)) return {};
  if (all["message"].get_string().get(text) && all["Message"].get_string().get(text)) return {};
  return std::string(text);
}

// An exception is one that the operation has; an error is any other. Source: Smithy, "Event stream", :exception-type, :error-code.
service_error said_by(event_message const& m, bool exception, std::string const& request_id) {
  service_error out;
  out.code = m.text(exception ? ":exception-type" : ":error-code");
  out.message = exception ? message_in(m.payload) : std::string(m.text(":error-message"));
  out.request_id = request_id;
  return out;
}

std::string request_id_of(net::headers const& h) {
  return std::string(h.find("x-amzn-RequestId").value_or(h.find("x-amz-request-id").value_or("")));
}

stream<event_message> events_of(net::streamed_response answer, naming names) {
  std::string const request_id = request_id_of(answer.headers);
  event_stream_decoder decoder;
  for (;;) {
    for (;;) {
      std::optional<event_message> m = decoder.next();
      if (!m) break;
      std::string_view const type = m->text(":message-type");
      if (type == "exception" || type == "error") throw names.of(said_by(*m, type == "exception", request_id));
      if (m->text(":event-type") == "initial-response") continue;
      std::span<event_message> const one(&*m, 1);
      co_yield one;
    }
    std::string_view const* const piece = co_await answer.body.next();
    if (!piece) break;
    decoder.feed(*piece);
  }
  if (!decoder.at_end()) throw error(errc::unavailable, names.what, "the answer ended within an event");
}

// The whole of an answer that is no event stream.
task<net::response> read_rest(net::streamed_response answer) {
  net::response out;
  out.status = answer.status;
  out.headers = std::move(answer.headers);
  while (std::string_view const* const piece = co_await answer.body.next()) {
    out.body += *piece;
    if (out.body.size() > most_refusal) throw error(errc::too_large, "aws: cannot take the answer", "it is no event stream, and too large");
  }
  co_return out;
}

}  // namespace

struct event_stream_client::parts {
  parts(json_client_options o, net::http2_options h, credentials_cache k) : options(std::move(o)), keys(std::move(k)), http(std::move(h)) {}
  json_client_options const options;
  credentials_cache const keys;
  net::http2_client const http;
  clock_skew skew;
};

event_stream_client::event_stream_client(json_client_options options, net::http2_options http, credentials_cache keys)
    : parts_(std::make_shared<parts>(std::move(options), std::move(http), std::move(keys))) {}

task<stream<event_message>> event_stream_client::open(std::string operation, std::string body) const {
  return open_by(parts_, std::move(operation), std::move(body));
}

task<stream<event_message>> event_stream_client::open_by(std::shared_ptr<parts> p, std::string operation, std::string body) {
  context const& own = co_await current_context();
  json_client_options const& o = p->options;
  naming const names(o.of.id + ": " + operation + " failed", o.own_code);
  net::request unsigned_one("POST", o.where.url + '/', std::move(body));
  unsigned_one.headers.add("Content-Type", o.content_type).add("X-Amz-Target", o.target + '.' + operation);
  try {
    for (bool corrected = false;; corrected = true) {
      net::request r = unsigned_one;
      credentials const by = co_await p->keys.get();
      instant const at = p->skew.corrected(own.clock().now());
      sign(r, by, {o.where.region, o.of.host}, at);
      task<net::streamed_response> asking = p->http.send(std::move(r));
      net::streamed_response answer = co_await std::move(asking);
      bool const agreed = answer.status >= 200 && answer.status < 300;
      if (agreed && answer.headers.find("content-type").value_or("").starts_with(content_type)) {
        stream<event_message> events = events_of(std::move(answer), names);
        co_return events;
      }
      task<net::response> reading = read_rest(std::move(answer));
      net::response const refusal = co_await std::move(reading);
      std::optional<service_error> const said = read_service_error(refusal);
      if (!said) throw error(errc::malformed, names.what, "the answer is no event stream", "see that it is the service that answers there");
      bool again = p->skew.learn(refusal, at, own.clock().now());
      if (kind_of(*said) == service_error_kind::expired_token) {
        p->keys.drop(by);
        again = true;
      }
      if (!again || corrected) throw names.of(*said);
    }
  } catch (error& e) {
    if (e.code() != condition::cancelled) e.with_detail(o.of.id + ' ' + operation + " in " + o.where.region);
    throw;
  }
}

}  // namespace weir::aws
