/** Tables as offices send them, month after month: what contradicts the mapping is refused, and honest ones pass. */
import { writeXlsx } from "hucre/xlsx";
import t, { type Test } from "tap";
import type { Instant } from "../../../../src/engine/model/calendar.ts";
import type { MappingFile } from "../../../../src/publishing/importers/sheet/mapping.ts";
import { prepareImports } from "../../../support/import-table.ts";
import { marketRow, testUuid } from "../../../support/snapshot-files.ts";

const now = Date.UTC(2026, 9, 1, 8) as Instant;

/** Maize at Kitui Town, a wholesale market, and at Wakulima, which has both types. */
const markets = [
  marketRow({ name: "Wakulima (Retail)" }),
  marketRow({ uuid: testUuid(4), name: "Wakulima (Wholesale)", type: "Wholesale" }),
  marketRow({ uuid: testUuid(5), name: "Kitui Town", type: "Wholesale" }),
];
const prepare = (t: Test) => prepareImports(t, markets, now);

const columns = { date: "Date", market: "Market", market_type: "Type", product: "Commodity", unit: "Unit" };
const kept: MappingFile = { source: "Survey", columns: { ...columns, price: "Price" }, values: { currency: "KES" } };
const head = "Date,Market,Type,Commodity,Unit,Price";
const row = "2026-06-02,Kitui Town,Wholesale,Maize,90 kg bag,4200";
const right = "4200 KES 90 kg bag 2026-06-02";

/** A statement above the table, under it, or in the heading of the prices. */
type Place = "title" | "note" | "heading";

