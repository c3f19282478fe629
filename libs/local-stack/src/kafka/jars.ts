import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
// Resolved by name, since this code also runs from the bundles of apps.
const ownDirectory = dirname(require.resolve('@bascule/local-stack/package.json'));
const pom = join(ownDirectory, 'src/kafka/pom.xml');
const cache = join(ownDirectory, '../../.local/kafka');

/** Java's class path of the broker; its jars are brought from Maven Central the first time. */
export async function kafkaClassPath(): Promise<string> {
  const jars = jarsFolder();
  if (!existsSync(jars)) await bring(jars);
  return join(jars, '*');
}

/** Folder of the jars; its name says which they are. */
export function jarsFolder(): string {
  const digest = createHash('sha256').update(readFileSync(pom)).digest('hex');
  return join(cache, digest.slice(0, 12));
}

async function bring(jars: string): Promise<void> {
  mkdirSync(cache, { recursive: true });
  // Several nodes and processes may start together; the first rename serves all of them.
  const draft = mkdtempSync(join(cache, 'draft-'));
  try {
    await run('mvn', [
      ...['--quiet', '--batch-mode', '--file', pom],
      ...['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${draft}`],
    ]);
    renameSync(draft, jars);
  } catch (error) {
    if (!existsSync(jars)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Runs a program of the Java tool chain to its end; the error of a failure contains its output. */
export function run(program: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const collect = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', (error: NodeJS.ErrnoException) => {
      const missing = `${program} was not found: the local Kafka needs Java 17 and Maven`;
      reject(error.code === 'ENOENT' ? new Error(missing, { cause: error }) : error);
    });
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${program} ended with ${code}: ${output.trim()}`));
    });
  });
}
