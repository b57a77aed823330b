// Runs in the browser, on the pages of the explorer, which are complete without it: results while someone types, the
// figures of a
// month under the pointer, and a period chosen by drawing across a chart.

const waitMilliseconds = 180;

/** Shows the results of a search while someone types. */
function followTyping(form, results) {
  let timer;
  let asked = 0;
  form.elements.q.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(show, waitMilliseconds);
  });

  async function show() {
    const number = ++asked;
    const parameters = new URLSearchParams(new FormData(form));
    if (parameters.get("q").trim() === "") {
      results.replaceChildren();
      return;
    }
    parameters.set("part", "results");
    const response = await fetch(`${form.getAttribute("action")}?${parameters}`);
    // An answer to what has been typed since comes too late.
    if (!response.ok || number !== asked) return;
    const parsed = new DOMParser().parseFromString(await response.text(), "text/html");
    results.replaceChildren(...parsed.body.childNodes);
  }
}

/**
 * Shows the figures of the month under the pointer below a chart, and takes the period between two months drawn across
 * it.
 */
function followPointer(chart) {
  const strips = [...chart.querySelectorAll(".strip")];
  if (strips.length === 0) return;
  const readout = document.createElement("p");
  readout.className = "readout";
  chart.after(readout);
  let begun;
  const stripAt = (event) => {
    const target = event.target.closest?.(".strip");
    return target && chart.contains(target) ? target : undefined;
  };
  chart.addEventListener("pointermove", (event) => {
    const strip = stripAt(event);
    if (strip) readout.textContent = strip.querySelector("title").textContent;
  });
  chart.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "mouse") begun = stripAt(event);
  });
  chart.addEventListener("pointerup", (event) => {
    const ended = stripAt(event);
    if (begun && ended && begun !== ended) {
      // The first line of a title is the month.
      const months = [begun, ended].map((strip) => strip.querySelector("title").textContent.split("\n")[0]).sort();
      const address = new URL(location.href);
      address.searchParams.delete("period");
      address.searchParams.set("from", months[0]);
      address.searchParams.set("to", months[1]);
      location.assign(address);
    }
    begun = undefined;
  });
}

/** The first tap on a county shows its figure; the second follows its link. */
function followTaps(map) {
  let shown;
  map.addEventListener("click", (event) => {
    const area = event.target.closest("a");
    if (event.pointerType !== "touch" || area === null || area === shown) return;
    event.preventDefault();
    area.focus();
    shown = area;
  });
}

const search = document.querySelector("form.search");
if (search) followTyping(search, document.getElementById("results"));
for (const chart of document.querySelectorAll("svg.lineChart")) followPointer(chart);
for (const map of document.querySelectorAll("svg.countyMap")) followTaps(map);
