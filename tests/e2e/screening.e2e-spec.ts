import type { StackFile } from '@bascule/composition';
import type { Payment, PaymentTimeline } from '@bascule/contracts';
import { developmentAddresses } from '@bascule/solidity';
import { addressList, eventually, vaultDeposit } from '@bascule/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Address } from 'viem';
import { Api } from '../../tools/first-payment/api.js';
import { Chain } from '../../tools/first-payment/chain.js';
import {
  confirmBody,
  getPayment,
  quote,
  quoteAndConfirm,
  reaches,
} from '../../tools/first-payment/payments.js';
import { until } from '../../tools/first-payment/polling.js';
import { newTestUser, newTestUserWith } from '../../tools/first-payment/test-user.js';
import {
  confirmWithdrawal,
  requestWithdrawal,
  signTypedData,
} from '../../tools/first-payment/withdraw.js';
import { StackProcess } from '../testing/stack-process.fixture.js';
import {
  deposit,
  idOf,
  LifeCycleStand,
  type Confirmed,
} from './testing/life-cycle-stand.fixture.js';
import { Miner } from './testing/miner.fixture.js';
import { depositTo } from './testing/deposit-to.fixture.js';

const AMOUNT = '25';

describe('screening, seen from outside', () => {
  let stack: StackProcess;
  let file: StackFile;
  let api: Api;
  let chain: Chain;
  beforeAll(async () => {
    stack = await StackProcess.create('screening');
    file = await stack.start();
    api = new Api(file.base_url, file.keys.secret);
    chain = new Chain(file, 'alphanet');
  });
  beforeEach(() => list());
  afterAll(() => stack.dispose());

  const path = () => join(stack.directory, 'sanctioned.txt');
  /** Replaces the operator's list while the stack runs. */
  const list = (...addresses: Address[]): void => {
    writeFileSync(`${path()}.new`, addressList(addresses));
    renameSync(`${path()}.new`, path());
  };
  const swap = (owner: Address, destination: Address) => ({
    input: { asset: chain.token('USDC'), amount: AMOUNT },
    output: chain.token('WETH'),
    owner,
    destination,
  });
  /** Body of a confirm that is about to be sent. */
  const confirmation = async (owner: Address, destination: Address) => {
    const request = swap(owner, destination);
    const { quotes, state_token } = await quote(api, request);
    return confirmBody(request, quotes[0]?.payment_id ?? '', state_token);
  };
  const withdrawal = (
    { payment_id }: Payment,
    recipient: Address,
    symbol = 'USDC',
    amount = AMOUNT,
  ) =>
    api.request('POST', '/payments/withdraw', {
      body: {
        payment_id,
        token_amounts: [{ token: chain.token(symbol), amount }],
        recipient_address: recipient,
      },
    });

  const taintedOnce = (payment: Payment): Promise<Payment> =>
    eventually(
      async () => {
        const now = await getPayment(api, payment.payment_id);
        expect(now.status).toBe('TAINTED');
        return now;
      },
      { timeoutMs: 60_000 },
    );
  const isRefused = async (payment: Payment, symbol?: string, amount?: string): Promise<void> => {
    const answer = { status: 403, body: { errors: [{ kind: 'other' }] } };
    const recipient = payment.owner_address as Address;
    expect(await withdrawal(payment, recipient, symbol, amount)).toMatchObject(answer);
  };
  /** Why the timeline says that it is tainted; the answer names no address of its parties. */
  const causeOf = async ({ payment_id, owner_address }: Payment): Promise<string | undefined> => {
    const timeline = await api.get<PaymentTimeline>('/payments/timeline', { payment_id });
    expect(JSON.stringify(timeline).toLowerCase()).not.toContain(owner_address.toLowerCase());
    const found = timeline.entries.find(({ status }) => status === 'TAINTED');
    expect(timeline.waits_for).toEqual({ kind: 'OPERATOR', reason: found?.reason });
    return found?.reason;
  };

  it.each(['owner', 'destination'] as const)(
    'taints a payment whose %s is sanctioned after the confirm',
    async (role) => {
      const usdc = chain.token('USDC');
      const { owner, destination } = newTestUser();
      const sender = await newTestUserWith(chain, usdc, AMOUNT);
      const { payment, depositAddress } = await quoteAndConfirm(
        api,
        swap(owner.address, destination),
      );
      list(role === 'owner' ? owner.address : destination);
      await chain.transfer(sender.owner, usdc, depositAddress, await chain.units(usdc, AMOUNT));
      const tainted = await taintedOnce(payment);
      // The withdrawal service has the same event a moment later.
      await eventually(() => isRefused(tainted));
      expect(await causeOf(tainted)).toBe(role);
      expect(await chain.balance(usdc, depositAddress)).toBe(await chain.units(usdc, AMOUNT));
      expect(await chain.balance(chain.token('WETH'), destination)).toBe(0n);
    },
  );

  it('refuses a sanctioned owner and destination at confirm', async () => {
    const { owner, destination } = newTestUser();
    list(owner.address, destination);
    const body = await confirmation(owner.address, destination);
    const refused = await api.request('POST', '/payments/confirm', { body });
    expect(refused).toMatchObject({
      status: 400,
      body: { errors: [{ kind: 'owner', mitigation: 'change' }, { kind: 'destination' }] },
    });
    const { payment_id } = body;
    const found = await api.request('GET', '/payments', { query: { payment_id } });
    expect(found.status).toBe(404);
    list();
    expect((await api.request('POST', '/payments/confirm', { body })).status).toBe(200);
  });

  it('answers 503 with Retry-After while the list is missing', async () => {
    const { owner, destination } = newTestUser();
    const body = await confirmation(owner.address, destination);
    rmSync(path());
    const { status, headers } = await api.request('POST', '/payments/confirm', { body });
    expect([status, headers.get('retry-after')]).toEqual([503, '2']);
    list();
    expect((await api.request('POST', '/payments/confirm', { body })).status).toBe(200);
  });

  it('taints a payment that a sanctioned address funds, and refuses its withdrawal', async () => {
    const usdc = chain.token('USDC');
    const { owner, destination } = newTestUser();
    const sender = await newTestUserWith(chain, usdc, AMOUNT);
    const { payment, depositAddress } = await quoteAndConfirm(
      api,
      swap(owner.address, destination),
    );
    list(sender.owner.address);
    await chain.transfer(sender.owner, usdc, depositAddress, await chain.units(usdc, AMOUNT));
    const tainted = await taintedOnce(payment);
    expect(tainted.next_instruction).toBeUndefined();
    expect(tainted.completed_at).toBeUndefined();
    expect(JSON.stringify(tainted)).not.toMatch(/sanction|screen|oracle/i);
    for (const issue of tainted.issues) expect(issue).toMatchObject({ withdraw_from: null });
    await eventually(() => isRefused(tainted));
    expect(await causeOf(tainted)).toBe('sender');
    // The payment stays tainted, also once the list has changed again.
    list();
    expect((await withdrawal(tainted, owner.address)).status).toBe(403);
    expect(await chain.balance(usdc, depositAddress)).toBe(await chain.units(usdc, AMOUNT));
    expect(await chain.balance(chain.token('WETH'), destination)).toBe(0n);
  });

  it('gives nothing back that a sanctioned address has just paid in, however soon it is asked for', async () => {
    const usdc = chain.token('USDC');
    const { owner, destination } = newTestUser();
    const sender = await newTestUserWith(chain, usdc, AMOUNT);
    const { payment, depositAddress } = await quoteAndConfirm(
      api,
      swap(owner.address, destination),
    );
    list(sender.owner.address);
    const alphanet = new Miner(file, 'alphanet');
    await alphanet.standStill();
    const answers: unknown[] = [];
    try {
      const units = await chain.units(usdc, AMOUNT);
      const arrival = chain.transfer(sender.owner, usdc, depositAddress, units);
      await alphanet.waiting(1);
      await alphanet.mine();
      await until('the record of the deposit', async () => {
        const { status, body } = await withdrawal(payment, owner.address);
        answers.push(status);
        return JSON.stringify(body).includes('senders') || status !== 503 || null;
      });
      await arrival;
    } finally {
      await alphanet.goOn();
    }
    expect(new Set(answers)).toEqual(new Set([503]));
    await taintedOnce(payment);
    await eventually(() => isRefused(payment));
    expect(await chain.balance(usdc, depositAddress)).toBe(await chain.units(usdc, AMOUNT));
  });

  it('taints an EXPIRED payment whose owner is sanctioned before it withdraws', async () => {
    const { owner, destination } = newTestUser();
    const { payment, depositAddress } = await quoteAndConfirm(
      api,
      swap(owner.address, destination),
    );
    const { payment_id } = payment;
    for (const symbol of ['USDC', 'USDT']) {
      await depositTo(chain, depositAddress, '5', symbol);
    }
    await until('both deposits', async () => {
      const { issues } = await getPayment(api, payment_id);
      const found = issues.map((it) => (it.kind === 'parked_fund' ? it.classification : null));
      return (found.includes('UNDERFUNDED') && found.includes('MISSENT')) || null;
    });
    // Its owner takes a part, and the payment does not go on.
    const body = {
      payment_id,
      token_amounts: [{ token: chain.token('USDC'), amount: '5' }],
      recipient_address: owner.address,
    };
    const { state_token, withdraw_authorization } = await requestWithdrawal(api, body);
    const signature = await signTypedData(owner, withdraw_authorization);
    await confirmWithdrawal(api, { state_token, signature });
    await reaches(api, payment_id, 'EXPIRED');
    list(owner.address);
    await isRefused(payment, 'USDT', '5');
    expect(await causeOf(await taintedOnce(payment))).toBe('owner');
    list();
    await isRefused(payment, 'USDT', '5');
  });

  /** Pays from an address that is sanctioned before. */
  const payFromSanctioned = async ({ wallet, on }: Confirmed): Promise<void> => {
    const usdc = on.token('USDC');
    const sender = await newTestUserWith(on, usdc, '5');
    list(sender.owner.address);
    await on.transfer(sender.owner, usdc, wallet, await on.units(usdc, '5'));
  };

  it('taints a WITHDRAWN payment that a sanctioned address funds afterwards', async () => {
    const stand = new LifeCycleStand({ api, chain });
    const payment = await stand.confirmed(60);
    await deposit(payment, '5');
    const withdrawal = await stand.signed(payment, chain.token('USDC'));
    expect((await stand.confirm(withdrawal, 60_000)).status).toBe(200);
    await reaches(api, idOf(payment), 'WITHDRAWN');
    await payFromSanctioned(payment);
    const tainted = await taintedOnce(payment.payment);
    await eventually(() => isRefused(tainted, 'USDC', '5'));
    expect(await causeOf(tainted)).toBe('sender');
  });

  it('taints a payment that a sanctioned address funds during its withdrawal, which lands all the same', async () => {
    const stand = new LifeCycleStand({ api, chain });
    const payment = await stand.confirmed(60);
    await deposit(payment, '5');
    const withdrawal = await stand.signed(payment, chain.token('USDC'));
    const alphanet = new Miner(file, 'alphanet');
    await alphanet.standStill();
    try {
      expect((await stand.confirm(withdrawal, 0)).body).toMatchObject({ status: 'PENDING' });
      await stand.reachesStatuses(payment, 'PENDING', 'WITHDRAW_PENDING');
      await payFromSanctioned({ ...payment, on: new Chain(file, 'betanet') });
      await taintedOnce(payment.payment);
      expect(await stand.statuses(payment)).toEqual(['TAINTED', 'TAINTED']);
    } finally {
      await alphanet.goOn();
    }
    await stand.ends(withdrawal, 'SUCCESS');
    await until('the end of the withdrawal in the payment', async () => {
      const { withdrawals } = await stand.show(payment);
      return withdrawals?.some(({ status }) => status === 'SUCCESS') || null;
    });
    await stand.reachesStatuses(payment, 'TAINTED', 'TAINTED');
    expect(await causeOf(payment.payment)).toBe('sender');
  });

  it('taints a FAILED payment whose destination is sanctioned before it is withdrawn', async () => {
    const usdc = chain.token('USDC');
    const { owner, destination } = newTestUser();
    const deposit = vaultDeposit(20_000_000n, destination);
    const { payment, depositAddress } = await quoteAndConfirm(api, {
      ...swap(owner.address, destination),
      output: usdc,
      customActions: { actions: deposit, user_estimated_gas: '300000' },
    });
    // Its action may not run any more, so its leg fails.
    list(developmentAddresses.usdcVault);
    await depositTo(chain, depositAddress, AMOUNT);
    await reaches(api, payment.payment_id, 'FAILED');
    list(destination);
    await isRefused(payment);
    expect(await causeOf(await taintedOnce(payment))).toBe('destination');
    expect(await chain.balance(usdc, depositAddress)).toBe(await chain.units(usdc, AMOUNT));
  });
});
