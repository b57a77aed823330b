import { Ajv } from "ajv";
import t from "tap";
import { type TObject, Type as TypeBox } from "typebox";
import { endpointName } from "../../../src/contract/endpoint.ts";
import { nullable, Type } from "../../../src/contract/schema.ts";
import { endpoints } from "../../../src/service/http/endpoint-table.ts";

/** The same schemas from either set of constructors. */
function schemasOf(type: typeof Type): readonly object[] {
  return [
    type.Boolean(),
    type.Boolean({ default: false, description: "Yes?" }),
    type.Integer(),
    type.Integer({ minimum: 1, maximum: 2, default: 1, description: "How many." }),
    type.Number(),
    type.Number({ minimum: 0, description: "How much." }),
    type.String(),
    type.String({ format: "uuid", minLength: 1, maxLength: 2, description: "Which." }),
    type.Enum(["a", "b"], { description: "One of." }),
    type.Array(type.String(), { minItems: 1, maxItems: 2, description: "Some." }),
    type.Object({}),
    type.Object({ a: type.String(), b: type.Optional(type.Integer({ minimum: 1 })) }, { additionalProperties: false }),
    type.Object({ a: type.Optional(type.Array(type.Object({ b: type.String() }))) }),
  ];
}

t.test("the schemas are those that TypeBox makes", async (t) => {
  const wanted = schemasOf(TypeBox as unknown as typeof Type);
  for (const [at, schema] of schemasOf(Type).entries()) {
    t.equal(JSON.stringify(schema), JSON.stringify(wanted[at]));
  }
});

t.test("an object or null is the union that TypeBox makes", async (t) => {
  const wanted = TypeBox.Union([TypeBox.Object({}), TypeBox.Null()]);
  t.equal(JSON.stringify(nullable(Type.Object({}))), JSON.stringify(wanted));
});

t.test("a schema that is optional in one object may be required in another", async (t) => {
  const name = Type.String();
  const both: readonly TObject[] = [Type.Object({ name: Type.Optional(name) }), Type.Object({ name })];
  t.strictSame(
    both.map(({ required }) => required),
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
