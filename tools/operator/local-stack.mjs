import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const DEFAULT_POSTGRES_PORT = 54329;

const directory = process.env.STACK_DIRECTORY ?? join(import.meta.dirname, '../../.local');

function readJson(name) {
  const path = join(directory, name);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
}

/** Environment of a command from the stack on this machine, unless it is set otherwise. */
export function localEnvironment(service) {
  return { ...broker(), ...database(service) };
}

function broker() {
  const { kafka } = readJson('stack.json');
  const isSaid = process.env.KAFKA_BROKERS || process.env.DATABASE_URL;
  return kafka === undefined || isSaid ? {} : { KAFKA_BROKERS: kafka.brokers.join(',') };
}

function database(service) {
  const { rolePassword } = readJson('secrets.json');
  if (process.env.DATABASE_URL || rolePassword === undefined || service === undefined) return {};
  const port = process.env.POSTGRES_PORT ?? DEFAULT_POSTGRES_PORT;
  const role = `bascule_${service.replaceAll('-', '_')}`;
  return {
    DATABASE_URL: `postgres://${role}:${rolePassword}@127.0.0.1:${port}/postgres`,
    ENVIRONMENT: 'development',
  };
}
