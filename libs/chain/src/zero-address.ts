import type { Address } from 'viem';

/** Stands for a chain's native currency wherever a token's address is expected. */
export const ZERO_ADDRESS: Address = '0x0000000000000000000000000000000000000000';
