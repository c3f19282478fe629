import type { AggregatorAdapter } from './aggregator-connection.js';
import { lifi } from './lifi/lifi-aggregator.js';
import { zeroX } from './zero-x/zero-x-aggregator.js';

/** Registry of adapters: a new aggregator is a folder, a line here and its contract in the chains' definitions. */
export const AGGREGATOR_ADAPTERS = { 'zero-x': zeroX, lifi } satisfies Record<
  string,
  AggregatorAdapter
>;

export type AggregatorAdapterName = keyof typeof AGGREGATOR_ADAPTERS;

export const isAggregatorAdapter = (name: unknown): name is AggregatorAdapterName =>
  typeof name === 'string' && Object.hasOwn(AGGREGATOR_ADAPTERS, name);
