import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  parseTokenIdentifier,
  type ParkedFundsResponse,
  type WithdrawalStatusResponse,
  type WithdrawResponse,
} from '@bascule/contracts';
import { eventually } from '@bascule/testing';
import { erc20Abi, type Address } from 'viem';
import { quoteAndConfirm, reaches } from '../../tools/first-payment/payments.js';
import { newTestUserWith, type TestUser, type Stage } from '../../tools/first-payment/test-user.js';
import { until } from '../../tools/first-payment/polling.js';
import {
  parkedBalance,
  signedPayout,
  signTypedData,
  type ParkedBalance,
  requestWithdrawal,
} from '../../tools/first-payment/withdraw.js';
import { Fault } from './testing/fault.fixture.js';
import { apiOf } from './testing/operators.fixture.js';
import { silentStage } from './testing/stage.fixture.js';
import { StackProcess } from '../testing/stack-process.fixture.js';

const WANTED = '25';
const SENT = '10';

let stack: StackProcess;
let stage: Stage;
let fault: Fault;

beforeAll(async () => {
  stack = await StackProcess.create('withdrawal');
  fault = new Fault(stack, 'withdrawal.authorised');
  stage = await silentStage(await fault.startStack());
});

afterAll(async () => {
  await stage.webhooks.close();
  await stack.dispose();
});

describe('a withdrawal', () => {
  it.each([
    'withdrawal.authorised',
    'withdrawal.submitted',
    'transactions.recorded',
    'transactions.broadcast',
    'withdrawal.settled',
  ])(
    'is paid once when the stack is killed at %s',
    async (point) => {
      fault = await fault.orRestartedFor(point);
      const parked = await aParkedPayment();
      // Continues with the existing withdrawal, or starts a new one.
      const signed = (await killedDuring(parked)) ?? (await authorise(parked));
      expect([200, 409]).toContain(await confirmed(signed));

      const { transaction_hash } = await until('the withdrawal', async () => {
        const status = await stage.api.get<WithdrawalStatusResponse>('/payments/withdraw/status', {
          withdraw_id: signed.withdrawId,
        });
        return status.status === 'SUCCESS' ? status : null;
      });
      const received = await transfers(parked.wallet, parked.user.owner.address);
      expect(received).toEqual([{ value: signed.payout, transactionHash: transaction_hash }]);
      await reaches(stage.api, parked.paymentId, 'WITHDRAWN');
    },
    400_000,
  );

  it('is executed once for repeated and concurrent confirms', async () => {
    await stack.stop();
    await stack.start();
    const parked = await aParkedPayment();
    const signed = await authorise(parked);
    const answers = await Promise.all(Array.from({ length: 6 }, () => confirmed(signed)));
    for (const status of answers) expect([200, 409]).toContain(status);
    expect(answers).toContain(200);
    await reaches(stage.api, parked.paymentId, 'WITHDRAWN');
    expect([200, 409]).toContain(await confirmed(signed));
    expect(await transfers(parked.wallet, parked.user.owner.address)).toHaveLength(1);
  });

  it('is announced by the parked funds of its owner, and ends them', async () => {
    const parked = await aParkedPayment();
    const { keys } = stage.stack;
    const issuesFor = async (key: string) =>
      apiOf(stack, key).post<ParkedFundsResponse>('/payments/issues', {
        owner_address: parked.user.owner.address,
      });
    for (const key of [keys.secret, keys.publishable]) {
      await eventually(async () => {
        expect(await issuesFor(key)).toMatchObject({
          issues: [
            {
              classification: 'UNDERFUNDED',
              severity: 'HIGH',
              token: parked.balance.token,
              withdraw_from: { payment_id: parked.paymentId, withdraw_account: 'SPW' },
            },
          ],
          next_pagination_key: null,
          unread_chains: [],
        });
      });
    }
    expect(await confirmed(await authorise(parked))).toBe(200);
    await reaches(stage.api, parked.paymentId, 'WITHDRAWN');
    await eventually(async () => {
      expect((await issuesFor(keys.secret)).issues).toEqual([]);
    });
  });

  it('is refused with the signature of another account', async () => {
    const parked = await aParkedPayment();
    const stranger = await aParkedPayment();
    const signed = await authorise(parked);
    const { withdraw_authorization } = await requested(parked);
    const signature = await signTypedData(stranger.user.owner, withdraw_authorization);
    const forged = { ...signed, body: { ...signed.body, signature } };
    expect((await confirm(forged)).status).toBe(401);
    expect(await transfers(parked.wallet, parked.user.owner.address)).toEqual([]);
  });
});

interface Parked {
  user: TestUser;
  paymentId: string;
  wallet: Address;
  balance: ParkedBalance;
}

/** State of a client once the owner has signed. */
interface Signed {
  withdrawId: string;
  payout: bigint;
  body: { signature: string; state_token: string; polling_timeout: number };
}

/** A payment with too little in its wallet. */
async function aParkedPayment(): Promise<Parked> {
  const { api, chain } = stage;
  const usdc = chain.token('USDC');
  const user = await newTestUserWith(chain, usdc, WANTED);
  const { payment, depositAddress } = await quoteAndConfirm(api, {
    input: { asset: usdc, amount: WANTED },
    output: chain.token('WETH'),
    owner: user.owner.address,
    destination: user.destination,
  });
  await chain.transfer(user.owner, usdc, depositAddress, await chain.units(usdc, SENT));
  const balance = await parkedBalance(api, payment.payment_id, 'SPW');
  return { user, paymentId: payment.payment_id, wallet: depositAddress, balance };
}

const requested = ({ user, paymentId, balance }: Parked): Promise<WithdrawResponse> =>
  requestWithdrawal(stage.api, {
    payment_id: paymentId,
    token_amounts: [{ token: balance.token, amount: balance.amount }],
    recipient_address: user.owner.address,
    withdraw_account: balance.account,
  });

async function authorise(parked: Parked): Promise<Signed> {
  const { withdraw_id, withdraw_authorization, state_token } = await requested(parked);
  const signature = await signTypedData(parked.user.owner, withdraw_authorization);
  return {
    withdrawId: withdraw_id,
    payout: signedPayout(withdraw_authorization, parked.user.owner.address),
    body: { signature, state_token, polling_timeout: 20_000 },
  };
}

const confirm = ({ body }: Signed) =>
  stage.api.request('POST', '/payments/withdraw/confirm', { body });

/** Retries while the service is too busy to respond, as clients do. */
const confirmed = (signed: Signed): Promise<number> =>
  until('an answer', async () => {
    const { status } = await confirm(signed);
    return status === 503 ? null : status;
  });

/** Returns the client's state after the stack was killed and restarted. */
async function killedDuring(parked: Parked): Promise<Signed | null> {
  let signed: Signed | null = null;
  fault.arm();
  const struck = fault.strikes();
  try {
    signed = await authorise(parked);
    await confirmed(signed);
  } catch {
    // The connection broke with the process.
  }
  await struck;
  await stack.start();
  return signed;
}

async function transfers(from: Address, to: Address) {
  const logs = await stage.chain.client.getContractEvents({
    address: parseTokenIdentifier(stage.chain.token('USDC')).address,
    abi: erc20Abi,
    eventName: 'Transfer',
    args: { from, to },
    fromBlock: 0n,
    strict: true,
  });
  return logs.map(({ args, transactionHash }) => ({ value: args.value, transactionHash }));
}
