// POST /prices with 50 tokens through the gateway and the catalogue, each its own process, at a steady rate. The prices
// come from a stand-in for the market-data API that is asked before the measurement and hardly during it.
import { catalogueService } from '@bascule/catalogue';
import { chainDefinitions } from '@bascule/chain';
import { createFirstKeys, gatewayService } from '@bascule/gateway';
import { freePort } from '@bascule/local-stack';
import { createServer, type Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { listedTokens } from '../apps/catalogue/dist/assets/listed-assets.js';
import { target } from './lib/targets.js';
import { startChild, type Child } from './lib/child.js';
import { startDatabase } from './lib/database.js';
import { quantile } from './lib/rounds.js';
import { operationsPort, serviceEnvironments } from './lib/service-environments.js';
import { startWorker } from './lib/worker.js';
import type { Questions, Waits } from './prices/asker.js';

const TOKENS = 50;
const PER_SECOND = 500;
/** Until V8 has settled on what it compiled. */
const WARM_UP = 45 * PER_SECOND;
const MEASURED = 20 * PER_SECOND;
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
const gatewayUrl = `http://127.0.0.1:${ports.gateway}`;
const server = await startDatabase();
const asker = await startWorker('bench/prices/asker.ts', { ASKED_URL: gatewayUrl }, [
  '--max-semi-space-size=1',
]);
try {
  const gatewayDatabase = await server.provision('gateway');
  const catalogueDatabase = await server.provision('catalogue');
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
  const started = async (main: string, env: Record<string, string>, port: number) => {
    const ready = `http://127.0.0.1:${operationsPort(port)}/health/ready`;
    const child = await startChild([main], env, ready);
    children.push(child);
    return child;
  };
  const service = await started('bundle/catalogue.js', catalogue, ports.catalogue);
  const door = await started('bundle/gateway.js', gateway, ports.gateway);

  const questions = FIATS.map(questionIn);
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  await warm(questions, headers);
  const bodies = questions.map(({ body }) => body);
  const ask = (count: number): Promise<Waits> =>
    asker.ask({ count, perSecond: PER_SECOND, headers, bodies } satisfies Questions);
  await ask(WARM_UP);
  const before = [service, door].map((child) => child.cpuSeconds());
  const { waits } = await ask(MEASURED);
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
  target(`p99 at most ${MOST_MS} ms`, quantile(waits, 0.99) <= MOST_MS);
} finally {
  await asker.stop();
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

/** Until every token has its price. */
async function warm(questions: Question[], headers: Record<string, string>): Promise<void> {
  const deadline = Date.now() + WARM_DEADLINE_MS;
  for (const { body, answers } of questions) {
    for (;;) {
      const answer = await fetch(`${gatewayUrl}/prices`, { method: 'POST', headers, body });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`answered ${answer.status}: ${text}`);
      const priced = Object.keys(JSON.parse(text) as object).length;
      if (priced === answers) break;
      if (Date.now() > deadline) throw new Error(`${priced} of ${answers} are priced`);
      await delay(200);
    }
  }
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
