import { contractAddresses } from '@bascule/solidity';
import type { Address } from 'viem';
import type { ChainContracts, PriceFeed } from './chain-definition.js';

/** Contracts of public chains; those of a deployment are configuration. */
type OwnContracts = Omit<ChainContracts, keyof typeof contractAddresses | 'multicall3'>;

/** Address of Multicall3 on every chain with Ethereum's CREATE2. */
const MULTICALL3: Address = '0xcA11bde05977b3631167028862bE2a173976CA11';

/** Contracts of Bascule, at the same addresses on every chain. */
export const publicContracts = (own: OwnContracts): ChainContracts => ({
  multicall3: MULTICALL3,
  ...contractAddresses,
  ...own,
});

/** `GasPriceOracle` predeploy of every OP-stack rollup. */
export const OP_STACK_DATA_FEE_ORACLE: Address = '0x420000000000000000000000000000000000000F';

/** Fee tiers of Uniswap V3 pools on public chains. */
export const PUBLIC_FEE_TIERS = [100, 500, 3000, 10_000] as const;

export const MINUTE = 60;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** @param description the feed's `description()` where it differs from the pair */
export const feed = (
  address: Address,
  heartbeatSeconds: number,
  description?: string,
): PriceFeed => ({ address, heartbeatSeconds, ...(description && { description }) });