const contradictions: readonly (readonly [place: Place, text: string, refusal: RegExp])[] = [
  ["heading", "Price (thousand KSh)", /"scale": 1000 in the mapping/],
  ["heading", "Bei (elfu KSh)", /"scale": 1000 in the mapping/],
  ["heading", "Price Ksh/1000", /"scale": 1000 in the mapping/],
  ["heading", "Price ('00 KSh)", /"scale": 100 in the mapping/],
  ["heading", "Price (Sh. cts)", /"scale": 0.01 in the mapping/],
  ["title", "Amounts are expressed in thousands", /"scale": 1000 in the mapping/],
  ["title", "Multiply all prices by 100", /"scale": 100 in the mapping/],
  ["note", "NB: multiply the prices by 1,000", /"scale": 1000 in the mapping/],
  ["title", "Bei kwa laki", /"scale": 100000 in the mapping/],
  ["title", "Prices, in thousands, of KSh", /"scale": 1000 in the mapping/],
  ["note", "Source: county; prices in '000 KSh", /"scale": 1000 in the mapping/],
  ["note", "Kumbuka: bei ni kwa mamia ya shilingi", /"scale": 100 in the mapping/],
  ["heading", "Price (So.Sh.)", /the same currency everywhere/],
  ["heading", "Price (Rand)", /the same currency everywhere/],
  ["title", "Price currency = Euro", /the same currency everywhere/],
  ["title", "Sarafu: TSh", /the same currency everywhere/],
  ["title", "Prices in South Sudanese pounds", /the same currency everywhere/],
  ["note", "* Prices in Ethiopian Birr", /the same currency everywhere/],
  ["heading", "Price/50kg", /but "90 kg bag" for line 2/],
  ["heading", "Bei kwa kilo", /but "90 kg bag" for line 2/],
  ["title", "Prices per extended bag (130kg)", /but "90 kg bag" for line 3/],
  ["title", "Prices quoted per MT", /but "90 kg bag" for line 3/],
  ["note", "Note: prices are for 110 kg bags", /but "90 kg bag" for line 2/],
  ["heading", "PricePerKg", /but "90 kg bag" for line 2/],
  ["heading", "RetailPrice", /but "Wholesale" for line 2/],
  ["title", "Retail trade prices", /but "Wholesale" for line 3/],
  ["heading", "Price_retail", /but "Wholesale" for line 2/],
  ["title", "Aina: Rejareja", /but "Wholesale" for line 3/],
  ["note", "All prices above are retail prices", /but "Wholesale" for line 2/],
  ["note", "Market type: Retail", /but "Wholesale" for line 2/],
  ["note", "Aina ya soko: rejareja", /but "Wholesale" for line 2/],
  ["title", "Week ending 14/08/2026", /no row is of that time/],
  ["title", "Mwezi: Julai", /no row is of that time/],
  ["title", "Robo ya tatu 2026", /no row is of that time/],
  ["title", "Prices of the 3rd quarter 2026", /no row is of that time/],
  ["title", "Month: 7, Year: 2026", /no row is of that time/],
  ["title", "Mwezi: 7", /no row is of that time/],
  ["title", "Market prices, Quarter 3, 2026", /no row is of that time/],
  ["title", "Prices of Jul '26", /no row is of that time/],
  ["title", "Bei za mwezi wa Saba 2026", /no row is of that time/],
  ["title", "Market day: Tuesday 7 July 2026", /no row is of that time/],
  ["title", "1st to 5th Julai", /no row is of that time/],
  ["title", "Prices: in ,000 Kshs", /"scale": 1000 in the mapping/],
  ["heading", "Price 07/2026", /no row is of that time/],
  ["title", "Prices in USD ($)", /the same currency everywhere/],
  ["title", "Prices in US $", /the same currency everywhere/],
  ["title", "Prices in AUD ($)", /the same currency everywhere/],
  ["title", "Prices in UGX ($)", /the same currency everywhere/],
  ...["bob a kilo", "(KSh) a kilo", "Ksh/= a kilo", "shillings for each kilo", "Kenya shillings, KES for one kilo"].map(
    (text) => ["title", `Prices in ${text}`, /but "90 kg bag" for line 3/] as const,
  ),
  ["title", "Prices in birr a kilo", /the same currency everywhere/],
  ["title", "Prices in Uganda shillings a kilo", /the same currency everywhere/],
  ["title", "Uganda shillings (Shs)", /the same currency everywhere/],
  ["title", "Prices in Tz. Shs.", /the same currency everywhere/],
  ["title", "Shs (Uganda)", /the same currency everywhere/],
  ["title", "Bei kwa shilingi za Kitanzania", /the same currency everywhere/],
  ["title", "prices in ugx", /the same currency everywhere/],
  ["note", "NB,prices are in USD", /the same currency everywhere/],
  ["title", "Average prices Kes. Thous.", /"scale": 1000 in the mapping/],
  ["title", "Prices, KES 1E3", /"scale": 1000 in the mapping/],
  ["title", "Ksh mil", /"scale": 1000000 in the mapping/],
  ["title", "Urban retail prices", /but "Wholesale" for line 3/],
  ["title", "Prices in shillings a kilo", /but "90 kg bag" for line 3/],
  ["title", "Year: 2025", /no row is of that time/],
  ["title", "2026-W30", /no row is of that time/],
  ["title", "Week 23, 2025", /no row is of that time/],
  ["heading", "Price (W)", /found "W" in the heading/],
  ["title", "Prices_20260715", /no row is of that time/],
  ["title", "Prices Jul/26", /no row is of that time/],
  ["heading", "Price incl. VAT", /found "incl VAT" in the heading/],
  ["heading", "Border price", /found "Border" in the heading/],
];

t.test("a table that states something else than the mapping of last month is refused", async (t) => {
  const { importTable } = await prepare(t);
  for (const [place, text, refusal] of contradictions) {
    const cell = `"${text}"`;
    const tables: Record<Place, () => Promise<string>> = {
      title: () => importTable(`${cell},,,,,\n${head}\n${row}\n`, { ...kept, header_row: 2 }),
      note: () => importTable(`${head}\n${row}\n${cell},,,,,\n`, kept),
      heading: () => {
        const mapping = { ...kept, columns: { ...columns, price: text } };
        return importTable(`${head.replace(/Price$/, cell)}\n${row}\n`, mapping);
      },
    };
    t.match(await tables[place](), refusal, `${place} ${text}`);
  }
  t.equal(await importTable(`${head}\n${row}\n`, kept), right);
  t.equal(await importTable(`Irish a 50 kg bag,,,,,\n${head}\n${row}\n`, { ...kept, header_row: 2 }), right);
  for (const heading of [
    ...["Price (final)", "Bei mpya", "Revised", "Correction", "Final", "Halisi", "Current", "KSh"],
    ...["New price", "Corrected price", "Amount (KSh)", "Farm gate price"],
  ]) {
    t.match(await importTable(`${head},${heading}\n${row},4300\n`, kept), /as well as in "Price"/, heading);
  }
});

