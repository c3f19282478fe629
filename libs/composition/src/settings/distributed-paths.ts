import { join } from 'node:path';
import type { StackPaths } from './stack-paths.js';

/** Files and folders of the distributed stack. */
export interface DistributedPaths extends StackPaths {
  /** All that is its own. */
  stateDirectory: string;
  kafkaDirectory: string;
  redisDirectory: string;
  logsDirectory: string;
  processesDirectory: string;
  logFile(service: string, replica: number): string;
  pidFile(service: string, replica: number): string;
}

/**
 * Beside the embedded stack's, with the same secrets and the same `stack.json`: events of one are not in the log of the
 * other, so each has databases and chains of its own.
 */
export function distributedPaths(shared: StackPaths): DistributedPaths {
  const stateDirectory = join(shared.directory, 'distributed');
  const chainsDirectory = join(stateDirectory, 'chains');
  const processesDirectory = join(stateDirectory, 'replicas');
  const logsDirectory = join(shared.directory, 'logs');
  return {
    ...shared,
    stateDirectory,
    organisationFile: join(stateDirectory, 'organisation.json'),
    postgresData: join(stateDirectory, 'postgres'),
    chainsDirectory,
    processesDirectory,
    chainState: (chain) => join(chainsDirectory, `${chain}.json`),
    kafkaDirectory: join(stateDirectory, 'kafka'),
    redisDirectory: join(stateDirectory, 'redis'),
    logsDirectory,
    logFile: (service, replica) => join(logsDirectory, `${service}-${replica}.log`),
    pidFile: (service, replica) => join(processesDirectory, `${service}-${replica}.pid`),
  };
}
