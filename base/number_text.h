// Numbers as text, the same on every machine and locale.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <string>

namespace subcore {

// Whole numbers without a point or exponent, everything else in the shortest form that reads back to the
// same double; "nan", "inf", "-inf" for the rest.
std::string number_text(double value);

}  // namespace subcore
