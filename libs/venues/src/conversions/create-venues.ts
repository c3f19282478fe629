import { UniswapV3Venue } from './uniswap-v3/uniswap-v3-venue.js';
import type { Venue } from './venue.js';
import { WrappedNativeVenue } from './wrapped-native/wrapped-native-venue.js';

/** Creates every venue; the chain's definition lists which of them it has. */
export const createVenues = (): Venue[] => [new WrappedNativeVenue(), new UniswapV3Venue()];
