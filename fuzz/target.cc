#include "layoutcheck/fuzz/target.h"

#include <cstdio>
#include <cstdlib>

namespace layoutcheck {

void Require(const std::optional<std::string>& broken) {
  if (!broken) return;
  std::fprintf(stderr, "broken property: %s\n", broken->c_str());
  std::abort();
}

}  // namespace layoutcheck
