import type { RunningService } from '@bascule/service-host';
import { eventually, SanctionedFile } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { USDC, WETH } from '../testing/a-quote.fixture.js';
import { PaymentStack } from '../testing/payment-stack.fixture.js';

const AMOUNT = 100_000_000n;

describe('the allowance of small sums', () => {
  const file = new SanctionedFile();
  const owner = privateKeyToAddress(generatePrivateKey());
  let stack: PaymentStack;
  let service: RunningService;
  beforeAll(async () => {
    stack = await PaymentStack.start({
      SCREENING_FILE: file.path,
      // Half of it is for payments.
      SCREENING_ALLOWANCE_USD: '300',
      EXECUTION_RETRY_MS: '300',
    });
    service = await stack.startProcess();
  });
  afterAll(async () => {
    await stack.stop();
    file.remove();
  });

  const aPayment = () =>
    stack.confirm(service, { input: USDC, output: WETH, amount: AMOUNT, owner });

  it('is spent by legs: one payment of an owner runs while a source is unavailable, the next one waits', async () => {
    file.takeAway();
    const [first, second] = [await aPayment(), await aPayment()];
    await stack.send(USDC, first.walletAddress, AMOUNT);
    await stack.expectToBecome(first, { status: 'COMPLETE' });
    const spent = await stack.sql<{ reference: string; org_id: string }>(
      'SELECT reference, org_id FROM screening_allowances',
    );
    expect(spent).toEqual([{ reference: first.id, org_id: first.orgId }]);

    await stack.send(USDC, second.walletAddress, AMOUNT);
    await eventually(async () => {
      const asked = await stack.sql<{ times: number }>(
        `SELECT times FROM screenings
         WHERE reference = $1 AND purpose = 'leg' AND verdict = 'unanswered' AND address = $2`,
        [second.id, owner.toLowerCase()],
      );
      expect(asked[0]?.times).toBeGreaterThan(1);
    });
    expect(await stack.read(second.id)).toMatchObject({ status: 'PENDING' });
    file.list();
    await stack.expectToBecome(second, { status: 'COMPLETE' });
  });
});
