import t from "tap";
import { dayFromText } from "../../../../src/engine/model/calendar.ts";
import { toUuid } from "../../../../src/engine/model/ids.ts";
import { marketUuid, priceUuid, productUuid } from "../../../../src/publishing/importers/wfp/build-wfp-records.ts";
import { namePlaces } from "../../../../src/publishing/importers/wfp/place-names.ts";
import { type PriceFact, priceKey } from "../../../../src/publishing/importers/wfp/read-price-row.ts";
import { type MarketRow, readReferenceData } from "../../../../src/publishing/importers/wfp/reference-data.ts";

const { counties, countyIds } = await readReferenceData();

// Published identifiers: a change to one of these breaks the links of every client.
t.test("identifiers are what they have been since the first publication", async (t) => {
  t.equal(productUuid(67), "8279063d-b290-5e29-a97f-e7b9ef6a7e2a");
  t.equal(marketUuid(184, "Wholesale"), "0f5edd27-433a-5b08-866f-fe07abd72fe1");
  const key = priceKey({
    day: dayFromText("2023-03-15") as PriceFact["day"],
    marketId: 184,
    commodityId: 67,
    wfpUnit: "90 KG",
    priceType: "Wholesale",
  });
  t.equal(priceUuid(key), "47f42b85-36f4-581c-99fa-8775db46a07d");
});

t.test("product, market and price of equal numbers differ, and so do the two markets of a place", async (t) => {
  const ids = [productUuid(1), marketUuid(1, "Retail"), marketUuid(1, "Wholesale"), priceUuid("1")];
  t.equal(new Set(ids).size, ids.length);
  for (const id of ids) t.equal(toUuid(id), id);
});

/** `judgedName` null: the place is judged, and its name is not. */
function namesOf(
  ...places: [name: string, countyName: string, judgedName?: string | null | undefined][]
): (string | undefined)[] {
  const named = namePlaces(
    places.map(([name, countyName, judgedName], marketId) => ({
      marketId,
      name,
      countyId: countyIds.get(countyName.toLowerCase().replace(/[^a-z]/g, "")) as number,
      judgement: judgedName === undefined ? undefined : ({ name: judgedName } as MarketRow),
    })),
    counties,
  );
  return places.map((_, marketId) => named.get(marketId));
}

t.test(
  "a county in brackets that repeats that of the place is dropped; centre and town have one spelling",
  async (t) => {
    const places: readonly (readonly [written: string, county: string, name: string])[] = [
      ["Karatina (Nyeri)", "Nyeri", "Karatina"],
      ["Kaanwa (Tharaka Nithi)", "Tharaka-Nithi", "Kaanwa"],
      ["Kalobeyei (Village 1)", "Turkana", "Kalobeyei (Village 1)"],
      ["Kitengela (Kajiado)", "Nairobi", "Kitengela (Kajiado)"],
      ["Bura", "Tana River", "Bura"],
      ["Merti CENTER", "Isiolo", "Merti Centre"],
      ["Adele Center", "Tana River", "Adele Centre"],
      ["Tala Centre Market (Machakos)", "Machakos", "Tala Centre Market"],
      ["Garissa town (Garissa)", "Garissa", "Garissa Town"],
      ["Saka Town", "Garissa", "Saka Town"],
      ["Centerville", "Nairobi", "Centerville"],
    ];
    const names = namesOf(...places.map(([written, county]): [string, string] => [written, county]));
    for (const [at, [written, , name]] of places.entries()) t.equal(names[at], name, written);
  },
);

t.test("places of two counties that would share a name carry their county", async (t) => {
  for (const judgedName of [undefined, null]) {
    t.same(namesOf(["Wakulima (Nakuru)", "Nakuru", judgedName], ["Wakulima", "Nairobi", judgedName]), [
      "Wakulima (Nakuru)",
      "Wakulima (Nairobi)",
    ]);
  }
});

t.test("places of one county may share a name", async (t) => {
  t.same(namesOf(["Hola (Tana River)", "Tana River"], ["Hola", "Tana River"]), ["Hola", "Hola"]);
});

t.test("a name decided by hand is shown as it is", async (t) => {
  t.same(namesOf(["Hara town (Garissa)", "Garissa", "Hara town (Garissa)"]), ["Hara town (Garissa)"]);
});
