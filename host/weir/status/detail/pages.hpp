#pragma once
#include <weir/application_status.hpp>
#include <weir/prometheus_metrics.hpp>
#include <weir/status/asset.hpp>
#include <weir/status/detail/page.hpp>
#include <weir/status/detail/request_head.hpp>
#include <weir/status/own_page.hpp>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace weir::status::detail {

// Which requests get which answers. No I/O; one thread at a time.
class pages {
public:
  // What is made for one is good for all who ask within this time.
  static constexpr std::chrono::milliseconds good_for{100};

  // By which names it may be asked for. A page of somebody else's has any name it likes lead to this machine, and would then read what is
  // meant for it alone.
  enum class names : bool { any, local };
  // `token`: empty: everybody may look.
  pages(std::string token, names may_be, prometheus_metrics const& figures);
  void show(std::shared_ptr<application_status const> of) {
    of_ = std::move(of);
    made_.clear();
  }
  // One of the program's own; of two at one path the last one is it. Files are shown without a token: there is nothing in them to hide.
  void add(own_page p);
  void add(std::span<asset const> files);
  // Whether it asks for what orchestrators ask for.
  static bool is_probe(std::string_view target) noexcept;
  // `now`: of a steady clock, the application's.
  page answer(request_head const& request, std::chrono::nanoseconds now);

private:
  struct made {
    page what;
    std::chrono::nanoseconds at;
  };
  bool allowed(std::string_view authorization) const noexcept;
  page make(std::string_view path, std::chrono::nanoseconds now) const;
  static page make_own(own_page const& p, std::string_view query);
  std::string list() const;

  std::string const token_;
  names const names_;
  prometheus_metrics const& figures_;
  std::shared_ptr<application_status const> of_;
  std::map<std::string, page, std::less<>> files_;
  std::map<std::string, own_page, std::less<>> own_;
  std::map<std::string, made, std::less<>> made_;  // by path, of those that there are
};

}  // namespace weir::status::detail
