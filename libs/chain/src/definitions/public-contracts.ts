import { contractAddresses } from '@bascule/solidity';
import type { Address } from 'viem';
import type {
  AggregatorContracts,
  ChainContracts,
  PriceFeed,
  UniswapV2Deployment,
  UniswapV4Deployment,
} from './chain-definition.js';

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

/**
 * Contracts of aggregators, the same on every main network that is defined here. Sources: 0x.org/docs, "0x Contracts:
 * Settler, AllowanceHolder & Permit2"; docs.li.fi, "Smart Contract Addresses", and the deployments of lifinance/contracts.
 */
export const PUBLIC_AGGREGATORS: AggregatorContracts = {
  'zero-x': '0x0000000000001fF3684f28c67538d4D072C22734',
  lifi: '0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE',
};

/** Fee tiers of Uniswap V3 pools on public chains. */
export const PUBLIC_FEE_TIERS = [100, 500, 3000, 10_000] as const;

/**
 * Fee and code of Uniswap V2's pairs, the same on every chain. Sources of the addresses of V2 and V4: `@uniswap/sdk-core`
 * 7.19.4; for the router, `deploy-addresses` of Uniswap/universal-router and `@uniswap/universal-router-sdk` 5.13.0.
 */
export const PUBLIC_PAIRS: Pick<UniswapV2Deployment, 'fee' | 'pairInitCodeHash'> = {
  fee: 3000,
  pairInitCodeHash: '0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f',
};

/** Usual pools of Uniswap V4 on public chains: fees and tick spacings of V3. */
export const PUBLIC_V4_POOLS: UniswapV4Deployment['pools'] = [
  { fee: 100, tickSpacing: 1 },
  { fee: 500, tickSpacing: 10 },
  { fee: 3000, tickSpacing: 60 },
  { fee: 10_000, tickSpacing: 200 },
];

export const MINUTE = 60;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** @param description the feed's `description()` where it differs from the pair */
export const feed = (
  address: Address,
  heartbeatSeconds: number,
  description?: string,
): PriceFeed => ({ address, heartbeatSeconds, ...(description && { description }) });
