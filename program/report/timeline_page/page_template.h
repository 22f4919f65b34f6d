// The timeline's page without its words and data: page.html, which is compiled in.
#pragma once

namespace subcore {

// HTML with the marks {{title}}, {{version}} and {{data}}, each once, in this order.
extern const char* const page_template;

}  // namespace subcore
