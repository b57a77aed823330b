import { randomUUID } from "node:crypto";
import t from "tap";
import { fieldProblems } from "../../src/contract/field-problem.ts";
import { detailsMax, receivedCharactersMax } from "../../src/contract/limits.ts";
import { day, exactly, listOf, matchText, oneOf, pageFields, uuid } from "../../src/contract/schema.ts";
import { createChecker } from "../../src/engine/model/check-value.ts";
import { type Fields, optional, scalar } from "../../src/engine/model/json-schema.ts";
import { valuesOf } from "../support/fields-of.ts";

function problems(fields: Fields, value: object): ReturnType<typeof fieldProblems> {
  const found = createChecker(exactly(fields))(value);
  t.not(found.length, 0, "the value is refused");
  return fieldProblems(found);
}

function messages(fields: Fields, value: object): string[] {
  return problems(fields, value).map(({ message }) => message);
}

t.test("each kind of schema is put into words", async (t) => {
  const fields = {
    id: uuid(""),
    day: day(""),
    text: matchText(""),
    page: pageFields.page,
    size: scalar("integer", { minimum: 1, maximum: 100 }),
    kind: oneOf(["a", "b"], ""),
    items: listOf(uuid(""), ""),
    flag: scalar("boolean"),
    price: scalar("number"),
  };
  const value = { id: "x", day: "x", text: " ", page: 0, size: 101, kind: "c", items: [], flag: 1, price: "1" };
  t.strictSame(messages(fields, value).sort(), [
    'day is "x", expected an existing day as YYYY-MM-DD.',
    "flag is 1, expected true or false.",
    'id is "x", expected a UUID of 36 characters.',
    "items is [], expected a list of 1 to 100 items.",
    'kind is "c", expected one of a, b.',
    "page is 0, expected an integer of at least 1.",
    'price is "1", expected a number.',
    "size is 101, expected an integer from 1 to 100.",
    'text is " ", expected a text of 1 to 200 whole characters, not only blanks or accents.',
  ]);
});

t.test("a list or an object where something else belongs is named as such", async (t) => {
  const fields = {
    id: uuid(""),
    day: day(""),
    text: matchText(""),
    page: pageFields.page,
    kind: oneOf(["a", "b"], ""),
  };
  const values = { id: ["a"], day: {}, text: { text: "maize" }, page: [47], kind: [], texts: [["Fruit"]] };
  t.strictSame(messages({ ...fields, texts: listOf(matchText(""), "") }, values).sort(), [
    "day is an object, {}, expected an existing day as YYYY-MM-DD.",
    'id is a list, ["a"], expected a UUID of 36 characters.',
    "kind is a list, [], expected one of a, b.",
    "page is [47], expected an integer of at least 1.",
    'text is an object, {"text":"maize"}, expected a text.',
    'texts[0] is a list, ["Fruit"], expected a text.',
  ]);
  t.strictSame(messages({ text: matchText("") }, { text: ["maize"] }), ['text is a list, ["maize"], expected a text.']);
  t.strictSame(messages({ text: matchText("") }, { text: 5 }), ["text is 5, expected a text."]);
  const list = { list: listOf(matchText(""), "") };
  t.strictSame(messages(list, { list: "Fruit" }), ['list is "Fruit", expected a list of 1 to 100 items.']);
});

t.test("a page number that is too large gets the bound that it is above", async (t) => {
  t.strictSame(messages({ page: pageFields.page }, { page: 2 ** 53 }), [
    "page is 9007199254740992, expected an integer up to 9007199254740991.",
  ]);
});

t.test("missing and unknown fields are named, with what is known", async (t) => {
  t.strictSame(problems({ id: uuid(""), page: optional(pageFields.page) }, { pagesize: 5 }), [
    { field: "pagesize", message: '"pagesize" is unknown here, expected only id, page.', received: 5 },
    { field: "id", message: "id is missing, expected a UUID of 36 characters.", received: null },
  ]);
  t.strictSame(messages({}, { a: 1 }), ['"a" is unknown here, expected no fields.']);
});

t.test("a schema without bounds or a place in the table is put into words as well", async (t) => {
  t.strictSame(messages({ text: scalar("string", { maxLength: 2 }) }, { text: "abc" }), [
    'text is "abc", expected a text of 1 to 2 whole characters, not only blanks or accents.',
  ]);
});

t.test("a number too large for JSON is no null", async (t) => {
  for (const text of ["1e999", "-1e999"]) {
    t.strictSame(problems({ price: scalar("number") }, JSON.parse(`{"price":${text}}`)), [
      { field: "price", message: "price is a number too large, expected a number.", received: null },
    ]);
  }
});

t.test("an item of a list is named by its place", async (t) => {
  const items = Array.from({ length: 12 }, (_, at) => (at === 2 || at === 11 ? "bad" : randomUUID()));
  t.strictSame(valuesOf(problems({ items: listOf(uuid(""), "") }, { items }), "field"), ["items[2]", "items[11]"]);
});

t.test("a field has one problem, and there are not too many", async (t) => {
  t.equal(problems({ text: matchText("") }, { text: "" }).length, 1, "too short and of the wrong format");
  const many = Object.fromEntries(Array.from({ length: detailsMax + 5 }, (_, at) => [`f${at}`, at]));
  t.equal(problems({}, many).length, detailsMax);
});

t.test("long values are cut, short ones come back as they are", async (t) => {
  const long = "x".repeat(receivedCharactersMax);
  const [text] = problems({ id: uuid("") }, { id: `${long}y` });
  t.equal(text?.received, `${long}…`);
  const [nested] = problems({ id: uuid("") }, { id: [long] });
  t.equal(nested?.received, `${JSON.stringify([long]).slice(0, receivedCharactersMax)}…`);
  const [short] = problems({ id: uuid("") }, { id: { a: [1, null] } });
  t.strictSame(short?.received, { a: [1, null] });
  const [name] = problems({}, { [`${long}x`]: 1 });
  t.equal(name?.field, `${long}…`);
});
