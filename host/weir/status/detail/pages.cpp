#include <weir/status/detail/pages.hpp>

#include <weir/status/detail/pipeline_json.hpp>

#include <algorithm>
#include <exception>
#include <vector>

namespace weir::status::detail {
namespace {

constexpr std::string_view index =
    "/          a page to look at, which keeps up with what happens\n"
    "/healthz   200: nothing is wrong that somebody has to look at; 503: what is\n"
    "/readyz    200: all sources are read; 503: which are not\n"
    "/metrics   figures for Prometheus\n"
    "/pipeline  pipelines, partitions, positions, lag, watermarks, windows, state (JSON)\n"
    "/events    the same again and again, as server-sent events\n"
    "/explain   the same in sentences: what holds what, and since when\n";

bool is_path(std::string_view path) noexcept {
  return path == "/" || path == "/healthz" || path == "/readyz" || path == "/metrics" || path == "/pipeline" || path == "/events" ||
         path == "/explain";
}

// "localhost", or an address, with a port or without; nothing, as HTTP/1.0 has it.
bool is_local(std::string_view host) {
  if (host.empty() || host.front() == '[') return true;
  std::string name(host.substr(0, host.find(':')));
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return name == "localhost" || name.ends_with(".localhost") || name.find_first_not_of("0123456789.") == std::string::npos;
}

page yes_or_no(std::vector<std::string> const& against) {
  std::string body;
  for (std::string const& one : against) body += one + "\n";
  if (body.empty()) return page(200, page::plain, "ok\n");
  return page(503, page::plain, std::move(body));
}

}  // namespace

std::span<asset const> live_page();  // made by weir_embed_page

pages::pages(std::string token, names may_be, prometheus_metrics const& figures)
    : token_(std::move(token)), names_(may_be), figures_(figures) {
  add(live_page());
  if (auto const first = files_.find("/page/index.html"); first != files_.end()) files_.insert_or_assign("/", first->second);
}

void pages::add(own_page p) { own_.insert_or_assign(p.path, std::move(p)); }
void pages::add(std::span<asset const> files) {
  for (asset const& file : files) {
    std::string bytes(file.bytes.begin(), file.bytes.end());
    files_.insert_or_assign(std::string(file.path), page(200, file.type, std::move(bytes), page::powers::own));
  }
}

std::string pages::list() const {
  std::string out(index);
  for (auto const& [path, p] : own_) out += path + '\n';
  return out;
}

bool pages::is_probe(std::string_view target) noexcept {
  std::string_view const path = target.substr(0, target.find('?'));
  return path == "/healthz" || path == "/readyz";
}

page pages::answer(request_head const& request, std::chrono::nanoseconds now) {
  if (request.method != "GET" && request.method != "HEAD") return page(405, page::plain, "this is for reading: GET or HEAD\n");
  if (names_ == names::local && !is_local(request.host))
    return page(421, page::plain, "it listens to this machine alone: ask for localhost, or for its address\n");
  std::string const path = request.target.substr(0, request.target.find('?'));
  bool const probe = is_probe(path);
  if (auto const file = files_.find(path); file != files_.end()) return file->second;
  bool const may_look = allowed(request.authorization);
  if (!may_look && !probe) return page(401, page::plain, "a token is needed: Authorization: Bearer ...\n");
  if (auto const own = own_.find(path); own != own_.end())
    return make_own(own->second, std::string_view(request.target).substr(std::min(path.size() + 1, request.target.size())));
  if (!is_path(path)) return page(404, page::plain, "there is no such page; there are:\n" + list());
  auto found = made_.find(path);
  if (found == made_.end() || now - found->second.at >= good_for) found = made_.insert_or_assign(path, made{make(path, now), now}).first;
  page const& whole = found->second.what;
  if (!may_look) return page(whole.status, page::plain, whole.status == 200 ? "ok\n" : "not ok\n");
  return whole;
}

// Takes as long however much of it is right.
bool pages::allowed(std::string_view authorization) const noexcept {
  if (token_.empty()) return true;
  constexpr std::string_view scheme = "Bearer ";
  if (!authorization.starts_with(scheme)) return false;
  std::string_view const given = authorization.substr(scheme.size());
  unsigned different = given.size() == token_.size() ? 0 : 1;
  for (std::size_t i = 0; i != given.size(); ++i)
    different |= static_cast<unsigned char>(given[i]) ^ static_cast<unsigned char>(token_[i % token_.size()]);
  return different == 0;
}

page pages::make_own(own_page const& p, std::string_view query) {
  try {
    return page(200, p.type, p.make(query));
  } catch (std::exception const& e) {
    return page(500, page::plain, std::string("it cannot be made: ") + e.what() + '\n');
  }
}

page pages::make(std::string_view path, std::chrono::nanoseconds now) const {
  if (path == "/") return page(200, page::plain, list());
  if (path == "/metrics") return page(200, prometheus_metrics::content_type, figures_.text());
  if (!of_) return page(503, page::plain, "the application does not run\n");
  application_figures const all = of_->look(now);
  if (path == "/healthz") return yes_or_no(all.complaints());
  if (path == "/pipeline") return page(200, "application/json", pipeline_json(all));
  if (path == "/events") return page(200, own_page::events, "data: " + pipeline_json(all) + '\n');
  if (path == "/explain") return page(200, page::plain, all.text());
  std::vector<std::string> missing = all.missing();
  if (all.draining) missing.emplace_back("it drains: nothing more is read");
  return yes_or_no(missing);
}

}  // namespace weir::status::detail
