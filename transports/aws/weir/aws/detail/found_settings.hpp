#pragma once
#include <weir/aws/profile_files.hpp>
#include <weir/aws/variables.hpp>

#include <string>

namespace weir::aws::detail {

// What the environment and a profile (empty: AWS_PROFILE, else "default") say. `from` outlives it.
class found_settings {
public:
  found_settings(std::string const& profile, variables const& from) : from_(from), files_(profile_files::load(from)) {
    section_ = files_.profile(profile.empty() ? from("AWS_PROFILE").value_or("default") : profile);
  }
  found_settings(found_settings const&) = delete;
  found_settings& operator=(found_settings const&) = delete;

  // The first variable that is set, else the profile's setting; empty: neither.
  template <class... Names> std::string get(std::string const& setting, Names const&... names) const {
    for (std::string const& name : {std::string(names)...})
      if (auto v = from_(name)) return *std::move(v);
    if (!section_) return {};
    auto const at = section_->find(setting);
    return at == section_->end() ? std::string() : at->second;
  }

private:
  variables const& from_;
  profile_files files_;
  profile_files::section const* section_;
};

}  // namespace weir::aws::detail
