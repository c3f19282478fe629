export * from './venue.js';
export * from './best-quote.js';
export { createVenues } from './create-venues.js';
export { BridgeRefusedError } from './bridges/bridge.js';
export type {
  Bridge,
  BridgeLimits,
  BridgeQuote,
  BridgeRequest,
  BridgeRoute,
  BridgeTransfer,
  BridgeTransferStatus,
} from './bridges/bridge.js';
