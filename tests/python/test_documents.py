"""The manual's code and the notebooks, run as their readers run them; and the package as pip installs it."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest


@pytest.fixture(scope="module")
def desk(project, tmp_path_factory):
    """A folder that looks like a checkout after scripts/demo, with fewer seeds."""
    folder = tmp_path_factory.mktemp("desk")
    (folder / "scenarios").mkdir()
    for name in ("scenarios/traces", "experiments"):
        (folder / name).symlink_to(project / name)
    shutil.copy(project / "scenarios/demo.yaml", folder / "scenarios")
    subprocess.run([os.environ["SUBCORE"], "run", "scenarios/demo.yaml", "--seeds", "2", "--quiet"], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL)
    return folder


def code_of(page):
    return re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)


def run_python(code, folder):
    return subprocess.run([sys.executable, "-W", "error::FutureWarning", "-c", code], cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True,
                          env={**os.environ, "PYTHONPATH": str(pathlib.Path("python").resolve())})


def test_the_first_hour_takes_fifteen_lines(project, desk):
    code = code_of(project / "docs/python.md")[0]
    assert len(code.splitlines()) <= 15
    done = run_python(code, desk)
    assert done.returncode == 0, done.stderr
    for name in ("ipc.pdf", "sweep.pdf"):
        pdf = (desk / name).read_bytes()
        assert re.search(rb"/MediaBox \[ 0 0 252 ", pdf) and b"/FontFile2" in pdf and b"/Subtype /Type3" not in pdf


def test_the_manual_s_other_code_runs(project, desk):
    said = []
    for code in code_of(project / "docs/python.md")[1:]:
        done = run_python("import subcore\n" + code, desk)
        assert done.returncode == 0, done.stderr
        said.append(done.stdout)
    refused, _, stated = said
    assert "expected sub_core.collector.entries of at least 7" in refused
    assert "banks only on average" in stated
    assert '<figure id="stalls">' in (desk / "mine.html").read_text()
    assert (desk / "bow_7.pdf").read_bytes().startswith(b"%PDF-")


@pytest.mark.parametrize("name", ["demo", "sweep"])
def test_notebooks_run(project, desk, name, monkeypatch):
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(project / f"python/notebooks/{name}.ipynb", as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells)  # the reader makes the results
    monkeypatch.setenv("PYTHONPATH", str(project / "python"))
    monkeypatch.delenv("MPLBACKEND")  # figures come to the notebook
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": desk}}).execute()
    pictures = sum("image/png" in output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", []))
    assert pictures == sum("plot." in cell.source for cell in notebook.cells if cell.cell_type == "code")


def test_pip_installs_the_package(project, tmp_path):
    pytest.importorskip("pip")
    shutil.copytree(project / "python", tmp_path / "python", ignore=shutil.ignore_patterns("build", "*.egg-info"))
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-deps", "--no-index",
                    "--target", tmp_path / "there", tmp_path / "python"], check=True)
    code = "import subcore\nwith subcore.plot.paper(): print(subcore.__file__, subcore.__version__)"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, stdout=subprocess.PIPE, text=True, check=True,
                          env={**os.environ, "PYTHONPATH": str(tmp_path / "there")})
    version = re.search(r"project\(subcore VERSION (\S+)", (project / "CMakeLists.txt").read_text())[1]
    assert done.stdout.split() == [str(tmp_path / "there/subcore/__init__.py"), version]
    assert f'version = "{version}"' in (project / "python/pyproject.toml").read_text()
