/** Schemas with a name, as components that others refer to. */

import { textFormats } from "../../engine/model/check-value.ts";
import { component, type Keywords, unit } from "../../engine/model/json-schema.ts";
import { type JsonSchema, referTo } from "./openapi-shared-components.ts";

/** Collects the components of a document while its schemas are converted. */
export class Components {
  readonly schemas: Record<string, JsonSchema> = {};

  /**
   * A schema as the document has it: named ones are references, symbols are what they stand for, and a format of this
   * service alone is a pattern, because its name says nothing to a reader. What a schema does not have is undefined,
   * which JSON leaves out.
   */
  convert(schema: Keywords): JsonSchema {
    const { [component]: of } = schema;
    if (of !== undefined) {
      const reference = this.register(of.name, of.schema);
      const { description } = schema;
      return description === of.schema.description ? reference : { ...reference, description };
    }
    const { properties = {}, items, anyOf, format, [unit]: unitText, ...rest } = schema;
    const pattern = format === undefined ? undefined : textFormats[format]?.pattern;
    const fields = Object.entries(properties).map(([name, field]) => [name, this.convert(field)]);
    return {
      ...rest,
      ...(pattern === undefined ? { format } : { pattern }),
      properties: schema.properties && Object.fromEntries(fields),
      items: items && this.convert(items),
      anyOf: anyOf?.map((choice) => this.convert(choice)),
      "x-unit": unitText,
    };
  }

  /**
   * Makes a schema a component.
   *
   * @returns A reference to it.
   * @throws {Error} When another schema has the name.
   */
  register(name: string, schema: Keywords): JsonSchema {
    const made = this.convert(schema);
    const known = this.schemas[name];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(made)) {
      throw new Error(`Two schemas have the name ${name}, expected each name once`);
    }
    this.schemas[name] = made;
    return referTo("schemas", name);
  }
}
