/** Remarks of the people who take prices down: a few hundred texts that come again and again. */
const conditions = [
  "Fresh supply",
  "Low supply",
  "High demand before the holiday",
  "Road closed after rain",
  "Quality mixed",
  "Sun-dried",
  "Moisture above 14 %",
  "New harvest arriving",
  "Old stock",
  'Traders speak of "panya routes"',
  "Sellers few",
  "Buyers from Kampala",
  "Kutoka shambani",
  "Bei ya jioni 🌽",
  "Prix négocié à la frontière",
  "Sorted by hand",
  "Sold from lorry",
  "Washed",
];

const remarks = [
  "mean of three sellers",
  "mean of five sellers",
  "one seller only",
  "heaped measure",
  "level measure",
  "asked by telephone",
  "bag included",
  "bag not included",
  "transport included",
  "price at the gate",
  "before noon",
  "after the rain\n(second visit)",
  "weighed, ± 2 kg",
  "C:\\Prices\\form 7",
  "market fee paid",
  "last of the day",
  "bargained",
  "not for export",
];

/** The remarks that are shared by many prices. */
export const sharedNotes: readonly string[] = conditions.flatMap((condition) =>
  remarks.map((remark) => `${condition}; ${remark}`),
);

/** A remark that no other price has. @param number Which price of the sample it is. */
export function ownNote(number: number): string {
  return `Receipt ${String(number).padStart(8, "0")} kept`;
}
