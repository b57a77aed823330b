import fc from "fast-check";
import t from "tap";
import { countyIdMax, countyIdMin, isCountyId, toUuid } from "../../../src/engine/model/ids.ts";

const uuid = "0f8fad5b-d9cb-469f-a165-70867728950e";

t.test("a uuid is answered in lower case, whichever case it comes in", async (t) => {
  t.equal(toUuid(uuid), uuid);
  t.equal(toUuid(uuid.toUpperCase()), uuid);
  t.equal(toUuid("0F8fad5b-d9cb-469f-A165-70867728950E"), uuid);
});

t.test("uuids of every version and variant are recognised", async (t) => {
  for (const text of ["00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"]) {
    t.equal(toUuid(text), text);
  }
  fc.assert(fc.property(fc.uuid(), (text) => toUuid(text) === text));
});

t.test("a text that is no uuid is undefined", async (t) => {
  const near = [uuid.slice(1), `${uuid}0`, `${uuid} `, ` ${uuid}`, `${uuid}\n`, `{${uuid}}`, `urn:uuid:${uuid}`, ""];
  const bent = [
    uuid.replaceAll("-", ""),
    uuid.replace("f", "g"),
    uuid.replace("-", "_"),
    "0f8fad5bd-9cb-469f-a165-70867728950e",
  ];
  for (const text of [...near, ...bent, `${uuid.slice(0, -1)}\n`])
    t.equal(toUuid(text), undefined, JSON.stringify(text));
});

t.test("county numbers are the integers from 1 to 47", async (t) => {
  t.same([countyIdMin, countyIdMax], [1, 47]);
  t.same([0, 1, 47, 48].map(isCountyId), [false, true, true, false]);
  for (const value of [-1, 1.5, 46.999, Number.NaN, Number.POSITIVE_INFINITY, 1e21])
    t.notOk(isCountyId(value), String(value));
});
