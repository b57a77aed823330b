/**
 * What was decided by hand about single markets of the price export, where the export is wrong, silent or unclear.
 *
 * Two things helped to place a market whose district says little. The list of wards names each place in one county
 * (sub-counties.ts). And the export numbers its rural markets county by county: 10352 to 10371 are Garissa's, 10372 to
 * 10387 Isiolo's, 10401 to 10411 Marsabit's, 10507 to 10509 Makueni's; every market below that lies in such a run agrees
 * with the ward list.
 *
 * A county in brackets is usually dropped from a name (market-names.ts). It is kept below where the name alone is that of
 * a better-known place elsewhere, is made from one, or is borne by many.
 */
export interface MarketJudgement {
  /** `market_id` of the export. */
  readonly marketId: number;
  /** County number, in place of what `admin2` says. */
  readonly countyId?: number;
  /** Name exactly as it is to be shown, in place of what the export writes. */
  readonly name?: string;
  /** True where the coordinates of the export are those of another place. */
  readonly isMisplaced?: true;
  readonly reason: string;
}

export const marketJudgements: readonly MarketJudgement[] = [
  { marketId: 1854, countyId: 4, reason: "Hola: district and coordinates are blank; the name says Tana River" },
  { marketId: 5668, countyId: 13, reason: "Kaanwa: district Meru South is now Tharaka-Nithi; the name says so too" },
  {
    marketId: 5697,
    countyId: 34,
    isMisplaced: true,
    reason:
      "Kitengela: filed under Nairobi with a point in Nairobi; the name says Kajiado, the ward is in Kajiado East",
  },
  {
    marketId: 6903,
    isMisplaced: true,
    reason:
      "Letea: the ward is in Turkana West at the border of Uganda; the point is 118 km east of its middle, by Kalokol",
  },
  { marketId: 10353, countyId: 7, reason: "Saka Town: ward Saka is in Balambala, Garissa; numbered among Garissa's" },
  { marketId: 10366, countyId: 7, reason: "Masalani: ward Masalani is in Ijara, Garissa; numbered among Garissa's" },
  {
    marketId: 10368,
    countyId: 7,
    reason: "Benane: the near ward Benane is in Lagdera, Garissa; numbered among Garissa's",
  },
  {
    marketId: 10371,
    countyId: 7,
    reason: "Modogashe: ward Modogashe is in Lagdera, Garissa; numbered among Garissa's",
  },
  {
    marketId: 10372,
    countyId: 11,
    reason:
      "Kiwanja: on the road between Isiolo town and Ngaremara; numbered among Isiolo's; district Meru North no longer exists",
  },
  { marketId: 10379, countyId: 11, reason: "Ngaremara: ward Ngare Mara is in Isiolo North; numbered among Isiolo's" },
  {
    marketId: 10402,
    countyId: 10,
    reason: "Ngurunit: ward Korr/Ngurunit is in Laisamis, Marsabit; numbered among Marsabit's",
  },
  {
    marketId: 10508,
    countyId: 17,
    reason: "Mtito Andei: ward Mtito Andei is in Kibwezi East, Makueni; numbered among Makueni's",
  },

  { marketId: 3250, name: "Hong Kong (Kakuma)", reason: "written HongKong (Kakuma)" },
  { marketId: 3252, name: "Dagahaley (Dadaab)", reason: "written Dagahaley (Daadab)" },
  { marketId: 3254, name: "Hagadera (Dadaab)", reason: "written Hagadera (Daadab)" },
  { marketId: 3255, name: "Ifo (Dadaab)", reason: "written IFO (Daadab), though Ifo is a name" },
  { marketId: 4236, name: "Moroto (Mombasa)", reason: "Moroto alone is a town in Uganda" },
  { marketId: 4238, name: "Bangladesh (Mombasa)", reason: "Bangladesh alone is a country" },
  { marketId: 4239, name: "Kalahari (Mombasa)", reason: "Kalahari alone is a desert" },
  { marketId: 4245, name: "Kisumu Ndogo (Mombasa)", reason: "Kisumu Ndogo, little Kisumu, suggests Kisumu" },
  { marketId: 5664, name: "Ilbissil Food Market", reason: "written Illbissil Food Market (Kajiado)" },
  { marketId: 5897, name: "Makutano (West Pokot)", reason: "Makutano, junction, is a town in many counties" },
  { marketId: 10377, name: "Malka Galla", reason: "written Malka GALLA" },
];
