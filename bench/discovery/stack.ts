import { freePort } from '@bascule/local-stack';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  loadSecrets,
  parseSettings,
  SERVICE_NAMES,
  serviceEnvironments,
} from '@bascule/composition';
import { startChild, type Child } from '../lib/child.js';

const DIRECTORY = resolve('.local/bench/discovery');
const WRITTEN_WITHIN_MS = 30_000;

type Name = 'gateway' | 'catalogue' | 'quote';

export interface DiscoveryStack {
  /** Each in a process of its own. */
  processes: Record<Name, Child>;
  urls: Record<Name, string>;
  /** Base URLs of health and metrics. */
  operationsUrls: Record<Name, string>;
  publishableKey: string;
  stop(): Promise<void>;
}

/** A gateway that limits nobody, before a catalogue and a quote service: replicas beside the embedded stack. */
export async function startDiscoveryStack(): Promise<DiscoveryStack> {
  rmSync(DIRECTORY, { recursive: true, force: true });
  const started: Child[] = [];
  const stop = async (): Promise<void> => {
    for (const child of started.toReversed()) await child.stop();
    rmSync(DIRECTORY, { recursive: true, force: true });
  };
  const start = async (
    main: string,
    env: NodeJS.ProcessEnv,
    operationsPort: number,
  ): Promise<Child> => {
    const all = { ...env, LOG_LEVEL: 'error', NODE_ENV: 'production' };
    const child = await startChild([main], all, `${urlOf(operationsPort)}/health/ready`);
    started.push(child);
    return child;
  };
  try {
    const environment = { STACK_DIRECTORY: DIRECTORY, ...(await portsOfStack()) };
    const settings = parseSettings(environment);
    await start('bundle/standalone.js', environment, settings.operationsPorts.services.gateway);
    const publishableKey = await keyOf(settings.paths.stackFile);
    const environments = serviceEnvironments(settings, loadSecrets(settings.paths.secretsFile), {
      adminUrl: `postgres://postgres@127.0.0.1:${settings.postgres.port}/postgres`,
      chains: settings.chains.map((chain) => ({ ...chain, rpcUrl: urlOf(chain.port) })),
    });
    const ports = {
      gateway: await freePort(),
      catalogue: await freePort(),
      quote: await freePort(),
    };
    const operations = {
      gateway: await freePort(),
      catalogue: await freePort(),
      quote: await freePort(),
    };
    const urls = mapValues(ports, urlOf);
    const replica = (name: Name, further: Record<string, string> = {}) =>
      start(
        `bundle/${name}.js`,
        {
          ...environments[name],
          PORT: String(ports[name]),
          OPERATIONS_PORT: String(operations[name]),
          ...further,
        },
        operations[name],
      );
    const processes = {
      catalogue: await replica('catalogue'),
      quote: await replica('quote'),
      gateway: await replica('gateway', {
        CATALOGUE_URL: urls.catalogue,
        QUOTE_URL: urls.quote,
        RATE_LIMIT_REQUESTS: '100000000',
        RATE_LIMIT_CLIENT_REQUESTS: '100000000',
        ANSWERS_KEPT_MS: process.env['ANSWERS_KEPT_MS'] ?? '1000',
      }),
    };
    const operationsUrls = mapValues(operations, urlOf);
    return { processes, urls, operationsUrls, publishableKey, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const urlOf = (port: number): string => `http://127.0.0.1:${port}`;

const mapValues = <T, U>(of: Record<Name, T>, map: (value: T) => U): Record<Name, U> => ({
  gateway: map(of.gateway),
  catalogue: map(of.catalogue),
  quote: map(of.quote),
});

async function portsOfStack(): Promise<Record<string, string>> {
  const names = [
    ...SERVICE_NAMES.map((name) => `${name.toUpperCase().replaceAll('-', '_')}_PORT`),
    ...['ATTESTER_1_PORT', 'ATTESTER_2_PORT', 'ATTESTER_3_PORT'],
    ...['POSTGRES_PORT', 'ALPHANET_PORT', 'BETANET_PORT'],
  ];
  const entries: [string, string][] = [];
  for (const name of names) entries.push([name, String(await freePort())]);
  return Object.fromEntries(entries);
}

/** The stack writes its file when everything answers, which is after its gateway is ready. */
async function keyOf(stackFile: string): Promise<string> {
  const deadline = Date.now() + WRITTEN_WITHIN_MS;
  while (!existsSync(stackFile)) {
    if (Date.now() > deadline) throw new Error('the stack does not answer');
    await delay(100);
  }
  const { keys } = JSON.parse(readFileSync(stackFile, 'utf8')) as { keys: { publishable: string } };
  return keys.publishable;
}
