/** Pages of products and markets that go on under another name. */
import t from "tap";
import type { ContinuationRecord } from "../../../src/engine/model/records.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { answerOf, linksOf, nodesOf } from "../../support/explorer-pages.ts";
import { findNodes, type MarkupNode, nodesOfClass, textWithin } from "../../support/parse-markup.ts";
import { tinyDataset, uuidOf } from "../../support/tiny-dataset.ts";

t.test("a product under a new name has the line of the one before beside its own, and a note", async (t) => {
  const [white, dry] = [uuidOf("product", 1), uuidOf("product", 2)];
  const continuation: ContinuationRecord = {
    productUuid: dry,
    continuesUuid: white,
    marketType: "Wholesale",
    lastMonth: "2012-03",
    firstMonth: "2021-01",
    overlapMonths: 0,
    ratio: null,
    judgement: "same goods",
    evidence: "One name for another.",
  };
  const store = buildStore(
    tinyDataset({
      products: [{ name: "Maize (white)" }, { name: "Maize (white, dry)" }],
      markets: [{ type: "Wholesale" }],
      continuations: [continuation],
      prices: [
        { price: 30, recordedAt: "2012-02-05T06:00:00Z" },
        { price: 31, recordedAt: "2012-03-05T06:00:00Z" },
        { price: 40, product: 1, recordedAt: "2021-01-05T06:00:00Z" },
        { price: 41, product: 1, recordedAt: "2021-02-05T06:00:00Z" },
      ],
    }),
  );
  const pageOf = async (target: string): Promise<[text: string, links: string[]]> => {
    const nodes = await nodesOf(store, target);
    return [textWithin(nodes), linksOf(nodes)];
  };
  const note = "Maize (white, dry), wholesale, continues Maize (white): the same goods under another name. ";
  const [text, links] = await pageOf(`/products/${dry}?period=all`);
  const legend = "wholesale outside refugee camps; Maize (white), wholesale outside refugee camps";
  t.ok(text.includes(legend), "two lines, each with its name");
  t.ok(text.includes(note));
  t.ok(links.includes(`/products/${white}`));
  const table = await answerOf(store, `/products/${dry}?period=all&table=months`);
  for (const row of [
    /Maize \(white\),kg,KES,month,2012-03,.*,31,/,
    /"Maize \(white, dry\)",kg,KES,month,2021-02,.*,41,/,
  ])
    t.match(table.text, row);
  const [ownText, ownLinks] = await pageOf(`/products/${white}`);
  t.notOk(ownText.includes("Maize (white, dry), wholesaleKES"), "the later prices lie outside of the period");
  t.notOk(ownText.includes(note), "the text describes no line that is not drawn");
  t.ok(ownText.includes("Prices from January 2021 on, wholesale, are under the name Maize (white, dry)"));
  t.ok(ownLinks.includes(`/products/${white}?period=all`));
  t.match(ownText, "No price outside refugee camps since March 2012. Maize (white, dry) has newer ones, to 5 Feb 2021");
  t.match(ownText, /Related products.*Maize \(white, dry\) continues this product/s);
  t.match(text, /Related products.*Maize \(white\) continued by this product/s);
});

