import type { ChainDefinition } from '@bascule/chain';
import type { NamedAddress } from './addresses.js';

/** The service's own contracts on all chains: what is paid to them is lost or anyone's. */
export function refusedAddresses(chains: readonly ChainDefinition[]): NamedAddress[] {
  const named = chains.flatMap(({ contracts }): NamedAddress[] => [
    { name: 'factory of the one-time wallets', address: contracts.oneTimeWalletFactory },
    {
      name: 'implementation of the one-time wallets',
      address: contracts.oneTimeWalletImplementation,
    },
    { name: 'converter', address: contracts.converter },
    ...(contracts.executor === undefined
      ? []
      : [{ name: 'executor', address: contracts.executor }]),
  ]);
  return [...new Map(named.map((entry) => [entry.address.toLowerCase(), entry])).values()];
}
