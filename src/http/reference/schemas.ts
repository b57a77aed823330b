import type { TSchema } from "typebox";
import { exactly, number, text, texts } from "../answer-schema.ts";
import { Type } from "../schema-type.ts";

export const unitCategoryAnswer: TSchema = exactly({
  category: text,
  units: Type.Array(exactly({ name: text, abbreviation: text, base_unit: text, conversion_factor: number })),
});

export const marketTypeAnswer: TSchema = exactly({ type: text, description: text, characteristics: texts });
