#include <weir/operators/accumulators/quantile.hpp>

#include <weir/error.hpp>
#include <weir/operators/detail/key_text.hpp>

#include <string>

namespace weir::detail {

log_buckets checked_buckets(quantile_options o) {
  auto const refuse = [](std::string why) { throw error(errc::invalid_option, "quantile: cannot be built", std::move(why)); };
  if (!log_buckets::error_possible(o.relative_error)) refuse("the relative error is not from 0.0001 to 0.5");
  if (!log_buckets::number_possible(o.max_buckets)) refuse("the number of buckets is not from 16 to 65,536");
  return log_buckets(o.relative_error, static_cast<std::uint32_t>(o.max_buckets));
}

std::string schema_of_quantile(log_buckets const& b) {
  std::string out = "quantile<";
  append_number(out, b.relative_error());
  return out + ", " + std::to_string(b.max_buckets()) + ">";
}

}  // namespace weir::detail
