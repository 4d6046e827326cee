#pragma once
#include <weir/eventhubs/detail/moment.hpp>
#include <weir/eventhubs/token.hpp>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace weir::eventhubs::detail {

// Which tokens a connection needs, and when each is put: at once, and then again when three quarters of its time are over; what fails is
// tried again, until it expires and beyond. One after the other, as the service wants it; which one waits for its next try holds up none
// of the others. Without I/O; outlives connections, with which tokens are lost.
class token_book {
public:
  explicit token_book(token_source make) : make_(std::move(make)) {}

  // For as long as it is wanted as often as it is dropped. Wanted anew, a refusal is forgotten.
  void want(std::string const& audience, moment now);
  void drop(std::string const& audience);
  // The service does not take it for good any more: a fresh one, at once.
  void renew(std::string const& audience, moment now);

  struct put {
    std::string audience;
    token value;
  };
  // The next to put. One is under way then, and nothing comes until it is answered, or is known to be unanswered.
  std::optional<put> next(moment now);
  bool under_way() const noexcept { return under_way_.has_value(); }
  void answered(int status, std::string_view condition, std::string_view description, moment now);
  void unanswered(moment now);
  // The connection is gone, and all tokens with it.
  void lost(moment now);
  // When `next` has something, if nothing is under way.
  std::optional<time_point> due() const;

  bool holds(std::string const& audience, std::int64_t unix_time) const;
  struct refusal {
    std::error_code code;
    std::string why;
  };
  // That it is of no use to wait for it.
  std::optional<refusal> refused(std::string const& audience) const;

private:
  struct entry {
    unsigned wanted = 0, failures = 0;
    bool held = false;
    std::int64_t expires = 0;
    std::optional<time_point> due;
    std::optional<refusal> refused;
    std::string last;  // the text that was put
  };
  void failed(entry& e, bool hopeless, std::error_code code, std::string why, std::chrono::seconds at_least, moment now);

  token_source make_;
  std::map<std::string, entry> entries_;
  std::optional<std::string> under_way_;
  std::int64_t expires_ = 0;  // of the one that is under way
};

}  // namespace weir::eventhubs::detail
