export * from './venue.js';
export * from './best-quote.js';
export { UniswapV3Venue } from './uniswap-v3/uniswap-v3-venue.js';
export { WrappedNativeVenue } from './wrapped-native/wrapped-native-venue.js';
export { createVenues } from './create-venues.js';
