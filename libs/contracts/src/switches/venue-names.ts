/** Names of the conversion venues of this version, as switches and quotes use them. */
export const VENUE_NAMES = ['uniswap_v3', 'wrapped_native'] as const;
