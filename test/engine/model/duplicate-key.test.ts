import fc from "fast-check";
import t from "tap";
import { findDuplicateKey } from "../../../src/engine/model/json-object.ts";

t.test("the first of several is answered", async (t) => {
  t.equal(findDuplicateKey('{"a":1,"b":1,"b":2,"a":2}'), "b");
});

t.test("a text may have millions of escapes", async (t) => {
  const text = JSON.stringify("\n".repeat(5_000_000));
  t.equal(findDuplicateKey(`{"a":${text},"b":1}`), undefined);
  t.equal(findDuplicateKey(`{"a":${text},"a":1}`), "a");
});

/** JSON whose objects are lists of entries, so that a key can stand twice. */
type Tree = string | number | boolean | null | Tree[] | { readonly entries: readonly Entry[] };
type Entry = readonly [key: string, value: Tree];

/** Few keys, so that the same one stands at several depths; quotes, brackets and backslashes to lead astray. */
const anyText = fc.oneof(
  fc.constantFrom("a", "b", "", '"', "\\", "{", "[", ",", ":", '\\"', "\n", "é", "🌽"),
  fc.string(),
);

const anyTree = fc.letrec<{ tree: Tree; entries: Entry[] }>((tie) => ({
  tree: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    anyText,
    fc.integer(),
    fc.constantFrom(true, false, null),
    fc.array(tie("tree"), { maxLength: 3 }),
    tie("entries").map((entries) => ({ entries })),
  ),
  entries: fc.uniqueArray(fc.tuple(anyText, tie("tree")), { selector: ([key]) => key, maxLength: 4 }),
}));

/** An object with at least one key, and whatever is in it. */
const anyObject = fc.tuple(anyText, anyTree.tree).map((entry) => ({ entries: [entry] }));

/** Draws a number below `count`; the same text is drawn for the same seed. */
type Draw = (count: number) => number;

const anyDraw: fc.Arbitrary<Draw> = fc.infiniteStream(fc.nat(999)).map((numbers) => {
  return (count) => numbers.next().value % count;
});

function render(tree: Tree, draw: Draw): string {
  const space = () => ["", "", " ", "\n\t"][draw(4)];
  if (Array.isArray(tree)) return `[${space()}${tree.map((item) => render(item, draw)).join(`${space()},`)}${space()}]`;
  if (typeof tree === "string") return renderText(tree, draw);
  if (tree === null || typeof tree !== "object") return JSON.stringify(tree);
  const entries = tree.entries.map(
    ([key, value]) => `${space()}${renderText(key, draw)}${space()}:${space()}${render(value, draw)}`,
  );
  return `{${entries.join(",")}${space()}}`;
}

/** A JSON string, some of its code units escaped though they need not be. */
function renderText(text: string, draw: Draw): string {
  const units = Array.from({ length: text.length }, (_, at) => {
    const unit = text.charAt(at);
    const escaped = `\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}`;
    return draw(4) === 0 || /[\ud800-\udfff]/.test(unit) ? escaped : JSON.stringify(unit).slice(1, -1);
  });
  return `"${units.join("")}"`;
}

/** All objects of a tree that have keys. */
function objectsOf(tree: Tree): { readonly entries: readonly Entry[] }[] {
  if (Array.isArray(tree)) return tree.flatMap(objectsOf);
  if (tree === null || typeof tree !== "object") return [];
  const inner = tree.entries.flatMap(([, value]) => objectsOf(value));
  return tree.entries.length === 0 ? inner : [tree, ...inner];
}

/** The same tree with one object exchanged. */
function exchange(tree: Tree, old: Tree, substitute: Tree): Tree {
  if (tree === old) return substitute;
  if (Array.isArray(tree)) return tree.map((item) => exchange(item, old, substitute));
  if (tree === null || typeof tree !== "object") return tree;
  return { entries: tree.entries.map(([key, value]) => [key, exchange(value, old, substitute)] as const) };
}

t.test("no JSON without duplicates is accused", async () => {
  fc.assert(
    fc.property(anyTree.tree, anyDraw, (tree, draw) => {
      const text = render(tree, draw);
      JSON.parse(text);
      return findDuplicateKey(text) === undefined;
    }),
  );
  fc.assert(fc.property(fc.jsonValue(), (value) => findDuplicateKey(JSON.stringify(value, null, 1)) === undefined));
});

t.test("one key repeated anywhere is found, however it is written", async () => {
  fc.assert(
    fc.property(anyObject, anyTree.tree, anyDraw, (tree, value, draw) => {
      const objects = objectsOf(tree);
      const object = objects[draw(objects.length)] as { readonly entries: readonly Entry[] };
      const [key] = object.entries[draw(object.entries.length)] as Entry;
      const entries = object.entries.toSpliced(draw(object.entries.length + 1), 0, [key, value]);
      const text = render(exchange(tree, object, { entries }), draw);
      JSON.parse(text);
      return findDuplicateKey(text) === key;
    }),
  );
});
