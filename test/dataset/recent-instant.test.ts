import t from "tap";
import { recentInstant } from "../../src/dataset/recent-instant.ts";
import { instantFromText } from "../../src/domain/instant.ts";

t.test("answers as instantFromText, the first time and every other", async (t) => {
  for (const text of ["2026-01-15T10:30:00Z", "1970-01-01T00:00:00Z", "2026-02-30T00:00:00Z", "", "2026-01-15"]) {
    t.equal(recentInstant(text), instantFromText(text), text);
    t.equal(recentInstant(text), instantFromText(text), text);
  }
});

t.test("answers the same after more texts than are remembered", async (t) => {
  const texts = Array.from({ length: 10_000 }, (_, index) => new Date(index * 60_000).toISOString());
  for (let round = 0; round < 2; round++) {
    t.ok(texts.every((text, index) => recentInstant(text) === index * 60_000));
  }
});
