/** HTTP header of the API key, by CoinGecko plan. */
export const KEY_HEADERS = { demo: 'x-cg-demo-api-key', pro: 'x-cg-pro-api-key' } as const;
export type MarketDataPlan = keyof typeof KEY_HEADERS;
