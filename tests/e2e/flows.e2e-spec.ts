import type { Payment } from '@bascule/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runAction } from '../../tools/first-payment/action.js';
import { runExactOutputs } from '../../tools/first-payment/exact-output.js';
import { runLarge } from '../../tools/first-payment/large.js';
import { runOnramps } from '../../tools/first-payment/onramp.js';
import { reaches } from '../../tools/first-payment/payments.js';
import type { Stage } from '../../tools/first-payment/test-user.js';
import { runRecoveries } from '../../tools/first-payment/recover.js';
import { runRetries } from '../../tools/first-payment/retry.js';
import { runSwaps } from '../../tools/first-payment/swap.js';
import { runAddedAsset } from './testing/added-asset.fixture.js';
import { runDeniedDestinations } from './testing/denied-destination.fixture.js';
import { runHandFed, runPartlyHandFed } from './testing/hand-fed.fixture.js';
import { runReadme } from './testing/readme.fixture.js';
import { runRevenueShare } from './testing/revenue-share.fixture.js';
import { runSwift } from './testing/swift.fixture.js';
import { silentStage } from './testing/stage.fixture.js';
import { StackProcess } from '../testing/stack-process.fixture.js';

const statusesOf = (payments: readonly Payment[]) => payments.map(({ status }) => status);

let stack: StackProcess;
let stage: Stage;

beforeAll(async () => {
  stack = await StackProcess.create('flows');
  stage = await silentStage(await stack.start());
});

afterAll(async () => {
  await stage.webhooks.close();
  await stack.dispose();
});

