import t from "tap";
import { fixedUtcOffset } from "../../../src/engine/model/calendar.ts";

t.test("a zone whose clocks never change has one offset", async (t) => {
  const zones = {
    "Africa/Nairobi": 10_800_000,
    UTC: 0,
    "Asia/Kolkata": 19_800_000,
    "Asia/Kathmandu": 20_700_000,
    "America/Panama": -18_000_000,
  };
  for (const [zone, offset] of Object.entries(zones)) t.equal(fixedUtcOffset(zone), offset, zone);
});

t.test("a zone with daylight saving has none", async (t) => {
  for (const zone of ["Europe/London", "America/New_York", "Africa/Casablanca"])
    t.equal(fixedUtcOffset(zone), undefined, zone);
});

t.test("a zone whose law changed has none", async (t) => {
  for (const zone of ["America/Caracas", "Africa/Juba"]) t.equal(fixedUtcOffset(zone), undefined, zone);
});

t.test("an unknown zone has none", async (t) => {
  for (const zone of ["Africa/Nowhere", "", " ", "Nairobi"])
    t.equal(fixedUtcOffset(zone), undefined, JSON.stringify(zone));
});
