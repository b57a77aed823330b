import t from "tap";
import { namePlaces, type PlaceToName } from "../../../src/importers/wfp/market-names.ts";

function namesOf(...places: [name: string, countyName: string, judgedName?: string][]): (string | undefined)[] {
  const named = namePlaces(
    places.map(
      ([name, countyName, judgedName = null], marketId): PlaceToName => ({ marketId, name, countyName, judgedName }),
    ),
  );
  return places.map((_, marketId) => named.get(marketId));
}

t.test("a county in brackets that repeats the county of the place is dropped", async (t) => {
  t.same(namesOf(["Karatina (Nyeri)", "Nyeri"], ["Kaanwa (Tharaka Nithi)", "Tharaka-Nithi"]), ["Karatina", "Kaanwa"]);
});

t.test("brackets that say something else stay", async (t) => {
  t.same(namesOf(["Kalobeyei (Village 1)", "Turkana"], ["Kitengela (Kajiado)", "Nairobi"], ["Bura", "Tana River"]), [
    "Kalobeyei (Village 1)",
    "Kitengela (Kajiado)",
    "Bura",
  ]);
});

t.test("centre and town are spelled in one way, whole words only", async (t) => {
  t.same(
    namesOf(
      ["Merti CENTER", "Isiolo"],
      ["Adele Center", "Tana River"],
      ["Tala Centre Market (Machakos)", "Machakos"],
      ["Garissa town (Garissa)", "Garissa"],
      ["Saka Town", "Garissa"],
      ["Centerville", "Nairobi"],
    ),
    ["Merti Centre", "Adele Centre", "Tala Centre Market", "Garissa Town", "Saka Town", "Centerville"],
  );
});

t.test("places of two counties that would share a name carry their county", async (t) => {
  t.same(namesOf(["Wakulima (Nakuru)", "Nakuru"], ["Wakulima", "Nairobi"]), [
    "Wakulima (Nakuru)",
    "Wakulima (Nairobi)",
  ]);
});

t.test("places of one county may share a name", async (t) => {
  t.same(namesOf(["Hola (Tana River)", "Tana River"], ["Hola", "Tana River"]), ["Hola", "Hola"]);
});

t.test("a name decided by hand is shown as it is", async (t) => {
  t.same(namesOf(["Hara town (Garissa)", "Garissa", "Hara town (Garissa)"]), ["Hara town (Garissa)"]);
});
