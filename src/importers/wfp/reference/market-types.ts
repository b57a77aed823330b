import type { MarketTypeRecord } from "../../../domain/records.ts";

/** What the four kinds of market are, in our own words. The price export knows Wholesale and Retail only. */
export const marketTypeRecords: readonly MarketTypeRecord[] = [
  {
    type: "Wholesale",
    description: "A market where traders buy in bulk from farmers, brokers and transporters in order to sell on.",
    characteristics: [
      "Prices are for bags, crates, nets and other large lots",
      "Buyers are traders, institutions and processors",
      "Prices are lower per kilogram than at retail",
    ],
  },
  {
    type: "Retail",
    description: "A market or row of shops where households buy what they eat.",
    characteristics: [
      "Prices are for kilograms, litres, packets, bunches and pieces",
      "Buyers are households and small eating places",
      "Prices hold the costs of transport, sorting and small lots",
    ],
  },
  {
    type: "Rural",
    description:
      "A market in the countryside, often held on fixed days of the week, where farmers sell their own produce.",
    characteristics: [
      "Close to the farms, so prices follow the harvest",
      "Often open on market days only",
      "Sells in small lots and to collecting traders",
    ],
  },
  {
    type: "Urban",
    description: "A market in a town or city, supplied from several growing areas.",
    characteristics: ["Open on most days", "Wide choice of produce", "Supplied by wholesale traders"],
  },
];
