/** Names of the conversion venues of this version, as switches and quotes use them. */
export const VENUE_NAMES = ['uniswap_v2', 'uniswap_v3', 'uniswap_v4', 'wrapped_native'] as const;
