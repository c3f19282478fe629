import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ServiceName } from '../settings/settings.config.js';

/** A built program of a package, e.g. `main.js` of a service. */
export const packageProgram = (name: string, file: string): string => {
  const manifest = fileURLToPath(import.meta.resolve(`@bascule/${name}/package.json`));
  return join(dirname(manifest), 'dist', file);
};

/** An attester is not one of our services: each represents an independent operator. */
export type ProcessName = ServiceName | 'attester';

export const serviceProgram = (service: ProcessName): string => packageProgram(service, 'main.js');
