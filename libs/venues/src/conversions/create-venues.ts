import { AGGREGATOR_ADAPTERS } from './aggregators/aggregator-adapters.js';
import type { AggregatorsConfig } from './aggregators/aggregator-config.js';
import { AggregatorVenue, type ObserveRequest } from './aggregators/aggregator-venue.js';
import { PoolVenue } from './pool-venue.js';
import { uniswapV2 } from './uniswap-v2/uniswap-v2.js';
import { uniswapV3 } from './uniswap-v3/uniswap-v3.js';
import { uniswapV4 } from './uniswap-v4/uniswap-v4.js';
import type { Venue } from './venue.js';
import { WrappedNativeVenue } from './wrapped-native/wrapped-native-venue.js';

/** Creates every venue and the configured aggregators; the chain's definition lists which of them it has. */
export const createVenues = (
  aggregators: AggregatorsConfig = [],
  observe?: ObserveRequest,
): Venue[] => [
  new WrappedNativeVenue(),
  new PoolVenue(uniswapV2),
  new PoolVenue(uniswapV3),
  new PoolVenue(uniswapV4),
  ...aggregators.map((config) => {
    const { name, adapter, timeoutMs } = config;
    const aggregator = AGGREGATOR_ADAPTERS[adapter].create(config);
    return new AggregatorVenue(aggregator, { name, timeoutMs, observe });
  }),
];
