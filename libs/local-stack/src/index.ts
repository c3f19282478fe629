export { startAnvil, stopAnvil, type AnvilOptions, type LocalChain } from './anvil/start-anvil.js';
export { rpcCall } from './anvil/json-rpc.js';
export {
  deployDevelopmentChain,
  type DevelopmentChain,
} from './development-chain/deploy-development-chain.js';
export { developmentAccounts } from './development-chain/development-accounts.js';
export { removeKafka, startKafka, stopKafka, type LocalKafka } from './kafka/start-kafka.js';
export type { KafkaOptions } from './kafka/kafka-options.js';
export { commandLine, endProcess, isAlive } from './processes.js';
export { freePort, isPortFree, PortInUseError, reservePorts, type ReservedPorts } from './ports.js';
export {
  postgresPid,
  removePostgres,
  startPostgres,
  stopPostgres,
  type LocalPostgres,
  type PostgresOptions,
} from './postgres/start-postgres.js';
export {
  redisPid,
  removeRedis,
  startRedis,
  stopRedis,
  type LocalRedis,
  type RedisOptions,
} from './redis/start-redis.js';
