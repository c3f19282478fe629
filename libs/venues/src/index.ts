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
export { attestersEnv, collectAttestation } from './bridges/intent-escrow/attestations.js';
export type {
  AttestationQuestion,
  CollectedAttestation,
} from './bridges/intent-escrow/attestations.js';
export type { FillOutcome } from './bridges/intent-escrow/attestation-answer.js';
export { bridgesEnv, parseBridges } from './bridges/bridges-config.js';
export type { BridgeConfig, BridgesConfig } from './bridges/bridges-config.js';
export { createBridges } from './bridges/create-bridges.js';
