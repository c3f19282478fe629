/** What a request may ask for beyond what everybody gets: routes in test, and an organisation's own. */
export const FEATURES = ['BETA_EDGES', 'ORG_BETA_EDGES', 'ORG_EDGES'] as const;

export type Feature = (typeof FEATURES)[number];
