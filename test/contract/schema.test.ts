import { Ajv } from "ajv";
import t from "tap";
import { endpointName } from "../../src/contract/endpoint.ts";
import { exactly, nullable, oneOf } from "../../src/contract/schema.ts";
import { arrayOf, objectOf, optional, orNull, scalar } from "../../src/engine/model/json-schema.ts";
import { endpoints } from "../../src/service/http/endpoint-table.ts";

t.test("the constructors make the JSON Schemas that their names promise", async (t) => {
  const made: readonly (readonly [object, object])[] = [
    [scalar("boolean"), { type: "boolean" }],
    [scalar("integer", { minimum: 1, default: 1 }), { type: "integer", minimum: 1, default: 1 }],
    [oneOf(["a", "b"], "Which."), { enum: ["a", "b"], type: "string", description: "Which." }],
    [arrayOf(scalar("string"), { minItems: 1 }), { type: "array", items: { type: "string" }, minItems: 1 }],
    [objectOf({}), { type: "object", properties: {} }],
    [
      exactly({ a: scalar("string"), b: optional(scalar("number")) }),
      {
        type: "object",
        required: ["a"],
        properties: { a: { type: "string" }, b: { type: "number" } },
        additionalProperties: false,
      },
    ],
    [orNull(oneOf(["a"], "")), { enum: ["a", null], type: ["string", "null"], description: "" }],
    [nullable(objectOf({})), { anyOf: [{ type: "object", properties: {} }, { type: "null" }] }],
  ];
  for (const [schema, wanted] of made) t.strictSame(JSON.parse(JSON.stringify(schema)), wanted);
});

t.test("a schema that is optional in one object may be required in another", async (t) => {
  const name = scalar("string");
  t.strictSame(
    [objectOf({ name: optional(name) }), objectOf({ name })].map(({ required }) => required),
    [undefined, ["name"]],
  );
});

t.test(
  "what endpoints take is described by JSON Schemas, which the service does not check when it compiles them",
  async (t) => {
    const ajv = new Ajv();
    for (const endpoint of endpoints) {
      for (const part of ["params", "query", "body"] as const) {
        t.equal(ajv.validateSchema(endpoint[part]), true, `${part} of ${endpointName(endpoint)}`);
      }
    }
    t.equal(ajv.validateSchema({ type: "object", required: "a" }), false);
  },
);
