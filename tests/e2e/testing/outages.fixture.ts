import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@bascule/testing';
import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { TestPayment } from '../../chaos/payments/test-payment.js';
import type { Received } from '../../chaos/client/webhook-inbox.js';
import { Random } from '../../chaos/support/random.js';
import { claimsTable } from '../../chaos/report.js';
import { ChaosSession } from '../../chaos/chaos-session.js';
import { Api } from '../../../tools/first-payment/api.js';
import type { StackFile, StackService } from '@bascule/composition';
import { isLongForm } from '../../testing/long-form.fixture.js';
import type { DistributedStack } from '../../testing/distributed-stack.fixture.js';
import { endsConsumed, metricOf, takeDatabaseAway } from './disturbances.fixture.js';
import { GatewayProbe } from './gateway-probe.fixture.js';

const SETTLES_MS = 120_000;
const AWAY_MS = 3_000;
/** Longer than any attempt is repeated before it counts as a failure. */
const DATABASE_AWAY_MS = isLongForm ? 60_000 : 20_000;

const seed = Number(process.env['CHAOS_SEED'] ?? randomInt(2 ** 31));

const isDispatcher = ({ name }: StackService) => name === 'webhook-dispatch';

/** Tests of a running stack that loses servers, replicas and a database while payments run. */
export function outages(running: () => { stack: DistributedStack; file: StackFile }): void {
  describe(`the distributed stack under load (CHAOS_SEED=${seed})`, () => {
    let stack: DistributedStack;
    let file: StackFile;
    let session: ChaosSession;
    let isLoaded = true;
    let load: Promise<void>;

    beforeAll(async () => {
      ({ stack, file } = running());
      session = await ChaosSession.open(stack, file, new Random(seed));
      load = session.workload.run({ payments: 20, startsPerSecond: 1, isNeeded: () => isLoaded });
    }, 600_000);

    afterAll(async () => {
      isLoaded = false;
      await load;
      await session.close();
    }, 600_000);

    const processes = () =>
      stack.services().map(({ name, replica, pid }) => ({ name, replica, pid }));

    const allReady = async () => {
      for (const { name, replica } of stack.services()) {
        expect({ name, replica, ready: await stack.isReady(name, replica) }).toMatchObject({
          ready: true,
        });
      }
    };

    /** Runs a payment to its webhook, through every service and server, and waits until all are ready. */
    async function goesOn(): Promise<void> {
      const deadline = Date.now() + SETTLES_MS;
      const played = session.workload.runOne('transfer');
      const late = delay(SETTLES_MS, null, { ref: false });
      const payment = await Promise.race([played, late]);
      expect(payment).toMatchObject({ problem: null, expected: ['COMPLETE'] });
      const id = payment?.accepted?.id;
      await eventually(
        () =>
          expect(session.inbox.received.map(({ body }) => body.event.workflow_id)).toContain(id),
        { timeoutMs: Math.max(0, deadline - Date.now()) },
      );
      await eventually(allReady, { timeoutMs: Math.max(0, deadline - Date.now()) });
    }

    /** Replaces every replica and returns how many payments ended meanwhile with their events consumed by then. */
    async function consumedDuringRestart(): Promise<number> {
      const since = new Date();
      await stack.rollingRestart();
      const { ended, consumed } = await endsConsumed(session.db, since);
      expect(ended).toBeGreaterThan(5);
      return consumed;
    }

    it.each([
      ['Kafka', () => stack.restartKafka(() => delay(AWAY_MS))],
      ['Postgres', () => stack.restartPostgres(() => delay(AWAY_MS))],
      ['Redis', () => stack.restartRedis(() => delay(AWAY_MS))],
    ])(
      'continues with the same processes after an outage of %s',
      async (_, restart) => {
        await goesOn();
        const before = processes();
        await restart();
        await goesOn();
        expect({ processes: processes(), failures: stack.failures() }).toEqual({
          processes: before,
          failures: [],
        });
      },
      700_000,
    );

    it('fails no request and keeps consuming while its replicas are replaced', async () => {
      const before = processes();
      const interruptions = session.log.interruptions.length;
      const { accepted, organisation } = await session.workload.runOne('unfunded');
      // Of every service that is replaced, and the gateway before it.
      const probe = GatewayProbe.start(new Api(file.base_url, organisation.key), [
        { path: '/payments', query: { payment_id: accepted?.id ?? '' } },
        { path: '/orgs/webhooks' },
        { path: '/chains' },
      ]);
      const consumed = await consumedDuringRestart();
      const { requests, failures } = await probe.stop();
      expect(failures).toEqual([]);
      expect(requests).toBeGreaterThan(100);
      const interrupted = session.log.interruptions.slice(interruptions);
      expect(interrupted.map(({ service, cause }) => `${service}: ${cause}`)).toEqual([]);
      const replaced = processes().filter(({ pid }) => before.every((each) => each.pid !== pid));
      expect(replaced.map(({ name }) => name).sort()).toEqual([
        'gateway',
        'gateway',
        'payment',
        'payment',
        'webhook-dispatch',
        'webhook-dispatch',
      ]);
      // How fast they are consumed depends on the machine; that all of them are is the last tests' claim.
      expect(consumed).toBeGreaterThan(0);
    }, 700_000);

    it('catches up without dead letters after a database outage of one service', async () => {
      const before = processes();
      const bringBack = await takeDatabaseAway(session.db, 'webhook-dispatch');
      await delay(DATABASE_AWAY_MS);
      for (const replica of [1, 2]) {
        expect(await stack.isReady('webhook-dispatch', replica)).toBe(false);
      }
      await bringBack();
      await goesOn();
      expect(processes()).toEqual(before);
      for (const { name, operations_port: port } of stack.services().filter(isDispatcher)) {
        const counted = await metricOf(port, 'messaging_events_total', 'outcome="parked"');
        expect({ name, counted }).toEqual({ name, counted: 0 });
      }
      expect(await session.db.count('webhook_dispatch.parked_events')).toBe(0);
      expect(await session.db.count('webhook_dispatch.dead_letters')).toBe(0);
    }, 400_000);

    it('has lost and duplicated nothing', async () => {
      isLoaded = false;
      await load;
      const verdict = await session.verify();
      expect(verdict.findings.hold || claimsTable(verdict)).toBe(true);
    }, 700_000);

    it('detects wrong balances, webhooks and statuses', async () => {
      const { db, workload, inbox } = session;
      const [paidTwice, miscounted, unheard, mistaken] = workload.payments.filter(
        ({ scenario: kind, problem }) => kind === 'transfer' && problem === null,
      );
      if (!paidTwice || !miscounted || !unheard || !mistaken) throw new Error('too few payments');
      const { chain, destination } = paidTwice;
      await chain.transfer(chain.faucet, chain.token('WBTC'), destination, 1n);
      const add = 'UPDATE payment.deposits SET amount = amount + 1 WHERE payment_id = $1';
      await db.rows(add, miscounted.accepted?.id);
      const isHeard = ({ body }: Received) => body.event.workflow_id !== unheard.accepted?.id;
      inbox.received.splice(0, Infinity, ...inbox.received.filter(isHeard));
      await db.rows(
        `UPDATE payment.payments SET status = 'EXPIRED' WHERE id = $1`,
        mistaken.accepted?.id,
      );

      const { findings } = await session.verify();
      const broken = findings.claims.filter((claim) => claim.broken.length > 0);
      const about = (payment: TestPayment) =>
        broken
          .filter((claim) => claim.broken.join().includes(payment.accepted?.id ?? '-'))
          .map(({ text }) => text);
      expect(about(paidTwice)).toContain('a destination gets no other money');
      expect(about(miscounted)).toContain(
        'every wallet adds up, on chain and in the databases alike',
      );
      expect(about(unheard)).toEqual(['every webhook is delivered, to its receiver, under one id']);
      expect(about(mistaken)).toContain('accepted payments are terminal or correctly waiting');
    }, 700_000);
  });
}