t.test("where no column has the unit, a title that names another is refused", async (t) => {
  const { importTable } = await prepare(t);
  const { unit: _, ...others } = columns;
  const mapping = {
    ...kept,
    header_row: 2,
    columns: { ...others, price: "Price" },
    values: { currency: "KES", unit: "90 kg bag" },
  };
  const importTitle = (title: string): Promise<string> =>
    importTable(`"${title}",,,,\n${head.replace("Unit,", "")}\n${row.replace("90 kg bag,", "")}\n`, mapping);
  for (const title of [
    ...["Bei ya kilo", "Bei ya kilo moja", "Kipimo ni kilo", "Bei ya debe moja", "Prices for one kilogram"],
    ...["Units are in kg", "Units in Kilograms", "Unit used: kg", "Measured in kg", "Price of a tonne"],
    ...["Unit of sale: kg", "Price for a bag of 110 kg", "1 bag = 50kg", "Prices converted to kg", "Price by the kilo"],
  ]) {
    t.match(await importTitle(title), /but "90 kg bag" for line 3 \| "values\.unit": /, title);
  }
  for (const title of [
    "Prices of each commodity",
    "Bei ya gunia",
    "Prices for each market day",
    "Retail traders union",
    "1 bag = 90 kg",
    "1 debe = 18 kg",
  ]) {
    t.equal(await importTitle(title), right, title);
  }
});

t.test("a definition of a container says nothing of prices per kilogram, and a price per container does", async (t) => {
  const { importTable } = await prepare(t);
  const { unit: _, ...others } = columns;
  const importPerKg = (title: string): Promise<string> =>
    importTable(`"${title}",,,,\n${head.replace("Unit,", "")}\n${row.replace("90 kg bag,4200", "47")}\n`, {
      ...kept,
      header_row: 2,
      columns: { ...others, price: "Price" },
      values: { currency: "KES", unit: "kg" },
    });
  for (const title of ["1 bag = 90 kg", "1 bag = 50 kg", "1 debe = 18 kg"]) {
    t.equal(await importPerKg(title), "47 KES kg 2026-06-02", title);
  }
  for (const title of ["Price per bag = 100 kg", "Price per debe = 18 kg", "Price per bag = 90 kg"]) {
    t.match(await importPerKg(title), /but "kg" for line 3/, title);
  }
});

t.test("the dollars of another country are refused where prices are in those of the United States", async (t) => {
  const { importTable } = await prepare(t);
  const mapping = { ...kept, header_row: 2, values: { currency: "USD" } };
  for (const title of [
    ...["Prices in AUD$", "Prices in CAD ($)", "Prices in NZD$", "Prices in ugx ($)", "Prices in A$", "Prices in NZ$"],
    ...["Prices in Australian dollars", "Prices in HK$"],
  ]) {
    const found = await importTable(`${title},,,,,\n${head}\n${row}\n`, mapping);
    t.match(found, /the same currency everywhere/, title);
  }
  for (const title of ["Prices in US$", "PRICES FOR ALL ($)"]) {
    t.match(await importTable(`"${title}",,,,,\n${head}\n${row}\n`, mapping), /^4200 USD/, title);
  }
});

