#include <weir/lambda/detail/event_rules.hpp>

#include <weir/error.hpp>

#include <limits>
#include <utility>

namespace weir::lambda::detail {
namespace {

[[noreturn]] void refuse_rule(std::string why, char const* advice) {
  throw error(weir::errc::invalid_option, "lambda: cannot take events", std::move(why), advice);
}

}  // namespace

event_rules::event_rules(stream_options o)
    : source(std::move(o.source)),
      report_batch_item_failures(o.report_batch_item_failures),
      parallelization_factor(o.parallelization_factor),
      most_concurrent(std::numeric_limits<std::size_t>::max()) {
  if (parallelization_factor < 1 || parallelization_factor > 10)
    refuse_rule("parallelization_factor is " + std::to_string(parallelization_factor), "it is 1 to 10: that of the mapping");
}

event_rules::event_rules(queue_options o)
    : source(std::move(o.source)), report_batch_item_failures(o.report_batch_item_failures), most_concurrent(o.most_concurrent) {
  if (most_concurrent == 0) refuse_rule("most_concurrent is 0, with which no message would be handled", "it is at least 1");
}

bool event_rules::names(event const& e) const {
  return !source.empty() && (source == e.source_arn() || source == name_in_arn(e.source_arn()));
}

std::string_view name_in_arn(std::string_view arn) noexcept {
  if (!arn.starts_with("arn:")) return arn;
  for (int parts = 0; parts != 5; ++parts) {
    auto const colon = arn.find(':');
    if (colon == std::string_view::npos) return arn;
    arn.remove_prefix(colon + 1);
  }
  auto const kind = arn.find('/');
  if (kind == std::string_view::npos) return arn;
  arn.remove_prefix(kind + 1);
  return arn.substr(0, arn.find('/'));
}

std::string stream_name(event_source kind, std::string_view source) {
  std::string out;
  switch (kind) {
    case event_source::kinesis: out = "kinesis"; break;
    case event_source::dynamodb: out = "dynamodb"; break;
    case event_source::sqs: out = "sqs"; break;
    case event_source::kafka: out = "kafka"; break;
  }
  if (!source.empty()) out.append(" ").append(name_in_arn(source));
  return out;
}

}  // namespace weir::lambda::detail
