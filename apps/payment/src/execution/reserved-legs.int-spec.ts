import type { Pause } from '@bascule/contracts';
import type { RunningService } from '@bascule/service-host';
import type { StandInKms } from '@bascule/signers/testing';
import { eventually } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { USDC } from '../testing/a-quote.fixture.js';
import { startExecutorKms } from '../testing/executor-kms.fixture.js';
import { PaymentStack } from '../testing/payment-stack.fixture.js';
import { SwitchesFeed } from '../testing/switches-feed.fixture.js';

const AMOUNT = 5_000_000n;
const DOWN = { status: 503, code: 'Unavailable' };

describe('a leg that is reserved while its key is away', () => {
  let kms: StandInKms;
  let stack: PaymentStack;
  let service: RunningService;
  const feed = new SwitchesFeed('test');

  beforeAll(async () => {
    const executor = await startExecutorKms();
    ({ kms } = executor);
    stack = await PaymentStack.start({
      ...executor.environment,
      EXECUTION_RETRY_MS: '300',
    });
    service = await stack.startProcess();
  }, 120_000);
  afterAll(async () => {
    await stack.stop();
    await kms.stop();
  });

  /** Purposes of the attempts of a payment's transactions, by their references. */
  const attemptsOf = async ({ id }: PaymentRecord): Promise<Record<string, string[]>> => {
    const rows = await stack.sql<{ reference: string; purposes: string[] }>(
      `SELECT t.reference, coalesce(array_agg(a.purpose) FILTER (WHERE a.number IS NOT NULL), '{}') AS purposes
       FROM chain_transactions t LEFT JOIN chain_transaction_attempts a ON a.transaction_id = t.id
       WHERE t.reference LIKE $1 GROUP BY t.reference`,
      [`leg:${id}:%`],
    );
    return Object.fromEntries(rows.map(({ reference, purposes }) => [reference, purposes]));
  };

  it.each<Pick<Pause, 'kind' | 'subject'>>([
    { kind: 'execution', subject: null },
    { kind: 'chain', subject: 'alphanet' },
  ])('is not sent while $kind is paused, and is tried again after the resume', async (thrown) => {
    const payment = await stack.confirm(service, { input: USDC, output: USDC, amount: AMOUNT });
    kms.misbehave(...Array.from({ length: 10_000 }, () => DOWN));
    await stack.send(USDC, payment.walletAddress, AMOUNT);
    const first = `leg:${payment.id}:0:1`;
    await eventually(async () => expect(await attemptsOf(payment)).toEqual({ [first]: [] }), {
      timeoutMs: 60_000,
    });
    await feed.set([service], thrown);
    kms.misbehave();
    await eventually(
      async () => expect(await attemptsOf(payment)).toEqual({ [first]: ['cancellation'] }),
      { timeoutMs: 60_000 },
    );
    await eventually(
      async () => {
        const [waiting] = await stack.sql<{ count: string }>(
          `SELECT count(*) FROM timeline_entries
           WHERE payment_id = $1 AND type = 'leg.waiting' AND facts->>'reason' LIKE '%is paused'`,
          [payment.id],
        );
        expect(Number(waiting?.count)).toBeGreaterThan(0);
      },
      { timeoutMs: 60_000 },
    );
    expect(await stack.balance(USDC, payment.walletAddress)).toBe(AMOUNT);
    await feed.set([service]);
    await eventually(
      async () => {
        expect(await stack.read(payment.id)).toMatchObject({ status: 'COMPLETE' });
      },
      { timeoutMs: 60_000, intervalMs: 500 },
    );
    expect(await attemptsOf(payment)).toEqual({
      [first]: ['cancellation'],
      [`leg:${payment.id}:0:2`]: ['payload'],
    });
  });
});
