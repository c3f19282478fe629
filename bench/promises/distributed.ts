import { tokenIdentifier } from '@bascule/contracts';
import type { StackFile } from '@bascule/composition';
import { isAlive } from '@bascule/local-stack';
import { deployAnotherToken } from '@bascule/testing';
import { setTimeout as delay } from 'node:timers/promises';
import { ChaosSession } from '../../tests/chaos/chaos-session.js';
import { Random } from '../../tests/chaos/support/random.js';
import { newOrganisation } from '../../tests/e2e/testing/operators.fixture.js';
import { DistributedStack } from '../../tests/testing/distributed-stack.fixture.js';
import { Api } from '../../tools/first-payment/api.js';
import { quote } from '../../tools/first-payment/payments.js';
import { newTestUser } from '../../tools/first-payment/test-user.js';
import { quantile } from '../lib/rounds.js';
import { report, timeAfter, timeUntil } from './measured.js';

const AWAY_MS = 3_000;
const PAYMENT_EVERY_MS = 700;
/** Payments before a rolling restart, so that some end from its begin on. */
const LOAD_FIRST_MS = 10_000;
/** Twice the aim of a takeover. */
const OBSERVED_MS = 20_000;
const LEASE_POLL_MS = 50;
const SEED = 1;

const targets = {
  revocationMs: 5_000,
  addedAssetMs: 5_000,
  takeoverMs: 10_000,
  /** `SHUTDOWN_DEADLINE_MS` of libs/service-host/README.md. */
  serviceStopMs: 25_000,
  recoveryMs: 30_000,
  consumptionGapMs: 3_000,
  /** Limit in apps/distributed/README.md. */
  stackStopMs: 30_000,
};

/** Measures what an operator and an integrator of the distributed stack are promised. */
export async function distributed(): Promise<void> {
  const stack = await DistributedStack.create('bench-promises');
  try {
    const file = await stack.start();
    const session = await ChaosSession.open(stack, file, new Random(SEED));
    try {
      await session.workload.runOne('transfer');
      await revocation(stack);
      await addedAsset(stack, file);
      await rollingRestart(stack, session);
      await takeover(stack, session);
      await serviceStops(stack);
      await recoveries(stack, session);
    } finally {
      await session.close();
    }
    const stopped = stack.stop();
    const stopMs = await timeUntil(() => !stack.isRunning());
    report('the distributed stack stops after SIGTERM', stopMs, targets.stackStopMs);
    await stopped;
  } finally {
    await stack.dispose();
  }
}

const allReady = async (stack: DistributedStack): Promise<boolean> => {
  for (const { name, replica } of stack.services()) {
    if (!(await stack.isReady(name, replica))) return false;
  }
  return true;
};

/** From the return of the operator's command until the last replica refuses the key. */
async function revocation(stack: DistributedStack): Promise<void> {
  const { secret, keySetId } = await newOrganisation(stack);
  const gateways = stack.services().filter(({ name }) => name === 'gateway');
  const statusesOf = (): Promise<number[]> =>
    Promise.all(
      gateways.map(async ({ port }) => {
        const api = new Api(`http://127.0.0.1:${port}`, secret);
        return (await api.request('GET', '/chains')).status;
      }),
    );
  await timeUntil(async () => (await statusesOf()).every((status) => status === 200));
  const ms = await timeAfter(stack.operator('keys', 'revoke', '--id', keySetId), async () =>
    (await statusesOf()).every((status) => status === 401),
  );
  report(`a revoked key is refused by ${gateways.length} gateways`, ms, targets.revocationMs);
}

/** From the return of the operator's command until a quote uses the asset. */
async function addedAsset(stack: DistributedStack, file: StackFile): Promise<void> {
  const api = new Api(file.base_url, file.keys.secret);
  const rpcUrl = file.chains['alphanet']?.rpc_url ?? '';
  const token = tokenIdentifier('alphanet', await deployAnotherToken(rpcUrl));
  const { owner, destination } = newTestUser();
  const request = {
    input: { asset: token, amount: '20' },
    output: token,
    owner: owner.address,
    destination,
  };
  const isQuoted = (): Promise<boolean> =>
    quote(api, request).then(
      ({ quotes }) => quotes.length > 0,
      () => false,
    );
  const image = 'https://a.example/another.svg';
  const command = ['assets', 'add', token, '--image-url', image, '--pair', 'usdc/usd'];
  const added = stack.operator(...command);
  report('an added asset is quoted', await timeAfter(added, isQuoted), targets.addedAssetMs);
}

