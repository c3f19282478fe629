import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseTokenIdentifier, type Payment } from '@bascule/contracts';
import { FAULT_POINTS } from '@bascule/process';
import { erc20Abi } from 'viem';
import {
  confirmBody,
  quote,
  reaches,
  type PaymentRequest,
} from '../../tools/first-payment/payments.js';
import { newTestUserWith, type TestUser, type Stage } from '../../tools/first-payment/test-user.js';
import { fund } from '../../tools/first-payment/swap.js';
import { verifyCompleted } from '../../tools/first-payment/verify-completed.js';
import { Fault } from './testing/fault.fixture.js';
import { silentStage } from './testing/stage.fixture.js';
import { SWAPPED, timelineOf, typesOf } from './testing/timeline.fixture.js';
import { isLongForm } from '../testing/long-form.fixture.js';
import { StackProcess } from '../testing/stack-process.fixture.js';

/** `:2`: the second time; several points are passed once in the transaction and once after it. */
const POINTS = [
  'payment.confirmed',
  'payment.deposit-seen',
  'payment.deposit-seen:2',
  'payment.funded',
  'payment.funded:2',
  'payment.leg-planned',
  'payment.leg-planned:2',
  'transactions.reserved',
  'transactions.signed',
  'transactions.recorded',
  'transactions.broadcast',
  'payment.leg-settled',
  'payment.leg-settled:2',
  'payment.completed',
  'payment.completed:2',
  'outbox.published',
  'outbox.published:3',
  'outbox.deleted',
  'messaging.handled',
  'messaging.handled:5',
  'webhook.enqueued',
  'webhook.sent',
];

/** At least one point on each side of every transaction, broadcast and delivery. */
const SHORT = [
  'payment.confirmed',
  'payment.deposit-seen:2',
  'payment.leg-planned',
  'transactions.recorded',
  'transactions.broadcast',
  'payment.leg-settled:2',
  'messaging.handled:5',
  'webhook.sent',
];

const AMOUNT = '25';

const KILLED_AT = isLongForm ? POINTS : SHORT;
const STEPS = KILLED_AT.map((point, index) => ({ point, next: KILLED_AT[index + 1] ?? point }));

let stack: StackProcess;
let stage: Stage;
let fault: Fault;

beforeAll(async () => {
  stack = await StackProcess.create('kill');
  fault = new Fault(stack, KILLED_AT[0] ?? '');
  stage = await silentStage(await fault.startStack());
});

afterAll(async () => {
  await stage.webhooks.close();
  await stack.dispose();
});

describe('the stack, killed at a point of a payment and started again', () => {
  it('uses existing fault points only', () => {
    const names = new Set(POINTS.map((point) => point.split(':')[0]));
    expect(FAULT_POINTS.map(String)).toEqual(expect.arrayContaining([...names]));
    expect(names.size).toBeGreaterThanOrEqual(10);
    expect(POINTS).toEqual(expect.arrayContaining(SHORT));
  });

  it.each(STEPS)(
    'finishes the payment with one payout, one webhook and one timeline ($point)',
    async ({ point, next }) => {
      fault = await fault.orRestartedFor(point);
      const { user, request, body } = await aQuotedSwap();

      fault.arm();
      const struck = fault.strikes();
      // The client gets a connection error and continues after the restart.
      const isConfirmed = await confirmAndFund(user, body).catch(() => false);
      await struck;
      // Already the stack that the next test is going to kill.
      fault = new Fault(stack, next);
      await fault.startStack();
      if (!isConfirmed) await confirmAndFund(user, body);

      const completed = await reaches(stage.api, body.payment_id, 'COMPLETE');
      const held = await verifyCompleted(stage.chain, completed);
      expect(await payouts(request)).toEqual([held]);
      expect(typesOf(await timelineOf(stage.api, body.payment_id))).toEqual(SWAPPED);
      await stage.webhooks.waitFor(body.payment_id, 'COMPLETE');
      expect(stage.webhooks.idsOf(body.payment_id).size).toBe(1);
    },
    400_000,
  );
});

async function aQuotedSwap() {
  const { api, chain } = stage;
  const usdc = chain.token('USDC');
  const user = await newTestUserWith(chain, usdc, AMOUNT);
  const request: PaymentRequest = {
    input: { asset: usdc, amount: AMOUNT },
    output: chain.token('WETH'),
    owner: user.owner.address,
    destination: user.destination,
  };
  const { quotes, state_token } = await quote(api, request);
  const [first] = quotes;
  if (!first) throw new Error('no quote');
  return { user, request, body: confirmBody(request, first.payment_id, state_token) };
}

/** Confirms and funds as a retrying client does: the answer to an earlier attempt is repeated. */
async function confirmAndFund(
  user: TestUser,
  body: ReturnType<typeof confirmBody>,
): Promise<boolean> {
  const { api, chain } = stage;
  const headers = { 'idempotency-key': body.payment_id };
  const answer = await api.request('POST', '/payments/confirm', { body, headers });
  if (answer.status !== 200) throw new Error(`confirm answered ${answer.status}`);
  const payment = answer.body as Payment;
  const funds = await chain.balance(chain.token('USDC'), user.owner.address);
  if (funds > 0n) await fund(stage, user, payment);
  return true;
}

/** Lists all transfers of the output to the destination. */
async function payouts({ output, destination }: PaymentRequest): Promise<bigint[]> {
  const logs = await stage.chain.client.getContractEvents({
    address: parseTokenIdentifier(output as `${string}:0x${string}`).address,
    abi: erc20Abi,
    eventName: 'Transfer',
    args: { to: destination },
    fromBlock: 0n,
    strict: true,
  });
  return logs.map(({ args }) => args.value);
}
