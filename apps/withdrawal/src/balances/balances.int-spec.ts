import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { BalanceResult, BalancesResponse, WithdrawResponse } from '@bascule/contracts';
import { eventually } from '@bascule/testing';
import type { Address } from 'viem';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { aPayment } from '../testing/payments.fixture.js';
import type { TestPayment } from '../testing/payments.fixture.js';
import { signWithdrawal } from '../testing/sign-withdrawal.fixture.js';
import { ETHER, USDC, USDT, WBTC, startStage } from '../testing/withdrawal-stage.fixture.js';
import type { Stage } from '../testing/withdrawal-stage.fixture.js';

const OTHER_ORGANISATION = '0190b2c3-0000-7000-8000-000000000002';
const REVERTING = '0x60006000fd';
const TOKENS = [USDC, USDT, ETHER, WBTC];
/** As the service defines it. */
const AT_A_TIME = 50;
const owner = privateKeyToAccount(generatePrivateKey());
const anAddress = () => privateKeyToAddress(generatePrivateKey());

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
}, 120_000);
afterEach(() => {
  stage.interceptNode();
});
afterAll(() => stage.stop());

async function aPaymentWithMoney(): Promise<TestPayment> {
  const payment = aPayment(owner.address);
  await stage.publish('payment', 'payment.expired', payment.id, payment.state);
  await stage.fund(USDC, payment.wallet, 40_000_000n);
  await eventually(async () => {
    const found = await stage.database.rows('SELECT id FROM payments WHERE id = $1', [payment.id]);
    expect(found).toHaveLength(1);
  });
  return payment;
}

/** Withdraws everything from the wallet, which deploys it, and funds it again. */
async function deploy(payment: TestPayment): Promise<void> {
  const { body } = await stage.call<WithdrawResponse>('/payments/withdraw', {
    payment_id: payment.id,
    token_amounts: [{ token: USDC, amount: '40' }],
    recipient_address: anAddress(),
  });
  const signature = await signWithdrawal(body, owner);
  await stage.submitDirectly(payment, body.withdraw_authorization, signature);
  await stage.fund(USDC, payment.wallet, 40_000_000n);
}

const balances = async (request: object) => {
  const { status, body } = await stage.call<BalancesResponse>('/payments/balances', request);
  expect(status).toBe(200);
  return body.balance_results;
};

const feeOf = ({ value }: BalanceResult): number =>
  value.kind === 'amount' ? Number(value.withdrawal_fee) : NaN;

describe('a hundred custom queries', () => {
  it('cost two requests to the node of their chain, whatever they name', async () => {
    const [first, second] = [await aPaymentWithMoney(), await aPaymentWithMoney()];
    await deploy(second);
    const named = [first.wallet, second.wallet, ...Array.from({ length: 98 }, anAddress)];
    const custom_queries = named.map((address, index) => ({
      address,
      token: index < 2 ? USDC : TOKENS[index % TOKENS.length],
    }));
    const asked: string[] = [];
    stage.interceptNode(({ method }) => {
      asked.push(method);
      return null;
    });
    const results = await balances({ custom_queries });
    expect(asked.sort()).toEqual(['eth_call', 'eth_gasPrice']);
    expect(results.map(({ address, token }) => [address, token])).toEqual(
      custom_queries.map(({ address, token }) => [address, token]),
    );
    expect(results.map(({ value }) => value.kind)).toEqual(named.map(() => 'amount'));
    const [undeployed, deployed, stranger] = results.map(feeOf);
    expect(deployed).toBeGreaterThan(0);
    expect(deployed).toBeLessThan(undeployed ?? 0);
    expect(stranger).toBeGreaterThan(0);
    const [wallet] = await balances({ payment_id: second.id });
    expect(wallet === undefined ? NaN : feeOf(wallet)).toBeCloseTo(deployed ?? 0, 2);
  });

  it('answer all others where a token fails', async () => {
    const payment = await aPaymentWithMoney();
    const token = USDT.slice(USDT.indexOf(':') + 1) as Address;
    const before = await stage.client.getCode({ address: token });
    await stage.setCode(token, REVERTING);
    try {
      const custom_queries = [USDT, USDC, ETHER].map((id) => ({
        address: payment.wallet,
        token: id,
      }));
      const results = await balances({ custom_queries });
      expect(results.map(({ value }) => value.kind)).toEqual(['error', 'amount', 'amount']);
    } finally {
      await stage.setCode(token, before ?? '0x');
    }
  });
});

describe('a burst of requests for balances', () => {
  it('is 503 beyond a number of one organisation, and not for another', async () => {
    const custom_queries = [{ address: anAddress(), token: ETHER }];
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    stage.interceptNode(async () => {
      await released;
      return null;
    });
    const statuses: number[] = [];
    const ask = async (orgId?: string) => {
      const path = '/payments/balances';
      const { status, headers } = await stage.call(path, { custom_queries }, orgId);
      if (status === 503) expect(headers.get('retry-after')).toBe('2');
      statuses.push(status);
      return status;
    };
    const burst = Array.from({ length: AT_A_TIME + 10 }, () => ask());
    try {
      await eventually(() => expect(statuses).toEqual(Array.from({ length: 10 }, () => 503)));
      const other = ask(OTHER_ORGANISATION);
      release();
      expect(await other).toBe(200);
    } finally {
      release();
    }
    await Promise.all(burst);
    expect(statuses.filter((status) => status === 200)).toHaveLength(AT_A_TIME + 1);
  });
});
