import type { RunningService } from '@bascule/service-host';
import { eventually } from '@bascule/testing';
import type { CannedResponse } from '@bascule/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { USDC, WETH } from '../testing/a-quote.fixture.js';
import { BETA_USDC, CHAINS, confirmCrossing } from '../testing/crossing.fixture.js';
import { PaymentStack } from '../testing/payment-stack.fixture.js';

const AMOUNT = 20_000_000n;
/** Legs over one bridge at once. */
const SHARE = 4;

describe('beside a solver that misbehaves', () => {
  let stack: PaymentStack;
  let service: RunningService;
  beforeAll(async () => {
    stack = await PaymentStack.start({ EXECUTION_RETRY_MS: '300' }, CHAINS);
  });
  beforeEach(async () => {
    service = await stack.startProcess();
  });
  afterEach(async () => {
    stack.solver.misbehaves = null;
    await stack.stopServices();
  });
  afterAll(() => stack.stop());

  const crossing = () =>
    confirmCrossing(stack, service, { input: USDC, output: BETA_USDC, amount: AMOUNT });
  const onOneChain = () => stack.confirm(service, { input: USDC, output: WETH, amount: AMOUNT });
  const pay = ({ walletAddress }: PaymentRecord) => stack.send(USDC, walletAddress, AMOUNT);

  it('starts legs without it while every one of its own waits for an answer', async () => {
    const waiting = await Promise.all(Array.from({ length: SHARE + 4 }, crossing));
    const direct = await onOneChain();
    const before = stack.solver.requests.length;
    stack.solver.misbehaves = () => new Promise<CannedResponse>(() => undefined);
    for (const payment of waiting) await pay(payment);
    await eventually(() => expect(stack.solver.requests).toHaveLength(before + SHARE));
    await pay(direct);
    await eventually(async () => {
      expect((await stack.read(direct.id)).legs[0]?.transactionHash).not.toBeNull();
    });
    expect(stack.solver.requests).toHaveLength(before + SHARE);
    await stack.expectToBecome(direct, { status: 'COMPLETE' });
  });

  it.each<[string, CannedResponse]>([
    ['100 MB', { body: `"${'x'.repeat(100 * 1024 * 1024)}"` }],
    ['HTML', { body: '<html>maintenance</html>' }],
    ['wrong types', { body: '{"output_amount":[1],"fill_seconds":"2"}' }],
    ['a 429', { status: 429, headers: { 'retry-after': '1' }, body: '{}' }],
  ])('locks no money in its bridge on %s, and starts once it answers', async (_, answer) => {
    const [payment, direct] = await Promise.all([crossing(), onOneChain()]);
    stack.solver.misbehaves = () => answer;
    await pay(payment);
    await pay(direct);
    await stack.expectToBecome(payment, {
      status: 'PENDING',
      legs: [{ transactionHash: null, failure: { message: 'The bridge is unavailable.' } }, {}],
    });
    await stack.expectToBecome(direct, { status: 'COMPLETE' });
    stack.solver.misbehaves = null;
    await stack.expectToBecome(payment, { legs: [{ status: 'BRIDGING' }, {}] });
  });
});
