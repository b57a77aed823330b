import fc from "fast-check";
import t from "tap";
import { visibleText } from "../../../src/engine/model/visible-text.ts";
import { joinMarkup, markup } from "../../../src/site/pages/markup.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { runsOf } from "../../support/fixed-seed.ts";
import { parseMarkup, textWithin } from "../../support/parse-markup.ts";

t.test("any text comes back as text and as the value of an attribute, and as nothing else", async (t) => {
  const texts = fc.oneof(fc.string({ unit: anyCharacter }), fc.string({ unit: fc.constantFrom(..."<>&\"'/=a ;#") }));
  fc.assert(
    fc.property(texts, (text) => {
      const [node] = parseMarkup(markup`<p title="${text}">${text}</p>`.text);
      if (typeof node !== "object") throw new Error("expected an element");
      t.equal(node.attributes["title"], visibleText(text));
      t.equal(textWithin(node.children), visibleText(text));
    }),
    { numRuns: runsOf(100, 300) },
  );
});

t.test("markup within markup stays; lists are joined, undefined and false leave nothing", async (t) => {
  const items = ["<", markup`<b>${1.5}</b>`, undefined, false, [markup`<i></i>`, "&"]] as const;
  t.equal(markup`<p>${items}</p>`.text, "<p>&lt;<b>1.5</b><i></i>&amp;</p>");
  t.equal(String(joinMarkup(["<", "'"], ", ")), "&lt;, &#39;");
});
