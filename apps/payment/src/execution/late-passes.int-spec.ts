import type { RunningService } from '@bascule/service-host';
import type { StandInKms } from '@bascule/signers/testing';
import { eventually } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { USDC } from '../testing/a-quote.fixture.js';
import { startExecutorKms } from '../testing/executor-kms.fixture.js';
import { PaymentStack } from '../testing/payment-stack.fixture.js';
import { SwitchesFeed } from '../testing/switches-feed.fixture.js';
import { LegStartService } from './leg-start.service.js';

const AMOUNT = 5_000_000n;
const DOWN = { status: 503, code: 'Unavailable' };

describe('a pass over a leg that outlives its lease', () => {
  let kms: StandInKms;
  let stack: PaymentStack;
  let service: RunningService;
  const feed = new SwitchesFeed('test');

  beforeAll(async () => {
    const executor = await startExecutorKms();
    ({ kms } = executor);
    stack = await PaymentStack.start({
      ...executor.environment,
      EXECUTION_RETRY_MS: '3600000',
    });
    service = await stack.startProcess();
  }, 120_000);
  afterAll(async () => {
    await stack.stop();
    await kms.stop();
  });

  it('starts no attempt without a transaction after another pass made its attempt', async () => {
    const payment = await stack.confirm(service, { input: USDC, output: USDC, amount: AMOUNT });
    kms.misbehave(...Array.from({ length: 10_000 }, () => DOWN));
    await stack.send(USDC, payment.walletAddress, AMOUNT);
    await stack.expectToBecome(payment, { legs: [{ status: 'EXECUTING', attempts: 1 }] });
    await feed.set([service], { kind: 'execution', subject: null });
    kms.misbehave();
    await stack.expectToBecome(payment, { legs: [{ status: 'ATTEMPT_FAILED', attempts: 1 }] });
    await feed.set([service]);

    const now = await stack.read(payment.id);
    const legs = now.legs.map((leg) => ({ ...leg, status: 'PENDING', attempts: 0 }) as const);
    await service.app.get(LegStartService).start({ ...now, legs }, 0, new Date());
    expect(await stack.read(payment.id)).toMatchObject({
      legs: [{ status: 'ATTEMPT_FAILED', attempts: 1 }],
    });

    await stack.letLeasesRunOut();
    await stack.expectToBecome(payment, { status: 'COMPLETE', legs: [{ attempts: 2 }] });
    await eventually(async () => {
      const transactions = await stack.sql(
        'SELECT 1 FROM chain_transactions WHERE reference LIKE $1',
        [`leg:${payment.id}:%`],
      );
      expect(transactions).toHaveLength(2);
    });
  });
});
