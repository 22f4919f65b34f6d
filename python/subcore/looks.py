"""The looks of schemes and of parts of bars. A look is the same in every figure, and readable in grey and for
colour-blind readers.

A register system has the colour of its family (Okabe and Ito's palette). Within the family it has its own tint, hatch,
mark and dashes.
"""
import dataclasses
import zlib

import matplotlib.colors

FAMILIES = {  # colour, index of the first hatch, systems
    "baseline": ("#8c8c8c", 0, ["baseline", "monolithic_baseline"]),
    "traditional": ("#a2d6f5", 0, ["traditional", "traditional_results"]),
    "bow": ("#e69f00", 2, ["bow", "bow_wr", "bow_wr_hints", "bow_wr_half", "bow_tensor"]),
    "rfc": ("#009e73", 4, ["rfc", "rfc_monolithic", "software_rfc", "software_rfc_monolithic"]),
    "ltrf": ("#cc79a7", 3, ["ltrf", "ltrf_plus", "register_cache", "reuse_ocu"]),
    "malekeh": ("#0072b2", 0, ["malekeh", "malekeh_private", "malekeh_socgpu", "malekeh_age", "malekeh_write_back",
                                "malekeh_age_write_back"]),
    "nvidia": ("#d55e00", 5, ["nvidia_turing", "nvidia_turing_2r", "nvidia_turing_no_rfc", "nvidia_turing_scoreboard",
                              "nvidia_ampere", "nvidia_hopper", "nvidia_near", "nvidia_near_8"]),
    "near_cache": ("#444444", 0, ["near_cache_2", "near_cache_4", "near_cache_8", "near_cache_pool", "near_cache_limit_2",
                                  "near_cache_limit_4", "near_cache_limit_8", "near_cache_limit_pool"]),
    "socgpu": ("#f0e442", 6, ["socgpu", "socgpu_literal", "war", "war_counters"]),
}
TINTS = [0, 0.55, 0.3, 0.75]  # shares of white
HATCHES = ["", "/////", "...", "xxxxx", "-----", "\\\\\\\\\\", "+++++", "|||||"]
MARKS = ["o", "s", "^", "D", "v", "P", "X", "*"]
DASHES = ["-", "--", "-.", ":"]
BRIGHTEST = 0.62  # highest luminance of lines

# Parts of bars. Similar parts have one colour, with different tints and hatches.
EVENTS = [
    ("#0072b2", 0, ["bank_rd", "bank_wr"]),
    ("#e69f00", 0, ["xbar_rd", "xbar_wr", "arb"]),
    ("#009e73", 2, ["buf_rd", "buf_wr", "tag_search", "tag_wr"]),
    ("#d55e00", 4, ["fwd_rd", "fwd_wr"]),
    ("#cc79a7", 3, ["cache_rd", "cache_wr", "cache_search", "cache_path", "cache_out"]),
    ("#56b4e9", 5, ["ibuf_wr", "ibuf_rd", "scoreboard"]),
    ("#f0e442", 6, ["dep_wr", "dep_rd", "dep_clr", "leakage"]),
]
STALLS = {
    "issued": ("#8c8c8c", 0), "held back": ("#0072b2", 0), "no collector": ("#e69f00", 0), "short results": ("#009e73", 1),
    "long results": ("#56b4e9", 2), "barriers": ("#d55e00", 4), "units and windows": ("#cc79a7", 3),
    "no instruction": ("#f0e442", 0),
}


@dataclasses.dataclass(frozen=True)
class Look:
    """How a bar, a point or a line is drawn."""
    colour: str
    hatch: str = ""
    mark: str = "o"
    dashes: str = "-"

    def lighter(self, share):
        """The same look with that share of white more."""
        return dataclasses.replace(self, colour=_tinted(self.colour, share))

    @property
    def ink(self):
        """The colour of lines and marks, dark enough for white paper."""
        red, green, blue = matplotlib.colors.to_rgb(self.colour)
        dark = min(1, BRIGHTEST / luminance(self.colour))
        return matplotlib.colors.to_hex([red * dark, green * dark, blue * dark])


def luminance(colour):
    """The brightness of a colour on grey paper: 0 is black, 1 white."""
    red, green, blue = matplotlib.colors.to_rgb(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def of_system(system):
    """The look of a register system, shipped or not. If its name begins like that of a family's system, it has the
    family's colour. Otherwise its look depends on its name alone."""
    for place, (colour, hatch, systems) in enumerate(FAMILIES.values()):
        if system in systems:
            return _look(colour, hatch, systems.index(system), place)
    number = zlib.crc32(system.encode())
    for place, (family, (colour, hatch, systems)) in enumerate(FAMILIES.items()):
        if system.startswith(family):
            return _look(colour, hatch, number, place)
    place = number % len(FAMILIES)
    colour, hatch, _ = list(FAMILIES.values())[place]
    return _look(colour, hatch, number // len(FAMILIES), place)


def of_systems(systems):
    """The looks of bars or lines in their order. Forms of one system, as in a sweep or on several machines, are tints
    of it, with other dashes."""
    systems = list(systems)
    seen, looks = {}, []
    for system in systems:
        number = seen[system] = seen.get(system, -1) + 1
        look = of_system(system).lighter(0.7 * number / systems.count(system))
        looks.append(dataclasses.replace(look, dashes=DASHES[(DASHES.index(look.dashes) + number) % len(DASHES)]))
    return looks


def of_event(event):
    """The look of an energy event."""
    for colour, hatch, events in EVENTS:
        if event in events:
            return _look(colour, hatch, events.index(event))
    return Look("#333333", "...")


def in_order(names):
    """The looks of names without a look of their own, such as energy tables, by their places."""
    return [_look(*EVENTS[n % len(EVENTS)][:2], n // len(EVENTS)) for n in range(len(names))]


def of_traffic(part):
    """The look of reads or writes of banks or caches."""
    colour, hatch, _ = EVENTS[0] if part.startswith("bank") else EVENTS[4]
    return _look(colour, hatch, int(part.endswith("writes")))


def of_stall(name, groups):
    """The look of a group of stalls, or of a cause in a group."""
    if name in STALLS:
        return _look(*STALLS[name], 0)
    for group, causes in groups.items():
        if name in causes:
            return _look(*STALLS[group], causes.index(name))
    return Look("#333333", "...")


def _look(colour, hatch, number, place=0):
    return Look(_tinted(colour, TINTS[number % len(TINTS)]), HATCHES[(hatch + number) % len(HATCHES)],
                MARKS[(place + number) % len(MARKS)], DASHES[(place + number) % len(DASHES)])


def _tinted(colour, share):
    return matplotlib.colors.to_hex([c + (1 - c) * share for c in matplotlib.colors.to_rgb(colour)])
