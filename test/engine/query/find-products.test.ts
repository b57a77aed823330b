import { readFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { findProducts } from "../../../src/engine/query/find-products.ts";
import { readCurrent } from "../../../src/engine/snapshots/current-snapshot.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { tinyDataset } from "../../support/tiny-dataset.ts";

const numbers = (products: readonly { uuid: string }[]) => products.map(({ uuid }) => Number(uuid.slice(-12)));

t.test("the best match comes first: words of names, beginnings, what is mentioned", async (t) => {
  const shop = buildStore(
    tinyDataset({
      products: [
        { name: "Bananas", description: "Their price and rice." },
        { name: "Brown rice-cakes", description: "A snack." },
        { name: "Pishori", alternativeNames: ["Mchele", "Rice (aromatic)"], description: "A kind of rice." },
        { name: "Ricestraw", description: "Fodder." },
        { name: "Rice", description: "Mchele." },
      ],
    }),
  );
  const search = (text: string): number[] => numbers(findProducts(shop, { text }));
  t.same(search("rice"), [2, 3, 5, 4, 1]);
  t.same(search("(rice)"), [], "what matches is a part of the text as it is typed");
  t.same(search("rice mchele"), [5], "an alternative name ranks, but does not match");
});

t.test("each alternative name of the bundled products finds its product, as words of its description", async (t) => {
  const data = join(import.meta.dirname, "../../../data");
  const file = join(data, "snapshots", await readCurrent(data), "products.ndjson");
  const records = (await readFile(file, "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const bundled = buildStore(
    tinyDataset({
      products: records.map(({ uuid, name, description }) => ({ uuid, name, description })),
      prices: [],
    }),
  );
  const names = records.flatMap(({ name, alternative_names }) =>
    (alternative_names ?? []).map((other: string) => [name, other] as const),
  );
  t.equal(names.length, 100);
  for (const [name, other] of names) {
    t.ok(
      findProducts(bundled, { text: other }).some((product) => product.name === name),
      `${other} finds ${name}`,
    );
  }
  t.ok(records.every(({ description }) => /^[A-Z].*\.$/.test(description)));
});
