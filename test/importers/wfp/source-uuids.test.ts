import t from "tap";
import { toUuid } from "../../../src/domain/ids.ts";
import { marketUuid, priceKey, priceUuid, productUuid } from "../../../src/importers/wfp/source-uuids.ts";

// Published identifiers: whoever changes one of these breaks the links of every client.
t.test("identifiers are what they have been since the first publication", async (t) => {
  t.equal(productUuid(67), "8279063d-b290-5e29-a97f-e7b9ef6a7e2a");
  t.equal(marketUuid(184, "Wholesale"), "0f5edd27-433a-5b08-866f-fe07abd72fe1");
  t.equal(priceUuid(priceKey("2023-03-15", 184, 67, "90 KG", "Wholesale")), "47f42b85-36f4-581c-99fa-8775db46a07d");
});

t.test("product, market and price of equal numbers differ, and so do the two markets of a place", async (t) => {
  const ids = [productUuid(1), marketUuid(1, "Retail"), marketUuid(1, "Wholesale"), priceUuid("1")];
  t.equal(new Set(ids).size, ids.length);
  for (const id of ids) t.equal(toUuid(id), id);
});

t.test("every part of the key counts", async (t) => {
  const keys = [
    priceKey("2023-03-15", 184, 67, "90 KG", "Wholesale"),
    priceKey("2023-03-16", 184, 67, "90 KG", "Wholesale"),
    priceKey("2023-03-15", 185, 67, "90 KG", "Wholesale"),
    priceKey("2023-03-15", 184, 68, "90 KG", "Wholesale"),
    priceKey("2023-03-15", 184, 67, "KG", "Wholesale"),
    priceKey("2023-03-15", 184, 67, "90 KG", "Retail"),
  ];
  t.equal(new Set(keys).size, keys.length);
});
