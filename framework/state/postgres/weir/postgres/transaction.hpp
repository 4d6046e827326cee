#pragma once
#include <weir/postgres/connection.hpp>

#include <string>

namespace weir::postgres {

/// From here on all or nothing:
/// ```cpp
/// auto all = co_await postgres::transaction::begin(db);
/// co_await db.query(std::move(insert));
/// co_await all.commit();
/// ```
/// A transaction that is destroyed without having been committed or rolled back closes its connection, which makes the server undo it:
/// a destructor cannot wait. Transactions do not nest; the connection must outlive it. Thread-safety: as the connection.
class transaction {
public:
  /// `mode`: what stands behind BEGIN, for example "ISOLATION LEVEL SERIALIZABLE" or "READ ONLY". Fails with `errc::misuse` when one is
  /// open already.
  static task<transaction> begin(connection& on, std::string mode = {});
  transaction(transaction&& o) noexcept;
  transaction& operator=(transaction&&) = delete;
  ~transaction();

  /// Makes it durable. Fails with `errc::rejected`, and undoes everything, when one of its statements had failed. When the connection is
  /// lost meanwhile, it is not known whether it was committed.
  task<> commit();
  task<> rollback();

private:
  explicit transaction(connection& on) noexcept : on_(&on) {}
  connection* on_;
};

}  // namespace weir::postgres