t.test("a week is of the year of its Thursday", async (t) => {
  const { importTable } = await prepare(t);
  const title = `"Week 1, 2026",,,,,`;
  const days = row.replace("2026-06-02", "2025-12-30");
  const mapping = { ...kept, header_row: 2 };
  t.equal(await importTable(`${title}\n${head}\n${days}\n`, mapping), right.replace("2026-06-02", "2025-12-30"));
  const last = row.replace("2026-06-02", "2025-12-31");
  for (const week of ["Week 53", "Week 1", "Week 53, 2025"]) {
    t.match(await importTable(`"${week}",,,,,\n${head}\n${last}\n`, mapping), /^4200 KES/, week);
  }
  const { date: _, ...others } = columns;
  const ofMonth = { ...kept, header_row: 2, columns: { ...others, price: "Price" } };
  const importWeek = (week: string): Promise<string> =>
    importTable(`"${week}",,,,\n${head.replace("Date,", "")}\n${row.replace("2026-06-02,", "")}\n`, ofMonth, "2023-01");
  t.equal(await importWeek("Week 3, 2023"), right.replace("2026-06-02", "2023-01-01"));
  t.match(await importWeek("Week 52, 2023"), /all rows are of 2023-01/);
});

t.test("a number that its format shows as another is refused, and money as offices format it is read", async (t) => {
  const { importTable } = await prepare(t);
  const importFormat = async (numFmt: string): Promise<string> => {
    const rows = [head.split(","), [...row.split(",").slice(0, 5), 4200]];
    return await importTable(
      await writeXlsx({ sheets: [{ name: "S", rows, cells: new Map([["1,5", { style: { numFmt } }]]) }] }),
      kept,
    );
  };
  const otherShown = ['[>100]0,"K";0', "mmm-yy", '0"-130"', '0" Wholesale"', '"approx "0', '[=4200]"nil";0'];
  for (const format of [...otherShown, '#,##0" /kg"', '0"."00', String.raw`0\-00`]) {
    t.match(await importFormat(format), /\| /, format);
  }
  for (const format of [
    "[Blue][>100]0;[Red]0",
    '#"."##0',
    String.raw`##\,##\,##0`,
    "# ?/?",
    '#,##0.00;(#,##0.00);"nil"',
    "0.00E+00",
  ]) {
    t.equal(await importFormat(format), right, format);
  }
});

t.test("a number beside the price without a heading is refused, and a number of the row is not", async (t) => {
  const { importTable } = await prepare(t);
  const importRows = async (rows: (string | number | null)[][]): Promise<string> =>
    await importTable(await writeXlsx({ sheets: [{ name: "S", rows }] }), kept);
  const [headings, cells] = [head.split(","), [...row.split(",").slice(0, 5), 4200]];
  t.match(await importRows([headings, [...cells, 135]]), /^135 in column G, which has no heading/, "behind it");
  t.match(await importRows([headings, [...cells, null, null, "135"]]), /^"135" in column I, which has/, "further off");
  const before = [...headings.slice(0, 5), null, "Price"];
  t.match(await importRows([before, [...cells.slice(0, 5), 135, 4200]]), /^135 in column F, which has/, "before it");
  t.equal(await importRows([headings, [...cells, "fresh"]]), right, "a remark");
  t.match(
    await importRows([headings, [...cells, null, "All in USD"]]),
    /^"All in USD" in column H, which has/,
    "a note",
  );
  const [named, valued] = [
    ["Price", ...headings.slice(0, 5)],
    [4200, ...cells.slice(0, 5)],
  ] as const;
  t.equal(await importRows([[...named], [...valued]]), right, "price first");
  t.equal(
    await importRows([
      [null, ...named],
      [1, ...valued],
    ]),
    right,
    "numbered rows",
  );
});

