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
}

export function places(directory: string): Places {
  const chainsDirectory = join(directory, 'chains');
  return {
    directory,
    stackFile: join(directory, 'stack.json'),
    secretsFile: join(directory, 'secrets.json'),
    organisationFile: join(directory, 'organisation.json'),
    postgresData: join(directory, 'postgres'),
    chainsDirectory,
    chainState: (chain) => join(chainsDirectory, `${chain}.json`),
  };
}
