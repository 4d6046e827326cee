#pragma once
#include <weir/application.hpp>
#include <weir/lambda/detail/invocation_host.hpp>
#include <weir/lambda/events.hpp>
#include <weir/lambda/options.hpp>

#include <memory>
#include <utility>

namespace weir {

template <class Configure> application& application::use_aws_lambda(Configure&& configure) {
  return use_aws_lambda(lambda::options(), std::forward<Configure>(configure));
}

template <class Configure> application& application::use_aws_lambda(lambda::options options, Configure&& configure) {
  lambda::events all;
  std::forward<Configure>(configure)(all);
  for (auto const& pipeline : all.pipelines()) {
    check(pipeline->name(), pipeline->has_handler(), pipeline->commit(settings_));
    check(pipeline->name(), pipeline->sinks());
  }
  add(std::make_unique<lambda::detail::invocation_host>(std::move(options), std::move(all).take(), forgetful_));
  return *this;
}

}  // namespace weir
