import type { ChainContracts, ChainDefinition } from '@bascule/chain';
import { contractAddresses } from '@bascule/solidity';
import { isAddress, zeroAddress, type Address } from 'viem';

/** A contract of another party that a definition names. */
export interface NamedContract {
  name: string;
  address: Address;
}

/** A venue of conversions, by its key in a definition. */
export interface Venue {
  key: string;
  label: string;
  contracts: readonly NamedContract[];
}

const OWN: ReadonlySet<string> = new Set([
  ...Object.keys(contractAddresses),
  'executor',
  'intentEscrow',
  'attesterOracle',
]);
const LABELS: Readonly<Record<string, string>> = {
  multicall3: 'Multicall3',
  wrappedNative: 'wrapped native currency',
  sequencerUptimeFeed: 'sequencer feed',
  'zero-x': '0x',
  lifi: 'LI.FI',
};
/** Keys of a definition's contracts that are neither ours nor venues. */
const OTHERS: ReadonlySet<string> = new Set([
  'multicall3',
  'wrappedNative',
  'priceFeeds',
  'sequencerUptimeFeed',
]);

/** `uniswapV3` becomes `Uniswap V3`. */
const labelOf = (key: string): string =>
  LABELS[key] ??
  key.replace(/^./, (letter) => letter.toUpperCase()).replace(/([a-z])([A-Z])/g, '$1 $2');

/** Lists all addresses in a value of a definition, named by the fields that lead to them. */
function addressesIn(value: unknown, name: string): readonly NamedContract[] {
  if (typeof value === 'string') {
    return isAddress(value) && value !== zeroAddress ? [{ name, address: value }] : [];
  }
  if (Array.isArray(value)) return value.flatMap((item) => addressesIn(item, name));
  return entriesOf(value).flatMap(([field, inner]) => addressesIn(inner, `${name} ${field}`));
}

const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];

/** Lists the venues of a chain: whatever its definition names beside ours, the feeds and the base contracts. */
export const venuesOf = (contracts: ChainContracts): readonly Venue[] =>
  entriesOf(contracts)
    .filter(([key]) => !OWN.has(key) && !OTHERS.has(key))
    // Aggregators are listed by name below one key.
    .flatMap(([key, value]) => (key === 'aggregators' ? entriesOf(value) : [[key, value] as const]))
    .map(([key, value]) => {
      const label = labelOf(key);
      return { key, label, contracts: addressesIn(value, label) };
    });

/** Lists the contracts of others on a chain, Multicall3 excepted. */
export function foreignContracts({
  contracts,
  dataFeeOracle,
}: Pick<ChainDefinition, 'contracts' | 'dataFeeOracle'>): readonly NamedContract[] {
  const { wrappedNative, priceFeeds = {}, sequencerUptimeFeed } = contracts;
  return [
    { name: labelOf('wrappedNative'), address: wrappedNative },
    ...venuesOf(contracts).flatMap((venue) => venue.contracts),
    ...Object.entries(priceFeeds).map(([pair, { address }]) => ({ name: `feed ${pair}`, address })),
    ...addressesIn(sequencerUptimeFeed, labelOf('sequencerUptimeFeed')),
    ...addressesIn(dataFeeOracle, 'data fee oracle'),
  ];
}
