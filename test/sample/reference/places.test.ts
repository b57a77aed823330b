import t from "tap";
import { foldText } from "../../../src/domain/folded-text.ts";
import { countyRecords } from "../../../src/sample/reference/counties.ts";
import { places } from "../../../src/sample/reference/places.ts";

t.test("there are 47 counties in order of id, each with five or six towns and figures that may be", (t) => {
  t.same(
    places.map(({ id }) => id),
    Array.from({ length: 47 }, (_, index) => index + 1),
  );
  t.equal(new Set(places.map(({ county }) => county)).size, 47);
  for (const place of places) {
    t.ok(place.towns.length >= 5 && new Set(place.towns).size === place.towns.length, place.county);
    t.ok(place.capital !== "" && place.populationThousands > 100 && place.areaSqKm > 200, place.county);
    t.ok(place.latitude > -5 && place.latitude < 6 && place.longitude > 33 && place.longitude < 42, place.county);
    t.ok(place.priceLevel >= 80 && place.priceLevel <= 130, place.county);
  }
  t.end();
});

t.test("some names have accents, some apostrophes, and some stand in two counties", (t) => {
  const towns = places.flatMap((place) => place.towns);
  t.ok(towns.some((town) => foldText(town) !== town.toLowerCase()));
  t.ok(towns.some((town) => town.includes("'")));
  t.ok(towns.filter((town) => town === "Makutano").length === 3);
  t.end();
});

t.test("every town is a ward of exactly one sub-county", (t) => {
  for (const [index, { subCounties }] of countyRecords.entries()) {
    t.equal(subCounties.length, 3);
    t.same(subCounties.flatMap(({ wards }) => wards).toSorted(), places[index]?.towns.toSorted());
  }
  const ids = countyRecords.flatMap(({ subCounties }) => subCounties.map(({ id }) => id));
  t.equal(new Set(ids).size, ids.length);
  t.end();
});
