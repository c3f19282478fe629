import { contractAddresses } from '@bascule/solidity';
import type { Address } from 'viem';
import type { ChainContracts, PriceFeed } from './chain-definition.js';

/** The chain's own contracts; what a deployment puts there beside ours is its configuration. */
type OwnContracts = Omit<ChainContracts, keyof typeof contractAddresses | 'multicall3'>;

/** Where Multicall3 is on every chain that has CREATE2 as Ethereum has it. */
const MULTICALL3: Address = '0xcA11bde05977b3631167028862bE2a173976CA11';

/** Ours are at the same addresses on every chain. */
export const publicContracts = (own: OwnContracts): ChainContracts => ({
  multicall3: MULTICALL3,
  ...contractAddresses,
  ...own,
});

/** The fee tiers in which Uniswap V3 has pools on public chains. */
export const PUBLIC_FEE_TIERS = [100, 500, 3000, 10_000] as const;

export const MINUTE = 60;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** @param description what the feed calls itself, where that is not its pair */
export const feed = (
  address: Address,
  heartbeatSeconds: number,
  description?: string,
): PriceFeed => ({ address, heartbeatSeconds, ...(description && { description }) });
