export { startAnvil, stopAnvil, type LocalChain } from './anvil/start-anvil.js';
export { rpcCall } from './anvil/json-rpc.js';
export { deployDevelopmentChain } from './development-chain/deploy-development-chain.js';
export { developmentAccounts } from './development-chain/development-accounts.js';
export { removeKafka, startKafka, stopKafka, type LocalKafka } from './kafka/start-kafka.js';
export { commandLine, endProcess, isAlive } from './processes.js';
export { freePort, isPortFree, PortInUseError, reservePorts } from './ports.js';
export {
  postgresPid,
  removePostgres,
  startPostgres,
  type LocalPostgres,
} from './postgres/start-postgres.js';
export { removePgBouncer, startPgBouncer } from './pgbouncer/start-pgbouncer.js';
export { redisPid, removeRedis, startRedis } from './redis/start-redis.js';
