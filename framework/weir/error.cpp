#include <weir/error.hpp>

#include <boost/asio/error.hpp>

#include <utility>

namespace weir {
namespace {

class errc_category final : public std::error_category {
public:
  char const* name() const noexcept override { return "weir"; }

  std::string message(int value) const override {
    switch (static_cast<errc>(value)) {
      case errc::invalid_option: return "an option or an argument cannot be used";
      case errc::invalid_pipeline: return "a pipeline cannot be built as it is described";
      case errc::misuse: return "a function was called when or with what it must not be";
      case errc::cancelled: return "the work was asked to end before it was done";
      case errc::timed_out: return "the work was not done within its time";
      case errc::stalled: return "nothing can ever wake what waits";
      case errc::not_found: return "the thing that was named does not exist";
      case errc::end_of_data: return "the data ended before what was expected came";
      case errc::malformed: return "data from outside is not of the form it should have";
      case errc::too_large: return "something exceeds the size that is allowed for it";
      case errc::out_of_range: return "a value does not fit where it has to go";
      case errc::corrupt: return "stored data fails its own check";
      case errc::incompatible: return "stored data is of another program or version";
      case errc::io: return "reading or writing failed";
      case errc::no_space: return "the disk is full";
      case errc::access_denied: return "it may not be read, or not be written";
      case errc::busy: return "somebody else holds a lock on it";
      case errc::stale: return "somebody else has got further; what was to be saved is out of date";
      case errc::fenced: return "somebody else owns it by now";
      case errc::throttled: return "the service asks for fewer requests";
      case errc::unavailable: return "the service does not answer at the moment";
      case errc::rejected: return "the service understood the request and refuses it";
      case errc::handler_failed: return "the handler of a pipeline threw";
      case errc::over_budget: return "a pipeline needs more memory than it is allowed to have";
    }
    return "unknown error " + std::to_string(value);
  }

  // So that code which knows nothing of Weir can compare with std::errc.
  std::error_condition default_error_condition(int value) const noexcept override {
    switch (static_cast<errc>(value)) {
      case errc::invalid_option: return std::errc::invalid_argument;
      case errc::cancelled: return std::errc::operation_canceled;
      case errc::timed_out: return std::errc::timed_out;
      case errc::io: return std::errc::io_error;
      case errc::no_space: return std::errc::no_space_on_device;
      case errc::access_denied: return std::errc::permission_denied;
      default: return {value, *this};
    }
  }
};

bool is_retryable(std::error_code const& code) noexcept {
  for (errc const e : {errc::timed_out, errc::busy, errc::throttled, errc::unavailable})
    if (code == e) return true;
  for (std::errc const e :
       {std::errc::interrupted, std::errc::resource_unavailable_try_again, std::errc::operation_would_block, std::errc::timed_out,
        std::errc::device_or_resource_busy, std::errc::connection_refused, std::errc::connection_reset, std::errc::connection_aborted,
        std::errc::broken_pipe, std::errc::network_down, std::errc::network_reset, std::errc::network_unreachable,
        std::errc::host_unreachable, std::errc::no_buffer_space})
    if (code == e) return true;
  namespace asio = boost::asio::error;
  return code == std::error_code(asio::make_error_code(asio::host_not_found_try_again)) ||
         code == std::error_code(asio::make_error_code(asio::eof));  // the peer hung up between requests
}

class decision_category final : public std::error_category {
public:
  char const* name() const noexcept override { return "weir condition"; }

  std::string message(int value) const override {
    switch (static_cast<condition>(value)) {
      case condition::retryable: return "the same again may succeed";
      case condition::throttled: return "ask less often";
      case condition::fenced: return "somebody else owns it or has got further";
      case condition::cancelled: return "the work was asked to end";
      case condition::not_found: return "the thing that was named does not exist";
    }
    return "unknown condition " + std::to_string(value);
  }

  bool equivalent(std::error_code const& code, int value) const noexcept override {
    namespace asio = boost::asio::error;
    switch (static_cast<condition>(value)) {
      case condition::retryable: return is_retryable(code);
      case condition::throttled: return code == errc::throttled;
      case condition::fenced: return code == errc::fenced || code == errc::stale;
      case condition::cancelled: return code == std::errc::operation_canceled;  // of Weir, the system and Asio alike
      case condition::not_found:
        return code == errc::not_found || code == std::errc::no_such_file_or_directory || code == std::errc::no_such_device ||
               code == std::error_code(asio::make_error_code(asio::host_not_found));
    }
    return false;
  }
};

constinit errc_category const errors;
constinit decision_category const conditions;

}  // namespace

std::error_category const& weir_category() noexcept { return errors; }
std::error_category const& condition_category() noexcept { return conditions; }
std::error_code make_error_code(errc e) noexcept { return {static_cast<int>(e), errors}; }
std::error_condition make_error_condition(condition c) noexcept { return {static_cast<int>(c), conditions}; }

struct error::parts {
  std::string failed, why, advice, stream, partition, position, request_id, detail, whole;

  void compose() {
    whole = failed;
    char const* before = " (";
    auto const id = [&](char const* name, std::string const& value) {
      if (value.empty()) return;
      whole.append(std::exchange(before, ", ")).append(name).append(value);
    };
    id("stream ", stream);
    id("partition ", partition);
    id("position ", position);
    id("request ", request_id);
    id("", detail);
    if (*before == ',') whole += ')';
    if (!why.empty()) whole.append(": ").append(why);
    if (!advice.empty()) whole.append("; ").append(advice);
  }
};

error::error(std::error_code code, std::string failed, std::string why, std::string advice) : std::system_error(code) {
  auto p = std::make_shared<parts>();
  p->failed = std::move(failed);
  p->why = std::move(why);
  p->advice = std::move(advice);
  p->compose();
  parts_ = std::move(p);
}

error::error(errc code, std::string failed, std::string why, std::string advice)
    : error(make_error_code(code), std::move(failed), std::move(why), std::move(advice)) {}

error& error::change(std::string parts::* field, std::string value) {
  auto p = std::make_shared<parts>(*parts_);  // the old ones may belong to a copy on another thread
  (*p).*field = std::move(value);
  p->compose();
  parts_ = std::move(p);
  return *this;
}

error& error::with_stream(std::string name) & { return change(&parts::stream, std::move(name)); }
error& error::with_partition(std::string id) & { return change(&parts::partition, std::move(id)); }
error& error::with_position(std::string text) & { return change(&parts::position, std::move(text)); }
error& error::with_request_id(std::string id) & { return change(&parts::request_id, std::move(id)); }
error& error::with_detail(std::string text) & {
  return change(&parts::detail, parts_->detail.empty() ? std::move(text) : parts_->detail + ", " + text);
}

std::string const& error::stream() const noexcept { return parts_->stream; }
std::string const& error::partition() const noexcept { return parts_->partition; }
std::string const& error::position() const noexcept { return parts_->position; }
std::string const& error::request_id() const noexcept { return parts_->request_id; }
std::string const& error::why() const noexcept { return parts_->why; }
char const* error::what() const noexcept { return parts_->whole.c_str(); }

}  // namespace weir
