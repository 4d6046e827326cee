#pragma once

#include "symbol.hpp"

#include <boost/unordered/unordered_flat_map.hpp>

#include <string>
#include <string_view>

namespace ticks {

/// Which of the partitions that are read at present has bars of which symbol. A bar is made of one partition; a symbol whose ticks come
/// from two at a time would have each of its bars twice, in part. Strand only.
class symbol_partitions {
public:
  /// A partition that is being read. Its symbols are free when it ends: what it goes on in may have them then.
  class reading {
  public:
    reading(symbol_partitions& all, std::string_view partition) : all_(all), partition_(partition) {}
    reading(reading const&) = delete;
    reading& operator=(reading const&) = delete;
    ~reading();
    /// It has a bar of this symbol. Throws `errc::misuse` when another one has, too.
    void claim(symbol const& name);

  private:
    symbol_partitions& all_;
    std::string partition_;
  };

private:
  boost::unordered_flat_map<symbol, std::string> owners_;
};

}  // namespace ticks
