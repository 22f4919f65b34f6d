// A stand-in for CCI's usual broker.
#pragma once

#include <cci_configuration>
#include <string>

namespace cci_utils {

struct consuming_broker : cci::cci_broker_if {
  explicit consuming_broker(const std::string& /*name*/) {}
};

}  // namespace cci_utils
