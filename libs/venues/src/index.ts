export * from './conversions/venue.js';
export { agreedPairs } from './conversions/agreed-pairs.js';
export * from './conversions/agreed-quote.js';
export * from './conversions/best-quote.js';
export { RatingsCache } from './ratings/ratings-cache.js';
export type { VenueRating } from './ratings/venue-rating.js';
export { createVenues } from './conversions/create-venues.js';
export { aggregatorsEnv, tooSlowAggregators } from './conversions/aggregators/aggregator-config.js';
export { AggregatorMismatchError } from './conversions/aggregators/aggregator.js';
export type { AggregatorsConfig } from './conversions/aggregators/aggregator-config.js';
export { BridgeRefusedError } from './bridges/bridge.js';
export type {
  Bridge,
  BridgeQuote,
  BridgeRequest,
  BridgeRoute,
  BridgeTransfer,
  BridgeTransferStatus,
  WalletRefund,
} from './bridges/bridge.js';
export { attestersEnv, collectAttestation } from './bridges/intent-escrow/attestations.js';
export type { AttestationQuestion } from './bridges/intent-escrow/attestations.js';
export type { CollectedAttestation } from './bridges/intent-escrow/agreements.js';
export { readOrderState } from './bridges/intent-escrow/order-state.js';
export { isWithdrawable, refundability } from './bridges/intent-escrow/refundability.js';
export type { OrderState } from './bridges/intent-escrow/refundability.js';
export { bridgesEnv, parseBridges } from './bridges/bridge-config.js';
export type { BridgesConfig } from './bridges/bridge-config.js';
export { AGGREGATOR_ADAPTERS } from './conversions/aggregators/aggregator-adapters.js';
export { BRIDGE_ADAPTERS } from './bridges/bridge-adapters.js';
export { createBridges } from './bridges/create-bridges.js';
