// Parameters as attributes of SystemC objects, for programs that walk the hierarchy of a simulation and do
// not know platforms. A parameter is an sc_core::sc_attribute<std::string> with its key as name ("gpu.sms").
// The value is the text that a platform file would have. The attributes only tell what the platform is:
// setting one is an error. An attribute called "parameters" says so.
#pragma once

#include <deque>
#include <memory>
#include <string>

#include "subcore/platforms/gpu.h"

namespace subcore {

// The attributes of one object.
class ParameterAttributes {
 public:
  // Adds the parameters that the platform reads to `object`, as attributes. The attributes are there until
  // this object is destroyed, which must not be before the last use of them by `object`.
  ParameterAttributes(sc_core::sc_object& object, const PlatformParameters& parameters);
  ParameterAttributes(const ParameterAttributes&) = delete;
  ParameterAttributes& operator=(const ParameterAttributes&) = delete;

  // Reports an error (/subcore/attribute) if a program has changed the value of an attribute.
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

// Adds the parameters that the platform reads to `object`. The caller must keep the returned attributes as
// long as the object lives.
std::shared_ptr<ParameterAttributes> list_parameters(sc_core::sc_object& object,
                                                     const PlatformParameters& parameters);
// Adds the parameters of a GPU. The GPU keeps them and checks them whenever a run begins or ends.
void list_parameters(Gpu& gpu);

}  // namespace subcore
