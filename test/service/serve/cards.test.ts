/** Cards by the thread that draws them, and as they are read. */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import { drawPng } from "../../../src/draw-png.ts";
import type { CountyId } from "../../../src/engine/model/ids.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import type { Store } from "../../../src/engine/store/store.ts";
import { cardFiles, readGeneralCard } from "../../../src/service/serve/card-files.ts";
import { type CardLimits, CardsMaker } from "../../../src/service/serve/cards-maker.ts";
import { serviceParts } from "../../../src/service-parts.ts";
import { generalCard } from "../../../src/site/explore/cards.ts";
import { darkPixels, readPng } from "../../support/read-png.ts";
import { tinyDataset, uuidOf } from "../../support/tiny-dataset.ts";

const ids = ["20260101T000000Z-000000000001", "20260201T000000Z-000000000002"] as const;
const version = "v-1";

/** Maize in two counties, newer in one, and beans in one. */
function storeOf(id: string, beans = 90): Store {
  return buildStore(
    tinyDataset({
      snapshot: { id },
      products: [{ name: "Maize (white)" }, { name: "Beans" }],
      markets: [
        { type: "Wholesale", countyId: 47 as CountyId },
        { type: "Wholesale", countyId: 1 as CountyId },
      ],
      prices: [
        { product: 0, market: 0, price: 40, recordedAt: "2025-11-15T09:00:00+03:00" },
        { product: 0, market: 0, price: 50, recordedAt: "2025-12-15T09:00:00+03:00" },
        { product: 0, market: 1, price: 60, recordedAt: "2026-01-15T09:00:00+03:00" },
        { product: 1, market: 0, price: beans, recordedAt: "2025-10-15T09:00:00+03:00" },
      ],
    }),
  );
}

interface Made {
  readonly lines: object[];
  readonly maker: CardsMaker;
  names(id: string): string[];
  path(id: string, name: string): string;
}

function makerIn(dataDirectory: string, limits?: CardLimits): Made {
  const lines: object[] = [];
  const write = (fields: object, message?: string): void => void lines.push({ ...fields, message });
  const maker = new CardsMaker({
    script: serviceParts.cardsThread,
    dataDirectory,
    version,
    log: { info: write, warn: write, error: write } as never,
    ...(limits && { limits }),
  });
  const folder = (id: string): string => join(dataDirectory, "cards", `${id}-${version}`);
  const names = (id: string): string[] =>
    readdirSync(folder(id))
      .filter((name) => name.endsWith(".png"))
      .sort();
  return { lines, maker, names, path: (id, name) => join(folder(id), name) };
}

const [maize, beans] = [uuidOf("product", 1), uuidOf("product", 2)];
const english = [
  `en-${maize}-Wholesale-kenya.png`,
  `en-${maize}-Wholesale-county-47.png`,
  `en-${maize}-Wholesale-county-1.png`,
  `en-${beans}-Wholesale-kenya.png`,
  `en-${beans}-Wholesale-county-47.png`,
  "en-county-1.png",
  "en-county-47.png",
];

t.test("each product in the country and in each county, and each county, has a card in each language", async (t) => {
  const { maker, lines, names, path } = makerIn(t.testdir({}));
  const store = storeOf(ids[0]);
  await maker.make(store);
  t.strictSame(names(ids[0]), [...english, ...english.map((name) => name.replace("en-", "sw-"))].sort());
  t.match(lines, [{ snapshot: ids[0], drawn: 14, linked: 0, message: "cards made" }]);
  for (const name of english.slice(0, 2)) {
    const card = readPng(readFileSync(path(ids[0], name)));
    t.strictSame([card.width, card.height], [600, 315]);
    for (const [line, [top, height]] of Object.entries({
      title: [14, 40],
      price: [85, 60],
      month: [145, 30],
    } as const)) {
      t.ok(darkPixels(card, 20, top, 250, height) > 80, `${name}: ${line}`);
    }
  }
  const county = readPng(readFileSync(path(ids[0], "en-county-47.png")));
  t.ok(darkPixels(county, 20, 90, 300, 120) > 300, "a county has its prices");
  lines.length = 0;
  await maker.make(store);
  t.match(lines, [{ drawn: 0, linked: 0, message: "cards made" }], "another start draws none of them again");
});

