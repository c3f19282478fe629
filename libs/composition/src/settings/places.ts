import { join } from 'node:path';

/** What the stack keeps on disk. */
export interface Places {
  directory: string;
  stackFile: string;
  secretsFile: string;
  organisationFile: string;
  postgresData: string;
  chainsDirectory: string;
  chainState(chain: string): string;
  processesDirectory: string;
  /** Of a service that is a process of its own. */
  logFile(service: string, replica: number): string;
  pidFile(service: string, replica: number): string;
}

export function places(directory: string): Places {
  const chainsDirectory = join(directory, 'chains');
  const processesDirectory = join(directory, 'processes');
  return {
    directory,
    stackFile: join(directory, 'stack.json'),
    secretsFile: join(directory, 'secrets.json'),
    organisationFile: join(directory, 'organisation.json'),
    postgresData: join(directory, 'postgres'),
    chainsDirectory,
    processesDirectory,
    chainState: (chain) => join(chainsDirectory, `${chain}.json`),
    logFile: (service, replica) => join(processesDirectory, `${service}-${replica}.log`),
    pidFile: (service, replica) => join(processesDirectory, `${service}-${replica}.pid`),
  };
}
