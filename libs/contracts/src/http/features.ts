/** Optional features of a request: routes in test, and routes of one organisation. */
export const FEATURES = ['BETA_EDGES', 'ORG_BETA_EDGES', 'ORG_EDGES'] as const;

/** Routes in test (`BETA_EDGES`), of the organisation in test, or of the organisation. */
export type Feature = (typeof FEATURES)[number];
