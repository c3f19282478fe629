import type { Address } from 'viem';
import type { ChainContracts } from './definitions/chain-definition.js';

/** A contract that cannot receive payments. */
export interface NamedAddress {
  name: string;
  address: Address;
}

/** Lists contracts of a chain that would lose payments sent to them. */
export const refusedAddresses = (contracts: ChainContracts): NamedAddress[] => [
  ...ownContracts(contracts),
  { name: 'contract of batched calls', address: contracts.multicall3 },
  { name: 'wrapped native currency', address: contracts.wrappedNative },
  ...venueContracts(contracts),
];

/** Lists contracts of venues that hold tokens or pass them on: anyone can take what a router is sent. */
function venueContracts({ uniswapV2, uniswapV3, uniswapV4 }: ChainContracts): NamedAddress[] {
  return present([
    { name: 'router of Uniswap V2', address: uniswapV2?.router02 },
    { name: 'router of Uniswap V3', address: uniswapV3?.swapRouter02 },
    { name: 'pools of Uniswap V4', address: uniswapV4?.poolManager },
    { name: 'router of Uniswap V4', address: uniswapV4?.universalRouter },
  ]);
}

const present = (
  named: readonly { name: string; address: Address | undefined }[],
): NamedAddress[] =>
  named.flatMap(({ name, address }) => (address === undefined ? [] : [{ name, address }]));

/** Lists the service's own contracts on a chain. */
export function ownContracts(contracts: ChainContracts): NamedAddress[] {
  const optional = present([
    { name: 'executor', address: contracts.executor },
    { name: 'intent escrow', address: contracts.intentEscrow },
    { name: 'oracle of the intent escrow', address: contracts.attesterOracle },
  ]);
  return [
    { name: 'factory of the one-time wallets', address: contracts.oneTimeWalletFactory },
    {
      name: 'implementation of the one-time wallets',
      address: contracts.oneTimeWalletImplementation,
    },
    { name: 'converter', address: contracts.converter },
    { name: 'factory of the action runners', address: contracts.actionRunnerFactory },
    ...optional,
  ];
}
