#pragma once
#include <weir/application.hpp>
#include <weir/file/source.hpp>

#include <memory>
#include <utility>

namespace weir {

template <class Configure> application& application::use_file_stream(file::options options, Configure&& configure) {
  return use_source(std::make_shared<file::source>(std::move(options)), std::forward<Configure>(configure));
}

}  // namespace weir
