import { startKafka } from '@bascule/local-stack';
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Longer than the start of a broker may take. */
const STALE_MS = 180_000;

/** The brokers of the integration project's own Kafka: started by its first user, stopped at the end of the set-up. */
export async function testKafka(): Promise<string[]> {
  const directory = runDirectory();
  mkdirSync(directory, { recursive: true });
  // Files run in processes of their own: one starts the broker, the others take it over.
  const lock = join(directory, 'starting');
  while (!tryLock(lock)) await new Promise((resolve) => setTimeout(resolve, 50));
  try {
    const { brokers } = await startKafka({ directory });
    return brokers;
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

/** For brokers that a test manages itself: the next run removes the files of a killed one. */
export const ownKafkaDirectory = (name: string): string => `${runDirectory()}-${name}`;

function runDirectory(): string {
  const directory = process.env['TEST_KAFKA_DIRECTORY'];
  if (!directory) throw new Error('TEST_KAFKA_DIRECTORY is unset: is this file an .int-spec.ts?');
  return directory;
}

function tryLock(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    if (existsSync(lock) && Date.now() - statSync(lock).mtimeMs > STALE_MS) {
      rmSync(lock, { recursive: true, force: true });
    }
    return false;
  }
}
