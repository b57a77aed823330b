/** Values of a field: good ones by its schema, and odd ones at and beyond each of its limits. */
import type { RandomChoice } from "../../bench/questions/random-choice.ts";
import type { Keywords } from "../../src/engine/model/json-schema.ts";
import { type Api, type Field, singular } from "./api-operations.ts";
import { changedText, unusualTexts } from "./random-changes.ts";

/** A value as it is written into JSON, well-formed or not, and as the text of a parameter. */
export interface WrittenValue {
  readonly json: string;
  readonly text: string;
}

const dayMilliseconds = 86_400_000;
const dayFirst = Date.UTC(2006, 0, 1);

/** Numbers in the order in which a reader would overlook them: edges of types, of precision, of notation. */
const unusualNumbers = [
  ...["0", "-0", "-1", "1.5", "2147483648", "4294967296", "9007199254740993", "1e999", "-1e999", "1e-999", "1e2"],
  ...["0x10", "01", "+1", ".5", "5.", "NaN", "Infinity", `1${"0".repeat(400)}`, `0.${"1".repeat(5000)}`, "1_000"],
];

/** A value that the schema of a field accepts. */
export function goodValue(field: Field, api: Api, random: RandomChoice): WrittenValue {
  return written(goodJson(field.name, field.schema, api, random));
}

/** A value that is odd for a field: at a limit, beyond one, of another type, or a good one with characters changed. */
export function unusualValue(field: Field, api: Api, random: RandomChoice): WrittenValue {
  const good = goodJson(field.name, field.schema, api, random);
  switch (random.below(9)) {
    case 0:
      return asNumber(random.of(unusualNumbers));
    case 1:
      return written(random.of(unusualTexts));
    case 2:
      return written(
        random.of([null, true, false, [], {}, [[]], [null], { a: 1 }, [good, null], { [field.name]: good }]),
      );
    case 3: {
      const depth = random.of([10, 100, 1000, 10_000, 30_000]);
      const [open, close] = random.of([
        ["[", "]"],
        ['{"a":', "}"],
        ["[[", "]"],
      ]);
      const json = `${open.repeat(depth)}1${close.repeat(depth)}`.slice(0, 64_000);
      return { json, text: json.slice(0, 7000) };
    }
    case 4:
    case 5:
      return asNumber(random.of(edgesOf(field.schema)));
    case 6: {
      const item = field.schema.items === undefined ? good : goodJson(field.name, field.schema.items, api, random);
      return written(Array.from({ length: random.of([0, 1, 2, 99, 100, 101, 1000]) }, () => item));
    }
    default:
      return written(changedText(typeof good === "string" ? good : JSON.stringify(good), random));
  }
}

function edgesOf({ minimum = 0, maximum = 100, maxLength, maxItems = 0 }: Keywords): string[] {
  const numbers = [minimum, minimum - 1, maximum, maximum + 1, maxItems, -maximum].map(String);
  if (maxLength === undefined) return numbers;
  return [...numbers, ...[maxLength, maxLength + 1].map((length) => JSON.stringify("😀".repeat(length)))];
}

function goodJson(name: string, schema: Keywords, api: Api, random: RandomChoice): unknown {
  const { type, format, enum: texts, minimum = 0, maximum = 10_000, items } = schema;
  if (texts !== undefined) return random.of(texts);
  if (format === "uuid") return random.of(api.uuids.get(singular(name)) ?? [...api.uuids.values()].flat());
  if (format === "date") return new Date(dayFirst + random.below(7500) * dayMilliseconds).toISOString().slice(0, 10);
  if (name === "near") return `${(random.below(1000) - 500) / 100},${(random.below(800) + 3400) / 100}`;
  switch (type) {
    case "integer":
      return random.between(minimum, Math.min(maximum, minimum + 1000));
    case "number":
      return random.below(20_000) / 8;
    case "boolean":
      return random.below(2) === 0;
    case "array":
      return Array.from({ length: random.between(1, 3) }, () => goodJson(name, items ?? {}, api, random));
    default:
      return random.of(api.words);
  }
}

function written(value: unknown): WrittenValue {
  const json = JSON.stringify(value);
  if (typeof value === "string") return { json, text: value };
  return { json, text: Array.isArray(value) ? value.map((item) => written(item).text).join(",") : json };
}

/** A number as it is written, which JSON may not allow; a JSON text stays one. */
function asNumber(text: string): WrittenValue {
  return { json: text, text: text.startsWith('"') ? (JSON.parse(text) as string) : text };
}