t.test("a new column that says what prices mean is refused until it is mapped or ignored", async (t) => {
  const { importTable } = await prepare(t);
  for (const [heading, cell] of [
    ["Unit", "kg"],
    ["Market type", "Retail"],
    ["Currency", "UGX"],
    ["Curr.", "USD"],
    ["Date", "2026-06-02"],
  ] as const) {
    const names = ["Date", "Market", "Commodity", "Price"].filter((name) => name !== heading);
    const cells = { Date: "2026-06-02", Market: "Kitui Town", Commodity: "Maize", Price: "4200" };
    const own = names.map((name) => cells[name as keyof typeof cells]);
    const table = lines([...names, heading].join(","), [...own, cell].join(","));
    const mapped = { market: "Market", product: "Commodity", price: "Price" };
    const values = { currency: "KES", unit: "90 kg bag" };
    const date = heading === "Date" ? "2026-06-02" : undefined;
    const mapping = { source: "Survey", columns: date === undefined ? { date: "Date", ...mapped } : mapped, values };
    t.match(await importTable(table, mapping, date), `found "${heading}" (neither in "columns" nor in "ignored")`);
    t.equal(await importTable(table, { ...mapping, ignored: [heading] }, date), right, heading);
  }
});

t.test("the refusal of a number in another style says what to set", async (t) => {
  const { importTable } = await prepare(t);
  for (const [price, decimal, thousands] of [
    ["4 200", ".", " "],
    ["4\u00a0200.50", ".", " "],
    ["4'200", ".", "'"],
    ["4.200,00", ",", "."],
    ["4200,00", ",", ""],
  ] as const) {
    const style = { decimal, thousands };
    const table = `${head}\n${row.replace("4200", `"${price}"`)}\n`;
    const advice = `for numbers such as this ("decimal": "${decimal}", "thousands": "${thousands}" in the mapping)`;
    t.ok((await importTable(table, kept)).endsWith(advice), price);
    t.match(await importTable(table, { ...kept, ...style }), /^4200(?:\.5)? KES/, price);
  }
  for (const price of ["-5", "0", "4200-4300", "4 2 00", "4,200,50", "4.200.50"]) {
    t.notMatch(await importTable(`${head}\n${row.replace("4200", `"${price}"`)}\n`, kept), /such as this/, price);
  }
});

t.test("months have their whole names or short ones, of which May has both", async (t) => {
  const { inspect, importTable } = await prepare(t);
  const tableOf = (day: string): string => lines(head, row.replace("2026-06-02", `"${day}"`));
  for (const [may, june] of [
    ["2 May 2026", "2 June 2026"],
    ["2 May 2026", "2 Jun 2026"],
    ["May 2, 2026", "June 2, 2026"],
    ["Saturday, 2nd May 2026", "Tuesday, 2nd June 2026"],
    ["2 Juni 2026", "2 Jun 2026"],
  ] as const) {
    t.equal(await importTable(tableOf(june), await inspect(tableOf(may))), right, june);
  }
  t.equal(await importTable(tableOf("2 Jun 2026"), { ...kept, date_formats: ["d MMMM yyyy"] }), right);
});

/** An office: its table of a month, what a person adds to the proposed mapping, and what `--date` says. */
interface Office {
  readonly name: string;
  readonly table: (month: Month) => string;
  readonly fields?: Partial<MappingFile>;
  readonly columns?: MappingFile["columns"];
  readonly day?: string;
  readonly isDated?: boolean;
}

const months = [
  { number: "06", english: "June", swahili: "Juni", next: "July" },
  { number: "07", english: "July", swahili: "Julai", next: "August" },
  { number: "08", english: "August", swahili: "Agosti", next: "September" },
] as const;
type Month = (typeof months)[number];

const lines = (...texts: readonly string[]): string => `${texts.join("\n")}\n`;
const rowOf = ({ number }: Month): string => row.replace("-06-", `-${number}-`);

