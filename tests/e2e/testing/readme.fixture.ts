import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Payment } from '@bascule/contracts';
import type { StackProcess } from '../../testing/stack-process.fixture.js';

const README = fileURLToPath(new URL('../../../README.md', import.meta.url));
const run = promisify(execFile);

/** Shell commands below a heading of the README. */
function commandsBelow(heading: string): string {
  const [, after] = readFileSync(README, 'utf8').split(`\n${heading}\n`);
  const [section] = (after ?? '').split(/^#{2,} /m);
  const blocks = [...(section ?? '').matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block);
  if (blocks.length === 0) throw new Error(`the README has no commands below "${heading}"`);
  return blocks.join('\n');
}

export interface ReadmeRun {
  output: string;
  /** Last answer of a confirm. */
  payment: Payment;
  /** Files and folders of the working directory after the commands. */
  files: string[];
}

/** Runs the commands below these headings in one shell, as a reader would beside a stack. */
export async function runReadme(stack: StackProcess, headings: string[]): Promise<ReadmeRun> {
  const directory = join(stack.directory, 'reader');
  mkdirSync(join(directory, '.local'), { recursive: true });
  copyFileSync(join(stack.directory, 'stack.json'), join(directory, '.local/stack.json'));
  const script = [...headings.map(commandsBelow), 'jq -c . <<< "$PAYMENT"'].join('\n');
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], { cwd: directory });
  const payment = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Payment;
  return { output: stdout, payment, files: readdirSync(directory) };
}
