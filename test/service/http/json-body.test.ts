import t from "tap";
import { ApiError } from "../../../src/contract/errors.ts";
import { bodyProblems, parseJsonBody } from "../../../src/service/http/request/read-request.ts";
import { secretKey } from "../../support/signed-request.ts";

function parse(
  body: string | Buffer,
  contentType: string | undefined = "application/json",
  contentEncoding?: string,
): unknown {
  return parseJsonBody({ bytes: Buffer.from(body as string), contentType, contentEncoding });
}

/** The error that a body is refused with. */
function refusal(...sent: Parameters<typeof parse>): ApiError {
  try {
    parse(...sent);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error("the body was accepted");
}

t.test("a JSON object is read, whatever is in it", async (t) => {
  t.strictSame(parse('{"a":[1,null,{"b":"\\u00e9"}]}'), { a: [1, null, { b: "é" }] });
  t.strictSame(parse(' \r\n\t{"é":1} \n'), { é: 1 });
  t.strictSame(Object.keys(parse('{"__proto__":1}') as object), ["__proto__"]);
});

t.test("no body means no fields, whatever the headers say", async (t) => {
  t.strictSame(parseJsonBody({ bytes: Buffer.alloc(0), contentType: undefined, contentEncoding: undefined }), {});
  t.strictSame(parse("", "text/plain", "gzip"), {});
});

t.test("the type must be JSON in UTF-8, in any spelling of that", async (t) => {
  for (const type of [
    "application/json",
    "Application/JSON",
    "application/json;charset=utf-8",
    'application/json ; charset="UTF-8" ',
    "application/json;",
    "application/json ; ",
    "application/json;;charset=utf-8;",
    "application/json; indent=2",
    "application/json; v=1",
    "application/json;version=2;charset=UTF-8",
    'application/json; profile="https://example.org/a;b"; q=1',
    "application/json; odata.metadata=minimal; IEEE754Compatible=true",
    "application/json; boundary=",
    "application/json; charset=utf8",
  ]) {
    t.strictSame(parse("{}", type), {}, type);
  }
  for (const type of [
    "",
    "text/json",
    "application/json5",
    "application/jsonx",
    "application/json; charset=utf-16",
    "application/json; charset=iso-8859-1",
    "application/json; v=1; CHARSET=us-ascii",
    'application/json; charset="utf-16"; v=1',
    "application/json; charset=",
    "application/json; charset = utf-16",
    "application/json indent=2",
    "application/json, text/plain",
    "application/problem+json",
    "x application/json",
  ]) {
    t.equal(refusal("{}", type).code, "UNSUPPORTED_MEDIA_TYPE", type);
  }
  const absent = { bytes: Buffer.from("{}"), contentType: undefined, contentEncoding: undefined };
  t.throws(() => parseJsonBody(absent), {
    code: "UNSUPPORTED_MEDIA_TYPE",
    message: "Content-Type is absent, expected application/json in UTF-8.",
  });
});

t.test("a body must not be compressed", async (t) => {
  t.strictSame(parse("{}", "application/json", "Identity"), {});
  for (const coding of ["gzip", "br", "identity, gzip", ""]) {
    t.equal(refusal("{}", "application/json", coding).code, "UNSUPPORTED_MEDIA_TYPE", coding);
  }
});

t.test("what is no JSON in UTF-8 is malformed", async (t) => {
  for (const body of [
    "{",
    "{'a':1}",
    "nonsense",
    " ",
    "{}x",
    '{"a":01}',
    "\ufeff{}",
    '{"a":1,"a":1}',
    '{"b":{"a":1,"\\u0061":2}}',
    '{"a":1,}',
    '{"a":NaN}',
    "// all\n{}",
    '{"a":1}\0',
    Buffer.from("{}", "utf16le"),
  ]) {
    t.equal(refusal(body).code, "MALFORMED_JSON", String(body));
  }
  for (const bytes of [
    [0x7b, 0xff, 0x7d],
    [0x22, 0xed, 0xa0, 0x80, 0x22],
  ]) {
    t.equal(refusal(Buffer.from(bytes)).message, "The body is not valid UTF-8, expected JSON in UTF-8.");
  }
  const marked = "The body begins with a byte order mark";
  t.equal(refusal("\ufeff{}").message, `${marked}, expected JSON without one.`);
  for (const bytes of [
    [0xff, 0xfe, 0x7b, 0, 0x7d, 0],
    [0xfe, 0xff, 0, 0x7b, 0, 0x7d],
  ]) {
    t.equal(refusal(Buffer.from(bytes)).message, `${marked} of UTF-16, expected JSON in UTF-8.`);
  }
  t.match(refusal('{"a":\u202e1}').message, /'\\u202e'/, "an invisible character is shown as its escape");
  t.equal(refusal('{"a":1,"a":2}').message, 'The body has the key "a" twice, expected it once.');
});

t.test("JSON that is no object is a bad value of the body", async (t) => {
  const kinds = { null: "null", "[]": "an array", "1": "a number", '"{}"': "a string", true: "a boolean" };
  for (const [body, kind] of Object.entries(kinds)) {
    const { code, details } = refusal(body);
    t.equal(code, "VALIDATION_ERROR");
    t.strictSame(details, [{ field: "body", message: `The body is ${kind}, expected an object.`, received: null }]);
  }
});

t.test("messages repeat little of what was sent and no keys", async (t) => {
  const long = "x".repeat(50_000);
  const parts = new RegExp(`${secretKey.slice(8, 14)}|${secretKey.slice(-6)}`);
  for (const body of [
    `{"${long}":1,"${long}":1}`,
    long,
    `{"${secretKey}":1,"${secretKey}":1}`,
    secretKey,
    `"${secretKey}" "`,
    `["${secretKey}",]`,
    `{"q":["${secretKey}",x],"${secretKey}":1}`,
    `{"q":${secretKey}}`,
  ]) {
    const { message } = refusal(body);
    t.ok(message.length < 400);
    t.notMatch(message, parts);
  }
  t.equal(refusal(`["${secretKey}",]`).message, "The body is not JSON: Unexpected token ']'.");
});

t.test("a body where none belongs is reported by its size", async (t) => {
  t.strictSame(bodyProblems({ bytes: Buffer.alloc(0), contentType: undefined, contentEncoding: undefined }), []);
  t.strictSame(bodyProblems({ bytes: Buffer.from("{}"), contentType: undefined, contentEncoding: undefined }), [
    { field: "body", message: "The body has 2 bytes, expected none with this method.", received: null },
  ]);
});
