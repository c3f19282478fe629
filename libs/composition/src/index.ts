export {
  attesterPorts,
  labPorts,
  operationsPorts,
  refuseBusyPorts,
  servicePort,
} from './processes/ports.js';
export { packageProgram, serviceProgram } from './processes/programs.js';
export { allReady, checkGateway, type Readiness, readinessOf } from './processes/readiness.js';
export { endOrphanedReplica, Replica } from './processes/replica.js';
export { provisionDatabases } from './servers/databases.js';
export {
  allStarted,
  describeStart,
  type LocalServers,
  startChains,
  startLocalServers,
  type Stoppable,
} from './servers/local-servers.js';
export {
  ATTESTER_STOPS_MS,
  attesterEnvironments,
  type Environments,
  fullEnvironments,
  serviceEnvironments,
} from './services/service-environments.js';
export { describeStack } from './services/stack-description.js';
export { distributedPaths, type DistributedPaths } from './settings/distributed-paths.js';
export { stackPaths, type StackPaths } from './settings/stack-paths.js';
export {
  type OperationsPorts,
  parseSettings,
  repository,
  SERVICE_NAMES,
  type ServiceName,
  type Settings,
} from './settings/settings.config.js';
export { provideSanctionedFile } from './state/sanctioned-file.js';
export { loadSecrets, type Secrets } from './state/secrets.js';
export {
  isRunning,
  removeStackFile,
  type StackFile,
  type StackService,
  writeStackFile,
} from './state/stack-file.js';
export { startPooler } from './servers/pooler.js';
export { announce } from './terminal/announcement.js';
export { Progress } from './terminal/progress.js';
export { runStack } from './terminal/run-stack.js';
export { StoppedDuringStart } from './terminal/stopped-during-start.js';
