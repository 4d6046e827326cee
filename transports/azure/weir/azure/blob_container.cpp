#include <weir/azure/blob_container.hpp>

#include <weir/azure/detail/blob_list.hpp>
#include <weir/azure/service_error.hpp>
#include <weir/context.hpp>
#include <weir/error.hpp>
#include <weir/net/http_client.hpp>
#include <weir/net/http_date.hpp>
#include <weir/net/percent.hpp>
#include <weir/net/retry_after.hpp>
#include <weir/net/url.hpp>
#include <weir/sleep.hpp>

#include <algorithm>
#include <chrono>
#include <exception>
#include <string_view>
#include <utility>

namespace weir::azure {
namespace {

constexpr char const* api_version = "2021-12-02";
constexpr std::string_view metadata_prefix = "x-ms-meta-";
constexpr std::chrono::nanoseconds most_longer = std::chrono::seconds(5);

[[noreturn]] void refuse_option(std::string failed, std::string why, std::string advice = {}) {
  throw error(errc::invalid_option, std::move(failed), std::move(why), std::move(advice));
}

bool is_identifier(std::string_view name) {
  auto const letter = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
  return !name.empty() && letter(name.front()) && std::ranges::all_of(name, [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

void add_metadata(net::headers& to, blob_metadata const& about) {
  for (auto const& [name, value] : about) {
    if (!is_identifier(name)) refuse_option("azure: metadata cannot be sent", "\"" + name + "\" is no identifier in lower case");
    if (!std::ranges::all_of(value, [](char c) { return c >= ' ' && c <= '~'; }))
      refuse_option("azure: metadata cannot be sent", "the value of " + name + " has more than visible ASCII and spaces");
    if (value.starts_with(' ') || value.ends_with(' '))  // HTTP has none there, and what is signed would not be what is sent
      refuse_option("azure: metadata cannot be sent", "the value of " + name + " begins or ends with a space");
    to.add(std::string(metadata_prefix) + name, value);
  }
}

// What the headers of an answer say of a blob.
blob blob_of(std::string name, net::headers const& said) {
  blob out;
  out.name = std::move(name);
  out.etag = detail::quoted(said.find("ETag").value_or(""));
  out.modified = net::parse_http_date(said.find("Last-Modified").value_or(""), 0).value_or(0);
  for (auto const& [header, value] : said) {
    std::string lower = net::lower_case(header);
    if (lower.starts_with(metadata_prefix)) out.metadata.insert_or_assign(lower.substr(metadata_prefix.size()), value);
  }
  return out;
}

bool is_without_blob(service_error const& e) {
  return e.status == 404 && (e.code.empty() || e.code == "BlobNotFound" || e.code == "ResourceNotFound");
}

std::chrono::nanoseconds pause(net::headers const& answer, std::chrono::nanoseconds own, instant now) {
  auto const asked = net::parse_retry_after(answer.find("Retry-After").value_or(""), now);
  return std::clamp(asked.value_or(own), own, own + most_longer);
}

}  // namespace

struct blob_container::parts {
  explicit parts(blob_container_options o) : options(std::move(o)), http(options.http) {
    constexpr char const* failed = "azure: no container of Blob storage";
    std::string_view const given = options.url;
    where = given.substr(0, given.find('?'));
    signature = given.substr(std::min(where.size() + 1, given.size()));
    while (where.ends_with('/')) where.pop_back();
    auto const at = net::url::parse(where);
    if (!at)
      refuse_option(failed, where + ' ' + std::string(to_string(at.error())), "write https://ACCOUNT.blob.core.windows.net/CONTAINER");
    if (at->target().size() < 2) refuse_option(failed, where + " has no path", "put the container's name behind it");
    if (auto const* const other = std::get_if<shared_access_signature>(&options.by)) {
      if (!signature.empty()) refuse_option(failed, "there is a signature in the URL, and another one", "give one of them");
      signature = other->text.starts_with('?') ? other->text.substr(1) : other->text;
      if (signature.find("sig=") == signature.npos) refuse_option(failed, "the shared access signature has no \"sig=\"");
    } else if (!signature.empty() && options.by.index() != 0) {
      refuse_option(failed, "there is a signature in the URL, and another credential", "give one of them");
    }
  }

  net::request request_for(std::string method, std::string_view blob_name, std::string_view query, std::string body = {}) const {
    std::string to = where;
    if (!blob_name.empty()) to += '/';
    for (char const c : blob_name) {
      if (c == '/') to += c;
      else net::percent_encode(c, to);
    }
    char before = '?';
    for (std::string_view const part : {query, std::string_view(signature)}) {
      if (part.empty()) continue;
      to += std::exchange(before, '&');
      to += part;
    }
    net::request out(std::move(method), std::move(to), std::move(body));
    out.headers.add("x-ms-version", api_version);
    return out;
  }

  task<net::response> try_once(net::request r) const {
    if (auto const* const key = std::get_if<shared_key>(&options.by)) {
      context const& own = co_await current_context();
      sign(r, *key, own.clock().now());
    } else if (auto const* const source = std::get_if<bearer_source>(&options.by)) {
      task<std::string> asking = (*source)();
      std::string const token = co_await std::move(asking);
      r.headers.set("Authorization", "Bearer " + token);
    }
    net::response answer = co_await http.send(std::move(r));
    co_return answer;
  }

  // What the service answers; a refusal only where it is that a condition does not hold, or that there is no such blob.
  static task<net::response> ask(std::shared_ptr<parts const> self, std::string operation, std::string name, net::request r) {
    context const& own = co_await current_context();
    for (unsigned failed = 1;; ++failed) {
      std::exception_ptr failure;
      net::headers said;
      try {
        net::response answer = co_await self->try_once(r);
        auto const refusal = read_service_error(answer);
        if (!refusal || kind_of(*refusal) == service_error_kind::condition || is_without_blob(*refusal)) co_return answer;
        said = std::move(answer.headers);
        throw to_error(*refusal, "azure: " + operation + " failed");
      } catch (error& e) {
        if (e.code() == weir::condition::cancelled) throw;
        e.with_detail(operation + " at " + self->where);
        if (!name.empty()) e.with_detail("blob " + name);
        if (failed != 1) e.with_detail("after " + std::to_string(failed) + " tries");
        failure = std::current_exception();
      }
      auto const delay = self->options.retry.after(failure, failed);
      if (!delay) std::rethrow_exception(failure);
      co_await sleep_for(pause(said, *delay, own.clock().now()));
    }
  }

  static task<blob_write> write(std::shared_ptr<parts const> self, std::string operation, std::string name, net::request r,
                                blob_condition when) {
    if (!when.header().empty()) r.headers.add(when.header(), when.value());
    net::response const answer = co_await ask(std::move(self), std::move(operation), name, std::move(r));
    blob_write out;
    if (answer.status == 404) {
      out.is = blob_write::result::absent;
    } else if (answer.status >= 300) {
      out.is = blob_write::result::changed;
    } else {
      blob made = blob_of(std::move(name), answer.headers);
      out.etag = std::move(made.etag);
      out.modified = made.modified;
    }
    co_return out;
  }

  static task<std::optional<blob>> properties(std::shared_ptr<parts const> self, std::string name) {
    net::request r = self->request_for("HEAD", name, "");
    net::response const answer = co_await ask(std::move(self), "Get Blob Properties", name, std::move(r));
    if (answer.status >= 300) co_return std::nullopt;
    co_return blob_of(std::move(name), answer.headers);
  }

  static task<blob_page> list(std::shared_ptr<parts const> self, std::string prefix, std::string from) {
    std::string query = "restype=container&comp=list&include=metadata&prefix=";
    for (char const c : prefix) net::percent_encode(c, query);
    if (!from.empty()) query += "&marker=";
    for (char const c : from) net::percent_encode(c, query);
    net::request r = self->request_for("GET", "", query);
    net::response const answer = co_await ask(self, "List Blobs", "", std::move(r));
    if (answer.status >= 300) throw to_error(*read_service_error(answer), "azure: List Blobs failed").with_detail("at " + self->where);
    blob_page out = detail::read_blob_list(answer.body);
    out.asked = net::parse_http_date(answer.headers.find("Date").value_or(""), 0).value_or(0);
    co_return out;
  }

  blob_container_options const options;
  net::http_client const http;
  std::string where, signature;
};

blob_container::blob_container(blob_container_options options) : parts_(std::make_shared<parts>(std::move(options))) {}

task<blob_write> blob_container::put(std::string name, blob_metadata about, blob_condition when, std::string bytes) const {
  net::request r = parts_->request_for("PUT", name, "", std::move(bytes));
  r.headers.add("x-ms-blob-type", "BlockBlob");
  add_metadata(r.headers, about);
  return parts::write(parts_, "Put Blob", std::move(name), std::move(r), std::move(when));
}

task<blob_write> blob_container::set_metadata(std::string name, blob_metadata about, blob_condition when) const {
  net::request r = parts_->request_for("PUT", name, "comp=metadata");
  add_metadata(r.headers, about);
  return parts::write(parts_, "Set Blob Metadata", std::move(name), std::move(r), std::move(when));
}

task<std::optional<blob>> blob_container::properties(std::string name) const { return parts::properties(parts_, std::move(name)); }

task<blob_page> blob_container::list(std::string prefix, std::string from) const {
  return parts::list(parts_, std::move(prefix), std::move(from));
}

task<blob_write> blob_container::erase(std::string name, blob_condition when) const {
  net::request r = parts_->request_for("DELETE", name, "");
  return parts::write(parts_, "Delete Blob", std::move(name), std::move(r), std::move(when));
}

std::string const& blob_container::url() const noexcept { return parts_->where; }

}  // namespace weir::azure
