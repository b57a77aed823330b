import t from "tap";
import { renderChartFile } from "../../../src/site/charts/chart-file.ts";
import { lightColours } from "../../../src/site/pages/style.ts";
import { chartsOfAllKinds } from "../../support/charts-of-all-kinds.ts";
import { findNodes, type MarkupNode, parseMarkup, textWithin } from "../../support/parse-markup.ts";

const file = {
  title: "Maize (white, dry)",
  subtitle: `Month by month: comparable price, KES per kg, all of Kenya, ${"up to 34 markets, ".repeat(12)}`,
  notes: ["Source: a test."],
};

for (const [kind, chart] of Object.entries(chartsOfAllKinds)) {
  t.test(`a file of a ${kind} is as large as its parts, names all it shows and has no rule on its place`, async (t) => {
    const text = renderChartFile(file, chart);
    const [svg] = parseMarkup(text) as [MarkupNode];
    const [, , width, height] = (svg.attributes["viewBox"] ?? "").split(" ").map(Number);
    const [drawing] = findNodes(svg.children, ({ name }) => name === "svg") as [MarkupNode];
    const placed = findNodes(svg.children, ({ children }) => children.includes(drawing))[0] as MarkupNode;
    const [, left, top] = /^translate\((\d+) (\d+)\)$/.exec(placed.attributes["transform"] ?? "")?.map(Number) ?? [];
    t.equal(drawing.attributes["viewBox"], `0 0 ${drawing.attributes["width"]} ${drawing.attributes["height"]}`);
    t.ok((left ?? 0) + chart.size.width <= (width ?? 0));
    t.ok((top ?? 0) + chart.size.height <= (height ?? 0));
    t.equal(
      textWithin(findNodes(svg.children, ({ name }) => name === "title").slice(0, 1)),
      `${file.title}: ${file.subtitle}`,
    );
    const shown = findNodes(svg.children, ({ name }) => name === "text").map(({ children }) => textWithin(children));
    t.match(shown.join(" "), file.subtitle.trim(), "a long subtitle is wrapped, not cut");
    const ys = findNodes(svg.children, ({ name, attributes }) => name === "text" && attributes["class"] === "quiet");
    t.ok(ys.length > 2);
    const rules = textWithin(findNodes(svg.children, ({ name }) => name === "style"));
    t.notMatch(
      rules,
      /var\(|(?:^|[\s;{])(?:width|height|max-width|display|margin|float):/,
      "CSS sizes win over attributes",
    );
    t.match(rules, lightColours.get("chart-line-0"));
  });
}
