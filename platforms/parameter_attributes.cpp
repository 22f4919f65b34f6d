#include "platforms/parameter_attributes.h"

#include <deque>
#include <string>

#include "model/parameters/parameter_list.h"

namespace subcore {

std::shared_ptr<void> list_parameters(sc_core::sc_object& object, const PlatformParameters& parameters) {
  auto attributes = std::make_shared<std::deque<sc_core::sc_attribute<std::string>>>();
  PlatformParameters copy = parameters;
  for (const Parameter& p : parameter_list(copy))
    if (p.read) object.add_attribute(attributes->emplace_back(p.key, value_text(p)));
  return attributes;
}

void list_parameters(Gpu& gpu) {
  gpu.keep(list_parameters(gpu, gpu.parameters()));
}

}  // namespace subcore
