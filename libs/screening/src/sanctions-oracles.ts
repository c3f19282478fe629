import type { Address } from 'viem';

const COMMON: Address = '0x40C57923924B5c5c5455c48D93317139ADDaC8fb';

/** Public sanctions oracles by name of the chain, as their publisher (Chainalysis) deployed them. */
export const sanctionsOracles: Readonly<Record<string, Address>> = {
  ethereum: COMMON,
  base: '0x3A91A31cB3dC49b4db9Ce721F50a9D076c8D739B',
  arbitrum: COMMON,
  optimism: COMMON,
  polygon: COMMON,
  avalanche: COMMON,
  bsc: COMMON,
};
