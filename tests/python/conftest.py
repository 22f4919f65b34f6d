"""Results that all tests share; each is made once."""
import os
import pathlib
import subprocess

import pytest

import subcore

PROJECT = pathlib.Path(__file__).resolve().parents[2]
TRACES = PROJECT / "scenarios/traces"


@pytest.fixture(scope="session")
def project():
    return PROJECT


@pytest.fixture(scope="session")
def results(tmp_path_factory):
    """A folder of six runs and as many members, with profiles."""
    folder = tmp_path_factory.mktemp("results")
    command = [os.environ["SUBCORE"], "compare", "--results", folder, "--seeds", "2", "--profile", "--quiet"]
    for option, names in (("--platform", ["baseline", "malekeh", "rfc"]), ("--trace", [TRACES / "nn", TRACES / "igemm"])):
        command += [word for name in names for word in (option, name)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return folder


@pytest.fixture(scope="session")
def runs(results):
    return subcore.load(results)


@pytest.fixture(scope="session")
def swept():
    """Two systems over entries and collectors; the baseline has no entries."""
    return subcore.run(["malekeh", "baseline"], [TRACES / "nn", TRACES / "bfs"], progress=False,
                       sweep={"sub_core.collector.entries": [7, 8, 10], "sub_core.collector.count": [1, 2]})


@pytest.fixture(scope="session")
def varied():
    """A system as it is, and with each of three changes."""
    return subcore.run("malekeh", TRACES / "nn", progress=False, vary={
        "few": {"sub_core.collector.count": 1}, "many": {"sub_core.collector.count": 4},
        "lru": {"sub_core.collector.replacement": "lru"}})
