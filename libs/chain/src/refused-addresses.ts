import type { Address } from 'viem';
import type { ChainContracts } from './definitions/chain-definition.js';

/** A contract that nothing may be paid to and that nobody can sign for. */
export interface NamedAddress {
  name: string;
  address: Address;
}

/** Contracts of a chain from which nothing comes back: what is paid to them is lost or anyone's. */
export function refusedAddresses(contracts: ChainContracts): NamedAddress[] {
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
    ...optional.flatMap(({ name, address }) => (address === undefined ? [] : [{ name, address }])),
    { name: 'contract of batched calls', address: contracts.multicall3 },
    { name: 'wrapped native currency', address: contracts.wrappedNative },
  ];
}
