/** Products and markets of the bundled data that the example requests of several endpoints ask for. */

export const whiteMaize = "8279063d-b290-5e29-a97f-e7b9ef6a7e2a";
export const dryWhiteMaize = "63ee0850-d07b-5001-9007-7b8ec8242380";
export const nairobiWholesale = { county_id: 47, market_type: "Wholesale" } as const;
