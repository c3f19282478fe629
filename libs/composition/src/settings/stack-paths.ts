import { join } from 'node:path';

/** Files and folders of the stack. */
export interface StackPaths {
  directory: string;
  stackFile: string;
  secretsFile: string;
  organisationFile: string;
  postgresData: string;
  chainsDirectory: string;
  chainState(chain: string): string;
  processesDirectory: string;
  /** Log of a service that runs as a separate process. */
  logFile(service: string, replica: number): string;
  pidFile(service: string, replica: number): string;
}

export function stackPaths(directory: string): StackPaths {
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
