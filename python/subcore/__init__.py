"""Results of subcore as pandas tables, and figures of them.

    import subcore
    runs = subcore.run(platforms=["baseline", "malekeh"], traces="scenarios/traces")
    subcore.plot.ratios(runs)

`load()` and `run()` give a table with a row for each run. All other functions take that table, or any rows of it. The
functions below give tables of what is inside runs. `subcore.compare` has the numbers of figures, and `subcore.plot` the
figures.
"""
from . import compare, experiments, plot
from .errors import ProgramError, ProgramNote, ResultsError, SubcoreError
from .program import run
from .tables import energy, energy_by_table, intervals, kernels, load, power, profile, stalls

__version__ = "0.2.0"
__all__ = ["ProgramError", "ProgramNote", "ResultsError", "SubcoreError", "compare", "energy", "energy_by_table", "experiments",
           "intervals", "kernels", "load", "plot", "power", "profile", "run", "stalls"]
