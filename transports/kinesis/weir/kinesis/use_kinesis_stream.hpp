#pragma once
#include <weir/application.hpp>
#include <weir/kinesis/source.hpp>

#include <memory>
#include <utility>

namespace weir {

template <class Configure> application& application::use_kinesis_stream(kinesis::options options, Configure&& configure) {
  return use_source(std::make_shared<kinesis::source>(std::move(options)), std::forward<Configure>(configure));
}

}  // namespace weir