const offices: readonly Office[] = [
  {
    name: "a county's report with sums and a day of report",
    table: (month) =>
      lines(
        "REPUBLIC OF KENYA,,,,,",
        `"County Government of Baringo: market prices, ${month.english} 2026",,,,,`,
        "",
        head,
        rowOf(month),
        "Total,,,,,4200",
        "Average,,,,,4200",
        `Date of report: 5 ${month.next} 2026,,,,,`,
      ),
  },
  {
    name: "Swahili, with semicolons",
    table: ({ number, swahili }) =>
      lines(
        `Bei za mazao - ${swahili} 2026;;;;;`,
        "Tarehe;Soko;Aina ya soko;Bidhaa;Kipimo;Bei (KSh)",
        `02/${number}/2026;Kitui Town;Jumla;Maize;90 kg bag;4200,00`,
        "Jumla;;;;;4200,00",
      ),
  },
  {
    name: "the month in the title alone",
    day: "01",
    isDated: true,
    table: ({ english }) =>
      lines(
        `Market prices of ${english} 2026,,,,`,
        "Market,Type,Commodity,Unit,Price",
        "Kitui Town,Wholesale,Maize,90 kg bag,4200",
      ),
  },
  {
    name: "KoBo",
    table: ({ number }) =>
      lines(
        "start;today;grp_market/market_name;grp_market/market_type;grp_items/item;grp_items/price;grp_items/unit;_uuid",
        `2026-${number}-02T08:11:02.000+03:00;2026-${number}-02;kitui_town;wholesale;maize;4200;90 kg bag;a`,
      ),
  },
  {
    name: "FEWS NET",
    table: ({ number }) =>
      lines(
        "country,market,admin_1,product,period_date,price_type,product_source,unit,unit_type,currency,value",
        `Kenya,Kitui Town,Nairobi,Maize,2026-${number}-02,Wholesale,Local,90 kg bag,Weight,KES,4200`,
      ),
  },
  {
    name: "thousands, with a note about tonnes and a rate",
    table: (month) =>
      lines(
        `Prices in KSh '000; ${month.english} 2026,,,,,`,
        head,
        rowOf(month).replace("4200", "4.2"),
        "Production ('000 tonnes) follows,,,,,",
        "Exchange rate: 1 USD = 129 KES,,,,,",
      ),
  },
  {
    name: "a week in the title, ordinals in the dates",
    table: ({ english }) =>
      lines(
        `"Weekly prices, 1st - 7th ${english} 2026",,,,,`,
        head,
        `2nd ${english} 2026,Kitui Town,Wholesale,Maize,90 kg bag,4200/=`,
        "Next report: 14 days later,,,,,",
      ),
  },
  {
    name: "farm gate prices, a word that the person accepts",
    fields: { ignored: ["farm gate"] },
    columns: { price: "Farm gate price (KSh)" },
    table: (month) => lines(head.replace("Price", "Farm gate price (KSh)"), rowOf(month)),
  },
  {
    name: "a programme with its donors and households",
    table: (month) =>
      lines(
        '"Food security programme, funded with USD 5 million (2024-2027)",,,,,',
        '"Reaching 12,000 households in thousands of villages",,,,,',
        '"Tel: +254 700 000 000  P.O. Box 33, Kitui",,,,,',
        `"Ref: KTI/AGR/${month.number}/2026",,,,,`,
        head,
        rowOf(month),
        "NB: Prices may vary by trader,,,,,",
      ),
  },
  {
    name: "the unit and the type of market in the heading",
    table: ({ number, english }) =>
      lines(
        `Maize price survey ${english} 2026,,,`,
        "Date,Market,Commodity,Wholesale price (Ksh) per 90kg bag,Remarks",
        `02-${number}-2026,Wakulima,MAIZE,"4,200",after rain`,
      ),
  },
];

t.test("ten offices import three months with one mapping", async (t) => {
  const { inspect, importTable } = await prepare(t);
  for (const { name, table, fields = {}, columns = {}, day = "02", isDated = false } of offices) {
    const proposed = await inspect(table(months[0]));
    const mapping = { ...proposed, ...fields, columns: { ...proposed.columns, ...columns } };
    for (const month of months) {
      const date = isDated ? `2026-${month.number}` : undefined;
      const found = await importTable(table(month), mapping, date);
      t.equal(found, `4200 KES 90 kg bag 2026-${month.number}-${day}`, `${name}, ${month.english}`);
    }
  }
});
