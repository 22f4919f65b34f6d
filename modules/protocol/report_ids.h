// The ids of the model's SystemC reports (sc_report::get_msg_type(), sc_report_handler::set_actions()).
#pragma once

namespace subcore::report_id {

inline constexpr const char* attribute = "/subcore/attribute";        // a CCI attribute set too late
inline constexpr const char* binding = "/subcore/binding";            // a socket of another width, or none
inline constexpr const char* clock = "/subcore/clock";                // a period that cannot be expressed
inline constexpr const char* control = "/subcore/control";            // a refused access to a register
inline constexpr const char* locked_write = "/subcore/locked_write";  // a write into a locked cache entry
inline constexpr const char* memory = "/subcore/memory";              // warnings about a target's data and
                                                                      // order
inline constexpr const char* memory_map = "/subcore/memory_map";      // a map that cannot be
inline constexpr const char* memory_response = "/subcore/memory_response";  // a memory's error response
inline constexpr const char* ports = "/subcore/ports";                  // more accesses to a bank than it has
                                                                        // ports
inline constexpr const char* protocol = "/subcore/protocol";            // a peer that breaks TLM-2.0's rules
inline constexpr const char* run = "/subcore/run";                      // a run that cannot begin
inline constexpr const char* slots = "/subcore/slots";                  // more sources than operand slots
inline constexpr const char* stale_operand = "/subcore/stale_operand";  // an operand out of program order
inline constexpr const char* sthld = "/subcore/sthld";        // a threshold set where no policy uses
                                                              // it
inline constexpr const char* trace = "/subcore/trace";        // a trace that cannot be read
inline constexpr const char* watchdog = "/subcore/watchdog";  // no progress

}  // namespace subcore::report_id
