// Arbiter of banks with ports of their own for reads and writes (Huerta, MICRO 2025): every read is granted,
// because whoever reads has reserved a port; writes go as far as a bank's ports do, results that the compiler
// counts on first.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>

#include "subcore/modules/arbiter/arbiter.h"

namespace subcore {

class ReservedPortArbiter final : public Arbiter {
 public:
  // `read_ports`, `write_ports`: of a bank; 0 = no limit.
  ReservedPortArbiter(const sc_core::sc_module_name& name, const RegisterFileParameters& parameters,
                      const Ports& ports, const BankMap& map, std::unique_ptr<ResultSteering> steering,
                      bool whole_writes, std::uint32_t read_ports, std::uint32_t write_ports)
      : Arbiter(name, parameters, ports, map, std::move(steering), whole_writes),
        read_ports_(static_cast<std::uint8_t>(read_ports)),
        write_ports_(static_cast<std::uint8_t>(write_ports)) {}

 private:
  void begin_writes(Cycle now) override;
  bool take_bank(unsigned bank) override;
  bool grant_reads(Cycle now) override;
  void report_ports(const Read& r, Cycle now) const;

  std::uint8_t read_ports_, write_ports_;
  std::array<std::uint8_t, 64> writes_of_bank_{};  // in this cycle
};

}  // namespace subcore
