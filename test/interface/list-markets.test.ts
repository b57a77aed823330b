import t from "tap";
import type { CountyId } from "../../src/engine/model/ids.ts";
import { expectError, expectSuccess } from "../support/expect-answer.ts";
import { startApp } from "../support/start-app.ts";
import { tinyDataset, uuidOf } from "../support/tiny-dataset.ts";

const path = "/api/v1/markets";
const endpointName = "GET /markets";

interface Body {
  data: { uuid: string; name: string }[];
  meta: object;
}

t.test("list of markets", async (t) => {
  const app = await startApp(
    t,
    tinyDataset({
      markets: [
        { name: "Wakulima", type: "Wholesale" },
        {
          name: "kibuye",
          type: "Retail",
          countyId: 1 as CountyId,
          subCounty: "Mvita",
          location: { latitude: -4.05, longitude: 39.66, address: "Moi Avenue" },
          operatingDays: ["Monday", "Sunday"],
          operatingHours: "06:00-18:00",
          description: "Wakulima of the coast",
          setting: "refugee_camp",
          isActive: false,
        },
        { name: "Wakúlima", type: "Rural" },
        { name: "WAKULIMA", type: "Wholesale", countyId: 21 as CountyId },
        { name: "Gikomba", type: "Urban", alternativeNames: ["Quarry Road", "Gikómba Open-Air"] },
      ],
    }),
  );
  const list = async (query: string) => expectSuccess<Body>(t, endpointName, await app.get(path + query));
  const numbersOf = async (query: string) => (await list(query)).data.map(({ uuid }) => Number(uuid.slice(-3)));

  t.test("has every field of the list form; the location without address", async (t) => {
    t.strictSame((await list("?page_size=2")).data, [
      {
        uuid: uuidOf("market", 5),
        name: "Gikomba",
        type: "Urban",
        county: { id: 47, name: "Nairobi" },
        sub_county: null,
        location: null,
        operating_days: [],
        is_active: true,
      },
      {
        uuid: uuidOf("market", 2),
        name: "kibuye",
        type: "Retail",
        county: { id: 1, name: "Mombasa" },
        sub_county: "Mvita",
        location: { latitude: -4.05, longitude: 39.66 },
        operating_days: ["Monday", "Sunday"],
        is_active: false,
      },
    ]);
  });

  t.test("says with detail which markets are in camps", async (t) => {
    const settings = (await list("?detail=true")).data.map(({ name, ...market }) => [name, { ...market }]);
    t.match(settings.slice(0, 2), [
      ["Gikomba", { setting: null }],
      ["kibuye", { setting: "refugee_camp" }],
    ]);
    t.notOk("setting" in ((await list("")).data[0] ?? {}));
    const { text } = await app.get("/api/v1/exports/markets.csv?search=kibuye");
    t.match(text, /,setting,alternative_names\r\n.*,refugee_camp,\r\n$/);
  });

  t.test("finds a market by an alternative name, which detail and exports have", async (t) => {
    t.same(await numbersOf("?search=QUARRY"), [5]);
    t.same(await numbersOf("?search=air+gikomba"), [5], "words of several names");
    t.same(await numbersOf("?search=gikombaquarry"), [], "no word spans two names");
    const [found] = (await list("?search=quarry&detail=true")).data;
    t.match(found, { alternative_names: ["Quarry Road", "Gikómba Open-Air"] });
    t.notOk("alternative_names" in ((await list("?search=quarry")).data[0] ?? {}));
    const { text } = await app.get("/api/v1/exports/markets.csv?search=quarry");
    t.match(text, /,alternative_names\r\n.*,Quarry Road; Gikómba Open-Air\r\n$/);
  });

  t.test("is by name without case and accents, equal names by uuid, active or not", async (t) => {
    t.same(await numbersOf(""), [5, 2, 1, 3, 4]);
    t.strictSame((await list("")).meta, { page: 1, page_size: 20, total: 5, total_pages: 1 });
    t.strictSame(await list("?page=3&page_size=4"), {
      data: [],
      meta: { page: 3, page_size: 4, total: 5, total_pages: 2 },
    });
  });

  t.test("filters by county, type and folded part of the name, not of the description; all must hold", async (t) => {
    t.same(await numbersOf("?county_id=47"), [5, 1, 3]);
    t.same(await numbersOf("?county_id=21"), [4]);
    t.same(await numbersOf("?county_id=46"), [], "a county that the snapshot does not have");
    t.same(await numbersOf("?market_type=Wholesale"), [1, 4]);
    t.same(await numbersOf("?search=WAK%C3%9ALI"), [1, 3, 4]);
    t.same(await numbersOf("?search=coast"), []);
    t.same(await numbersOf("?search=lima+WAK%C3%BA"), [1, 3, 4], "words in any order");
    t.same(await numbersOf("?county_id=47&market_type=Rural&search=wak"), [3]);
    t.strictSame((await list("?search=coast")).meta, { page: 1, page_size: 20, total: 0, total_pages: 0 });
  });

  t.test("near a point: the nearest first, those without a location last and by name", async (t) => {
    t.same(await numbersOf("?near=-4.05,39.66"), [2, 5, 1, 3, 4]);
    t.same(await numbersOf("?near=-4.05,39.66&page=2&page_size=2"), [1, 3]);
    const [first, second] = (await list("?near=-4.05,39.7&detail=true")).data;
    t.match(
      [first, second],
      [
        { name: "kibuye", distance_km: 4.4 },
        { name: "Gikomba", distance_km: null },
      ],
    );
    for (const query of ["?near=-4.05,39.7", "?detail=true"])
      t.notOk("distance_km" in ((await list(query)).data[0] ?? {}));
    const everywhere = ["90,180", "-90,-180", "-0.123456,0"];
    for (const point of everywhere) expectSuccess(t, endpointName, await app.get(`${path}?near=${point}`));
    const outside = [
      "90.1,0",
      "0,180.000001",
      "-91,0",
      "0.1234567,0",
      "0,+36",
      "0,%2036",
      "0",
      "1,2,3",
      "1e1,0",
      "0;1",
      "",
    ];
    for (const point of outside) {
      const answer = await app.get(`${path}?near=${point}`);
      expectError(t, answer, { code: "VALIDATION_ERROR", fields: ["near"] }, point);
    }
    const { message } = (await app.get(`${path}?near=90.1,0`)).body as { message: string };
    t.match(message, /^near is "90.1,0", expected LATITUDE,LONGITUDE in degrees .* such as -0\.33,35\.94/);
  });

  t.test("refuses what is no county, type, page or name", async (t) => {
    for (const id of ["1", "47"]) expectSuccess(t, endpointName, await app.get(`${path}?county_id=${id}`));
    const bad: [string, string[]][] = [
      ["county_id=0", ["county_id"]],
      ["county_id=48", ["county_id"]],
      ["county_id=047", ["county_id"]],
      ["county_id=Nairobi", ["county_id"]],
      ["county_id=1&county_id=1", ["county_id"]],
      ["market_type=wholesale", ["market_type"]],
      ["market_type=", ["market_type"]],
      ["market_type=Retail,Rural", ["market_type"]],
      ["page_size=101", ["page_size"]],
      ["page=0", ["page"]],
      ["search=", ["search"]],
      ["search=%20", ["search"]],
      [`search=${"x".repeat(201)}`, ["search"]],
      ["search=%FF", ["search"]],
      ["is_active=true", ["is_active"]],
      ["type=Retail", ["type"]],
      ["page=0&county_id=0&nonsense", ["nonsense", "page", "county_id"]],
    ];
    for (const [query, fields] of bad) {
      const answer = await app.get(`${path}?${query}`);
      expectError(t, answer, { code: "VALIDATION_ERROR", fields }, query.slice(0, 60));
    }
    const message = async (query: string) => ((await app.get(`${path}?${query}`)).body as { message: string }).message;
    t.equal(
      await message("county_id=Nairobi"),
      'county_id is "Nairobi", expected an integer from 1 to 47; /counties lists the numbers.',
    );
    t.match(
      await message("market_type=wholesale"),
      /expected one of Wholesale, Retail, Rural, Urban; did you mean Wholesale\?$/,
    );
  });
});
