import { globSync, readFileSync } from "node:fs";
import t from "tap";
import {
  cellColumns,
  renderCodeBlock,
  renderDetails,
  renderHeading,
  renderSection,
  renderTable,
} from "../../../src/site/pages/elements.ts";
import { renderFrame, renderNavigation } from "../../../src/site/pages/frame.ts";
import { markup } from "../../../src/site/pages/markup.ts";
import { colourStyle, frameStyle, renderStyle, textStyle } from "../../../src/site/pages/style.ts";
import { findNodes, hostileText, parseMarkup, textWithin } from "../../support/parse-markup.ts";

const hostile = hostileText.toWellFormed();
const header = { name: hostile, skip: hostile, label: hostile, links: [] };
const frame = { language: "en", title: hostile, head: markup``, site: header, main: markup`<h1>${hostile}</h1>` };

t.test("a page has its contents beside the text and a footer only where it has them", async (t) => {
  const contents = {
    label: hostile,
    entries: [{ target: "#a", text: hostile, entries: [{ target: "#b", text: "B" }] }],
  };
  const nodes = parseMarkup(renderFrame({ ...frame, contents, footer: markup`<p>End</p>` }));
  const linkTargets = findNodes(nodes, ({ name }) => name === "a").map(({ attributes }) => attributes["href"]);
  t.strictSame(linkTargets, ["#text", "#a", "#b"]);
  t.equal(findNodes(nodes, ({ name }) => name === "footer").length, 1);
  const plain = parseMarkup(renderFrame(frame));
  t.strictSame(
    findNodes(plain, ({ name }) => ["aside", "footer", "nav", "script", "link"].includes(name)),
    [],
  );
  t.equal(findNodes(plain, ({ name }) => name === "title").length, 1);
});

t.test("the first link of a page leads to its text, and the name of the site home", async (t) => {
  const links = [{ target: "/docs", text: "Docs" }];
  const nodes = parseMarkup(renderFrame({ ...frame, site: { ...header, home: "/explore", links } }), /^[/#]/);
  const [skip, home, docs] = findNodes(nodes, ({ name }) => name === "a").map(({ attributes }) => attributes["href"]);
  t.strictSame([skip, home, docs], ["#text", "/explore", "/docs"]);
  t.equal(findNodes(nodes, ({ attributes }) => attributes["id"] === "text")[0]?.name, "main");
});

t.test("the link to the page itself is marked, and no other", async (t) => {
  const links = [
    { target: "/docs?a=1&b=2", text: "A" },
    { target: "/explore", text: hostile, isCurrent: true },
  ];
  const found = findNodes(parseMarkup(renderNavigation("Pages", links).text, /^[/]/), ({ name }) => name === "a");
  t.strictSame(
    found.map(({ attributes }) => attributes["aria-current"]),
    [undefined, "page"],
  );
});

t.test("a table has a cell for each column, row headings and kinds where the columns say so", async (t) => {
  const columns = [
    { heading: "Name", show: ({ name }: { name: string }) => name, isRowHeading: true },
    { heading: "Length", show: ({ name }: { name: string }) => name.length, kind: "number" as const },
  ];
  const text = renderTable(columns, [{ name: "<b>" }, { name: "ab" }], { label: "Names", caption: hostile }).text;
  t.match(text, '<tr><th scope="row">&lt;b&gt;</th><td class="number">3</td></tr>');
  t.match(text, '<div class="wide" tabindex="0" role="region" aria-label="Names">');
  const cells = findNodes(
    parseMarkup(renderTable(cellColumns(["A", "B"]), [["1", markup`<strong>2</strong>`]]).text),
    ({ name }) => name === "th" || name === "td",
  );
  t.strictSame(
    cells.map(({ children }) => textWithin(children)),
    ["A", "B", "1", "2"],
  );
});

t.test("headings lead to themselves, details open and group, code keeps its lines", async (t) => {
  t.equal(renderHeading(2, "a", "A & B").text, '<h2 id="a"><a class="anchor" href="#a">A &amp; B</a></h2>');
  t.match(renderSection("a", "A", "text").text, '<section aria-labelledby="a">\n<h2 id="a">A</h2>\ntext\n</section>');
  t.match(renderDetails("More", "text").text, "<details><summary>More</summary>");
  t.equal(renderCodeBlock("a <\n\u202eb").text, '<pre tabindex="0"><code>a &lt;\n\\u202eb</code></pre>');
});

const site = new URL("../../../src/site/", import.meta.url);
const styleSheets = globSync("**/*.css", { cwd: site }).map((name) => ({
  name,
  style: readFileSync(new URL(name, site), "utf8"),
}));

t.test("one list has every colour: light first, then dark under the same names, without light-dark()", async (t) => {
  const colours = styleSheets.find(({ name }) => name === "pages/colours.css")?.style ?? "";
  const [light = [], dark = [], ...more] = colours
    .split("@media screen and (prefers-color-scheme: dark)")
    .map((list) => [...list.matchAll(/--([\w-]+): #[\da-f]{6};/g)].map(([, name]) => name));
  t.strictSame(more, []);
  t.ok(light.length > 30);
  t.strictSame(dark, light, "the same names in the same order");
  t.equal(new Set(light).size, light.length);
  for (const { name, style } of styleSheets) {
    t.notMatch(style, "light-dark", name);
    if (name === "pages/colours.css") continue;
    t.notMatch(style, /--[\w-]+: *(?:#|rgb|hsl|ok)|prefers-color-scheme/, `${name} declares no colour of its own`);
  }
});

t.test("sizes of text and distances are those of one scale, or those of what stands around", async (t) => {
  const rems = (name: string): number[] =>
    [...frameStyle.matchAll(new RegExp(`--${name}-\\d: ([\\d.]+)rem`, "g"))].map(([, size]) => Number(size));
  for (const steps of [rems("text"), rems("space")]) {
    t.ok(steps.length >= 5, `${steps.length} steps`);
    t.strictSame(
      steps,
      steps.toSorted((a, b) => a - b),
    );
  }
  const properties = /^ *((?:font-size|(?:margin|padding|gap|row-gap|column-gap)[a-z-]*): .*);$/gm;
  const fromScale = /^[a-z-]+: (?:(?:var\(--(?:text|space)-\d\)|0|auto|inherit|initial|100%)(?: |$))+$/;
  for (const { name, style } of styleSheets) {
    // Sizes of charts are units of their drawing, sizes of paper millimetres of the sheet.
    if (name === "charts/charts.css") continue;
    const onScreen = style.replaceAll(/@page \{[^}]*\}|@media print \{.*?\n\}/gs, "");
    const others = [...onScreen.matchAll(properties)].map(([, rule]) => rule as string);
    t.strictSame(
      others.filter((rule) => !fromScale.test(rule)),
      [],
      name,
    );
  }
});

t.test("every variable that a rule of any style sheet uses is declared, and nothing is loaded", async (t) => {
  const declared = new Set([...`${colourStyle}${frameStyle}`.matchAll(/^ +--([\w-]+):/gm)].map(([, name]) => name));
  for (const { name, style } of styleSheets) {
    const used = [...style.matchAll(/var\(--([\w-]+)\)/g)].map(([, variable]) => variable);
    t.strictSame(
      [...new Set(used)].filter((variable) => !declared.has(variable)),
      [],
      name,
    );
    t.notMatch(style, /url\(|@import|</, name);
  }
  t.match(renderStyle(frameStyle, textStyle).text, /^<style>\n.*<\/style>$/s);
});