t.test("a card that says what it said in the snapshot before is the same file", async (t) => {
  const { maker, lines, path } = makerIn(t.testdir({}));
  await maker.make(storeOf(ids[0]));
  await maker.make(storeOf(ids[1], 95));
  t.match(lines[1], { snapshot: ids[1], drawn: 4, linked: 10 });
  for (const name of english) {
    const isSame = statSync(path(ids[0], name)).ino === statSync(path(ids[1], name)).ino;
    t.equal(isSame, !name.includes(beans), name);
  }
  t.notOk(readFileSync(path(ids[0], english[3] as string)).equals(readFileSync(path(ids[1], english[3] as string))));
});

t.test("the newest months come first, and above a number the country alone", async (t) => {
  const one = makerIn(t.testdir({}), { countMax: 2, bytesMax: 1e9, wantedMax: 100 });
  await one.maker.make(storeOf(ids[0]));
  t.strictSame(one.names(ids[0]), [english[0], english[0]?.replace("en-", "sw-")]);
  const few = makerIn(t.testdir({}), { countMax: 100, bytesMax: 40_000, wantedMax: 100 });
  await few.maker.make(storeOf(ids[0]));
  const bytes = few.names(ids[0]).map((name) => statSync(few.path(ids[0], name)).size);
  const sum = bytes.reduce((a, b) => a + b, 0);
  t.ok(sum >= 40_000 && sum - Math.max(...bytes) < 40_000, `${bytes}`);
  const country = makerIn(t.testdir({}), { countMax: 100, bytesMax: 1e9, wantedMax: 13 });
  await country.maker.make(storeOf(ids[0]));
  t.ok(country.names(ids[0]).every((name) => name.endsWith("-kenya.png")));
  t.equal(country.names(ids[0]).length, 4);
});

t.test("the next swap ends the thread that is at work, and a stop any", async (t) => {
  const { maker, lines, names } = makerIn(t.testdir({}));
  const first = maker.make(storeOf(ids[0]));
  await maker.make(storeOf(ids[1]));
  await first;
  t.match(lines, [{ snapshot: ids[1], message: "cards made" }]);
  t.equal(lines.length, 1);
  t.equal(names(ids[1]).length, 14);
  const last = maker.make(storeOf("20260301T000000Z-000000000003"));
  await maker.stop();
  await last;
  await maker.make(storeOf(ids[0]));
  t.equal(lines.length, 1);
});

t.test(
  "where the directory cannot be written, the log says so once, and the general card stands for all",
  async (t) => {
    const folder = t.testdir({});
    writeFileSync(join(folder, "cards"), "in the way");
    const { maker, lines } = makerIn(folder);
    await maker.make(storeOf(ids[0]));
    t.match(lines, [{ message: "cards not made; pages have the general one" }]);
    const found = await cardFiles(folder, version)(ids[0], english[0] as string);
    t.ok(found.isGeneral);
    t.strictSame(found.png, readGeneralCard());
  },
);

t.test("a card is read of the served snapshot and of this version of the code", async (t) => {
  const folder = t.testdir({});
  const { maker, path } = makerIn(folder);
  await maker.make(storeOf(ids[0]));
  const name = english[0] as string;
  const found = await cardFiles(folder, version)(ids[0], name);
  t.notOk(found.isGeneral);
  t.ok(found.png.equals(readFileSync(path(ids[0], name))));
  t.ok((await cardFiles(folder, "v-2")(ids[0], name)).isGeneral);
  t.ok((await cardFiles(folder, version)(ids[1], name)).isGeneral);
  t.ok((await cardFiles(folder, version)(ids[0], "all.png")).isGeneral);
});

t.test("general-card.png is what the code draws: write it again where a text of it has changed", async (t: Test) => {
  t.ok(readGeneralCard().equals(Buffer.from(drawPng(generalCard()))));
});
