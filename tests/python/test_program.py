"""Runs by the program: what it is asked for, what comes back, and what it says."""
import os
import signal
import subprocess
import sys
import time

import pytest

import subcore

NN = "scenarios/traces/nn"


def test_options_reach_the_program():
    table = subcore.run(["baseline", "malekeh"], {"mine": NN}, seeds=2, jobs=1, progress=False,
                        set={"sub_core.collector.count": 3, "checks.operand_versions": False})
    assert list(table["trace"].unique()) == ["mine"]
    assert sorted(zip(table["platform"], table["member"])) == [("baseline", 0), ("baseline", 1), ("malekeh", 0), ("malekeh", 1)]
    platform = open(f"{table['folder'][0]}/platform.yaml").read()
    assert "  count: 3\n" in platform and "  operand_versions: false\n" in platform


def test_a_scenario_runs(project, tmp_path):
    scenario = tmp_path / "s.yaml"
    scenario.write_text(f"platforms: [baseline, rfc]\ntraces: [{project / NN}]\n")
    assert list(subcore.run(scenario=scenario, progress=False)["platform"]) == ["baseline", "rfc"]
    with pytest.raises(subcore.SubcoreError, match="sweep and vary with a scenario"):
        subcore.run(scenario=scenario, sweep={"seed": [1]})
    with pytest.raises(subcore.SubcoreError, match="skip_refused without sweep and vary"):
        subcore.run(scenario=scenario, skip_refused=True)


def test_one_value_stands_for_a_list():
    runs = subcore.run("malekeh", NN, progress=False,
                       sweep={"sub_core.collector.replacement": "lru", "sub_core.collector.count": 3})
    assert runs["platform"].tolist() == ["malekeh,replacement=lru,count=3"]
    assert runs[["replacement", "count"]].values.tolist() == [["lru", 3]]


def test_the_program_s_line_is_the_error():
    with pytest.raises(subcore.ProgramError, match=r"^'malekehh': no such file.*did you mean 'malekeh'\?") as error:
        subcore.run("malekehh", NN)
    assert error.value.code == 1 and "\n" not in str(error.value)
    with pytest.raises(subcore.ProgramError, match="^sweep: sub_core.collector.entries=5 of .*expected .* of at least 7$"):
        subcore.run("malekeh", NN, sweep={"sub_core.collector.entries": [5, 8]}, progress=False)
    with pytest.raises(subcore.SubcoreError, match="/none: no such program; expected it built by scripts/demo"):
        subcore.run("malekeh", NN, program="/none")


def test_what_is_refused_is_left_out_if_that_is_asked_for():
    said = "skip_refused: 4 of 8 are left out: sweep: entries=5,count=1 of .* at least 7"
    with pytest.warns(subcore.ProgramNote, match=said):
        runs = subcore.run("malekeh", NN, skip_refused=True, progress=False,
                           sweep={"sub_core.collector.entries": [5, 6, 7, 9], "sub_core.collector.count": [1, 2]})
    assert runs.attrs["refused"] == {"entries": [5, 6], "count": []}
    grid = subcore.compare.grid(runs, "entries", "count")
    assert list(grid.columns) == [5, 6, 7, 9] and grid.isna().sum().tolist() == [2, 2, 0, 0]


def test_the_program_s_notes_are_warnings():
    with pytest.warns(subcore.ProgramNote, match="read by all platforms but baseline"):
        subcore.run(["malekeh", "baseline"], NN, set={"sub_core.collector.entries": 9}, progress=False)


def test_progress_counts_runs(capfd):
    subcore.run(["malekeh", "baseline"], NN)
    assert "2/2" in capfd.readouterr().err
    subcore.run("baseline", NN, progress=False)
    assert capfd.readouterr() == ("", "")


def test_results_stay_and_are_taken_again(tmp_path):
    subcore.run("baseline", NN, results=tmp_path / "r", progress=False)
    before = (tmp_path / "r/baseline/nn/run.json").stat().st_mtime_ns
    both = subcore.run(["baseline", "malekeh"], NN, results=tmp_path / "r", progress=False)
    assert list(both["platform"]) == ["baseline", "malekeh"]
    assert len(subcore.run("malekeh", NN, results=tmp_path / "r", progress=False)) == 1
    assert (both["wall_seconds"] == 0).tolist() == [True, False] and before
    assert list(subcore.load(tmp_path / "r")["platform"]) == ["baseline", "malekeh"]


def test_an_interrupt_ends_the_program(tmp_path):
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\necho $$ > {tmp_path}/number\nmv {tmp_path}/number {tmp_path}/begun\nexec sleep 60\n")
    program.chmod(0o755)
    code = f"import subcore; subcore.run('baseline', 'nn', program='{program}', progress=False)"
    python = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, start_new_session=True)
    until = time.monotonic() + 60
    while not (tmp_path / "begun").exists() and time.monotonic() < until:
        time.sleep(0.01)
    python.send_signal(signal.SIGINT)  # to Python alone, as a notebook does
    assert b"KeyboardInterrupt" in python.communicate(timeout=30)[1]
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "begun").read_text()), 0)


def test_what_is_counted_is_a_run_without_time(project, tmp_path, capfd):
    scenario = tmp_path / "s.yaml"
    scenario.write_text(f"cache_study: {{study: {{ways: 2}}}}\nplatforms: baseline\ntraces: {project / NN}\n")
    runs = subcore.run(scenario=scenario)
    assert "2/2" in capfd.readouterr().err
    assert runs.set_index("platform")["counts.instructions"]["study"] == 2836
    assert set(subcore.intervals(runs)["platform"]) == set(subcore.compare.stalls(runs)["platform"]) == {"baseline"}
    assert subcore.intervals(runs)["cycle"].dtype == int
    assert subcore.intervals(runs[runs["platform"] == "study"]).empty
