import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type {
  BalancesResponse,
  WithdrawResponse,
  WithdrawalStatusResponse,
} from '@bascule/contracts';
import { eventually } from '@bascule/testing';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { ORDERED, instructionOf, openOrder } from '../testing/orders.fixture.js';
import type { OpenedOrder } from '../testing/orders.fixture.js';
import { startTwoChainStage } from '../testing/two-chain-stage.fixture.js';
import type { TwoChainStage } from '../testing/two-chain-stage.fixture.js';
import { ORGANISATION, RELAYER, USDC } from '../testing/withdrawal-stage.fixture.js';
import type { Stage } from '../testing/withdrawal-stage.fixture.js';

const MAIN = resolve('bundle/withdrawal.js');
const FAULTS = [
  // In the transaction of the request, and of its confirmation.
  'idempotency.stored',
  'idempotency.stored:2',
  'withdrawal.authorised',
  'withdrawal.submitted',
  'transactions.broadcast',
  'withdrawal.settled',
] as const;
const owner = privateKeyToAccount(generatePrivateKey());

let stage: Stage;
let passTime: TwoChainStage['passTime'];
let stop: TwoChainStage['stop'];
const orders: OpenedOrder[] = [];
const children: ChildProcess[] = [];

beforeAll(async () => {
  ({ stage, passTime, stop } = await startTwoChainStage());
  for (const _ of FAULTS) {
    const opened = await openOrder(stage, owner.address);
    const { payment } = opened;
    await stage.publish('payment', 'payment.failed', payment.id, opened.state('OPEN'));
    await stage.call<BalancesResponse>('/payments/balances', { payment_id: payment.id });
    orders.push(opened);
  }
  const until = orders.reduce((latest, { order }) => max(latest, order.fillDeadline), 0n) + 1n;
  await passTime(until);
}, 120_000);
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await stop();
});

const max = (a: bigint, b: bigint) => (a > b ? a : b);

/** Starts the service as a process of its own. */
async function start(extra: Record<string, string> = {}): Promise<ChildProcess> {
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env['PATH'], ...stage.environment, LOG_LEVEL: 'info', ...extra },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  for await (const line of createInterface({ input: child.stdout })) {
    const entry = JSON.parse(line) as { msg?: string; port?: number };
    if (entry.msg !== 'listening') continue;
    child.stdout.resume();
    await stage.handOver(`http://127.0.0.1:${entry.port}`);
    return child;
  }
  throw new Error('process did not start');
}

const ask = async ({ payment }: OpenedOrder, recipient: string): Promise<WithdrawResponse> => {
  const { status, body } = await stage.call<WithdrawResponse>(
    '/payments/withdraw',
    {
      payment_id: payment.id,
      token_amounts: [{ token: USDC, amount: '100' }],
      recipient_address: recipient,
      withdraw_account: 'INTENT',
    },
    ORGANISATION,
    { 'idempotency-key': payment.id },
  );
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
};

const confirm = async (asked: WithdrawResponse) => {
  const { state_token, withdraw_authorization: message, payment_id } = asked;
  const signature = await owner.signMessage({ message });
  return stage.call<WithdrawalStatusResponse>(
    '/payments/withdraw/confirm',
    { state_token, signature, polling_timeout: 30_000 },
    ORGANISATION,
    { 'idempotency-key': payment_id },
  );
};

describe('a refund whose process is killed', () => {
  it.each(FAULTS.map((fault, index) => [fault, index] as const))(
    'at %s is paid once',
    async (fault, index) => {
      const opened = orders[index];
      if (opened === undefined) throw new Error('no order');
      const recipient = privateKeyToAddress(generatePrivateKey());
      const before = await stage.client.getTransactionCount({ address: RELAYER });

      const doomed = await start({ FAULT_POINTS_ARMED: '1', FAULT_POINT: fault });
      const dead = once(doomed, 'exit');
      const asked = await ask(opened, recipient).catch(() => null);
      if (asked !== null) await confirm(asked).catch(() => null);
      expect(await dead).toEqual([null, 'SIGKILL']);

      const heir = await start();
      const answer = await ask(opened, recipient);
      expect(asked ?? answer).toEqual(answer);
      const stored = 'SELECT id FROM withdrawals WHERE payment_id = $1';
      expect(await stage.database.rows(stored, [opened.payment.id])).toEqual([
        { id: answer.withdraw_id },
      ]);
      const confirmed = await confirm(answer);
      expect(confirmed.status).toBe(200);
      await eventually(async () => {
        const path = `/payments/withdraw/status?withdraw_id=${answer.withdraw_id}`;
        expect((await stage.call<WithdrawalStatusResponse>(path)).body.status).toBe('SUCCESS');
      });
      const { fee } = instructionOf(answer.withdraw_authorization, opened.order);
      expect(await stage.balance(USDC, recipient)).toBe(ORDERED - fee);
      const after = await stage.client.getTransactionCount({ address: RELAYER });
      expect(after - before).toBe(1);
      expect((await confirm(answer)).body).toEqual(confirmed.body);
      const ended = once(heir, 'exit');
      heir.kill('SIGTERM');
      await ended;
    },
  );
});
