// Functions of the driver that device code calls: printf, assert, malloc, free. The functions have no code
// here. Their work is done at once, and does not appear in traces.
#include <string>

#include "subcore/base/bits.h"
#include "subcore/base/formatted.h"
#include "subcore/tracer/machine/cta.h"
#include "subcore/tracer/machine/decoder.h"

namespace subcore::tracer {
namespace {

// Registers for the parameters and results of calls, and for the address to which they return.
constexpr unsigned first_parameter = 4, return_register = 20;
constexpr std::size_t most_characters = 1 << 16;

// One lane's call.
class Call {
 public:
  Call(Cta& cta, Warp& warp, unsigned lane) : cta_(cta), warp_(warp), lane_(lane) {}

  Word word(unsigned at) const { return warp_.registers[at][lane_]; }
  Wide pair(unsigned at) const { return joined(word(at), word(at + 1)); }
  void give(Wide result) {
    warp_.registers[first_parameter][lane_] = low_word(result);
    warp_.registers[first_parameter + 1][lane_] = high_word(result);
  }
  template <class T>
  T value_at(Wide address) const {
    T value;
    std::memcpy(&value, bytes(address, sizeof value), sizeof value);
    return value;
  }
  std::string text_at(Wide address) const {
    std::string text;
    while (const char c = *reinterpret_cast<const char*>(bytes(address++, 1))) {
      if (text.size() == most_characters) fail("a text has more than 65536 characters");
      text += c;
    }
    return text;
  }
  [[noreturn]] void fail(const std::string& what) const {
    cta_.fail(warp_, warp_.registers[return_register][lane_] - 16,
              "lane " + std::to_string(lane_) + ": " + what);
  }

 private:
  const std::uint8_t* bytes(Wide address, unsigned count) const {
    const std::uint8_t* const found = cta_.generic_bytes(warp_, lane_, address, count);
    if (found == nullptr)
      fail("a call of the driver reads " + std::to_string(count) + " bytes at " +
           hex_text(static_cast<std::int64_t>(address)) + ", which is outside every allocation");
    return found;
  }

  Cta& cta_;
  Warp& warp_;
  unsigned lane_;
};

// The arguments of a printf, one after the other, each at a multiple of its size.
class Arguments {
 public:
  Arguments(const Call& call, Wide at) : call_(call), at_(at) {}
  template <class T>
  T next() {
    at_ = (at_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    const T value = call_.value_at<T>(at_);
    at_ += sizeof(T);
    return value;
  }

 private:
  const Call& call_;
  Wide at_;
};

// The text that printf prints for one conversion.
std::string converted(const Call& call, const std::string& conversion, bool is_long, Arguments& arguments) {
  const char kind = conversion.back();
  // The argument gives the length of a whole number.
  const auto whole = [&](auto value, const char* length) {
    return formatted((conversion.substr(0, conversion.size() - 1) + length + kind).c_str(), value);
  };
  switch (kind) {
    case 'd':
    case 'i':
      return is_long ? whole(arguments.next<long long>(), "ll") : whole(arguments.next<int>(), "");
    case 'u':
    case 'x':
    case 'X':
    case 'o':
      return is_long ? whole(arguments.next<unsigned long long>(), "ll")
                     : whole(arguments.next<unsigned>(), "");
    case 'c':
      return whole(arguments.next<int>(), "");
    case 'p':
      return hex_text(arguments.next<std::int64_t>());
    case 's':
      return formatted(conversion.c_str(), call.text_at(arguments.next<Wide>()).c_str());
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
      return formatted(conversion.c_str(), arguments.next<double>());
    default:
      call.fail("printf has the conversion '" + conversion + "', which is not known");
  }
}

std::string printed(const Call& call, const std::string& format, Arguments arguments) {
  std::string out;
  for (std::size_t at = 0; at < format.size(); ++at) {
    if (format[at] != '%') {
      out += format[at];
      continue;
    }
    if (++at < format.size() && format[at] == '%') {
      out += '%';
      continue;
    }
    std::string conversion = "%";
    bool is_long = false;
    for (; at < format.size(); ++at) {
      const char c = format[at];
      if (c == '*') {
        conversion += std::to_string(arguments.next<int>());
      } else if (c == 'h') {
        continue;  // the argument is a word all the same
      } else if (c == 'l' || c == 'z' || c == 'j' || c == 't') {
        is_long = true;
      } else {
        conversion += c;
        if (std::string_view("-+ #0123456789.").find(c) == std::string_view::npos) break;
      }
    }
    out += converted(call, conversion, is_long, arguments);
  }
  return out;
}

}  // namespace

void Cta::call_system(Warp& warp, std::size_t path) {
  const Lanes lanes = warp.paths[path].lanes;
  const auto which = static_cast<SystemCall>((warp.paths[path].pc - first_system_call) / 16);
  for (const unsigned lane : bits::each(lanes)) {
    Call call(*this, warp, lane);
    switch (which) {
      case SystemCall::print:
        if (launch_.print)
          launch_.print(printed(call, call.text_at(call.pair(4)), Arguments(call, call.pair(6))));
        call.give(0);
        break;
      case SystemCall::fail:
        call.fail("assertion '" + call.text_at(call.pair(4)) + "' does not hold in " +
                  call.text_at(call.pair(10)) + " (" + call.text_at(call.pair(6)) + ":" +
                  std::to_string(call.word(8)) + ")");
      case SystemCall::allocate:
        call.give(memory_.allocate(call.pair(4)));
        break;
      case SystemCall::release:
        if (call.pair(4) != 0 && !memory_.free(call.pair(4)))
          call.fail("free of " + hex_text(static_cast<std::int64_t>(call.pair(4))) +
                    ", where no allocation begins");
        break;
      default:
        call.fail("a call of " + hex_text(warp.paths[path].pc) + ", where there is no code");
    }
  }
  warp.paths[path].pc = warp.registers[return_register][bits::lowest(lanes)];
}

}  // namespace subcore::tracer
