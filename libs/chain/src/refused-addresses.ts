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
];

/** Lists the service's own contracts on a chain. */
export function ownContracts(contracts: ChainContracts): NamedAddress[] {
  const optional = [
    { name: 'executor', address: contracts.executor },
    { name: 'intent escrow', address: contracts.intentEscrow },
    { name: 'oracle of the intent escrow', address: contracts.attesterOracle },
  ];
  return [
    { name: 'factory of the one-time wallets', address: contracts.oneTimeWalletFactory },
    {
      name: 'implementation of the one-time wallets',
      address: contracts.oneTimeWalletImplementation,
    },
    { name: 'converter', address: contracts.converter },
    { name: 'factory of the action runners', address: contracts.actionRunnerFactory },
    ...optional.flatMap(({ name, address }) => (address === undefined ? [] : [{ name, address }])),
  ];
}
