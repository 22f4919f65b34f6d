// `subcore cache-study`: the register-cache study of JETCAS 2024 over a trace.
#pragma once

namespace subcore {

// The command with its arguments, argv[0] being its name. Throws std::runtime_error (one line) on bad input.
int cache_study_command(int argc, char** argv);

}  // namespace subcore
