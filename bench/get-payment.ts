// GET /payments through the gateway and the payment service, each its own process, against a bare Fastify proxy before
// a bare Fastify that reads the same row. In turns, in one Postgres; CPU is that of the two processes of each side.
import { createFirstKeys, gatewayService } from '@bascule/gateway';
import { freePort, startAnvil, stopAnvil, deployDevelopmentChain } from '@bascule/local-stack';
import { Outbox } from '@bascule/messaging';
import { createDataSource } from '@bascule/persistence';
import { mkdirSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { Pool } from 'undici';
import { paymentService } from '@bascule/payment';
import { PaymentAcceptanceRepository } from '../apps/payment/dist/persistence/payment-acceptance.repository.js';
import { entities, migrations } from '../apps/payment/dist/persistence/persistence.config.js';
import { startChild, type Child } from './lib/child.js';
import { startDatabase } from './lib/database.js';
import { unlimitedQuota } from './lib/unlimited-quota.js';
import { aConfirmedPayment } from './lib/payments.js';
import { inTurns, median, throughput } from './lib/rounds.js';
import { operationsPort, serviceEnvironments } from './lib/service-environments.js';

const LANES = 32;
const TURN_MS = 4_000;
const TURNS = 6;
const PAYMENTS = 200;
const LOADER = ['--import', './tools/source-loader.mjs'];

interface Side {
  get: () => Promise<void>;
  cpuSeconds: () => number;
}
interface Sample {
  perSecond: number;
  cpuMicros: number;
}

const children: Child[] = [];
const ports = { gateway: await freePort(), payment: await freePort() };
const bare = { proxy: await freePort(), read: await freePort() };
const chain = { name: 'alphanet', stateFile: resolve('.local/bench/alphanet.json') };
const server = await startDatabase();
try {
  rmSync(chain.stateFile, { force: true });
  mkdirSync(resolve('.local/bench'), { recursive: true });
  const anvil = await startAnvil({ ...chain, chainId: 31337, port: await freePort() });
  await deployDevelopmentChain({ rpcUrl: anvil.rpcUrl, chainId: 31337 });
  const paymentDatabase = await server.provision('payment');
  const gatewayDatabase = await server.provision('gateway');
  const environments = serviceEnvironments({
    gatewayPort: ports.gateway,
    servicePort: ports.payment,
    gatewayDatabase: gatewayDatabase.url,
    serviceDatabase: paymentDatabase.url,
    rpcUrl: anvil.rpcUrl,
  });
  await paymentService.migrate?.(paymentService.parseConfig(environments.payment));
  await gatewayService.migrate?.(gatewayService.parseConfig(environments.gateway));
  const keys = await createFirstKeys(environments.gateway, {
    organisation: 'Bench',
    label: 'bench',
    actor: 'bench',
  });
  const ids = await acceptPayments(paymentDatabase, keys.organisationId);

  const started = async (args: string[], env: Record<string, string>, readyPort: number) => {
    const child = await startChild(args, env, `http://127.0.0.1:${readyPort}/health/ready`);
    children.push(child);
    return child;
  };
  const service = await started(
    ['bundle/payment.js'],
    environments.payment,
    operationsPort(ports.payment),
  );
  const gateway = await started(
    ['bundle/gateway.js'],
    environments.gateway,
    operationsPort(ports.gateway),
  );
  const production = { NODE_ENV: 'production' };
  const read = await started(
    [...LOADER, 'bench/bare/read-payment.ts'],
    { ...production, PORT: String(bare.read), DATABASE_URL: paymentDatabase.url },
    bare.read,
  );
  const proxy = await started(
    [...LOADER, 'bench/bare/proxy.ts'],
    { ...production, PORT: String(bare.proxy), UPSTREAM_URL: `http://127.0.0.1:${bare.read}` },
    bare.proxy,
  );

  const ours = side(ports.gateway, [gateway, service], ids, keys.secret);
  const floor = side(bare.proxy, [proxy, read], ids, keys.secret);
  await sample(ours);
  await sample(floor);
  const turns = await inTurns(
    TURNS,
    () => sample(ours),
    () => sample(floor),
  );
  report(turns);
} finally {
  await Promise.all(children.map((child) => child.stop()));
  await stopAnvil(chain);
  await server.remove();
}

async function acceptPayments(
  database: Awaited<ReturnType<typeof server.provision>>,
  orgId: string,
): Promise<string[]> {
  const dataSource = createDataSource({ database, entities, migrations });
  await dataSource.initialize();
  const outbox = new Outbox({ source: 'payment', environment: 'bench' }, { wake: () => undefined });
  const policy = {
    dustUsd: '0.05',
    stalledAfterMs: 600_000,
    taintUsd: '1',
    acceptsUnknownSenders: false,
  };
  const acceptance = new PaymentAcceptanceRepository(
    dataSource,
    outbox,
    unlimitedQuota(dataSource),
    policy,
  );
  const payments = Array.from({ length: PAYMENTS }, () => aConfirmedPayment(orgId));
  for (const payment of payments) await acceptance.accept(payment);
  await dataSource.destroy();
  return payments.map(({ id }) => id);
}

function side(port: number, processes: Child[], ids: string[], secret: string): Side {
  const client = new Pool(`http://127.0.0.1:${port}`, { connections: LANES });
  let next = 0;
  return {
    cpuSeconds: () => processes.reduce((sum, child) => sum + child.cpuSeconds(), 0),
    get: async () => {
      const path = `/payments?payment_id=${ids[next++ % ids.length]}`;
      const headers = { authorization: `Bearer ${secret}` };
      const { statusCode, body } = await client.request({ method: 'GET', path, headers });
      const text = await body.text();
      if (statusCode !== 200) throw new Error(`GET ${path} answered ${statusCode}: ${text}`);
    },
  };
}

async function sample({ get, cpuSeconds }: Side): Promise<Sample> {
  const before = cpuSeconds();
  const started = performance.now();
  const perSecond = await throughput(get, { lanes: LANES, forMs: TURN_MS });
  const requests = (perSecond * (performance.now() - started)) / 1000;
  return { perSecond, cpuMicros: ((cpuSeconds() - before) * 1e6) / requests };
}

function report(turns: [Sample, Sample][]): void {
  const line = (
    name: string,
    of: (turn: [Sample, Sample]) => number,
    digits: number,
    unit = '',
  ) => {
    const values = turns.map(of);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const figures = [median(values), low, high].map((value) => value.toFixed(digits));
    console.log(`${name.padEnd(24)} ${figures[0]}${unit} (${figures[1]} to ${figures[2]})`);
  };
  line('gateway and service', ([ours]) => ours.perSecond, 0, ' /s');
  line('bare proxy and Fastify', ([, floor]) => floor.perSecond, 0, ' /s');
  line('CPU per request', ([ours]) => ours.cpuMicros, 0, ' µs');
  line('bare CPU per request', ([, floor]) => floor.cpuMicros, 0, ' µs');
  line('throughput / bare', ([ours, floor]) => ours.perSecond / floor.perSecond, 2);
  line('CPU / bare', ([ours, floor]) => ours.cpuMicros / floor.cpuMicros, 2);
}
