/** Lists of markets and one market; test/golden has every field. */
import t from "tap";
import type { CountyId } from "../../src/engine/model/ids.ts";
import { endpointOf, numbersOf, startEndpoint } from "../support/ask-endpoint.ts";
import { expectError } from "../support/expect-answer.ts";
import { uuidOf } from "../support/tiny-dataset.ts";

interface Body {
  data: { uuid: string; name: string }[];
  meta: object;
}

t.test("list of markets", async (t) => {
  const {
    app,
    ask: list,
    refuse,
  } = await startEndpoint<Body>(t, "GET /markets", {
    markets: [
      { name: "Wakulima", type: "Wholesale" },
      {
        ...{ name: "kibuye", type: "Retail", countyId: 1 as CountyId, subCounty: "Mvita" },
        ...{ location: { latitude: -4.05, longitude: 39.66, address: "Moi Avenue" }, isActive: false },
        ...{ description: "Wakulima of the coast", setting: "refugee_camp" },
      },
      { name: "Wakúlima", type: "Rural" },
      { name: "WAKULIMA", type: "Wholesale", countyId: 21 as CountyId },
      { name: "Gikomba", type: "Urban", alternativeNames: ["Quarry Road", "Gikómba Open-Air"] },
    ],
  });
  const found = async (query: string) => numbersOf((await list(query)).data);

  t.test("says with detail which markets are in camps", async (t) => {
    const settings = (await list("?detail=true")).data.map((market) => [market.name, market]);
    t.match(settings.slice(0, 2), [
      ["Gikomba", { setting: null }],
      ["kibuye", { setting: "refugee_camp" }],
    ]);
    t.notOk("setting" in ((await list("")).data[0] ?? {}));
    const { text } = await app.get("/api/v1/exports/markets.csv?search=kibuye");
    t.match(text, /,setting,alternative_names\r\n.*,refugee_camp,\r\n$/);
  });

  t.test("finds a market by an alternative name, which detail and exports have", async (t) => {
    t.same(await found("?search=QUARRY"), [5]);
    t.same(await found("?search=air+gikomba"), [5], "words of several names");
    t.same(await found("?search=gikombaquarry"), [], "no word spans two names");
    const [market] = (await list("?search=quarry&detail=true")).data;
    t.match(market, { alternative_names: ["Quarry Road", "Gikómba Open-Air"] });
    t.notOk("alternative_names" in ((await list("?search=quarry")).data[0] ?? {}));
    const { text } = await app.get("/api/v1/exports/markets.csv?search=quarry");
    t.match(text, /,alternative_names\r\n.*,Quarry Road; Gikómba Open-Air\r\n$/);
  });

  t.test("near a point: the nearest first, those without a location last and by name", async (t) => {
    t.same(await found("?near=-4.05,39.66"), [2, 5, 1, 3, 4]);
    t.same(await found("?near=-4.05,39.66&page=2&page_size=2"), [1, 3]);
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
    const { message } = await refuse("?near=90.1,0", "near");
    t.match(message, /^near is "90.1,0", expected LATITUDE,LONGITUDE in degrees .* such as -0\.33,35\.94/);
  });

  t.test("a refusal says what is expected, and where to find it", async (t) => {
    const { message } = await refuse("?county_id=Nairobi", "county_id");
    t.equal(message, 'county_id is "Nairobi", expected an integer from 1 to 47; /counties lists the numbers.');
    const ofType = await refuse("?market_type=wholesale", "market_type");
    t.match(ofType.message, /expected one of Wholesale, Retail, Rural, Urban; did you mean Wholesale\?$/);
  });
});

t.test("one market is found by its uuid in either case, and is no product", async (t) => {
  const { ask, miss, send } = await startEndpoint(t, "GET /markets/:uuid", { markets: [{ name: "Wakulima" }] });
  for (const uuid of [uuidOf("market", 1), uuidOf("market", 1).toUpperCase()]) {
    t.match(await ask(uuid), { data: { uuid: uuidOf("market", 1), name: "Wakulima" } });
  }
  for (const uuid of [uuidOf("market", 3), uuidOf("product", 1)]) await miss(uuid);
  expectError(t, await send("categories"), { code: "INVALID_UUID", fields: ["uuid"] });
});

t.test("detail names the market that the place was before, and the one that it is after", async (t) => {
  const [old, town] = [uuidOf("market", 1), uuidOf("market", 2)];
  const months = { lastMonth: "2020-12", firstMonth: "2021-02", overlapMonths: 0 };
  const marketContinuations = [{ marketUuid: town, continuesUuid: old, ...months, evidence: "One point." }];
  const markets = [{ name: "Lodwar" }, { name: "Lodwar Town" }, {}];
  const { app, ask } = await startEndpoint<{ data: object }>(t, "GET /markets/:uuid", { markets, marketContinuations });
  const stated = { last_month: "2020-12", first_month: "2021-02", overlap_months: 0, evidence: "One point." };
  for (const [uuid, continues, continued_by] of [
    [town, { market: { uuid: old, name: "Lodwar" }, ...stated }, null],
    [old, null, { market: { uuid: town, name: "Lodwar Town" }, ...stated }],
    [uuidOf("market", 3), null, null],
  ] as const) {
    t.match(await ask(`${uuid}?detail=true`), { data: { continues, continued_by } });
  }
  const { data } = await ask(town);
  t.notOk("continues" in data || "continued_by" in data);
  const list = await endpointOf<Body>(t, app, "GET /markets").ask("?detail=true&page_size=1");
  t.match(list, { data: [{ name: "Lodwar", continued_by: { market: { uuid: town } } }] });
});