/** From the end of a payment until its event is consumed, for those that end during a rolling restart. */
async function rollingRestart(
  stack: DistributedStack,
  { workload, db }: ChaosSession,
): Promise<void> {
  let isLoaded = true;
  const payments: Promise<unknown>[] = [];
  const load = (async () => {
    while (isLoaded) {
      payments.push(workload.runOne('transfer'));
      await delay(PAYMENT_EVERY_MS);
    }
  })();
  await delay(LOAD_FIRST_MS);
  const since = new Date();
  await stack.rollingRestart();
  const until = new Date();
  isLoaded = false;
  await load;
  await Promise.all(payments);
  const gaps = await db.rows<{ ms: number }>(
    `SELECT extract(epoch FROM min(d.created_at) - p.completed_at)::float * 1000 AS ms
     FROM payment.payments p JOIN webhook_dispatch.webhook_delivery_log d ON d.workflow_id = p.id
     WHERE p.completed_at BETWEEN $1 AND $2 AND d.created_at >= p.completed_at
     GROUP BY p.id ORDER BY ms`,
    since,
    until,
  );
  const p99 = quantile(
    gaps.map(({ ms }) => ms),
    0.99,
  );
  const promise = `gap of consumption during a rolling restart, p99 of ${gaps.length} payments`;
  report(promise, p99, targets.consumptionGapMs);
}

/** From SIGKILL of a process that scans until each of its chains has another scanner. */
async function takeover(stack: DistributedStack, { db }: ChaosSession): Promise<void> {
  const holders = async (): Promise<Map<string, string>> => {
    const rows = await db.rows<{ name: string; holder: string }>(
      `SELECT name, holder FROM payment.leases
       WHERE name LIKE 'scanner:%' AND expires_at > clock_timestamp()`,
    );
    return new Map(rows.map(({ name, holder }) => [name, holder]));
  };
  // A lease does not tell its holder's process id: if no lease changes hands, the other replica led.
  for (const replica of [1, 2]) {
    const before = await holders();
    const pid = stack.signal('payment', replica, 'SIGKILL');
    const started = performance.now();
    const changedAfter = new Map<string, number>();
    while (performance.now() - started < OBSERVED_MS) {
      for (const [name, holder] of await holders()) {
        if (before.get(name) === holder || changedAfter.has(name)) continue;
        changedAfter.set(name, performance.now() - started);
      }
      await delay(LEASE_POLL_MS);
    }
    const isHeld = (await holders()).size === before.size;
    await stack.replaced('payment', replica, pid);
    if (isHeld && changedAfter.size === 0) continue;
    const ms = isHeld ? Math.max(...changedAfter.values()) : Number.POSITIVE_INFINITY;
    report('a scanner has a new leader after SIGKILL', ms, targets.takeoverMs);
    return;
  }
  throw new Error('no lease of a scanner changed its holder');
}

/** From SIGTERM until the end of the process: the slowest of one process of each service. */
async function serviceStops(stack: DistributedStack): Promise<void> {
  const names = new Set(stack.services().map(({ name }) => name));
  let [slowest, slowestMs] = ['', 0];
  for (const name of names) {
    const pid = stack.signal(name, 1, 'SIGTERM');
    const ms = await timeUntil(() => !isAlive(pid));
    if (ms > slowestMs) [slowest, slowestMs] = [name, ms];
    await stack.replaced(name, 1, pid);
  }
  report(`a service stops after SIGTERM (slowest: ${slowest})`, slowestMs, targets.serviceStopMs);
}

/** From the return of a server until a payment is complete and every process ready. */
async function recoveries(stack: DistributedStack, { workload }: ChaosSession): Promise<void> {
  const away = () => delay(AWAY_MS);
  const servers = {
    Kafka: () => stack.restartKafka(away),
    Postgres: () => stack.restartPostgres(away),
    Redis: () => stack.restartRedis(away),
  };
  for (const [server, restart] of Object.entries(servers)) {
    await timeUntil(() => allReady(stack));
    await restart();
    const started = performance.now();
    const { problem } = await workload.runOne('transfer');
    if (problem !== null) throw new Error(`payment after the outage of ${server}: ${problem}`);
    await timeUntil(() => allReady(stack));
    const ms = performance.now() - started;
    report(`a payment completes and all are ready after ${server} is back`, ms, targets.recoveryMs);
  }
}
