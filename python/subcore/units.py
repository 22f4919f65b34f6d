"""The units of all columns, as docs/results.md gives them. All other columns are counts, names or ratios."""

CYCLES = """cycles cycle bank_read_wait_cycles scheduler_cycles stall_cycles collection_cycles collection_operands_cycles
    collection_latch_cycles collection_dispatch_cycles collection_memory_cycles collection_other_cycles
    execution_memory_cycles execution_other_cycles window_cycles memory_stall_cycles sthld_mean sthld start_cycle
    bank_wait_cycles read_wait_cycles write_wait_cycles"""
OPERANDS = """source_operands cache_read_hits bank_reads bank_writes cache_writes cache_writes_used cache_writes_unused
    prefetches accumulator_reads accumulator_writes operands_checked stale_operands reads writes"""
INSTRUCTIONS = "instructions_retired tensor_instructions instructions_traced instructions issues"
DEPENDENCES = "dependences_raw dependences_war_waw dependences_stop dependences_control dependences_order"
SHARES = """read_hit_ratio l1_hit_ratio l2_hit_ratio memory_stall_ratios l1_stall_ratio l2_stall_ratio
    dram_stall_ratio"""
RATIOS = """area_normalised area_overhead chip_area_ratio chip_area_overhead energy_by_preset_normalised
    energy_normalised ipc_normalised sample_intervals"""

UNITS = {
    "ipc": "per cycle",
    "ipc_busy": "per cycle",
    "bulk_copies": "copies",
    "bulk_bytes": "bytes",
    "bulk_requests": "requests",
    "mbarrier_waits": "waits",
    "incomplete_mbarriers": "waits",
    "window_entry_cycles": "entry cycles",
    "operand_storage_bytes": "bytes",
    "storage_bits": "bits",
    "area_mm2": "mm2",
    "leakage_mw": "mW",
    "energy_pj": "pJ",
    "energy_by_preset_pj": "pJ",
    "energy_total_pj": "pJ",
    "power_mw": "mW",
    "ctas_at_once": "CTAs",
    "waves": "waves",
    "sthld_decisions": "intervals",
    "unknown_opcodes": "static instructions",
    "wall_seconds": "seconds",
    "stalls": "cycles of warps",
    "warp_cycles": "cycles of warps",
    **dict.fromkeys(CYCLES.split(), "cycles"),
    **dict.fromkeys(OPERANDS.split(), "operands"),
    **dict.fromkeys(INSTRUCTIONS.split(), "warp instructions"),
    **dict.fromkeys(DEPENDENCES.split(), "dependences"),
    **dict.fromkeys(SHARES.split(), "0 to 1"),
    **dict.fromkeys(RATIOS.split(), "ratio"),
}


def unit_of(column):
    """The unit of a column, whose name may have a member behind a dot (`energy_pj.total`). None if it has none."""
    return UNITS.get(column.split(".")[0])
