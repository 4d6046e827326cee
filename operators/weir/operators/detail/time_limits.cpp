#include <weir/error.hpp>
#include <weir/operators/detail/time_limits.hpp>
#include <weir/rfc3339.hpp>

#include <string>

namespace weir::detail {
namespace {

std::string text(std::chrono::nanoseconds d) { return std::to_string(d.count()) + " ns"; }

[[noreturn]] void refuse(std::string_view who, std::string why, std::string advice) {
  throw error(errc::invalid_option, std::string(who) + ": cannot be built", std::move(why), std::move(advice));
}

}  // namespace

void check_span(std::string_view who, std::string_view what, std::chrono::nanoseconds span, span_from least) {
  if (span.count() < (least == span_from::one ? 1 : 0) || span > longest_span) {
    refuse(who, std::string(what) + " is " + text(span),
           least == span_from::one ? "give more than 0 and up to 20 years" : "give 0 up to 20 years");
  }
}

void check_windows(std::string_view who, std::chrono::nanoseconds size, std::chrono::nanoseconds slide) {
  check_span(who, "its size", size, span_from::one);
  check_span(who, "its slide", slide, span_from::one);
  if (slide > size) {
    refuse(who,
           "a slide of " + text(slide) + " is larger than the size of " + text(size) + ", so elements between two windows would be lost",
           "filter them out first, or make the slide at most the size");
  }
  if ((size.count() - 1) / slide.count() >= 100'000)
    refuse(who, "each element would belong to more than 100,000 windows", "make the slide larger or the size smaller");
}

void throw_not_placeable(instant t) {
  throw error(errc::out_of_range, "window: cannot place an element in time",
              "its event time, " + format_rfc3339(t) + ", is outside the years 1777 to 2202", "give it its time with event_time");
}

}  // namespace weir::detail
