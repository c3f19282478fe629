import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Payment } from '@bascule/contracts';
import type { StackProcess } from '../../testing/stack-process.fixture.js';
import { startCheckingProxy } from '../../testing/checking-proxy.fixture.js';

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
  /** Requests to the API, as `POST /path`; each answer was by the contract. */
  requests: string[];
  /** Files and folders of the working directory after the commands. */
  files: string[];
}

/** Runs the commands below these headings in one shell, as a reader would beside a stack. */
export async function runReadme(stack: StackProcess, headings: string[]): Promise<ReadmeRun> {
  const file = stack.stackFile();
  if (file === null) throw new Error('the stack has written no stack.json');
  const directory = join(stack.directory, 'reader');
  const proxy = await startCheckingProxy(file.base_url);
  mkdirSync(join(directory, '.local'), { recursive: true });
  const seen = JSON.stringify({ ...file, base_url: proxy.baseUrl });
  writeFileSync(join(directory, '.local/stack.json'), seen);
  const script = [...headings.map(commandsBelow), 'jq -c . <<< "$PAYMENT"'].join('\n');
  const running = run('bash', ['-euo', 'pipefail', '-c', script], { cwd: directory });
  const { stdout } = await running.finally(proxy.close);
  const payment = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Payment;
  const { requests } = proxy;
  return { output: stdout, payment, requests, files: readdirSync(directory) };
}