t.test("a market under another name has the line of the one before, also of the product before", async (t) => {
  const [white, dry] = [uuidOf("product", 1), uuidOf("product", 2)];
  const [old, town] = [uuidOf("market", 1), uuidOf("market", 2)];
  const months = { lastMonth: "2020-12", firstMonth: "2021-02", overlapMonths: 0 };
  const store = buildStore(
    tinyDataset({
      products: [{ name: "Maize (white)" }, { name: "Maize (white, dry)" }, { name: "Salt" }],
      markets: [
        { name: "Lodwar", type: "Retail" },
        { name: "Lodwar Town", type: "Retail" },
      ],
      continuations: [
        {
          ...{ productUuid: dry, continuesUuid: white, marketType: "Retail", ...months, ratio: null },
          ...({ judgement: "same goods", evidence: "One name for another." } as const),
        },
      ],
      marketContinuations: [{ marketUuid: town, continuesUuid: old, ...months, evidence: "One point." }],
      prices: [
        { price: 65, recordedAt: "2020-12-05T06:00:00Z" },
        { price: 10, product: 2, recordedAt: "2020-12-05T06:00:00Z" },
        { price: 70, market: 1, product: 1, recordedAt: "2021-02-05T06:00:00Z" },
        { price: 12, market: 1, product: 2, recordedAt: "2021-02-05T06:00:00Z" },
      ],
    }),
  );
  const csvOf = async (product: string, market: string): Promise<string> =>
    (await answerOf(store, `/products/${product}?market=${market}&period=all&table=months`)).text;
  t.match(await csvOf(dry, town), /,Maize \(white\),kg,KES,month,2020-12,,,,,65,/, "the product before, there");
  t.match(await csvOf(white, old), /,"Maize \(white, dry\)",kg,KES,month,2021-02,,,,,70,/);
  const salt = uuidOf("product", 3);
  t.match(await csvOf(salt, town), /,Salt,kg,KES,month,2020-12,,,,,10,/, "the same product");
  t.notMatch(await answerOf(store, `/products/${salt}?period=all`), /Salt at Lodwar/, "a county has both anyway");
  const nodes = await nodesOf(store, `/products/${dry}?market=${town}&period=all`);
  const note =
    "Lodwar Town, retail, continues Lodwar: the same place under another name. Prices of Lodwar end in December 2020, " +
    "those of Lodwar Town begin in February 2021.";
  t.ok(textWithin(nodes).includes(note));
  t.ok(linksOf(nodes).includes(`/products/${white}?market=${old}`));
  const short = textWithin(await nodesOf(store, `/products/${dry}?market=${town}&from=2021-02`));
  t.match(short, /Prices to December 2020, retail, are under the name Maize \(white\) at Lodwar/);
  for (const [market, other, text] of [
    [town, old, "Prices to December 2020, retail, are under the name Lodwar"],
    [old, town, "Prices from February 2021 on, retail, are under the name Lodwar Town"],
  ] as const) {
    const page = await nodesOf(store, `/markets/${market}`);
    t.ok(textWithin(page).includes(text), text);
    t.ok(linksOf(page).includes(`/markets/${other}`));
  }
});

t.test("a comparison offers products that continue each other, has one button, and begins with a chart", async (t) => {
  const [white, dry] = [uuidOf("product", 1), uuidOf("product", 2)];
  const continuation: ContinuationRecord = {
    ...{ productUuid: dry, continuesUuid: white, marketType: "Wholesale", overlapMonths: 0, ratio: null },
    ...{ lastMonth: "2025-01", firstMonth: "2025-02", judgement: "same goods", evidence: "One name for another." },
  };
  const store = buildStore(
    tinyDataset({
      products: [{ name: "Maize (white)" }, { name: "Maize (white, dry)" }, { name: "Beans" }],
      markets: [{ type: "Wholesale" }],
      continuations: [continuation],
      prices: [0, 1, 2].map((product) => ({ product, recordedAt: "2025-01-05T06:00:00Z" })),
    }),
  );
  const nodes = await nodesOf(store, `/compare?series=${dry}:Wholesale&series=${white}:Wholesale&period=10y`);
  const [title] = findNodes(nodes, ({ name }) => name === "h1");
  t.equal(textWithin(title?.children ?? []), "Compare prices", "names stand at the lines");
  const [form, ...others] = nodesOfClass(nodes, "choices");
  t.equal(others.length, 0);
  t.equal(findNodes([form as MarkupNode], ({ name }) => name === "button").length, 1);
  const groups = findNodes(nodes, ({ name }) => name === "optgroup").map(({ attributes }) => attributes["label"]);
  for (const name of ["Maize (white)", "Maize (white, dry)"]) t.ok(groups.includes(`${name}: Markets`), name);
  const options = findNodes(nodes, ({ name }) => name === "option").map(({ attributes }) => attributes["value"]);
  t.ok(options.includes(uuidOf("product", 3)), "another product is a choice and a button away");
  const kept = findNodes(nodes, ({ name }) => name === "option").filter(({ attributes }) => "selected" in attributes);
  t.strictSame(
    kept.map(({ attributes }) => attributes["value"]),
    ["", "10y"],
    "the form keeps the period, and adds nothing by itself",
  );
  const shown = async (query: string): Promise<string[]> => {
    const found = await nodesOf(store, `/compare${query}`);
    return nodesOfClass(found, "chosen").flatMap((list) =>
      findNodes([list], ({ name }) => name === "li").map(({ children }) => textWithin(children).split("\n")[0] ?? ""),
    );
  };
  t.match(await shown(""), [/^Beans, wholesale/], "an address of nothing has the product with most prices");
  t.equal(nodesOfClass(await nodesOf(store, "/compare"), "lineChart").length, 2, "for phones and a wide one");
  t.match(await shown(`?product=${white}`), [/^Maize \(white\), wholesale/]);
  t.match(await shown(`?product=${white}&series=${dry}:Wholesale`), [/^Maize \(white, dry\)/, /^Maize \(white\)/]);
  t.match(await shown(`?product=${dry}&series=${dry}:Wholesale`), [/^Maize \(white, dry\)/], "none is added twice");
  t.equal((await answerOf(store, `/compare?product=${uuidOf("product", 9)}`)).status, 400);
});
