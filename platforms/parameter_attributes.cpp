#include "subcore/platforms/parameter_attributes.h"

#include "subcore/model/parameters/parameter_list.h"
#include "subcore/modules/protocol/failure.h"
#include "subcore/modules/protocol/report_ids.h"

namespace subcore {

ParameterAttributes::ParameterAttributes(sc_core::sc_object& object, const PlatformParameters& parameters)
    : object_(object.name()),
      note_("parameters",
            "read-only: attributes with the keys of platform files (gpu.sms) have the values that the "
            "platform was put together with; setting an attribute is an error") {
  object.add_attribute(note_);
  PlatformParameters copy = parameters;
  for (const Parameter& p : parameter_list(copy)) {
    if (!p.read) continue;
    const std::string value = value_text(p);
    object.add_attribute(attributes_.emplace_back(p.key, value).attribute);
  }
}

void ParameterAttributes::check() const {
  for (const Attribute& a : attributes_)
    if (a.attribute.value != a.value)
      fail(report_id::attribute, (object_ + ": attribute " + a.attribute.name() + " was set to '" +
                                  a.attribute.value + "', which changes nothing; expected '" + a.value +
                                  "', the value that the platform was put together with; its file or its "
                                  "overrides may set another value"));
}

std::shared_ptr<ParameterAttributes> list_parameters(sc_core::sc_object& object,
                                                     const PlatformParameters& parameters) {
  return std::make_shared<ParameterAttributes>(object, parameters);
}

void list_parameters(Gpu& gpu) {
  const auto attributes = list_parameters(gpu, gpu.parameters());
  gpu.driver.on_run([attributes] { attributes->check(); });
  gpu.driver.on_finish([attributes] { attributes->check(); });
}

}  // namespace subcore
