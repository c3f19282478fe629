import type { Address } from 'viem';

/** Address of a chain's native currency in place of a token address. */
export const ZERO_ADDRESS: Address = '0x0000000000000000000000000000000000000000';
