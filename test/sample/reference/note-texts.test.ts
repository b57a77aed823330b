import t from "tap";
import { ownNote, sharedNotes } from "../../../src/sample/reference/note-texts.ts";

t.test("a few hundred texts differ, are trimmed, and hold what JSON must escape", (t) => {
  t.ok(sharedNotes.length > 200 && sharedNotes.length < 1000);
  t.equal(new Set(sharedNotes).size, sharedNotes.length);
  t.ok(sharedNotes.every((note) => note !== "" && note === note.trim()));
  for (const part of ['"', "\\", "\n", "é", "🌽"])
    t.ok(
      sharedNotes.some((note) => note.includes(part)),
      part,
    );
  t.end();
});

t.test("own notes are no shared ones and differ by number", (t) => {
  t.not(ownNote(1), ownNote(2));
  t.notOk(sharedNotes.includes(ownNote(1)));
  t.end();
});
