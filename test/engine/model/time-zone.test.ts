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

// Node 24 has no Temporal; the zones are the same there.
const skip = "Temporal" in globalThis ? false : `Node ${process.versions.node} has no Temporal`;

t.test("zones are those that Temporal says keep one offset", { skip }, async (t) => {
  const from = Temporal.Instant.from("1990-01-01T00:00Z");
  const until = Temporal.Instant.from("2061-01-01T00:00Z");
  const every = process.env["PROPERTIES"] === "whole" ? 1 : 10;
  const zones = Intl.supportedValuesOf("timeZone").filter((_, at) => at % every === 0);
  for (const zone of zones) {
    const first = from.toZonedDateTimeISO(zone);
    const change = first.getTimeZoneTransition("next");
    const isFixed = change === null || Temporal.Instant.compare(change.toInstant(), until) >= 0;
    t.equal(fixedUtcOffset(zone), isFixed ? first.offsetNanoseconds / 1_000_000 : undefined, zone);
  }
});
