import { AGGREGATOR_ADAPTERS } from './aggregators/aggregator-adapters.js';
import type { AggregatorsConfig } from './aggregators/aggregator-config.js';
import { AggregatorVenue, type ObserveRequest } from './aggregators/aggregator-venue.js';
import { UniswapV2Venue } from './uniswap-v2/uniswap-v2-venue.js';
import { UniswapV3Venue } from './uniswap-v3/uniswap-v3-venue.js';
import { UniswapV4Venue } from './uniswap-v4/uniswap-v4-venue.js';
import type { Venue } from './venue.js';
import { WrappedNativeVenue } from './wrapped-native/wrapped-native-venue.js';

/** Creates every venue and the configured aggregators; the chain's definition lists which of them it has. */
export const createVenues = (
  aggregators: AggregatorsConfig = [],
  observe?: ObserveRequest,
): Venue[] => [
  new WrappedNativeVenue(),
  new UniswapV2Venue(),
  new UniswapV3Venue(),
  new UniswapV4Venue(),
  ...aggregators.map((config) => {
    const { name, adapter, timeoutMs } = config;
    const aggregator = AGGREGATOR_ADAPTERS[adapter].create(config);
    return new AggregatorVenue(aggregator, { name, timeoutMs, observe });
  }),
];
