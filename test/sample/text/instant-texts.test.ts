import t from "tap";
import { type Instant, instantText } from "../../../src/domain/instant.ts";
import { InstantTexts } from "../../../src/sample/text/instant-texts.ts";

t.test("texts are those of instantText, whatever came before", (t) => {
  const texts = new InstantTexts();
  const instants = [
    Date.UTC(2026, 9, 31, 20, 59, 59, 999),
    Date.UTC(2026, 9, 31, 21),
    Date.UTC(2026, 9, 31, 23, 59, 59),
    Date.UTC(2026, 10, 1),
    Date.UTC(2024, 1, 29, 9, 5, 7),
    Date.UTC(2024, 1, 29, 9, 5, 7, 1),
    0,
    -1,
    -1000,
  ];
  for (const instant of [...instants, ...instants.toReversed()]) {
    t.equal(texts.of(instant as Instant), instantText(instant as Instant));
  }
  t.end();
});
