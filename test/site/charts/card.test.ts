/** What a card shows where its texts need the room of its line. */
import t from "tap";
import { type CardContent, renderCard } from "../../../src/site/charts/card.ts";

const short = "Milk";
const long = "Maziwa ya pakiti – Milk (cow, pasteurized)";
const longPlace = "Rejareja katika kaunti ya Garissa nje ya kambi za wakimbizi";

function heightsOf(content: Partial<CardContent>): number[] {
  const svg = renderCard({
    title: short,
    where: short,
    figure: { price: "173.00", unit: "KES kwa lita" },
    when: "Machi 2026, katika masoko 6",
    points: [
      { day: 0, value: 100 },
      { day: 31, value: 200 },
    ],
    ends: ["Machi 2021", "Machi 2026"],
    source: short,
    ...content,
  });
  const [, steps = ""] = /class="line[^"]*"[^>]* d="([^"]*)"/.exec(svg) ?? [];
  return [...steps.matchAll(/[ML][\d.]+ ([\d.]+)/g)].map(([, y]) => Number(y));
}

t.test("a line rises where prices do, or is left out where it has no room", async (t) => {
  for (const content of [{}, { title: long }, { where: longPlace }]) {
    const [first = 0, last = 0, ...others] = heightsOf(content);
    t.strictSame(others, []);
    t.ok(first - last >= 20, JSON.stringify(content));
  }
  t.strictSame(heightsOf({ title: long, where: longPlace }), []);
});
