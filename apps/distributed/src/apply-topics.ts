import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { packageProgram } from '@bascule/composition';

const run = promisify(execFile);

/** Creates the topics: a deployment step, which services never take themselves. */
export async function applyTopics(brokers: readonly string[]): Promise<void> {
  await run(process.execPath, [packageProgram('messaging', 'topics/topics.command.js'), 'apply'], {
    env: { ...process.env, KAFKA_BROKERS: brokers.join(',') },
  });
}
