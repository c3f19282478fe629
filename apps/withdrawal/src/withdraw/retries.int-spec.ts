import type {
  BalancesResponse,
  ErrorBody,
  WithdrawResponse,
  WithdrawalStatusResponse,
} from '@bascule/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { aPayment } from '../testing/payments.fixture.js';
import type { TestPayment } from '../testing/payments.fixture.js';
import { FEE_RECEIVER, RELAYER, USDC, startStage } from '../testing/withdrawal-stage.fixture.js';
import type { Stage } from '../testing/withdrawal-stage.fixture.js';

/** Deposit that every payment of the fixture requires. */
const NEEDED = 100_000_000n;
const FULLY_PAID = '102';

let stage: Stage;
const owner = privateKeyToAccount(generatePrivateKey());

beforeAll(async () => {
  stage = await startStage();
}, 120_000);
afterAll(() => stage.stop());

async function payments(length: number, parent?: TestPayment): Promise<TestPayment[]> {
  const made: TestPayment[] = [];
  for (let previous = parent; made.length < length; previous = made.at(-1)) {
    const payment = aPayment(owner.address, {
      status: 'EXPIRED',
      ...(previous && { parent: previous.id }),
    });
    made.push(payment);
    await stage.publish('payment', 'payment.expired', payment.id, payment.state);
  }
  await stage.call<BalancesResponse>('/payments/balances', { payment_id: made.at(-1)?.id });
  return made;
}

/** A chain of retries: each is the parent of the next. */
const aChainOf2 = async () => (await payments(2)) as [TestPayment, TestPayment];
const aChainOf3 = async () => (await payments(3)) as [TestPayment, TestPayment, TestPayment];

const ask = (from: TestPayment, to: TestPayment, amount: string) =>
  stage.call<WithdrawResponse & ErrorBody>('/payments/withdraw', {
    payment_id: from.id,
    token_amounts: [{ token: USDC, amount }],
    recipient_address: to.wallet,
  });

async function sign(answer: WithdrawResponse): Promise<Hex> {
  const { domain, types, primaryType, message } = JSON.parse(
    answer.withdraw_authorization,
  ) as Parameters<typeof owner.signTypedData>[0];
  const { EIP712Domain: _, ...own } = types as Record<string, never>;
  return owner.signTypedData({ domain, types: own, primaryType, message });
}

const confirm = async (answer: WithdrawResponse, signature?: Hex) =>
  stage.call<WithdrawalStatusResponse & ErrorBody>('/payments/withdraw/confirm', {
    state_token: answer.state_token,
    signature: signature ?? (await sign(answer)),
    polling_timeout: 30_000,
  });

/** Moves an amount into the wallet of a retry; the balance that arrived. */
async function retry(from: TestPayment, to: TestPayment, amount: string): Promise<bigint> {
  const before = await stage.balance(USDC, to.wallet);
  const { body } = await ask(from, to, amount);
  expect((await confirm(body)).body).toMatchObject({ status: 'SUCCESS' });
  return (await stage.balance(USDC, to.wallet)) - before;
}

const refusal = (reason: string) => ({
  status: 400,
  body: {
    errors: [
      {
        kind: 'amount',
        asset: USDC,
        source: 'withdrawal',
        reason,
        message: expect.stringContaining('one reduced fee') as unknown,
      },
    ],
  },
});

