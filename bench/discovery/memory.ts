import type { Pool } from 'undici';
import type { DiscoveryStack } from './stack.js';

const REQUESTS = 100_000;
const REPORT_EVERY = 20_000;
const LANES = 32;
const MIB = 1024 * 1024;

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
  for (let until = REPORT_EVERY; until <= REQUESTS; until += REPORT_EVERY) {
    await Promise.all(Array.from({ length: LANES }, () => lane(until)));
    await say(stack, asked);
  }
}

async function listedAssets(client: Pool, headers: Record<string, string>): Promise<string[]> {
  const { body } = await client.request({ method: 'GET', path: '/assets', headers });
  return Object.keys((await body.json()) as object);
}

/** No two numbers have the same: their digits, by the number of assets, choose the assets. */
function differentPath(number: number, assets: readonly string[]): string {
  const chosen: string[] = [];
  for (let rest = number; chosen.length < 4; rest = Math.floor(rest / assets.length)) {
    chosen.push(assets[rest % assets.length] ?? 'usd');
  }
  const list = (name: string, of: string[]) => of.map((asset) => `${name}[]=${asset}`).join('&');
  return number % 2 === 0
    ? `/assets?${list('assets', chosen)}`
    : `/assets/available-outputs?${list('inputs', chosen.slice(0, 1))}&${list('outputs', chosen.slice(1))}`;
}

async function say({ processes, urls }: DiscoveryStack, asked: number): Promise<void> {
  const side = async (name: 'gateway' | 'catalogue' | 'quote'): Promise<string> => {
    const metrics = await (await fetch(`${urls[name]}/metrics`)).text();
    const heap = Number(/^nodejs_heap_size_used_bytes (\S+)/m.exec(metrics)?.[1]);
    return `${name} RSS ${mib(processes[name].residentBytes())} heap ${mib(heap)}`;
  };
  const sides = [await side('gateway'), await side('catalogue'), await side('quote')];
  console.log(`${String(asked).padStart(7)} different requests: ${sides.join(', ')}`);
}

const mib = (bytes: number): string => `${(bytes / MIB).toFixed(0)} MiB`;
