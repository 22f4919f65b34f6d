#include "subcore/program/runs/sweep.h"

#include <algorithm>
#include <filesystem>

#include "subcore/model/policy/random.h"

namespace subcore {
namespace {

// The last `words` words of a key, or the whole key.
std::string tail(const std::string& key, unsigned words) {
  std::size_t dot = std::string::npos;
  for (; words != 0; --words) {
    dot = key.rfind('.', dot == std::string::npos ? dot : dot - 1);
    if (dot == std::string::npos || dot == 0) return key;
  }
  return key.substr(dot + 1);
}

std::string short_name(const std::string& key, const std::vector<SweepAxis>& axes) {
  for (unsigned words = 1;; ++words) {
    std::string name = tail(key, words);
    const auto same = std::count_if(axes.begin(), axes.end(),
                                    [&](const SweepAxis& a) { return tail(a.key, words) == name; });
    if (same <= 1 || name == key) return name;
  }
}

std::string shown(const std::string& value) {
  if (value.find('/') == std::string::npos) return value;
  return std::filesystem::path(value).stem().string();
}

}  // namespace

ByName<std::string> values_of(const SweepPoint& point) {
  ByName<std::string> values;
  for (const std::string& assignment : point.overrides) {
    const std::size_t at = assignment.find('=');
    const std::string key = assignment.substr(0, at), value = shown(assignment.substr(at + 1));
    const auto same =
        std::find_if(values.begin(), values.end(), [&](const auto& v) { return v.first == key; });
    if (same == values.end())
      values.emplace_back(key, value);
    else
      same->second = value;
  }
  return values;
}

std::vector<SweepPoint> points_of(const std::vector<SweepAxis>& axes) {
  std::vector<SweepPoint> points(1);
  for (const SweepAxis& axis : axes) {
    std::vector<SweepPoint> next;
    for (const SweepPoint& p : points) {
      for (const std::string& value : axis.values) {
        SweepPoint q = p;
        q.overrides.push_back(axis.key + '=' + value);
        q.name += (q.name.empty() ? "" : ",") + short_name(axis.key, axes) + '=' + shown(value);
        next.push_back(std::move(q));
      }
    }
    points = std::move(next);
  }
  return points;
}

std::vector<SweepPoint> with_variations(const std::vector<SweepPoint>& points,
                                        const std::vector<SweepPoint>& variations) {
  std::vector<SweepPoint> all;
  for (const SweepPoint& p : points) {
    all.push_back(p);
    for (const SweepPoint& v : variations) {
      SweepPoint q = p;
      q.overrides.insert(q.overrides.end(), v.overrides.begin(), v.overrides.end());
      q.name += (q.name.empty() ? "" : ",") + v.name;
      all.push_back(std::move(q));
    }
  }
  return all;
}

PlatformParameters member_of(const PlatformParameters& platform, std::uint64_t n) {
  // How many values of each a platform file can have.
  constexpr std::uint64_t seeds = 9007199254740992, starts = 1000000001;
  // Starts are later by fewer cycles than a usual interval has, so that they can fall on any cycle of an
  // interval.
  constexpr std::uint64_t latest_start = 10000;
  PlatformParameters member = platform;
  member.name += ",member=" + std::to_string(n);
  member.seed = (platform.seed + n) % seeds;
  const std::uint64_t later = 1 + Random(member.seed).next() % (latest_start - 1);
  member.gpu.start_cycle = (platform.gpu.start_cycle + later) % starts;
  return member;
}

}  // namespace subcore
