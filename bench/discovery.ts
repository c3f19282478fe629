// GET /assets and /assets/available-outputs through the gateway and the service, each its own process, against a bare Fastify
// proxy before a bare Fastify that sends the same bytes. In turns; the rest of a stack is there, and idle, for both. Then
// memory, over 100,000 different requests.
import { freePort } from '@bascule/local-stack';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Pool } from 'undici';
import { measureMemory } from './discovery/memory.js';
import { startDiscoveryStack } from './discovery/stack.js';
import { target } from './lib/targets.js';
import { startChild, type Child } from './lib/child.js';
import { inTurns, median, throughput } from './lib/rounds.js';

const LANES = 32;
const TURN_MS = 4_000;
const TURNS = 6;
const LEAST_RATIO = 0.5;
const LOADER = ['--import', './tools/source-loader.mjs'];
const FILES = resolve('.local/bench/discovery-answers');

interface Question {
  name: string;
  service: 'catalogue' | 'quote';
  path: string;
  encoding?: string;
}

const QUESTIONS: Question[] = [
  { name: 'assets', service: 'catalogue', path: '/assets' },
  { name: 'assets, gzip', service: 'catalogue', path: '/assets', encoding: 'gzip' },
  { name: 'available-outputs', service: 'quote', path: '/assets/available-outputs?inputs[]=usd' },
];

const parts = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const isWanted = (part: string): boolean => parts.length === 0 || parts.includes(part);

const stack = await startDiscoveryStack();
const children: Child[] = [];
const clients: Pool[] = [];
try {
  const key = { authorization: `Bearer ${stack.publishableKey}` };
  const ours = connected(stack.urls.gateway);
  if (isWanted('throughput')) {
    const floor = { client: connected(await startBare(ours, key)), processes: [...children] };
    for (const question of QUESTIONS) {
      const { gateway, [question.service]: service } = stack.processes;
      await compare(question, { client: ours, processes: [gateway, service] }, floor, key);
    }
  }
  if (isWanted('memory')) await measureMemory(stack, ours, key);
} finally {
  await Promise.all(clients.map((client) => client.destroy()));
  await Promise.all(children.map((child) => child.stop()));
  await stack.stop();
  rmSync(FILES, { recursive: true, force: true });
}

function connected(url: string): Pool {
  const client = new Pool(url, { connections: LANES });
  clients.push(client);
  return client;
}

function headersOf({ encoding }: Question, key: Record<string, string>): Record<string, string> {
  return encoding === undefined ? key : { ...key, 'accept-encoding': encoding };
}

/** With the very answers that ours gives now. */
async function startBare(ours: Pool, key: Record<string, string>): Promise<string> {
  mkdirSync(FILES, { recursive: true });
  const answers = [];
  for (const [index, question] of QUESTIONS.entries()) {
    const { path, encoding } = question;
    const headers = headersOf(question, key);
    const { statusCode, body } = await ours.request({ method: 'GET', path, headers });
    const bytes = Buffer.from(await body.arrayBuffer());
    if (statusCode !== 200)
      throw new Error(`GET ${path} answered ${statusCode}: ${bytes.toString()}`);
    console.log(`${question.name}: ${bytes.length} bytes`);
    const file = resolve(FILES, String(index));
    writeFileSync(file, bytes);
    answers.push({ path: path.split('?')[0], file, encoding });
  }
  const [upstream, proxy] = [await freePort(), await freePort()];
  const production = { NODE_ENV: 'production' };
  const upstreamUrl = `http://127.0.0.1:${upstream}`;
  await started('bench/bare/proxy.ts', proxy, { ...production, UPSTREAM_URL: upstreamUrl });
  const sent = JSON.stringify(answers);
  await started('bench/bare/same-bytes.ts', upstream, { ...production, ANSWERS: sent });
  return `http://127.0.0.1:${proxy}`;
}

async function started(file: string, port: number, env: Record<string, string>): Promise<void> {
  const all = { ...env, PORT: String(port) };
  const ready = `http://127.0.0.1:${port}/health/ready`;
  children.push(await startChild([...LOADER, file], all, ready));
}

interface Side {
  client: Pool;
  /** First the proxy, then what is behind it. */
  processes: Child[];
}
interface Sample {
  perSecond: number;
  /** Memory of each process. */
  cpuMicros: number[];
}

async function compare(
  question: Question,
  ours: Side,
  floor: Side,
  key: Record<string, string>,
): Promise<void> {
  const headers = headersOf(question, key);
  const { path } = question;
  const sample = async ({ client, processes }: Side, forMs: number): Promise<Sample> => {
    const before = processes.map((child) => child.cpuSeconds());
    const began = performance.now();
    const perSecond = await throughput(
      async () => {
        const { statusCode, body } = await client.request({ method: 'GET', path, headers });
        await body.dump();
        if (statusCode !== 200) throw new Error(`GET ${path} answered ${statusCode}`);
      },
      { lanes: LANES, forMs },
    );
    const requests = (perSecond * (performance.now() - began)) / 1000;
    const cpuMicros = processes.map(
      (child, index) => ((child.cpuSeconds() - (before[index] ?? 0)) * 1e6) / requests,
    );
    return { perSecond, cpuMicros };
  };
  await sample(ours, TURN_MS / 2);
  await sample(floor, TURN_MS / 2);
  const turns = await inTurns(
    TURNS,
    () => sample(ours, TURN_MS),
    () => sample(floor, TURN_MS),
  );
  const ratios = turns.map(([one, other]) => one.perSecond / other.perSecond);
  const describe = (samples: Sample[]): string => {
    const cpu = [0, 1].map((at) => median(samples.map(({ cpuMicros }) => cpuMicros[at] ?? 0)));
    const perSecond = median(samples.map((one) => one.perSecond));
    return `${perSecond.toFixed(0)} /s (CPU ${cpu.map((micros) => micros.toFixed(0)).join(' + ')} µs)`;
  };
  console.log(
    `${question.name.padEnd(18)} ${describe(turns.map(([one]) => one))}, bare ${describe(turns.map(([, other]) => other))}, ` +
      `ratio ${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`,
  );
  target(`at least ${LEAST_RATIO} × the throughput`, median(ratios) >= LEAST_RATIO);
}
