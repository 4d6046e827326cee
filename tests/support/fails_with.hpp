#pragma once
#include <weir/error.hpp>

#include "support/catch.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace weir::test {

/// What `call` throws: checks that it is a `weir::error` of that code, and that its message has all of `parts`.
template <class Call, class... Parts> void fails_with(errc code, Call call, Parts const&... parts) {
  try {
    std::forward<Call>(call)();
  } catch (error const& e) {
    std::string const message = e.what();
    INFO(message);
    CHECK(e.code() == code);
    for (std::string_view const part : {std::string_view(), std::string_view(parts)...}) {
      INFO("should say: " << part);
      CHECK(message.find(part) != std::string::npos);
    }
    return;
  }
  FAIL("nothing was thrown");
}

}  // namespace weir::test
