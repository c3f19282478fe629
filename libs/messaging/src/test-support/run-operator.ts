import { spawn } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../../..');

export interface OperatorRun {
  status: number | null;
  /** What it printed, as JSON lines. */
  lines: unknown[];
  stderr: string;
}

/** A command of this library's, in a process of its own, as an operator runs it. */
export function runOperator(
  command: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<OperatorRun> {
  const child = spawn(
    process.execPath,
    [
      '--conditions=@bascule/source',
      '--import',
      join(root, 'tools/jest/source-process.mjs'),
      join(import.meta.dirname, '..', command),
      ...args,
    ],
    { env: { PATH: process.env.PATH ?? '', ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (part: Buffer) => (stdout += part.toString()));
  child.stderr.on('data', (part: Buffer) => (stderr += part.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => {
      const texts = stdout.split('\n').filter((line) => line !== '');
      resolve({ status, stderr, lines: texts.map((text) => JSON.parse(text) as unknown) });
    });
  });
}
