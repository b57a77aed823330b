// Runs in the browser, on the pages of the explorer, which are complete without it: results while someone types, what a
// chart says of a month or county, a period chosen by drawing across a chart, pictures, and buttons that copy.

const waitMilliseconds = 180;

/** Shows the results of a search while someone types. */
function followTyping(form) {
  let timer;
  let newest = 0;
  form.elements.q.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(show, waitMilliseconds);
  });

  async function show() {
    // A period that is drawn replaces what the page has.
    const results = document.getElementById("results");
    const number = ++newest;
    const parameters = new URLSearchParams(new FormData(form));
    if (parameters.get("q").trim() === "") {
      results.replaceChildren();
      return;
    }
    parameters.set("part", "results");
    const response = await fetch(`${form.getAttribute("action")}?${parameters}`).catch(() => undefined);
    // Nothing changes without a connection, or where more has been typed since.
    if (response?.ok !== true || number !== newest) return;
    const parsed = new DOMParser().parseFromString(await response.text(), "text/html");
    results.replaceChildren(...parsed.body.childNodes);
  }
}

/** The readable parts of a chart: the strips of months, or its parts with a title. */
function spotsOf(chart) {
  const strips = [...chart.querySelectorAll(".strip")];
  return strips.length > 0 ? strips : [...chart.querySelectorAll(".spot")];
}

/** The texts of spots; those of a narrow chart stand in the wide one beside it, which has the same strips. */
function textsOf(chart, spots) {
  const wide = chart.parentElement.parentElement.querySelector(":scope > .forWide > .chart") ?? chart;
  const titled = spots.some((spot) => spot.querySelector("title")) ? spots : spotsOf(wide);
  return titled.map((spot) => spot.querySelector("title")?.textContent ?? "");
}

/**
 * Shows what a chart says of a month or county below it: under the pointer, where a finger taps, and step by step with
 * the arrow keys. A period is taken that is drawn across a chart with the mouse, or whose ends get the Enter key.
 */
function readChart(chart) {
  const spots = spotsOf(chart);
  if (spots.length === 0) return;
  const texts = textsOf(chart, spots);
  const readout = document.createElement("p");
  readout.className = "readout";
  readout.setAttribute("aria-live", "polite");
  chart.after(readout);
  // The arrow keys step through it; its name and description stay those of the image.
  chart.tabIndex = 0;
  let shown = -1;
  let begun = -1;

  function show(at) {
    if (at < 0 || at >= spots.length || texts[at] === "") return;
    spots[shown]?.classList.remove("shown");
    shown = at;
    spots[at].classList.add("shown");
    readout.textContent = texts[at];
  }
  /** Begins a period at a month, and says so, or ends it there. */
  function mark(at) {
    if (spots[at]?.dataset.month === undefined) return;
    if (begun === -1) {
      begun = at;
      spots[at].classList.add("begun");
      readout.textContent = `${spots[at].dataset.month} – …\n${texts[at]}`;
      return;
    }
    const ends = [begun, at].sort((a, b) => a - b).map((spot) => spots[spot].dataset.month);
    spots[begun].classList.remove("begun");
    begun = -1;
    if (ends[0] === ends[1]) return;
    const address = new URL(location.href);
    address.searchParams.delete("period");
    address.searchParams.set("from", ends[0]);
    address.searchParams.set("to", ends[1]);
    showPage(address, chart.closest("section").getAttribute("aria-labelledby"));
  }
  const spotAt = (event) => spots.indexOf(event.target.closest?.(".strip, .spot"));

  chart.addEventListener("pointermove", (event) => show(spotAt(event)));
  chart.addEventListener("focusin", (event) => show(spotAt(event)));
  chart.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target === chart) mark(shown);
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    let at = Math.min(Math.max(shown + step, 0), spots.length - 1);
    // Parts without a text are skipped.
    while (texts[at] === "" && texts[at + Math.sign(step)] !== undefined) at += Math.sign(step);
    show(at);
  });
  // The first tap of a finger says what it is, the second follows the link.
  chart.addEventListener("click", (event) => {
    const at = spotAt(event);
    if (event.pointerType === "touch" && at >= 0 && chart.dataset.tapped !== String(at)) event.preventDefault();
    chart.dataset.tapped = String(at);
    show(at);
  });
  chart.addEventListener("pointerdown", (event) => {
    spots[begun]?.classList.remove("begun");
    begun = -1;
    // Only months have a period.
    if (event.pointerType === "mouse" && spots[spotAt(event)]?.dataset.month) begun = spotAt(event);
  });
  chart.addEventListener("pointerup", (event) => {
    if (begun !== -1 && event.pointerType === "mouse") mark(spotAt(event));
    begun = -1;
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

/** Shows another address of this page without leaving it: the section keeps its position on the screen. */
async function showPage(address, section) {
  const top = () => document.getElementById(section)?.getBoundingClientRect().top ?? 0;
  const before = top();
  const response = await fetch(address).catch(() => undefined);
  const parsed = response?.ok && new DOMParser().parseFromString(await response.text(), "text/html");
  if (!parsed || parsed.querySelector("main") === null) {
    // The browser shows what is wrong.
    location.assign(address);
    return;
  }
  history.pushState(null, "", address);
  shownSearch = location.search;
  // Header and footer have links that keep the address.
  for (const part of [".site", "main", "footer"]) {
    document.querySelector(part).replaceWith(parsed.querySelector(part));
  }
  readCharts();
  scrollBy({ top: top() - before, behavior: "instant" });
}

/** Writes the whole address of the page, which it cannot know, where paper shows it. */
function writeAddress() {
  for (const place of document.querySelectorAll("footer .address")) place.textContent = location.href;
}

/** Shows a button that copies, where the browser lets the page write to the clipboard: over TLS and on this machine. */
function readCopyButton(button) {
  if (navigator.clipboard === undefined) return;
  button.hidden = false;
  const text = button.textContent;
  button.addEventListener("click", async () => {
    const link = new URL(button.dataset.link, location.href).href;
    const copy = button.dataset.copy.replaceAll("{link}", () => link);
    try {
      await navigator.clipboard.writeText(copy);
    } catch {
      // The reader has forbidden it, and copies it by hand.
      prompt(text, copy);
      return;
    }
    button.textContent = button.dataset.copied;
    setTimeout(() => {
      button.textContent = text;
    }, 2000);
  });
}

/**
 * Draws a chart as a picture of twice its size, sharp on paper and on most screens, and saves it. Its file has title,
 * source and licence.
 */
function readPictureButton(button) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const image = new Image();
    image.src = button.dataset.drawing;
    try {
      await image.decode();
    } catch {
      // The browser shows what is wrong, or the drawing.
      location.assign(button.dataset.drawing);
      return;
    }
    const canvas = document.createElement("canvas");
    canvas.width = 2 * image.naturalWidth;
    canvas.height = 2 * image.naturalHeight;
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(blob);
      link.download = button.dataset.file;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    });
  });
}

function readCharts() {
  for (const button of document.querySelectorAll("main button[data-drawing]")) readPictureButton(button);
  for (const button of document.querySelectorAll("main button[data-copy]")) readCopyButton(button);
  writeAddress();
  for (const chart of document.querySelectorAll("main svg.chart:not(.countyMap)")) readChart(chart);
  for (const map of document.querySelectorAll("main svg.countyMap")) followTaps(map);
}

const search = document.querySelector("form.search");
if (search) followTyping(search);
let shownSearch = location.search;
addEventListener("popstate", () => {
  // A link to a section of the page is no other address.
  if (location.search !== shownSearch) location.reload();
});
readCharts();
