#pragma once
#include <weir/application.hpp>
#include <weir/eventhubs/source.hpp>

#include <memory>
#include <utility>

namespace weir {

template <class Configure> application& application::use_event_hub_stream(eventhubs::options options, Configure&& configure) {
  return use_source(std::make_shared<eventhubs::source>(std::move(options)), std::forward<Configure>(configure));
}

}  // namespace weir
