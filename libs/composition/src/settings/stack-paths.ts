import { join } from 'node:path';

/** Files and folders of the stack. */
export interface StackPaths {
  directory: string;
  stackFile: string;
  secretsFile: string;
  organisationFile: string;
  /** List of sanctioned addresses, which a developer edits. */
  sanctionedFile: string;
  postgresData: string;
  pooler: string;
  chainsDirectory: string;
  chainState(chain: string): string;
}

export function stackPaths(directory: string): StackPaths {
  const chainsDirectory = join(directory, 'chains');
  return {
    directory,
    stackFile: join(directory, 'stack.json'),
    secretsFile: join(directory, 'secrets.json'),
    organisationFile: join(directory, 'organisation.json'),
    sanctionedFile: join(directory, 'sanctioned.txt'),
    postgresData: join(directory, 'postgres'),
    pooler: join(directory, 'pgbouncer'),
    chainsDirectory,
    chainState: (chain) => join(chainsDirectory, `${chain}.json`),
  };
}
