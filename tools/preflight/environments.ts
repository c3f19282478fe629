import { OperatorError, UsageError } from '@bascule/operator-commands';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readEnvFile } from './env-file.js';
import { isService, serviceNames } from './services.js';

const ENDING = '.env';
const COMMON = 'common';

/** Environment of one service. */
export interface ServiceEnvironment {
  name: string;
  env: NodeJS.ProcessEnv;
}

/**
 * Reads `<service>.env` of a folder, each on top of `common.env`, in the form of `docker run --env-file`. The process's own
 * environment is not part of them.
 *
 * @throws OperatorError for a file of no service, and for an unreadable folder or file
 */
export function readEnvironments(folder: string): readonly ServiceEnvironment[] {
  const files = list(folder).filter((file) => file.endsWith(ENDING));
  const names = files.map((file) => file.slice(0, -ENDING.length));
  const strangers = names.filter((name) => name !== COMMON && !isService(name));
  if (strangers.length > 0) {
    throw new OperatorError(
      `${folder}: expected files of ${serviceNames.join(', ')} or ${COMMON}, found ${strangers.join(', ')}`,
    );
  }
  const common = names.includes(COMMON) ? read(folder, COMMON) : {};
  const services = names.filter((name) => name !== COMMON).sort();
  if (services.length === 0) throw new OperatorError(`${folder}: found no <service>${ENDING}`);
  return services.map((name) => ({ name, env: { ...common, ...read(folder, name) } }));
}

/** @throws UsageError for an unknown service */
export function ownEnvironment(name: string, env: NodeJS.ProcessEnv): ServiceEnvironment {
  if (isService(name)) return { name, env };
  throw new UsageError(`expected --service to be one of ${serviceNames.join(', ')}, got ${name}`);
}

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    throw new OperatorError(`${folder}: expected a readable folder`, { cause: error });
  }
}

const read = (folder: string, name: string): NodeJS.ProcessEnv =>
  readEnvFile(join(folder, `${name}${ENDING}`));
