import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ServiceName } from '../settings.config.js';

const run = promisify(execFile);

/** A built program of a package, e.g. `main.js` of a service. */
const program = (name: string, file: string): string => {
  const manifest = fileURLToPath(import.meta.resolve(`@bascule/${name}/package.json`));
  return join(dirname(manifest), 'dist', file);
};

/** An attester is no service of ours: each stands for somebody else's. */
export type ProcessName = ServiceName | 'attester';

export const serviceProgram = (service: ProcessName): string => program(service, 'main.js');

/** The deployment step that creates topics; services never do. */
export async function applyTopics(brokers: readonly string[]): Promise<void> {
  await run(process.execPath, [program('messaging', 'topics/topics.command.js'), 'apply'], {
    env: { ...process.env, KAFKA_BROKERS: brokers.join(',') },
  });
}
