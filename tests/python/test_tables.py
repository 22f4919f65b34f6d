"""Tables of results: what is in them, in which units, and that they sum to the runs."""
import json
import re
import shutil

import pytest

import subcore
from subcore import tables
from subcore.units import unit_of


def rows_below(project, heading):
    """The rows of the first table below a heading of docs/results.md."""
    text = (project / "docs/results.md").read_text().split(f"# {heading}\n")[1].split("\n#")[0]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in text.splitlines()
            if line.startswith("| `")]


def test_rows_are_runs_with_the_keys_of_the_manual(project, results, runs):
    objects = json.loads((results / "results.json").read_text())
    assert len(runs) == len(objects) == 12
    manual = {name for row in rows_below(project, "A run's object") for name in re.findall(r"`(\w+)`", row[0])}
    ours = {"kernel_group", "file", "folder"}
    assert {c.split(".")[0] for c in runs} - ours <= manual
    first = runs.iloc[0]
    assert first["stall_cycles.issue"] == objects[0]["stall_cycles"]["issue"]
    assert first["energy_pj.total"] == objects[0]["energy_pj"]["total"]
    assert "few_waves" in first["cautions"]
    assert list(runs["member"]) == [run["member"] for run in objects]
    assert set(runs["platform"]) == {"baseline", "malekeh", "rfc"}
    assert dict(zip(runs["trace"], runs["kernel_group"])) == {"nn": "CUDA cores", "igemm": "tensor"}


@pytest.mark.parametrize("heading", ["A run's object", "A kernel's object", "intervals.csv", "power.csv", "Of an instruction",
                                     "Of a bank"])
def test_units_are_those_of_the_manual(project, heading):
    for row in rows_below(project, heading):
        if len(row) < 3 or row[1] == "as above":
            continue
        names = re.findall(r"`(\w+)`", row[0])
        units = row[1].replace(" of a warp (1024 bits)", "").split(", ")
        assert dict(zip(names, units * len(names))) == {name: unit_of(name) or "" for name in names}


def test_tables_say_their_units(runs):
    assert runs.attrs["units"]["stall_cycles.raw_long"] == "cycles"
    assert subcore.energy(runs).attrs["units"]["energy_pj"] == "pJ"
    assert subcore.intervals(runs).attrs["units"]["power_mw"] == "mW"


def test_machine_and_system(tmp_path):
    table = subcore.run("malekeh", "scenarios/traces/nn", "v100", set={"gpu.sms": 1}, seeds=2, progress=False)
    assert set(table["platform"]) == {"v100/malekeh"}
    assert set(table["machine"]) == {"v100"} and set(table["system"]) == {"malekeh"}


def test_swept_parameters_are_columns(swept):
    assert swept.attrs["swept"] == {"count": "sub_core.collector.count", "entries": "sub_core.collector.entries"}
    ours = swept[swept["system"] == "malekeh"]
    assert sorted(set(zip(ours["entries"], ours["count"]))) == [(e, c) for e in (7, 8, 10) for c in (1, 2)]
    theirs = swept[swept["system"] == "baseline"]
    assert theirs["entries"].isna().all() and sorted(set(theirs["count"])) == [1, 2]


def test_variations_are_columns(varied):
    as_it_is = varied[varied["platform"] == "malekeh"]
    assert as_it_is["count"].isna().all() and as_it_is["replacement"].isna().all()
    assert varied.set_index("platform")["replacement"]["malekeh,lru"] == "lru"


def test_short_names_tell_keys_apart():
    assert tables._short_names({"a.x.count", "b.x.count", "b.kind"}, set()) == {
        "a.x.count": "a.x.count", "b.x.count": "b.x.count", "b.kind": "kind"}
    assert tables._short_names({"gpu.cycles", "seed"}, {"cycles", "seed"}) == {"gpu.cycles": "gpu.cycles", "seed": "set.seed"}


def test_what_is_inside_runs_sums_to_them(runs):
    index = ["platform", "trace", "member"]
    totals = runs.set_index(index)

    def sums(table, column):
        return table.groupby(index)[column].sum().to_dict()

    stalls = subcore.stalls(runs)
    assert sums(stalls, "stall_cycles") == (totals["cycles"] * totals["schedulers"]).to_dict()
    assert sums(stalls[stalls["state"] == "hazard"], "stall_cycles") == totals["scheduler_cycles.hazard"].to_dict()
    for table, column in ((subcore.energy(runs), "energy_pj"), (subcore.power(runs), "energy_pj"),
                          (subcore.intervals(runs), "energy_pj"), (subcore.kernels(runs), "energy_total_pj")):
        assert sums(table, column) == pytest.approx(totals["energy_pj.total"].to_dict(), rel=1e-6)
    assert sums(subcore.kernels(runs), "cycles") == totals["cycles"].to_dict()
    assert subcore.intervals(runs).groupby(index)["cycle"].max().to_dict() == totals["cycles"].to_dict()
    by_table = subcore.energy_by_table(runs)
    assert set(by_table["table"]) >= {"cacti22", "bow_table4"}
    assert (by_table[by_table["platform"] == "baseline"]["energy_by_preset_normalised"] == 1).all()


