#pragma once
#include <weir/application.hpp>
#include <weir/memory/source.hpp>

#include <memory>
#include <utility>

namespace weir {

template <class T, class Configure> application& application::use_memory_stream(testing::script<T> script, Configure&& configure) {
  return use_source(std::make_shared<memory::source<T>>(std::move(script)), std::forward<Configure>(configure));
}

}  // namespace weir
