#pragma once
#include <weir/aws/credentials_source.hpp>

#include <memory>

namespace weir::aws {

/// Credentials as they are needed: fetched when they are first asked for, kept, and fetched again from five minutes before they expire.
/// However many ask, on whatever strands, one fetches at a time; the others get what is still good, and wait only where nothing is.
/// When fetching fails while the old ones are good, that is logged, the old ones are used, and it is tried again after half a minute.
/// A copy is the same cache. Thread-safety: all functions, from any strand.
class credentials_cache {
public:
  explicit credentials_cache(std::shared_ptr<credentials_source> from);

  /// Good at this moment, by the pipeline's clock. Throws `errc::not_found` when there are none anywhere; what the source throws. Cancelled
  /// while it fetches: others fetch anew.
  task<credentials> get() const;
  /// A service says that the time of these is up, or that it does not know them: they are not given again.
  void drop(credentials const& refused) const;

private:
  struct state;
  static task<credentials> get_from(std::shared_ptr<state> s);
  std::shared_ptr<state> state_;
};

}  // namespace weir::aws
