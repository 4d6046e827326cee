#include <weir/failure_policy.hpp>

#include <weir/error.hpp>

namespace weir {

failure_policy failure_policy::retry(retry_policy p) const {
  failure_policy changed(*this);
  changed.retries_ = std::move(p);
  return changed;
}

failure_policy failure_policy::dead_letter_to(std::shared_ptr<dead_letter_sink> sink) const {
  if (!sink) throw error(errc::invalid_option, "failure policy: cannot be used", "dead_letter_to was given no sink");
  failure_policy changed(*this);
  changed.sink_ = std::move(sink);
  return changed;
}

failure_policy failure_policy::in_a_row(unsigned most) const {
  if (most == 0) {
    throw error(errc::invalid_option, "failure policy: cannot be used", "0 dead letters in a row would be none at all",
                "leave out dead_letter_to to halt at the first");
  }
  failure_policy changed(*this);
  changed.most_in_a_row_ = most;
  return changed;
}

failure_policy failure_policy::counted_in(ledger books, std::string name) const {
  failure_policy changed(*this);
  changed.books_ = std::move(books);
  changed.name_in_books_ = std::move(name);
  return changed;
}

std::shared_ptr<tally> failure_policy::open_tally(std::string who) const {
  if (!books_) return nullptr;
  ledger books = *books_;
  return books.open(name_in_books_, std::move(who));
}

}  // namespace weir
