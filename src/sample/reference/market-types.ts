import type { MarketTypeRecord } from "../../domain/records.ts";

/** All four types of markets. */
export const marketTypeRecords: readonly MarketTypeRecord[] = [
  {
    type: "Wholesale",
    description: "Lorry loads and bags, sold to traders.",
    characteristics: ["Sold by the bag or crate", "Busiest before dawn", "Lowest prices"],
  },
  {
    type: "Retail",
    description: "Small amounts, sold to households.",
    characteristics: ["Sold by the kilogram, bunch or piece", "Open on most days"],
  },
  {
    type: "Rural",
    description: "Farmers sell their own harvest on fixed days of the week.",
    characteristics: ["One to three market days a week", "Prices follow the harvest"],
  },
  {
    type: "Urban",
    description: "Covered markets in towns and cities.",
    characteristics: ["Permanent stalls", "Open every day", "Highest prices"],
  },
];
