import type { Pool } from 'undici';
import { target } from '../lib/targets.js';
import type { DiscoveryStack } from './stack.js';

const REQUESTS = 100_000;
const REPORT_EVERY = 20_000;
const LANES = 32;
const MIB = 1024 * 1024;
/** Share of the resident memory after the first reports, when every cache is full. */
const MOST_GROWTH = 0.1;
const NAMES = ['gateway', 'catalogue', 'quote'] as const;

/** Asks for 100,000 different answers, and says what the processes have grown to on the way. */
export async function measureMemory(
  stack: DiscoveryStack,
  client: Pool,
  headers: Record<string, string>,
): Promise<void> {
  const assets = await listedAssets(client, headers);
  let asked = 0;
  const lane = async (until: number): Promise<void> => {
    while (asked < until) {
      const path = differentPath(asked, assets);
      asked += 1;
      const { statusCode, body } = await client.request({ method: 'GET', path, headers });
      await body.dump();
      if (statusCode !== 200) throw new Error(`GET ${path} answered ${statusCode}`);
    }
  };
  await say(stack, 0);
  const resident: number[][] = [];
  for (let until = REPORT_EVERY; until <= REQUESTS; until += REPORT_EVERY) {
    await Promise.all(Array.from({ length: LANES }, () => lane(until)));
    await say(stack, asked);
    resident.push(NAMES.map((name) => stack.processes[name].residentBytes()));
  }
  const [full, last] = [resident[Math.floor(resident.length / 2)], resident.at(-1)];
  for (const [index, name] of NAMES.entries()) {
    const growth = (last?.[index] ?? 0) / (full?.[index] ?? 0) - 1;
    target(`${name} is flat (${(100 * growth).toFixed(1)} %)`, growth <= MOST_GROWTH);
  }
}

async function listedAssets(client: Pool, headers: Record<string, string>): Promise<string[]> {
  const { body } = await client.request({ method: 'GET', path: '/assets', headers });
  return Object.keys((await body.json()) as object);
}

/** No two numbers have the same: the digits of each, in base two, choose the assets. */
function differentPath(number: number, assets: readonly string[]): string {
  const digits = (number + 1).toString(2).split('').toReversed();
  const chosen = assets.filter((_, index) => digits[index] === '1');
  const list = (name: string, of: string[]) => of.map((asset) => `${name}[]=${asset}`).join('&');
  return number % 2 === 0
    ? `/assets?${list('assets', chosen)}`
    : `/assets/available-outputs?inputs[]=usd&${list('outputs', chosen)}`;
}

async function say({ processes, operationsUrls }: DiscoveryStack, asked: number): Promise<void> {
  const side = async (name: (typeof NAMES)[number]): Promise<string> => {
    const metrics = await (await fetch(`${operationsUrls[name]}/metrics`)).text();
    const heap = Number(/^nodejs_heap_size_used_bytes (\S+)/m.exec(metrics)?.[1]);
    return `${name} RSS ${mib(processes[name].residentBytes())} heap ${mib(heap)}`;
  };
  const sides: string[] = [];
  for (const name of NAMES) sides.push(await side(name));
  console.log(`${String(asked).padStart(7)} different requests: ${sides.join(', ')}`);
}

const mib = (bytes: number): string => `${(bytes / MIB).toFixed(0)} MiB`;