// The scenarios compare every response with the chain, and return the verified payments.
describe('a user', () => {
  it('swaps tokens and native currency, and transfers', async () => {
    const payments = await runSwaps(stage);
    expect(statusesOf(payments)).toEqual(['COMPLETE', 'COMPLETE', 'COMPLETE', 'COMPLETE']);
  }, 400_000);

  it('pays 2,500 dollars, and signs as the owner before the first payment', async () => {
    const payments = await runLarge(stage);
    expect(statusesOf(payments)).toEqual(['COMPLETE', 'COMPLETE']);
    expect(new Set(payments.map(({ owner_address }) => owner_address)).size).toBe(1);
  }, 400_000);

  it('follows the README with curl', async () => {
    const first = await runReadme(stack, ['## A first payment with curl']);
    const completed = await reaches(stage.api, first.payment.payment_id, 'COMPLETE');
    expect(completed.quoted.output_amount).toEqual(first.payment.quoted.output_amount);
    expect(first.requests).toEqual([
      'POST /payments/quotes',
      'POST /payments/confirm',
      `GET /payments?payment_id=${first.payment.payment_id}`,
    ]);
    const { output, payment, files } = await runReadme(stack, [
      '## A first payment with curl',
      '### A large payment',
    ]);
    expect(output).toContain('Confirm that you control this address');
    expect(payment).toMatchObject({ status: 'PENDING', next_instruction: { type: 'ONRAMP' } });
    expect(payment.payment_id).not.toBe(first.payment.payment_id);
    expect(files).toEqual(['.local']);
  }, 400_000);

  it('buys tokens with fiat, converted where needed', async () => {
    const payments = await runOnramps(stage);
    expect(statusesOf(payments)).toEqual(['COMPLETE', 'COMPLETE']);
    expect(payments.map(({ fulfilled }) => fulfilled.onramp)).toEqual(['thriftramp', 'swiftramp']);
  }, 400_000);

  it('deposits part of the output into a vault by custom actions', async () => {
    const { status, fulfilled } = await runAction(stage);
    expect(status).toBe('COMPLETE');
    const effects = fulfilled.route.at(-1)?.net_effect.produce ?? [];
    expect(effects.map(({ resource }) => resource.property)).toEqual(
      expect.arrayContaining(['BALANCE', 'APPROVAL', 'SIDE_EFFECT']),
    );
  }, 400_000);

  it('pays for fixed outputs: swapped, transferred, bought and across chains', async () => {
    const payments = await runExactOutputs(stage);
    expect(statusesOf(payments)).toEqual(['COMPLETE', 'COMPLETE', 'COMPLETE', 'COMPLETE']);
    const kinds = payments.map(({ quote_request }) => quote_request.request.kind);
    expect(new Set(kinds)).toEqual(new Set(['FIXED_OUTPUT']));
  }, 400_000);

  it('retries an underpaid payment, and spends the surplus of a completed one', async () => {
    const retries = await runRetries(stage);
    expect(statusesOf(retries.map(({ child }) => child))).toEqual(['COMPLETE', 'COMPLETE']);
    expect(statusesOf(retries.map(({ parent }) => parent))).toEqual(['WITHDRAWN', 'COMPLETE']);
    for (const { child, parent } of retries) {
      expect(child.parent_payment_id).toBe(parent.payment_id);
      expect(child.quote_request.parent_payment_id).toBe(parent.payment_id);
    }
  }, 300_000);

  it('recovers from an underpayment and a failed conversion', async () => {
    const payments = await runRecoveries(stage);
    expect(statusesOf(payments)).toEqual(['WITHDRAWN', 'WITHDRAWN']);
  }, 400_000);

  it.each([
    ['never opened', false],
    ['open', true],
  ])('pays a purchase in tokens while its checkout is %s', async (_what, isOpened) => {
    const { status, fulfilled, quoted } = await runHandFed(stage, isOpened);
    expect(status).toBe('COMPLETE');
    expect(fulfilled.route.map(({ type }) => type)).toEqual(['USER_FUND', 'ONCHAIN_STEP']);
    expect(fulfilled).not.toHaveProperty('onramp');
    expect(fulfilled).not.toHaveProperty('onramp_method');
    expect(Number(fulfilled.fees.conversion_fees)).toBeLessThan(
      Number(quoted.fees.conversion_fees),
    );
    // The least deposit pays its part of the gas: 0.5 % less.
    const gas = Number(fulfilled.fees.network_fees) / Number(quoted.fees.network_fees);
    expect(gas).toBeCloseTo(0.995, 3);
  });

  it('adds tokens by hand to a purchase, which are shown apart from it', async () => {
    const { pending, completed } = await runPartlyHandFed(stage);
    const steps = ({ fulfilled }: Payment) =>
      fulfilled.route.map(({ type, status, net_effect: { consume } }) => [
        `${type}:${status}`,
        ...consume.map(({ account, amount }) => `${account} ${amount}`),
      ]);
    expect(steps(pending).slice(0, 2)).toEqual([
      ['USER_FUND:COMPLETE', 'USER 4'],
      ['ONRAMP:PENDING', 'USER 120'],
    ]);
    expect(steps(completed)).toEqual([
      ['USER_FUND:COMPLETE', 'USER 4'],
      ['ONRAMP:COMPLETE', 'USER 120'],
      ['ONCHAIN_STEP:COMPLETE', expect.stringMatching(/^SPW /)],
    ]);
    const { onramp, fees } = completed.fulfilled;
    expect(onramp).toBe('swiftramp');
    expect(Number(fees.conversion_fees)).toBeGreaterThan(0);
  }, 300_000);

  it('buys tokens by SWIFT with keys that it is enabled for', async () => {
    const { status, fulfilled } = await runSwift(stage, stack);
    expect([status, fulfilled.onramp_method]).toEqual(['COMPLETE', 'SWIFT']);
  }, 300_000);

  it('pays receivers exactly the revenue share of its organisation', async () => {
    const payments = await runRevenueShare(stage, stack);
    expect(statusesOf(payments)).toEqual(['COMPLETE', 'COMPLETE']);
  }, 300_000);

  it('pays with a newly added token and withdraws it', async () => {
    const { token, paid, recovered } = await runAddedAsset(stage, stack);
    expect(paid.status).toBe('COMPLETE');
    expect(paid.fulfilled.output_amount.asset).toBe(token);
    expect(recovered).toBeGreaterThan(0n);
  }, 300_000);

  it('is told that a token denies the destination, or withdraws when it does so too late', async () => {
    const { status, fulfilled } = await runDeniedDestinations(stage, stack);
    expect(status).toBe('WITHDRAWN');
    expect(fulfilled.route.at(-1)?.status).toBe('FAILED');
  }, 300_000);
});
