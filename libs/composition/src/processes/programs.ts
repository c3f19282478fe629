import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { repository, type ServiceName } from '../settings/settings.config.js';

const require = createRequire(import.meta.url);

/** A built program of a package, e.g. a command. */
export const packageProgram = (name: string, file: string): string =>
  join(dirname(require.resolve(`@bascule/${name}/package.json`)), 'dist', file);

/** An attester is not one of our services: each represents an independent operator. */
export type ProcessName = ServiceName | 'attester';

/** The bundle of a service, by `tools/bundle.mjs`. */
export const serviceProgram = (service: ProcessName): string =>
  join(repository, 'bundle', `${service}.js`);
