import t from "tap";
import type { Uuid } from "../../src/engine/model/ids.ts";
import { expectError, expectSuccess } from "../support/expect-answer.ts";
import { startApp } from "../support/start-app.ts";
import { tinyDataset } from "../support/tiny-dataset.ts";

const endpointName = "GET /products/:uuid";
const uuid = "abcdefab-cdef-1bcd-0bcd-abcdefabcdef" as Uuid;

t.test("one product", async (t) => {
  const metadata = { scientific_name: "Zea mays", varieties: ["H614"], nested: { altitude: null, "with space": 1.5 } };
  const app = await startApp(
    t,
    tinyDataset({
      products: [
        {
          uuid,
          name: "Maize",
          subCategory: "Grains",
          alternativeNames: ["Mahindi", "Corn"],
          season: "Long rains",
          storageRequirements: "Dry",
          isActive: false,
          metadata,
          commonUnits: ["90 kg bag", "kg"],
        },
        { uuid: "00000000-0000-0000-0000-000000000000" as Uuid, metadata: {}, alternativeNames: [] },
      ],
    }),
  );
  const get = (text: string) => app.get(`/api/v1/products/${text}`);

  t.test("has every field of the detail form", async (t) => {
    const body = {
      data: {
        uuid,
        name: "Maize",
        category: "Cereals",
        sub_category: "Grains",
        description: "A product.",
        common_units: ["90 kg bag", "kg"],
        is_active: false,
        alternative_names: ["Mahindi", "Corn"],
        season: "Long rains",
        storage_requirements: "Dry",
        metadata,
        created_at: "2026-01-01T00:00:00.000Z",
        updated_at: "2026-01-01T00:00:00.000Z",
      },
    };
    t.strictSame(expectSuccess(t, endpointName, await get(uuid)), body);
    t.strictSame(expectSuccess(t, endpointName, await get(uuid.toUpperCase())), body, "either case in, lower case out");
    t.strictSame(expectSuccess(t, endpointName, await get(`%61${uuid.slice(1)}`)), body, "percent-encoded");
  });

  t.test("has null for what is unknown, and empty for what is empty", async (t) => {
    t.match(expectSuccess(t, endpointName, await get("00000000-0000-0000-0000-000000000000")), {
      data: { sub_category: null, alternative_names: [], season: null, storage_requirements: null, metadata: {} },
    });
  });

  t.test("is not found under another uuid, and other texts are no uuids", async (t) => {
    expectError(t, await get("abcdefab-cdef-1bcd-0bcd-abcdefabcdee"), { code: "NOT_FOUND" });
    const bad = [
      uuid.slice(1),
      `${uuid}0`,
      uuid.replaceAll("-", ""),
      `{${uuid}}`,
      `${uuid}%20`,
      `${uuid}%0A`,
      `urn:uuid:${uuid}`,
      uuid.replace("a", "g"),
      uuid.replace("-", "_"),
      "1",
      "%ZZ",
      "%C0%AF",
    ];
    for (const text of bad) {
      expectError(t, await get(text), { code: "INVALID_UUID", fields: ["uuid"] }, text);
    }
    expectError(t, await get(`${uuid}?page=1`), { code: "VALIDATION_ERROR", fields: ["page"] });
  });
});
