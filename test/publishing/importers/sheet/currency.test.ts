import t from "tap";
import { currenciesInText, readCurrency } from "../../../../src/publishing/importers/sheet/currency.ts";
import { textsOfFormat } from "../../../../src/publishing/importers/sheet/shown-numbers.ts";
import { readTitle } from "../../../../src/publishing/importers/sheet/statements.ts";

const isoCodes = Intl.supportedValuesOf("currency");

/** The first codes of the marks: `KES` also stands for shillings of any country. */
function codesOf(marks: readonly { readonly codes: readonly string[] }[]): readonly string[] {
  return marks.map(({ codes }) => (codes.length === 1 || codes[0] === "KES" ? (codes[0] as string) : "several"));
}

t.test("every code of ISO 4217 is a currency in a cell and in the heading of prices, kilograms aside", async (t) => {
  const inCell = isoCodes.filter((code) => readCurrency(code, {})?.codes[0] !== code);
  const inHeading = isoCodes.filter((code) => String(codesOf(currenciesInText(`Price (${code})`, {}, false))) !== code);
  t.same([inCell, inHeading], [["KGS"], ["KGS"]]);
});

t.test("customary signs and names are currencies, and those of several countries say so", async (t) => {
  const cases: readonly (readonly [text: string, code: string])[] = [
    ...["KSh", "Kshs.", "K.Sh.", "kes", "Kenya Shillings", "Sh", "Shs.", "/=", "/-"].map(
      (text) => [text, "KES"] as const,
    ),
    ...["TSh", "Tshs", "Tanzanian shillings", "shilingi za Tanzania"].map((text) => [text, "TZS"] as const),
    ...["USh", "UShs.", "Uganda shilling"].map((text) => [text, "UGX"] as const),
    ...["RF", "FRw", "rwf"].map((text) => [text, "RWF"] as const),
    ...([
      ["Birr", "ETB"],
      ["SSP", "SSP"],
      ["€", "EUR"],
      ["US$", "USD"],
      ["US dollars", "USD"],
    ] as const),
    ...["$", "£", "¥", "Rs.", "francs", "dollars", "Z$"].map((text) => [text, "several"] as const),
  ];
  for (const [text, code] of cases)
    t.same(codesOf([readCurrency(text, {})].filter((mark) => mark !== undefined)), [code], text);
  for (const text of ["", "kg", "90 kg bag", "K", "price", "kgs", "each"])
    t.equal(readCurrency(text, {}), undefined, text);
  t.same(readCurrency("$", { $: "USD" })?.codes, ["USD"]);
  t.same(readCurrency("mk.", { Mk: "MWK" })?.codes, ["MWK"]);
});

t.test("headings name currencies; words that are codes as well are words", async (t) => {
  const cases: readonly (readonly [text: string, ...codes: string[]])[] = [
    ["Price (TSh/kg)", "TZS"],
    ["EUR per kg", "EUR"],
    ["price_ugx", "UGX"],
    ["Retail price (K.Sh. per 90 kg bag)", "KES"],
    ["PRICE PER KG (KES)", "KES"],
    ["Price in Uganda shillings", "UGX"],
    ["Price, South Sudanese Pounds", "SSP"],
    ["$/kg", "several"],
    ["Modal Price (Rs./Quintal)", "several"],
    ["Price (UGX) / Bei (KSh)", "UGX", "KES"],
    ["Price (all markets)"],
    ["PRICE (ALL MARKETS)"],
    ["Price per cup"],
    ["Price per CUP"],
    ["Top grade price"],
    ["Real price per pound"],
    ["Price (KGS)"],
    ["Price per km, ft or ar"],
    ["Try price (Bob's pen)"],
  ];
  for (const [text, ...codes] of cases) t.same(codesOf(currenciesInText(text, {}, false)), codes, text);
});

t.test("titles name currencies, but not by amounts, single short signs and words", async (t) => {
  const cases: readonly (readonly [text: string, ...codes: string[]])[] = [
    ["All prices in UGX", "UGX"],
    ["Market prices UGX 2026", "UGX"],
    ["Prices in Kshs, week 19", "KES"],
    ["Currency: Uganda Shillings", "UGX"],
    ["Funded by USD 5 million"],
    ["Rates of 2 May: 1 USD = 129 KES"],
    ["TOP markets of ALL counties"],
    ["Kitui County, Br. 2"],
  ];
  for (const [text, ...codes] of cases)
    t.same(
      codesOf(
        readTitle(text).flatMap((statement) => (statement.kind === "currency" ? { codes: statement.value } : [])),
      ),
      codes,
      text,
    );
});

t.test("a number format shows texts before and behind a number, by its section", async (t) => {
  const cases: readonly (readonly [format: string, value: number, before: string, after: string])[] = [
    ["$#,##0.00", 3, "$", ""],
    ["[$UGX] #,##0", 3, "UGX", ""],
    ["#,##0.00\\ [$€-407]", 3, "", "€"],
    ['"TSh" 0', 3, "TSh", ""],
    ['_($* #,##0.00_);_($* \\(#,##0.00\\);_($* "-"??_);_(@_)', 3, "$", ""],
    ["_-[$USD] * #,##0.00_-", 3, "USD", ""],
    ['"KSh" #,##0" per 90 kg bag"', 3, "KSh", "per 90 kg bag"],
    ["#,##0\\ \\s\\h", 3, "", "sh"],
    ["#,##0/=", 3, "", "/="],
    ['0.0"K"', 3, "", "K"],
    ['[>=100]"UGX" #,##0;[Red]"KSh" 0', 120, "UGX", ""],
    ['[>=100]"UGX" #,##0;[Red]"KSh" 0', 99, "KSh", ""],
    ["[<=60]0;[$TZS] 0", 61, "TZS", ""],
    ["[<=60]0;[$TZS] 0", 60, "", ""],
    ['"KSh" 0;"debt" 0', 3, "KSh", ""],
    ...["General", "0", "#,##0.00", "[Red]0.0E+00", "# ?/?", "0%", "@", "#,##0_M_M", "[Blue]0;[Red]-0", "[$-409]0"].map(
      (format) => [format, 3, "", ""] as const,
    ),
  ];
  for (const [format, value, before, after] of cases) t.match(textsOfFormat(format, value), { before, after }, format);
});
