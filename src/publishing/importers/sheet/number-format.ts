/** The texts that a number format of a workbook shows around a number. Source: ECMA-376 part 1, 18.8.31. */

/** The texts that a cell shows before and behind its number. */
export interface FormatTexts {
  readonly before: string;
  readonly after: string;
}

interface Section extends FormatTexts {
  /** Null where the section holds for any number above 0. */
  readonly condition: { readonly sign: string; readonly bound: number } | null;
}

/** Quoted texts, escaped characters, widths, repeated characters, currencies, conditions and colours, and the rest. */
const tokenExpression = new RegExp(
  [
    '"(?<quoted>[^"]*)"',
    String.raw`\\(?<escaped>.)`,
    "[_*].",
    String.raw`\[\$(?<currency>[^\]-]*)(?:-[^\]]*)?\]`,
    String.raw`\[(?<sign>[<>=]{1,2})(?<bound>[\d.]+)\]`,
    String.raw`\[[^\]]*\]`,
    "(?<number>General|[0#?@]|E[+-])",
    "(?<end>;)",
    "(?<other>.)",
  ].join("|"),
  "gsu",
);

/** A text that says something: a sign of a currency, a word, or the mark of shillings. */
const statesSomething = /[\p{L}\p{Sc}]|\/[=-]/u;

const sectionsOf = new Map<string, readonly Section[]>();

/**
 * The texts that a format shows around a number above 0, trimmed; empty where they say nothing. `"KSh" #,##0" per bag"`
 * has `KSh` and `per bag`, `[$$-409]#,##0.00` has `$`.
 */
export function textsOfFormat(format: string, value: number): FormatTexts {
  const sections = sectionsOf.getOrInsertComputed(format, () => readSections(format));
  return sections.find(({ condition }) => condition === null || holds(condition, value)) ?? { before: "", after: "" };
}

function holds({ sign, bound }: NonNullable<Section["condition"]>, value: number): boolean {
  if (sign === "=") return value === bound;
  if (sign === "<>") return value !== bound;
  if (sign.startsWith(">")) return value > bound || (sign === ">=" && value === bound);
  return value < bound || (sign === "<=" && value === bound);
}

function readSections(format: string): readonly Section[] {
  const sections: Section[] = [];
  let texts: [before: string, after: string] = ["", ""];
  let condition: Section["condition"] = null;
  let side = 0;
  const end = (): void => {
    const [before = "", after = ""] = texts.map((text) => (statesSomething.test(text) ? text : ""));
    sections.push({ before: before.trim(), after: after.replace(/^[,.%\s]+/, "").trim(), condition });
    texts = ["", ""];
    condition = null;
    side = 0;
  };
  for (const { groups = {} } of format.matchAll(tokenExpression)) {
    if (groups["end"] !== undefined) end();
    else if (groups["number"] !== undefined) {
      side = 1;
      // Between digits stand the signs of the number itself.
      if (!statesSomething.test(texts[1])) texts[1] = "";
    } else if (groups["sign"] !== undefined) condition = { sign: groups["sign"], bound: Number(groups["bound"]) };
    else texts[side as 0 | 1] += groups["quoted"] ?? groups["escaped"] ?? groups["currency"] ?? groups["other"] ?? "";
  }
  end();
  return sections;
}
