#include <weir/postgres/transaction.hpp>

#include <weir/error.hpp>

#include <utility>

namespace weir::postgres {
namespace {

connection& still_open(connection* on, char const* failed) {
  if (on != nullptr) return *on;
  throw error(errc::misuse, failed, "the transaction has ended before", "end it once");
}

}  // namespace

task<transaction> transaction::begin(connection& on, std::string mode) {
  if (on.in_transaction())
    throw error(errc::misuse, "postgres: cannot begin a transaction", "one is open on this connection", "end it first")
        .with_detail(on.server());
  std::string const sql = "BEGIN " + mode;
  statement first(sql);
  co_await on.query(std::move(first));
  co_return transaction(on);
}

transaction::transaction(transaction&& o) noexcept : on_(std::exchange(o.on_, nullptr)) {}

transaction::~transaction() {
  if (on_ && on_->in_transaction()) on_->close();
}

task<> transaction::commit() {
  connection& on = still_open(on_, "postgres: cannot commit");
  statement last("COMMIT");
  result const done = co_await on.query(std::move(last));
  on_ = nullptr;
  if (done.command() == "COMMIT") co_return;
  throw error(errc::rejected, "postgres: cannot commit", "a statement of the transaction had failed; it was rolled back",
              "do not go on behind a failure")
      .with_detail(on.server());
}

task<> transaction::rollback() {
  connection& on = still_open(on_, "postgres: cannot roll back");
  statement last("ROLLBACK");
  co_await on.query(std::move(last));
  on_ = nullptr;
}

}  // namespace weir::postgres
