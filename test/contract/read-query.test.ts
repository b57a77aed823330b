import t from "tap";
import { createQueryReader, parsePathParams, queryParser } from "../../src/contract/read-query.ts";
import { exactly, listOf, monthText, oneOf, optionalFields, text } from "../../src/contract/schema.ts";
import { arrayOf, objectOf, scalar } from "../../src/engine/model/json-schema.ts";

const schema = objectOf({
  text: scalar("string"),
  count: scalar("integer"),
  flag: scalar("boolean"),
  list: arrayOf(scalar("string")),
});

const readQuery = queryParser(schema);

function valuesOf(queryText: string): object {
  const { values, problems } = readQuery(queryText);
  t.strictSame(problems, [], queryText);
  return { ...values };
}

function problemFields(queryText: string): string[] {
  return readQuery(queryText).problems.map(({ field }) => field);
}

t.test("a query is read as the types its schema names", async (t) => {
  t.strictSame(valuesOf(""), {});
  t.strictSame(valuesOf("&&"), {});
  t.strictSame(valuesOf("text=20&count=20&flag=true"), { text: "20", count: 20, flag: true });
  t.strictSame(valuesOf("flag=false&text=true"), { flag: false, text: "true" });
  t.strictSame(valuesOf("text"), { text: "" });
  t.strictSame(valuesOf("text=a=b"), { text: "a=b" }, "the first equals sign counts");
});

t.test("percent-encoding and plus are decoded, in names too", async (t) => {
  t.strictSame(valuesOf("te%78t=caf%C3%A9+%2B%20%26%3D"), { text: "café + &=" });
  t.strictSame(valuesOf("count=%32%30"), { count: 20 });
});

t.test("numbers and booleans have one spelling; others stay texts for the schema to refuse", async (t) => {
  for (const [text, value] of [
    ["0", 0],
    ["-5", -5],
    ["9007199254740991", 9_007_199_254_740_991],
  ] as const) {
    t.strictSame(valuesOf(`count=${text}`), { count: value });
  }
  for (const text of ["", "020", "2e1", "0x14", "1.0", "--1", "Infinity", "12345678901234567", " 1", "1 ", "١"]) {
    t.strictSame(valuesOf(`count=${encodeURIComponent(text)}`), { count: text });
  }
  t.strictSame(valuesOf("count=+1"), { count: " 1" }, "a plus is a blank");
  for (const text of ["", "1", "True", "TRUE", "yes"]) t.strictSame(valuesOf(`flag=${text}`), { flag: text });
});

t.test("a list comes with commas, repeated, or both, in the order given", async (t) => {
  t.strictSame(valuesOf("list=a"), { list: ["a"] });
  t.strictSame(valuesOf("list=a,b&text=x&list=c&list=d%2Ce"), { text: "x", list: ["a", "b", "c", "d", "e"] });
  t.strictSame(valuesOf("list="), { list: [""] });
  t.strictSame(valuesOf("list=a,,b,"), { list: ["a", "", "b", ""] });
});

t.test("unknown names are passed on, whatever they mean to JavaScript", async (t) => {
  const { values, problems } = readQuery("__proto__=1&constructor=2&toString=3&list[]=4");
  t.strictSame(problems, []);
  const inherited = readQuery("").values;
  for (const name of Object.getOwnPropertyNames(Object.prototype)) t.notOk(name in inherited, name);
  t.strictSame(Object.entries(values), [
    ["__proto__", "1"],
    ["constructor", "2"],
    ["toString", "3"],
    ["list[]", "4"],
  ]);
});

t.test("a repeated parameter is one problem, however often and in which encoding", async (t) => {
  t.strictSame(readQuery("count=1&text=a&co%75nt=2&count=3").problems, [
    { field: "count", message: "count is given more than once, expected it once.", received: "3" },
  ]);
  t.strictSame(problemFields("x=1&x=1&text=&text"), ["text"], "that x is unknown is for the schema to say");
});

t.test("broken percent-encoding is a problem of its parameter", async (t) => {
  t.strictSame(readQuery("text=%ZZ&count=1").problems, [
    {
      field: "text",
      message: "text=%ZZ is not UTF-8 in percent-encoding, expected it to be.",
      received: "text=%ZZ",
    },
  ]);
  for (const text of ["%", "%2", "%FF", "%C3", "%ED%A0%80", "%C0%AF", "caf\u00e9", "a\u00a0", "a\u007f"]) {
    t.strictSame(problemFields(`text=${text}`), ["text"], text);
  }
  t.strictSame(problemFields("%FF=1"), ["%FF=1"], "a name that cannot be read is shown as it came");
});

t.test("path parameters are read as the types their schema names", async (t) => {
  t.strictSame({ ...parsePathParams({ count: "47", text: "47" }, schema) }, { count: 47, text: "47" });
  t.strictSame({ ...parsePathParams({ count: "047" }, schema) }, { count: "047" });
});

const pageFields = optionalFields({ from: monthText("First month."), type: oneOf(["Retail", "Wholesale"], "") });
const pageSchema = exactly({ ...pageFields, ...optionalFields({ series: listOf(text(""), "") }) });

t.test("a reader gives values that the schema accepts, or a problem for each bad parameter", async (t) => {
  const read = createQueryReader(pageSchema);
  const { values, problems } = read("from=2024-01&type=Retail&series=a&series=b");
  t.strictSame(problems, []);
  const month: string | undefined = values.from;
  t.strictSame([month, values.type, values.series], ["2024-01", "Retail", ["a", "b"]]);
  t.strictSame(
    read("from=2024-13&type=&week=1&series=%FF").problems.map(({ message }) => message),
    [
      '"week" is unknown here, expected only from, type, series.',
      "series=%FF is not UTF-8 in percent-encoding, expected it to be.",
      'from is "2024-13", expected an existing month as YYYY-MM.',
      'type is "", expected one of Retail, Wholesale.',
    ],
  );
});
