/** Whom the data comes from, as the snapshot's manifest names them. The licence texts are in LICENSE. */
export const attribution: readonly string[] = [
  "Prices, markets and commodities: World Food Programme (WFP), Kenya - Food Prices, on the Humanitarian Data Exchange, CC BY-IGO",
  "Population, land area, centres of counties and households growing crops: Kenya National Bureau of Statistics (KNBS), 2019 Kenya Population and Housing Census, after Shelmith-Kariuki/rKenyaCensus (MIT)",
  "Counties, constituencies and wards: Independent Electoral and Boundaries Commission (IEBC), after gerismumo/kenya-locations-data (MIT); two wards after stevehoober254/kenya-county-data",
  "Capitals of counties: after liciolentimo/kenya-api (ISC), corrected by hand",
  "Scientific names of crops: FAO EcoCrop",
  "Seasons of crops sown with both rains: MbeguChoice, after elric-olalekan/mbeguchoiceapp",
  "Other seasons, varieties and altitudes of crops and the pyrethrum counties: Agriculture and Food Authority, Horticultural Crops Directorate, FAO, growers' guides and the press, each named in src/importers/wfp/reference/crops.ts",
  "Customary weights of packages: growers' guides and the press, each named in src/importers/wfp/reference/units.ts",
];
