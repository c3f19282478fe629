export * from './venue.js';
export * from './best-quote.js';
export { createVenues } from './create-venues.js';