def test_profile_sums_to_the_run(runs):
    profile = subcore.profile(runs)
    first = runs[runs["member"] == 0].set_index(["platform", "trace"])
    assert profile.groupby(["platform", "trace"])["issues"].sum().to_dict() == first["instructions_retired"].to_dict()
    assert subcore.profile(runs, "banks").groupby(["platform", "trace"])["reads"].sum().to_dict() == (
        first["bank_reads"].to_dict())
    assert "warp_cycles.raw_long" in subcore.profile(runs, "warps")


def test_power_is_energy_over_time(runs):
    row = subcore.intervals(runs).iloc[0]
    clock = float(re.search("clock_period_ns: (.*)", open(f"{runs['folder'][0]}/platform.yaml").read())[1])
    assert row["power_mw"] == pytest.approx(row["energy_pj"] / (row["cycle"] * clock))


def test_every_cause_of_the_manual_has_its_state(project):
    manual = {row[0].strip("`"): re.findall(r"`(\w+)`", row[1]) for row in rows_below(project, "States and causes")}
    assert tables.STATES == manual


def test_results_are_merged_and_one_file_is_enough(results, runs, tmp_path):
    shutil.copytree(results, tmp_path / "copy")
    assert len(subcore.load(results, tmp_path / "copy")) == len(runs)
    of_file = subcore.load(results / "results.json")
    assert (of_file["cycles"] == runs["cycles"]).all()
    with pytest.raises(subcore.ResultsError, match="is a file of --json, without intervals.csv; expected a folder"):
        subcore.intervals(of_file)


def test_what_cannot_be_read_is_said_in_a_line(results, tmp_path):
    def refused(words, *paths):
        with pytest.raises(subcore.ResultsError, match=words) as error:
            subcore.load(*paths)
        assert "\n" not in str(error.value)

    refused("no results; expected")
    refused("none: is not there; expected", tmp_path / "none")
    refused("has no results.json; expected", tmp_path)
    (tmp_path / "a.json").write_text("{")
    refused("a.json: is not JSON", tmp_path / "a.json")
    (tmp_path / "a.json").write_text("[" * 100000)
    refused("a.json: is not JSON", tmp_path / "a.json")
    (tmp_path / "a.json").write_text("[]")
    refused("a.json: has no run", tmp_path / "a.json")
    (tmp_path / "a.json").write_text('[{"platform": "p"}]')
    refused("a.json: run 1: is no run's object", tmp_path / "a.json")
    other = json.loads((results / "results.json").read_text())
    other[0]["cycles"] += 1
    (tmp_path / "a.json").write_text(json.dumps(other))
    refused("with other results; expected one run of a platform on a trace", results, tmp_path / "a.json")
    for key, value, expected in [("ipc", -1, "a number from 0 to 1e18"), ("cycles", 2e18, "a number from 0 to 1e18"),
                                 ("cycles", 0, "at least 1"), ("read_hit_ratio", 7, "a number from 0 to 1"),
                                 ("stall_cycles", {"issue": -3}, "a number from 0 to 1e18"),
                                 ("energy_pj", {"total": -3}, "an object of numbers from 0 to 1e18 with a total")]:
        (tmp_path / "a.json").write_text(json.dumps([{**other[0], key: value}]))
        refused(f"a.json: run 1: '{key}' is .*; expected {expected}$", tmp_path / "a.json")
    with pytest.raises(subcore.ResultsError, match="profile of 'lanes': is not there; expected instructions, banks or warps"):
        subcore.profile(subcore.load(results), "lanes")


def test_results_of_older_versions_have_systems(results, tmp_path):
    objects = json.loads((results / "results.json").read_text())
    for run in objects:
        del run["system"]
        run["platform"] = run["machine"] + "/" + run["platform"]
    for number, system in enumerate(["baseline", "malekeh", "rfc"]):
        (tmp_path / "old.json").write_text(json.dumps(objects[number]))
        assert list(subcore.load(tmp_path / "old.json")["system"]) == [system]


def test_platforms_that_a_folder_renamed_are_systems_of_their_own(tmp_path):
    subcore.run("malekeh", "scenarios/traces/nn", results=tmp_path, progress=False)
    with pytest.warns(subcore.ProgramNote, match="results of another platform malekeh, which stay"):
        subcore.run("malekeh", "scenarios/traces/nn", set={"sub_core.collector.entries": 10}, results=tmp_path, progress=False)
    assert list(subcore.load(tmp_path)["system"]) == ["malekeh", "malekeh,entries=10"]
