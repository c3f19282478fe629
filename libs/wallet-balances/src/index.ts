export { ChainUnreadableError } from './chain-unreadable-error.js';
export { readChain } from './read-chain.client.js';
export { maxProofGas, maxSubmissionGas } from './submission-gas.js';
export { TokenBalancesClient } from './token-balances.client.js';
export { WithdrawalFeesService } from './withdrawal-fees.service.js';
export type { FeeToken } from './withdrawal-fees.service.js';
export { furtherTokenGas, refundGas, withdrawalBatchGas, withdrawalGas } from './withdrawal-gas.js';
export { withdrawalDataFee, withdrawalDataFees } from './withdrawal-data-fee.js';
