"""The page of `subcore figures`. For each figure that experiments describe, it has the paper's numbers beside the
runs', the reasons for differences, and the facts on which the runs' numbers rest (docs/reproduction.md)."""
import contextlib
import json
import math

import markupsafe
import numpy
import pandas

from . import __version__, experiments, notes, page, plot, report, tables
from .errors import ResultsError

NO_REASON = "no reason is given for a difference that is larger than the spread"
FEWEST_DECISIONS = 100  # by an adaptive STHLD that may have settled


def make(out, described):
    """Makes index.html and stated.json in the folder `out`. `described` is the output of `subcore figures --list
    --json`. Each experiment in it has `results`, its folder, and `traces`, the names of its own traces, or None if they
    are not there."""
    sections, headline, stated, origins = [], [], [], []
    for experiment in described:
        place, figures = experiment["results"], experiment["figures"]
        with _named(figures[0]):
            runs = tables.load(place)
        origins.append({"experiment": experiment["name"], **report.origin(runs)})
        waves = _waves(runs[runs["platform"].isin([figure["series"][0]["platform"] for figure in figures])])
        is_own = experiment["traces"] is not None and set(runs["trace"]) <= set(experiment["traces"])
        for figure in figures if is_own else map(_of_other_traces, figures):
            with _named(figure, f"{place}: "):
                section = FigureSection(runs, figure, waves)
                sections.append(section.made())
            stated += section.stated_objects()
            headline.append(section.stated.assign(figure=figure["paper"]))
    (out / "stated.json").write_text(json.dumps(stated, indent=2, ensure_ascii=False) + "\n")
    headline = pandas.concat(headline)[["figure", "says", "stated", "ours", "spread"]].set_axis(
        ["figure", "what", "paper", "ours", "spread over traces"], axis=1)
    if not headline.empty:
        caption = "Numbers that papers state of the figures below, and ours"
        overview = page.Table("headline", caption, headline, dict.fromkeys(["paper", "ours", "spread over traces"], 3))
        sections.insert(0, page.Section("overview", "Overview", [overview]))
    about = ("Each figure is made of our runs, on other traces than the papers': the papers' numbers are targets, not "
             "expectations. The spread is the standard deviation over traces.")
    ran = pandas.DataFrame(origins).replace("", None)
    sections.append(page.Section("ran", "What ran", [page.Table("origins", "Results, the newest in UTC, and hashes", ran)]))
    page.draw([part for section in sections for part in section.parts if isinstance(part, page.Figure)])
    text = page.html("subcore: figures of the papers", about, sections, [f"Made by subcore {__version__}."])
    (out / "index.html").write_text(text)


