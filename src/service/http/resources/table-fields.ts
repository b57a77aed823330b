/** The columns of tables as fields of answers and exports: the schema of each is made from its declaration. */

import * as s from "../../../contract/schema.ts";
import type { Column, ColumnDescription, Columns, ColumnType } from "../../../engine/export/table-columns.ts";
import { type Fields, noUnit, type ObjectSchema, optional, type Schema } from "../../../engine/model/json-schema.ts";
import { marketTypes } from "../../../engine/model/vocabulary.ts";
import { withValue } from "../answer/row-writer.ts";

const schemasOfTypes: Readonly<Record<ColumnType, (description: string, unit: string) => Schema>> = {
  uuid: s.uuid,
  text: s.text,
  texts: s.texts,
  type_counts: () => s.samplesByMarketType,
  number: s.number,
  integer: s.integer,
  boolean: s.boolean,
  date: s.day,
  timestamp: s.instant,
};

/** The schema of a column in a row of an export. */
export function exportedField<Row>(column: Column<Row>): Schema {
  const schema = schemaOf(column);
  return column.isNullable === true ? s.nullable(schema) : schema;
}

function schemaOf({ type, description, unit = noUnit, values }: ColumnDescription): Schema {
  return values === undefined ? schemasOfTypes[type](description, unit) : s.oneOf(values, description);
}

/** A column as a field of an answer, in an object that may be null or in another one. */
function answeredField<Row>(column: Column<Row>, isInNullable: boolean): Schema {
  const { answer, values, isNullable } = column;
  const typed = values === marketTypes ? s.marketTypeText : schemaOf({ ...column, ...answer });
  const schema = withValue(typed, column);
  if (answer?.isOptional === true) return optional(schema);
  return isNullable === true && answer?.type === undefined && !isInNullable ? s.nullable(schema) : schema;
}

/**
 * Makes a function that gives the field of a column by its name, without the object that answers have it in; with a
 * schema of its own where one is given. It throws a RangeError where none of the columns has the name.
 */
export function fieldsOf<Row>(columns: Columns<Row>): (name: string, schema?: Schema) => Schema {
  return (name, schema) => {
    const column = columns.find((one) => one.name === name);
    if (column === undefined) throw new RangeError(`No column is named ${name}`);
    return schema === undefined ? answeredField(column, false) : withValue(schema, column);
  };
}

/** The fields of the columns that answers have, but for those in objects and those placed already. */
export function otherFields<Row>(columns: Columns<Row>, placed: Fields): Fields {
  const others = columns.filter(
    ({ name, answer }) => answer !== null && answer?.path === undefined && !(name in placed),
  );
  return Object.fromEntries(others.map((column) => [column.name, answeredField(column, false)]));
}

/** An object of an answer that some columns are in. */
export interface ColumnObject {
  /** Name of its schema. */
  readonly name: string;
  readonly description: string;
  /** True if it is null where the cell of its first required field is. */
  readonly isNullable?: true;
  /** Fields that come first, in this order; the others follow in the order of their columns. */
  readonly first?: readonly string[];
  /** Fields that no column has, before all others, and behind them. */
  readonly further?: Fields;
  readonly last?: Fields;
}

/**
 * The fields of an answer that columns are, in the order of the columns, those of a path in their object. A column that
 * is added to a table is a field of its answers without more.
 *
 * @param objects By path: `market.county`.
 */
export function answerFields<Row>(columns: Columns<Row>, objects: Readonly<Record<string, ColumnObject>>): Fields {
  const found = columns.filter(({ answer }) => answer !== null);
  return fieldsBelow("", found, objects, false);
}

function fieldsBelow<Row>(
  holder: string,
  columns: Columns<Row>,
  objects: Readonly<Record<string, ColumnObject>>,
  isInNullable: boolean,
): Fields {
  const nameOf = ({ name, answer }: Column<Row>): string => {
    const path = answer?.path ?? name;
    return path.slice(holder.length).split(".")[0] as string;
  };
  const groups = [...Map.groupBy(columns, nameOf)].map(([name, ofField]): [string, Schema] => {
    const path = holder + name;
    const object = objects[path];
    if (object === undefined) return [name, answeredField(ofField[0] as Column<Row>, isInNullable)];
    return [name, objectOf(object, fieldsBelow(`${path}.`, ofField, objects, object.isNullable === true))];
  });
  return Object.fromEntries(groups);
}

function objectOf({ name, description, isNullable, first = [], further, last }: ColumnObject, fields: Fields): Schema {
  const ordered = { ...Object.fromEntries(first.map((field) => [field, fields[field] as Schema])), ...fields };
  const schema: ObjectSchema = s.object(name, description, { ...further, ...ordered, ...last });
  return isNullable === true ? s.nullable(schema) : schema;
}
