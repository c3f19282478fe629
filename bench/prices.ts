// POST /prices with 50 tokens through the gateway and the catalogue, each its own process, at a steady rate. The prices
// come from a stand-in for the market-data API that is asked before the measurement and hardly during it.
import { catalogueService } from '@bascule/catalogue';
import { chainDefinitions } from '@bascule/chain';
import { createFirstKeys, gatewayService } from '@bascule/gateway';
import { freePort } from '@bascule/local-stack';
import { createServer, type Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { listedTokens } from '../apps/catalogue/dist/assets/listed-assets.js';
import { aim } from './lib/aims.js';
import { startChild, type Child } from './lib/child.js';
import { startDatabase } from './lib/database.js';
import { quantile } from './lib/rounds.js';
import { serviceEnvironments } from './lib/service-environments.js';

const TOKENS = 50;
const PER_SECOND = 500;
const WARM_UP = 5 * PER_SECOND;
const MEASURED = 20 * PER_SECOND;
const CONNECTIONS = 32;
const CHAINS = ['ethereum', 'base', 'arbitrum', 'optimism', 'polygon', 'avalanche', 'bsc'];
const FIATS = ['usd', 'eur'];
const WARM_DEADLINE_MS = 60_000;
const MOST_MS = 10;

interface Question {
  body: string;
  answers: number;
}

const children: Child[] = [];
const marketPort = await freePort();
const market = await startMarket(marketPort);
const ports = { gateway: await freePort(), catalogue: await freePort() };
const server = await startDatabase();
const client = new Pool(`http://127.0.0.1:${ports.gateway}`, { connections: CONNECTIONS });
try {
  const gatewayDatabase = await server.provision('gateway');
  const catalogueDatabase = await server.provision('catalogue');
  const catalogueUrl = `http://127.0.0.1:${ports.catalogue}`;
  const { gateway, service: common } = serviceEnvironments({
    gatewayPort: ports.gateway,
    servicePort: ports.catalogue,
    gatewayDatabase: gatewayDatabase.url,
    serviceDatabase: catalogueDatabase.url,
    rpcUrl: 'http://127.0.0.1:9',
  });
  const rpcUrls = CHAINS.map((chain) => [`RPC_URLS_${chain.toUpperCase()}`, 'http://127.0.0.1:9']);
  const catalogue = {
    ...common,
    ...(Object.fromEntries(rpcUrls) as Record<string, string>),
    LOG_LEVEL: 'fatal',
    CHAINS: CHAINS.join(),
    FIAT_RATES: '{"eur":"1.16"}',
    MARKET_DATA_URL: `http://127.0.0.1:${marketPort}/api/v3`,
    MARKET_DATA_CALLS_PER_MINUTE: '1000',
    MARKET_DATA_CALLS_PER_MONTH: '1000000',
    MARKET_DATA_MAX_AGE_MS: '36000000',
  };
  await catalogueService.migrate?.(catalogueService.parseConfig(catalogue));
  await gatewayService.migrate?.(gatewayService.parseConfig(gateway));
  const { secret } = await createFirstKeys(gateway, {
    organisation: 'Bench',
    label: 'bench',
    actor: 'bench',
  });
  const started = async (main: string, env: Record<string, string>, url: string) => {
    const child = await startChild([main], env, `${url}/health/ready`);
    children.push(child);
    return child;
  };
  const service = await started('apps/catalogue/dist/main.js', catalogue, catalogueUrl);
  const door = await started(
    'apps/gateway/dist/main.js',
    gateway,
    `http://127.0.0.1:${ports.gateway}`,
  );

  const questions = FIATS.map(questionIn);
  await warm(questions, secret);
  await atRate(WARM_UP, questions, secret);
  const before = [service, door].map((child) => child.cpuSeconds());
  const waits = (await atRate(MEASURED, questions, secret)).sort((a, b) => a - b);
  const cpu = [service, door].map(
    (child, index) => ((child.cpuSeconds() - (before[index] ?? 0)) * 1e6) / MEASURED,
  );
  const at = (share: number): string => quantile(waits, share).toFixed(1);
  console.log(
    `POST /prices, ${TOKENS} tokens, ${PER_SECOND}/s  p50 ${at(0.5)} ms, p90 ${at(0.9)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms (${waits.length} requests)`,
  );
  console.log(
    `CPU per request  catalogue ${cpu[0]?.toFixed(0)} µs, gateway ${cpu[1]?.toFixed(0)} µs`,
  );
  aim(`p99 at most ${MOST_MS} ms`, quantile(waits, 0.99) <= MOST_MS);
} finally {
  await client.close();
  await Promise.all(children.map((child) => child.stop()));
  market.close();
  await server.remove();
}

function questionIn(fiat: string): Question {
  const tokens = CHAINS.flatMap((name) => {
    const definition = chainDefinitions[name];
    return definition ? listedTokens(definition).map(({ id }) => id) : [];
  }).slice(0, TOKENS);
  if (tokens.length < TOKENS) throw new Error(`only ${tokens.length} tokens are listed`);
  return {
    body: JSON.stringify({ fiat, tokens }),
    answers: new Set([...tokens, 'usd', fiat]).size,
  };
}

async function ask(body: string, secret: string): Promise<Record<string, string>> {
  const answer = await client.request({
    method: 'POST',
    path: '/prices',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body,
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}: ${text}`);
  return JSON.parse(text) as Record<string, string>;
}

/** Until every token has its price. */
async function warm(questions: Question[], secret: string): Promise<void> {
  const deadline = Date.now() + WARM_DEADLINE_MS;
  for (const { body, answers } of questions) {
    for (;;) {
      const priced = Object.keys(await ask(body, secret)).length;
      if (priced === answers) break;
      if (Date.now() > deadline) throw new Error(`${priced} of ${answers} are priced`);
      await delay(200);
    }
  }
}

/** How long each request took, in milliseconds. An open loop: what is slow is not asked less. */
async function atRate(count: number, questions: Question[], secret: string): Promise<number[]> {
  const answers: Promise<number>[] = [];
  const timed = async (body: string): Promise<number> => {
    const asked = performance.now();
    await ask(body, secret);
    return performance.now() - asked;
  };
  const started = performance.now();
  while (answers.length < count) {
    const due = Math.min(count, Math.ceil(((performance.now() - started) * PER_SECOND) / 1000));
    while (answers.length < due) {
      answers.push(timed(questions[answers.length % questions.length]?.body ?? ''));
    }
    await delay(1);
  }
  return Promise.all(answers);
}

/** Answers in the format of CoinGecko: every contract and coin has a price. */
async function startMarket(port: number): Promise<Server> {
  const stub = createServer(({ url = '' }, response) => {
    const { searchParams } = new URL(url, 'http://market');
    const keys = searchParams.get('contract_addresses') ?? searchParams.get('ids') ?? '';
    const now = Math.floor(Date.now() / 1000);
    const entries = keys.split(',').map((key, index) => {
      const usd = Number(`${1000 + index}.123456789`);
      return [key, { usd, last_updated_at: now }] as const;
    });
    response.setHeader('content-type', 'application/json');
    const rates = { usd: { name: 'US Dollar', unit: '$', value: 60_000, type: 'fiat' } };
    const isForRates = url.endsWith('/exchange_rates');
    response.end(JSON.stringify(isForRates ? { rates } : Object.fromEntries(entries)));
  });
  await new Promise<void>((resolve) => stub.listen(port, '127.0.0.1', resolve));
  return stub;
}
