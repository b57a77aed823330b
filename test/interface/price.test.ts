/** One price; test/golden has every field. */
import t from "tap";
import { startEndpoint } from "../support/ask-endpoint.ts";
import { expectError } from "../support/expect-answer.ts";
import { uuidOf } from "../support/tiny-dataset.ts";

const name = "GET /prices/:uuid";

t.test("one price is found by its uuid in either case; fixed segments are no prices", async (t) => {
  const { ask, miss, send } = await startEndpoint(t, name, {
    prices: [{}, { recordedAt: "1999-12-31T21:00:00.007Z" }],
  });
  for (const uuid of [uuidOf("price", 2), uuidOf("price", 2).toUpperCase()]) {
    const times = { recorded_at: "1999-12-31T21:00:00.007Z", created_at: "1999-12-31T21:00:00.007Z" };
    t.match(await ask(uuid), { data: { uuid: uuidOf("price", 2), ...times } });
  }
  for (const uuid of [uuidOf("price", 3), uuidOf("product", 1)]) await miss(uuid);
  expectError(t, await send("Latest"), { code: "INVALID_UUID", fields: ["uuid"] });
  for (const segment of ["search", "statistics"]) {
    const answer = await send(segment);
    expectError(t, answer, { code: "METHOD_NOT_ALLOWED" }, segment);
    t.equal(answer.headers["allow"], "POST, OPTIONS");
  }
  await (await startEndpoint(t, name)).miss(uuidOf("price", 1));
});
