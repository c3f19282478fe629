export { startEndlessNode } from './endless-node.js';
export type { EndlessNode } from './endless-node.js';
export { changedMulticall } from './changed-multicall.js';
export { falseQuotes } from './false-quotes.js';
export { startLyingNode } from './lying-node.js';
export type { Lie, LyingNode, RpcAnswer, RpcCall } from './lying-node.js';
export { deployAnotherToken } from './another-token.js';
export {
  startCapturingServer,
  type CannedResponse,
  type CapturedRequest,
  type CapturingServer,
} from './capturing-server.js';
export { concurrently } from './concurrently.js';
export { asksForDataFee, setDataFee } from './data-fee-oracle.js';
export { DENY_LIST_TOKEN_CODE } from './deny-list-token.js';
export { eventually, type FinalError } from './eventually.js';
export { FaultTrap } from './fault-trap.js';
export { freePort } from '@bascule/local-stack';
export { addressList, SanctionedFile } from './sanctioned-file.js';
export { deploySafe, type Safe } from './safe.js';
export { seededNumbers } from './seeded-numbers.js';
export { setSanctioned } from './set-sanctioned.js';
export { internalTokens } from './internal-tokens.js';
export type { InternalTokens } from './internal-tokens.js';
export { reorganise, reorganiseFrom } from './reorganise.js';
export { createServiceDatabase, type ServiceDatabase } from './service-database.js';
export { testCertificate } from './test-certificate.js';
export {
  deployAccountFactory,
  deployCode,
  REFUSING_ACCOUNT_CODE,
  type AccountFactory,
} from './smart-accounts.js';
export { startTestChain, type TestChain } from './test-chain.js';
export { createTestDatabase, runSql, type TestDatabase } from './test-database.js';
export { ownKafkaDirectory, testKafka } from './test-kafka.js';
export { TcpProxy } from './tcp-proxy.js';
export { poolerFor, type TestPooler } from './test-pooler.js';
export { testRedis, type TestRedis } from './test-redis.js';
export { keysInUse } from './keys-in-use.js';
export { RunningLoad } from './running-load.js';
export {
  besideTransactions,
  takeSecondConnections,
  watchSecondConnections,
} from './second-connections.js';
export { SecretDirectory } from './secret-directory.js';
export { OtlpReceiver } from './otlp-receiver.js';
export { vaultDeposit } from './vault-deposit.js';
