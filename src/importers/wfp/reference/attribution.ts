/** Whom the data comes from, as the snapshot's manifest names them. */
export const attribution: readonly string[] = [
  "Prices, markets and commodities: World Food Programme (WFP), Kenya - Food Prices, on the Humanitarian Data Exchange, CC BY-IGO",
  "Population, land area and households growing crops: Kenya National Bureau of Statistics (KNBS), 2019 Kenya Population and Housing Census, after Shelmith-Kariuki/rKenyaCensus (MIT)",
  "Constituencies and wards: Independent Electoral and Boundaries Commission (IEBC), after gerismumo/kenya-locations-data (MIT)",
  "Scientific names of crops: FAO EcoCrop",
];
