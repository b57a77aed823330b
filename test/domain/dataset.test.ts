import t from "tap";
import { noNotes, noQualityGrade, notesDictionarySizeMax, shortDictionarySizeMax } from "../../src/domain/dataset.ts";

t.test("the codes of missing texts are no codes of dictionaries", async (t) => {
  t.ok(noQualityGrade >= shortDictionarySizeMax, "codes are below the size");
  t.ok(noNotes >= notesDictionarySizeMax);
});

t.test("all codes fit their columns", async (t) => {
  t.same([...Uint16Array.of(noQualityGrade, shortDictionarySizeMax - 1)], [noQualityGrade, shortDictionarySizeMax - 1]);
  t.same([...Uint32Array.of(noNotes, notesDictionarySizeMax - 1)], [noNotes, notesDictionarySizeMax - 1]);
});
