// Parameters as attributes of SystemC's, for whoever walks the hierarchy of a simulation and knows nothing of
// platforms: sc_core::sc_attribute<std::string>, named by its key ("gpu.sms"), the value as a platform file
// would give it. They only tell what the platform is: setting one is an error. An attribute
// called "parameters" says so.
#pragma once

#include <deque>
#include <memory>
#include <string>

#include "subcore/platforms/gpu.h"

namespace subcore {

// The attributes of one object.
class ParameterAttributes {
 public:
  // Adds the parameters that the platform reads to `object`, as attributes. They are there until this is
  // destroyed, which must not be before the object's last use of them.
  ParameterAttributes(sc_core::sc_object& object, const PlatformParameters& parameters);
  ParameterAttributes(const ParameterAttributes&) = delete;
  ParameterAttributes& operator=(const ParameterAttributes&) = delete;

  // Reports an error (/subcore/attribute) if somebody has changed the value of one.
  void check() const;

 private:
  struct Attribute {
    Attribute(const std::string& key, const std::string& text) : attribute(key, text), value(text) {}
    sc_core::sc_attribute<std::string> attribute;
    const std::string value;
  };
  std::string object_;
  sc_core::sc_attribute<std::string> note_;
  std::deque<Attribute> attributes_;
};

// Adds the parameters that the platform reads to `object`. They are attributes for as long as the object
// lives, and have to be kept for as long.
std::shared_ptr<ParameterAttributes> list_parameters(sc_core::sc_object& object,
                                                     const PlatformParameters& parameters);
// Adds the parameters of a GPU, which keeps them, and checks them whenever a run begins or ends.
void list_parameters(Gpu& gpu);

}  // namespace subcore
