#include <weir/testing/mishap.hpp>

namespace weir::testing {

std::string mishap::text() const {
  std::string const n = std::to_string(nth_);
  if (where_ == place::step) return "crash after step " + n;
  std::string const call = (where_ == place::read ? "read " : where_ == place::write ? "write " : "commit ") + n;
  return call + (what_ == fault::crash_before || what_ == fault::crash_after ? ": " : " ") + std::string(testing::text(what_));
}

std::string text(delivery_schedule const& s) {
  std::string out;
  for (mishap const& m : s) out += (out.empty() ? "" : ", then ") + m.text();
  return out.empty() ? "nothing goes wrong" : out;
}

}  // namespace weir::testing
