#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace weir::eventhubs::detail {

// The offsets of events that were read and are not committed yet: a commit knows the number of its last event, and what is written for
// others needs its offset, too. Up to 65,536 of them; of more, every other one is forgotten, so that a place may then be a little early,
// and never late.
class offset_trail {
public:
  struct place {
    place(std::int64_t n, std::string_view o) : number(n), offset(o) {}
    std::int64_t number;
    std::string offset;
  };

  // Behind those before; one that is not begins anew from there.
  void add(std::int64_t number, std::string_view offset);
  // The last one up to that number. It is forgotten, and those before it.
  std::optional<place> take(std::int64_t up_to);
  std::size_t size() const noexcept { return places_.size(); }

private:
  std::deque<place> places_;
};

}  // namespace weir::eventhubs::detail
