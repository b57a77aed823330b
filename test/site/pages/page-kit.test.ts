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
import { frameStyle, renderStyle, textStyle } from "../../../src/site/pages/style.ts";
import { findNodes, hostileText, parseMarkup, textWithin } from "../../support/parse-markup.ts";

const hostile = hostileText.toWellFormed();
const site = { name: hostile, skip: hostile, label: hostile, links: [] };
const frame = { language: "en", title: hostile, head: markup``, site, main: markup`<h1>${hostile}</h1>` };

t.test("a page has its contents beside the text and a footer only where it has them", (t) => {
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
  t.end();
});

t.test("the first link of a page leads to its text, and the name of the site home", (t) => {
  const links = [{ target: "/docs", text: "Docs" }];
  const nodes = parseMarkup(renderFrame({ ...frame, site: { ...site, home: "/explore", links } }), /^[/#]/);
  const [skip, home, docs] = findNodes(nodes, ({ name }) => name === "a").map(({ attributes }) => attributes["href"]);
  t.strictSame([skip, home, docs], ["#text", "/explore", "/docs"]);
  t.equal(findNodes(nodes, ({ attributes }) => attributes["id"] === "text")[0]?.name, "main");
  t.end();
});

t.test("the link to the page itself is marked, and no other", (t) => {
  const links = [
    { target: "/docs?a=1&b=2", text: "A" },
    { target: "/explore", text: hostile, isCurrent: true },
  ];
  const found = findNodes(parseMarkup(renderNavigation("Pages", links).text, /^[/]/), ({ name }) => name === "a");
  t.strictSame(
    found.map(({ attributes }) => attributes["aria-current"]),
    [undefined, "page"],
  );
  t.end();
});

t.test("a table has a cell for each column, row headings and kinds where the columns say so", (t) => {
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
  t.end();
});

t.test("headings lead to themselves, details open and group, code keeps its lines", (t) => {
  t.equal(renderHeading(2, "a", "A & B").text, '<h2 id="a"><a class="anchor" href="#a">A &amp; B</a></h2>');
  t.match(renderSection("a", "A", "text").text, '<section aria-labelledby="a">\n<h2 id="a">A</h2>\ntext\n</section>');
  t.match(renderDetails("More", "text").text, "<details><summary>More</summary>");
  t.match(renderDetails("More", "text", { group: "g", isOpen: true }).text, '<details name="g" open>');
  t.equal(renderCodeBlock("a <\n\u202eb").text, '<pre tabindex="0"><code>a &lt;\n\\u202eb</code></pre>');
  t.end();
});

t.test("every variable that a rule uses is a colour for light and dark, or one for both", (t) => {
  const style = renderStyle(frameStyle, textStyle).text;
  const declared = new Set(
    [...style.matchAll(/^ +--([\w-]+): (?:light-dark\(#\w{6}, #\w{6}\)|#\w{6});$/gm)].map(([, name]) => name),
  );
  for (const [, name] of style.matchAll(/var\(--([\w-]+)\)/g)) t.ok(declared.has(name), `${name}`);
  t.ok(declared.size > 5);
  t.notMatch(style, /url\(|@import|<(?!style>|\/style>)/);
  t.end();
});