describe('a chain of retries', () => {
  it('pays one reduced fee, so that the first retry receives its deposit to the last unit', async () => {
    const [parent, child] = await aChainOf2();
    await stage.fund(USDC, parent.wallet, NEEDED + 1n);
    const collected = await stage.balance(USDC, FEE_RECEIVER);
    expect(await retry(parent, child, '100.000001')).toBe(NEEDED);
    expect((await stage.balance(USDC, FEE_RECEIVER)) - collected).toBe(1n);
  });

  it('is refused a second one in the next generation, and pays the full fee instead', async () => {
    const [parent, child, grandchild] = await aChainOf3();
    await stage.fund(USDC, parent.wallet, NEEDED);
    expect(await retry(parent, child, '100')).toBe(NEEDED);
    const refused = await ask(child, grandchild, '100');
    expect(refused).toMatchObject(refusal('NO_VALID_AMOUNT'));
    expect(await stage.balance(USDC, child.wallet)).toBe(NEEDED);
    await stage.fund(USDC, child.wallet, 2_000_000n);
    expect(await ask(child, grandchild, '100')).toMatchObject(refusal('TOO_LOW'));
    const arrived = await retry(child, grandchild, FULLY_PAID);
    expect(arrived).toBeGreaterThanOrEqual(NEEDED);
    expect(arrived).toBeLessThan(NEEDED + 2_000_000n);
  });

  it('is refused a second one for a sibling, after a restart too', async () => {
    const [parent, child] = await aChainOf2();
    const [sibling] = (await payments(1, parent)) as [TestPayment];
    await stage.fund(USDC, parent.wallet, 2n * NEEDED);
    expect(await retry(parent, child, '100')).toBe(NEEDED);
    await stage.restart();
    expect(await ask(parent, sibling, '100')).toMatchObject(refusal('NO_VALID_AMOUNT'));
    expect(await stage.balance(USDC, sibling.wallet)).toBe(0n);
  });

  it('submits one of two reduced fees that are signed at once', async () => {
    const [parent, child] = await aChainOf2();
    const [sibling] = (await payments(1, parent)) as [TestPayment];
    await stage.fund(USDC, parent.wallet, 2n * NEEDED);
    const asked = await Promise.all([ask(parent, child, '100'), ask(parent, sibling, '100')]);
    const sent = await stage.client.getTransactionCount({ address: RELAYER });
    const confirmed = await Promise.all(asked.map(({ body }) => confirm(body)));
    expect(confirmed.map(({ status }) => status).sort()).toEqual([200, 400]);
    const refused = confirmed.find(({ status }) => status === 400);
    expect(refused?.body.errors).toEqual([
      { kind: 'other', message: expect.stringContaining('reduced fee') as unknown },
    ]);
    expect((await stage.client.getTransactionCount({ address: RELAYER })) - sent).toBe(1);
    expect(await stage.balance(USDC, parent.wallet)).toBe(NEEDED);
  });

  it('keeps its reduced fee when a withdrawal is not signed, or pays in full', async () => {
    const [parent, child] = await aChainOf2();
    await stage.fund(USDC, parent.wallet, 3n * NEEDED);
    await ask(parent, child, '100');
    expect(await retry(parent, child, FULLY_PAID)).toBeGreaterThan(NEEDED);
    expect(await retry(parent, child, '100')).toBe(NEEDED);
  });

  it('pays the full fee of an amount below the deposit, however small', async () => {
    const [parent, child] = await aChainOf2();
    await stage.fund(USDC, parent.wallet, 2n * NEEDED);
    const refused = await ask(parent, child, '0.000001');
    expect(refused).toMatchObject({
      status: 400,
      body: { errors: [{ kind: 'amount', source: 'withdrawal', reason: 'TOO_LOW' }] },
    });
    const arrived = await retry(parent, child, '99.999999');
    expect(arrived).toBeGreaterThan(0n);
    expect(arrived).toBeLessThan(NEEDED - 1n);
    expect(await retry(parent, child, '100')).toBe(NEEDED);
  });

  it('charges the full fee for a payment that is not a direct retry', async () => {
    const [parent, , grandchild] = await aChainOf3();
    await stage.fund(USDC, parent.wallet, NEEDED);
    const arrived = await retry(parent, grandchild, '100');
    expect(arrived).toBeLessThan(NEEDED);
    expect(arrived).toBeGreaterThan(0n);
  });

  it('has no reduced fee beyond 32 payments', async () => {
    const chain = await payments(33);
    const [first, second] = chain as [TestPayment, TestPayment];
    const [parent, child] = chain.slice(-2) as [TestPayment, TestPayment];
    await stage.fund(USDC, first.wallet, NEEDED);
    await stage.fund(USDC, parent.wallet, NEEDED);
    expect((await ask(parent, child, '100')).status).toBe(200);
    const [last] = (await payments(1, child)) as [TestPayment];
    await stage.fund(USDC, child.wallet, NEEDED);
    expect(await ask(child, last, '100')).toMatchObject(refusal('NO_VALID_AMOUNT'));
    expect(await retry(first, second, '100')).toBe(NEEDED);
  });

  it('leaves the recipient of a plain withdrawal the amount less the full fee', async () => {
    const [parent] = await aChainOf2();
    const recipient = privateKeyToAddress(generatePrivateKey());
    await stage.fund(USDC, parent.wallet, NEEDED);
    const { body } = await stage.call<WithdrawResponse>('/payments/withdraw', {
      payment_id: parent.id,
      token_amounts: [{ token: USDC, amount: '100' }],
      recipient_address: recipient,
    });
    expect((await confirm(body)).body).toMatchObject({ status: 'SUCCESS' });
    expect(await stage.balance(USDC, recipient)).toBeLessThan(NEEDED);
  });
});