class FigureSection:
    """A section of the page: a figure, and the texts about it."""

    def __init__(self, runs, figure, waves):
        self.figure, self.runs, self.waves = figure, runs, waves
        self.traces = experiments.traces(runs, figure)
        self.stated = experiments.stated(runs, figure)
        # The runs of the figure's series, of member 0.
        series = [s["platform"] for s in figure["series"]]
        first = runs[runs["platform"].isin(series) & runs["trace"].isin(self.traces) & (runs["member"] == runs["member"].min())]
        self.shown = first
        self.of_first = first[first["platform"] == series[0]].set_index("trace", drop=False).reindex(self.traces)

    def made(self):
        """The section. Its figure is drawn when the page is written."""
        figure = self.figure
        if not self.traces:
            none = markupsafe.Markup("<strong>No trace here is one of this figure's traces.</strong>")
            parts = [*filter(None, [figure["note"]]), none, *self._stated_table()]
        else:
            parts = [self._drawn(), *self._transitions(), *self._by_table(), *self._stated_table(), *self._reasons(),
                     *self._basis()]
        heading = f"{figure['paper']}: {figure['title']}" if figure["paper"] else figure["title"]
        return page.Section(f"{figure['id']}_section", heading, parts, link=figure["paper"] or figure["title"], beside=True)

    def stated_objects(self):
        """The stated numbers in the form of stated.json."""
        return [{"figure": self.figure["id"], "paper": self.figure["paper"], "says": row["says"], "stated": row["stated"],
                 **{key: None if math.isnan(row[key]) else row[key] for key in ("ours", "difference", "spread")},
                 "traces": len(self.traces), "exceeds": row["exceeds"], "because": row["because"]}
                for row in self.stated.to_dict("records")]

    def _drawn(self):
        figure = self.figure
        table = experiments.shown(self.runs, figure)
        numbers = self._table("numbers", figure["title"], table)
        caption = " ".join(filter(None, [figure["note"], experiments.caption(self.runs, figure)]))
        return page.Figure(figure["id"], figure["title"], caption, lambda: plot.described(self.runs, figure), numbers)

    def _table(self, name, caption, rows, folded=False):
        decimals = {c: 3 for c in rows if pandas.api.types.is_float_dtype(rows[c])}
        return page.Table(f"{self.figure['id']}_{name}", caption, rows, decimals, folded)

    def _transitions(self):
        """The transitions of the STHLD machine of the first platform, if it has one."""
        if self.figure["kind"] != "intervals":
            return []
        sthld = tables.platform(self.of_first.iloc[0])["sthld"]
        if "table" not in sthld:
            return []

        def words(edge):
            steps = "the last decrement taken back" if edge["step"] == "undo" else f"{edge['step']:+d}" if edge["step"] else "0"
            return f"to {edge['next']}, {steps}"
        rows = [(str(state), words(edges["small"]), words(edges["large"])) for state, edges in sthld["table"].items()]
        for state, edges in sthld["table"].items():
            if "expired" in edges:
                rows.append((f"{state}, held for sthld.hold_expiry intervals", *2 * [words(edges["expired"])]))
        caption = "The machine's transitions: to which state, and by how many steps STHLD moves"
        rows = pandas.DataFrame(rows, columns=["state", "small change of IPC", "large change"])
        return [self._table("transitions", caption, rows)]

    def _by_table(self):
        table = experiments.means_by_table(self.runs, self.figure)
        if table.empty:
            return []
        table = table.assign(least=table.min(axis=1), most=table.max(axis=1)).rename_axis("of").reset_index()
        return [self._table("by_table", "The means of energy by each shipped energy table", table)]

    def _stated_table(self):
        if self.stated.empty and not self.figure["paper"]:
            return [*filter(None, [self.figure["because"]])]
        if self.stated.empty:
            return ["The paper states no number of this figure in its text."]
        verdict = self.stated["exceeds"].map({True: "yes", False: "no"})
        verdict = verdict.mask(self.stated["spread"].isna(), "one trace").mask(self.stated["ours"].isna(), "no such trace")
        table = pandas.DataFrame({"what": self.stated["says"], "paper": self.stated["stated"], "ours": self.stated["ours"],
                                  "difference": self.stated["difference"], "spread over traces": self.stated["spread"],
                                  "larger than it": verdict})
        return [self._table("stated", "Numbers of the paper, and ours", table)]

    def _reasons(self):
        by_reason = self.stated[self.stated["exceeds"]].groupby("because", sort=False)["says"].agg("; ".join)
        none = markupsafe.Markup(f"<strong>{NO_REASON}.</strong>")
        reasons = [markupsafe.Markup("{}: {}").format(says, because or none) for because, says in by_reason.items()]
        return ["Reasons where our number differs by more than the spread over traces:", reasons] if reasons else []

    def _basis(self):
        """The facts on which the numbers rest, in words and trace by trace."""
        runs, own = self.of_first, self.shown
        waves = [self.waves.get((run["platform"], run["trace"])) for _, run in runs.iterrows()]
        basis = pandas.DataFrame({
            "CTAs": runs["ctas"], "waves of them": waves, "warp instructions": runs["instructions_traced"],
            "SMs": [tables.platform(run)["gpu"]["sms"] if n is not None and run["folder"] else None
                    for n, (_, run) in zip(waves, runs.iterrows())],
            "STHLD decisions": own.groupby("trace")["sthld_decisions"].min().reindex(runs.index)
            if "sthld_decisions" in own else numpy.nan})
        basis = basis.dropna(axis=1, how="all").convert_dtypes().rename_axis("trace").reset_index()
        count, decisions = len(basis), basis.get("STHLD decisions", pandas.Series(dtype=float)).dropna()
        words = f"The figure rests on {_range([count], 'trace')} of {_range(basis['CTAs'], 'CTA')}"
        words += f" in {_range(basis['waves of them'], 'wave')}" if "waves of them" in basis else ""
        words += f" and {_range(basis['warp instructions'], 'warp instruction')}"
        words += f" on {_range(basis['SMs'], 'SM')}" if "SMs" in basis else ""
        words += f", with {_range(decisions, 'decision')} on STHLD" if len(decisions) else ""
        strong = [f"{short} of {_range([count], 'trace')} {'is' if count == 1 else 'are'} too short for an adaptive STHLD: fewer "
                  f"than {FEWEST_DECISIONS} decisions." for short in [(decisions < FEWEST_DECISIONS).sum()] if short]
        for name, meaning in notes.CAUTIONS.items():
            has = own["cautions"].map(lambda names: name in names).sum()
            strong += [f"{has} of {len(own)} runs: {meaning}."] if has and name != "few_decisions" else []
        flags = [markupsafe.Markup(" <strong>{}</strong>").format(text) for text in strong]
        return [markupsafe.Markup("{}.{}").format(words, markupsafe.Markup("").join(flags)),
                self._table("basis", "What the figure rests on, trace by trace", basis, folded=True)]


def _of_other_traces(figure):
    """The figure with its reasons marked as observations in results of the experiment's own traces."""
    def of_own(because):
        return f"of the experiment's own traces: {because}" if because else ""
    stated = [{**number, "because": of_own(number["because"])} for number in figure["stated"]]
    return {**figure, "because": of_own(figure["because"]), "stated": stated}


def _waves(runs):
    """How often CTAs fill the SMs, including the remainder of a kernel, by platform and trace. A count has no machine,
    and so neither kernels nor waves."""
    kernels = tables.kernels(runs[runs["member"] == runs["member"].min()])
    if "ctas" not in kernels:
        return {}
    waves = numpy.ceil(kernels["ctas"] / kernels["ctas_at_once"])
    return waves.groupby([kernels["platform"], kernels["trace"]]).sum().to_dict()


def _range(values, one):
    """The values in words: "1 CTA", "2 to 3 CTAs"."""
    least, most = min(values), max(values)
    return f"{least} {one}{'' if most == 1 else 's'}" if least == most else f"{least} to {most} {one}s"


@contextlib.contextmanager
def _named(figure, place=""):
    """Adds the figure, and its place, to errors inside."""
    try:
        yield
    except ResultsError as e:
        raise ResultsError(f"figure {figure['id']}: {place}{e}") from None
