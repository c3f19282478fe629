import { UniswapV3Venue } from './uniswap-v3/uniswap-v3-venue.js';
import type { Venue } from './venue.js';
import { WrappedNativeVenue } from './wrapped-native/wrapped-native-venue.js';

/** Every venue there is; which of them a chain has is in the chain's definition. */
export const createVenues = (): Venue[] => [new WrappedNativeVenue(), new UniswapV3Venue()];
