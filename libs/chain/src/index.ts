export { accountKinds, kindByCode } from './account-kinds.js';
export type { AccountKind } from './account-kinds.js';
export { agreedAnswer } from './agreed-answer.js';
export { AnswerTooLargeError, isTooLarge } from './answer-too-large-error.js';
export { attemptCalls } from './attempt-calls.js';
export type { CallOutcome } from './attempt-calls.js';
export { boundedFetch } from './bounded-fetch.js';
export { blockAtOrBefore } from './block-at-or-before.js';
export type {
  ChainContracts,
  ChainDefinition,
  PriceFeed,
  UniswapV2Deployment,
  UniswapV3Deployment,
  UniswapV4Deployment,
  UniswapV4PoolKind,
} from './definitions/chain-definition.js';
export { Chain, withAnswerLimit } from './chain.js';
export type { ChainClient, ChainView, EndpointClient } from './chain.js';
export { answersOfNodes, mostRefuse, secondedRefusal, witnessedView } from './chain-view.js';
export { ChainModule } from './chain.module.js';
export { Chains } from './chains.js';
export { parseChainsConfig } from './chains-config.js';
export type { ChainsConfig, ConfiguredChain } from './chains-config.js';
export { chainDefinitions, isDevelopmentChain } from './definitions/index.js';
export { dataFeeIn, dataFeeOf, maxDataFeeOf, maxDataFeesOf } from './data-fee.js';
export {
  balanceOf,
  feesFor,
  gasPriceOf,
  gasPricesOf,
  maxFeeOf,
  medianOf,
  mediansOf,
  mostNodesSay,
  offeredFees,
} from './fees.js';
export { estimateGasOf } from './estimate-gas.js';
export {
  reportedCount,
  testimonies,
  testimonyOf,
  witnessedAnswer,
  witnessedMaximum,
  witnessedMinimum,
  countAlike,
  witnessesNeeded,
} from './witnesses.js';
export { witnessedBlock } from './witnessed-block.js';
export { areLogsWitnessed, receiptIn, witnessedFinding } from './witnessed-logs.js';
export type { ReportedLog } from './witnessed-logs.js';
export type { FeeOffers, MarketFees, Medians, TransactionFees } from './fees.js';
export { finalBlock, finalHeight } from './final-block.js';
export type { FinalBlock } from './final-block.js';
export { agreedHead } from './head.js';
export { answerOf, majorityOf } from './majority.js';
export { median } from './median.js';
export { NODE_PASS_LEASE_MS, NODE_PASS_MS } from './node-times.js';
export { NodesUnavailableError } from './nodes-unavailable-error.js';
export { revertDataOf } from './simulations/call-failure.js';
export { holdingsOverride, TokenNotOverridableError } from './simulations/holdings-override.js';
export type { Holding } from './simulations/holdings-override.js';
export { newestInRange } from './newest-in-range.js';
export type { BlockRange } from './newest-in-range.js';
export { ordinaryAddressProblem } from './ordinary-address.js';
export {
  deploysOwner,
  deploysOwnerIn,
  isKeySignature,
  isValidSignatureCall,
  ownerSigner,
  signatureCalls,
} from './owner-signature.js';
export type { SignatureClaim } from './owner-signature.js';
export { settleUntil } from './settle-until.js';
export { settleWithGrace } from './settle-with-grace.js';
export { ownContracts, refusedAddresses } from './refused-addresses.js';
export type { NamedAddress } from './refused-addresses.js';
export { ZERO_ADDRESS } from './zero-address.js';
export { lastLegIssue } from './simulations/last-leg.js';
export type { LastLegRun } from './simulations/last-leg.js';
