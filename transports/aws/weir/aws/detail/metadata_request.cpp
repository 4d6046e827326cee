#include <weir/aws/detail/metadata_request.hpp>

#include <weir/error.hpp>
#include <weir/retry_policy.hpp>
#include <weir/sleep.hpp>

#include <chrono>
#include <exception>

namespace weir::aws::detail {
namespace {

errc code_for(unsigned status) noexcept {
  if (status == 404) return errc::not_found;
  if (status == 401 || status == 403) return errc::access_denied;
  return status == 429 ? errc::throttled : errc::unavailable;
}

task<std::string> once(net::http_client client, net::request ask) {
  net::response answer = co_await client.send(std::move(ask));
  if (answer.status != 200)
    throw error(code_for(answer.status), "aws: no credentials",
                "the metadata service answers with status " + std::to_string(answer.status));
  co_return std::move(answer.body);
}

}  // namespace

net::http_options metadata_options() {
  net::http_options o;
  o.connect_timeout = std::chrono::seconds(1);
  o.request_timeout = std::chrono::seconds(2);
  o.most_body = 64 * 1024;
  o.proxies_from = nullptr;
  o.idle_timeout = std::chrono::milliseconds(0);  // once an hour or so
  return o;
}

task<std::string> metadata(net::http_client client, net::request ask, char const* of) {
  retry_policy const retries = retry_policy().attempts(3).first_delay(std::chrono::milliseconds(100));
  for (unsigned failed = 1;; ++failed) {
    std::exception_ptr failure;
    try {
      task<std::string> asking = once(client, ask);
      co_return co_await std::move(asking);
    } catch (error& e) {
      e.with_detail(of);
      failure = std::current_exception();
    }
    auto const delay = retries.after(failure, failed);
    if (!delay) std::rethrow_exception(failure);
    co_await sleep_for(*delay);
  }
}

}  // namespace weir::aws::detail
