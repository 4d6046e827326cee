#include <weir/postgres/connection.hpp>

#include <weir/context.hpp>
#include <weir/postgres/detail/exchange.hpp>
#include <weir/postgres/detail/failure.hpp>
#include <weir/postgres/detail/server_settings.hpp>
#include <weir/postgres/detail/socket_watch.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <libpq-fe.h>

#include <optional>
#include <utility>

namespace weir::postgres {
namespace {

void drop_notice(void*, PGresult const*) {}

}  // namespace

struct connection::link {
  explicit link(connection_options o) : options(std::move(o)), name(detail::server_settings(options).name()) {}
  link(link const&) = delete;
  link& operator=(link const&) = delete;
  ~link() { close(); }

  void close() noexcept {
    if (handle != nullptr) PQfinish(handle);
    handle = nullptr;
  }
  // Closes it when whoever uses it ends half-way.
  class guard {
  public:
    explicit guard(link& l) noexcept : link_(&l) {}
    guard(guard const&) = delete;
    guard& operator=(guard const&) = delete;
    ~guard() {
      if (link_) link_->close();
    }
    void done() noexcept { link_ = nullptr; }

  private:
    link* link_;
  };
  PGconn* open_handle(std::string const& sql) const {
    if (handle != nullptr) return handle;
    throw error(errc::misuse, "postgres: cannot run \"" + sql + '"', "the connection is not open", "await open first").with_detail(name);
  }
  detail::exchange begin(context& own) const {
    constexpr auto grace = std::chrono::seconds(5);
    return detail::exchange(handle, own.environment().executor(), name, options.statement_timeout + grace);
  }

  connection_options options;
  std::string name;
  PGconn* handle = nullptr;
};

connection::connection(connection_options options) : link_(std::make_unique<link>(std::move(options))) {}
connection::connection(connection&&) noexcept = default;
connection& connection::operator=(connection&&) noexcept = default;
connection::~connection() = default;

bool connection::is_open() const noexcept { return link_->handle != nullptr; }
void connection::close() noexcept { link_->close(); }
bool connection::in_transaction() const noexcept { return is_open() && PQtransactionStatus(link_->handle) != PQTRANS_IDLE; }
std::string const& connection::server() const noexcept { return link_->name; }

task<> connection::open() {
  link& l = *link_;
  if (l.handle != nullptr) co_return;
  auto const until = std::chrono::steady_clock::now() + l.options.connect_timeout;
  detail::server_settings settings(l.options);
  co_await settings.find_hosts(until);
  context& own = co_await current_context();
  std::vector<char const*> keywords, values;
  for (auto const& [keyword, value] : settings.all()) {
    keywords.push_back(keyword.c_str());
    values.push_back(value.c_str());
  }
  keywords.push_back(nullptr);
  values.push_back(nullptr);
  link::guard guarded(l);
  l.handle = PQconnectStartParams(keywords.data(), values.data(), 0);
  if (l.handle == nullptr || PQstatus(l.handle) == CONNECTION_BAD) throw detail::connect_failure(l.handle, l.name);
  PQsetErrorVerbosity(l.handle, PQERRORS_VERBOSE);
  PQsetNoticeReceiver(l.handle, drop_notice, nullptr);
  for (auto next = PGRES_POLLING_WRITING; next != PGRES_POLLING_OK;) {
    auto const what = next == PGRES_POLLING_WRITING ? detail::readiness::write : detail::readiness::read;
    detail::socket_watch watch(own.environment().executor(), PQsocket(l.handle));  // it is another one for each address
    bool const in_time = co_await watch.wait(what, until);
    if (!in_time)
      throw error(errc::timed_out, "postgres: cannot connect",
                  "the server did not answer within " + std::to_string(l.options.connect_timeout.count()) + " ms",
                  "look at the host, the port and what is in between")
          .with_detail(l.name);
    next = PQconnectPoll(l.handle);
    if (next == PGRES_POLLING_FAILED) throw detail::connect_failure(l.handle, l.name);
  }
  PQsetnonblocking(l.handle, 1);
  parameters limit;
  limit.text(std::to_string(l.options.statement_timeout.count()));
  statement set("SELECT set_config('statement_timeout', $1, false)", std::move(limit));
  co_await query(std::move(set));
  guarded.done();
}

task<result> connection::query(statement s) {
  (void)link_->open_handle(s.sql);
  context& own = co_await current_context();
  link::guard guarded(*link_);
  detail::exchange talk = link_->begin(own);
  talk.send(s);
  co_await talk.flush();
  std::optional<result> out = co_await talk.next();
  if (out) co_await talk.finish();
  guarded.done();
  talk.check();
  if (!out) co_return result();
  co_return std::move(*out);
}

task<std::vector<result>> connection::query_all(std::vector<statement> all) {
  std::vector<result> out;
  if (all.empty()) co_return out;
  PGconn* const handle = link_->open_handle(all.front().sql);
  context& own = co_await current_context();
  link::guard guarded(*link_);
  detail::exchange talk = link_->begin(own);
  PQenterPipelineMode(handle);
  for (statement const& s : all) {
    talk.send(s);
    co_await talk.flush();
  }
  if (PQpipelineSync(handle) == 0) talk.lose();
  co_await talk.flush();
  for (statement const& s : all) {
    talk.concerns(s.sql);
    std::optional<result> one = co_await talk.next();
    if (!one) continue;
    out.push_back(std::move(*one));
    co_await talk.finish();
  }
  std::optional<result> const synchronized = co_await talk.next();
  PQexitPipelineMode(handle);
  guarded.done();
  talk.check();
  co_return out;
}

task<> connection::each_row(statement s, std::function<void(result const&, int row)> take) {
  PGconn* const handle = link_->open_handle(s.sql);
  context& own = co_await current_context();
  link::guard guarded(*link_);
  detail::exchange talk = link_->begin(own);
  talk.send(s);
  PQsetSingleRowMode(handle);
  co_await talk.flush();
  for (;;) {
    std::optional<result> const some = co_await talk.next();
    if (!some) break;
    if (talk.failed()) continue;
    for (int row = 0; row != some->rows(); ++row) take(*some, row);
  }
  guarded.done();
  talk.check();
}

task<> connection::execute(std::string sql) {
  (void)link_->open_handle(sql);
  context& own = co_await current_context();
  link::guard guarded(*link_);
  detail::exchange talk = link_->begin(own);
  talk.send_commands(sql);
  co_await talk.flush();
  co_await talk.finish();
  guarded.done();
  talk.check();
}

}  // namespace weir::postgres
