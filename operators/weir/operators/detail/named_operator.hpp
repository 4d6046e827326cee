#pragma once
#include <weir/ledger.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace weir::detail {

// What an operator with state is called, and where it counts.
class naming {
public:
  std::string const& id() const noexcept { return id_; }
  void name(std::string id) { id_ = std::move(id); }
  void count_in(ledger books, std::string account) {
    books_ = std::move(books);
    account_ = std::move(account);
  }
  // Its tally: in the books, else its own.
  std::shared_ptr<tally> open_tally(std::string_view kind) const {
    if (!books_) return std::make_shared<tally>();
    std::string who(kind);
    if (!id_.empty()) who += " " + id_;
    ledger books = *books_;
    return books.open(account_, std::move(who));
  }

private:
  std::string id_, account_;
  std::optional<ledger> books_;
};

// Base of descriptions of operators with state: `aggregate(count()).named("hits").counted_in(books, "hits per hour")`.
template <class Self> class named_operator {
public:
  /// The operator's name in results' identities, explanations and checkpoints.
  Self&& named(std::string id) && {
    naming_.name(std::move(id));
    return static_cast<Self&&>(*this);
  }
  /// Counts what becomes of the elements under `account`.
  Self&& counted_in(ledger books, std::string account) && {
    naming_.count_in(std::move(books), std::move(account));
    return static_cast<Self&&>(*this);
  }

protected:
  explicit named_operator(naming n = naming()) : naming_(std::move(n)) {}
  naming naming_;
};

}  // namespace weir::detail
