import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { BalanceResult, BalancesResponse, WithdrawResponse } from '@bascule/contracts';
import { VISITOR_HEADER } from '@bascule/identity';
import { eventually } from '@bascule/testing';
import { TokenBalancesClient } from '@bascule/wallet-balances';
import type { Address } from 'viem';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { aPayment } from '../testing/payments.fixture.js';
import type { TestPayment } from '../testing/payments.fixture.js';
import { signWithdrawal } from '../testing/sign-withdrawal.fixture.js';
import {
  ETHER,
  ORGANISATION,
  USDC,
  USDT,
  WBTC,
  startStage,
} from '../testing/withdrawal-stage.fixture.js';
import type { Stage } from '../testing/withdrawal-stage.fixture.js';

const OTHER_ORGANISATION = '0190b2c3-0000-7000-8000-000000000002';
const REVERTING = '0x60006000fd';
const TOKENS = [USDC, USDT, ETHER, WBTC];
/** As the service defines it. */
const AT_A_TIME = 50;
const OF_PUBLISHABLE_KEYS = 45;
const OF_A_VISITOR = 5;
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
  const BEYOND = 10;
  let statuses: number[] = [];
  const ask = async (orgId = ORGANISATION, visitor?: string) => {
    const { status, headers } = await stage.call(
      '/payments/balances',
      { custom_queries: [{ address: anAddress(), token: ETHER }] },
      orgId,
      visitor === undefined ? {} : { [VISITOR_HEADER]: visitor },
      { caller: { kind: visitor === undefined ? 'secret' : 'publishable' } },
    );
    if (status === 503) expect(headers.get('retry-after')).toBe('2');
    statuses.push(status);
    return status;
  };

  /**
   * Sends requests that read no balance before those of others are admitted, too.
   * @returns how many of a burst were served, and the statuses of the others
   */
  async function hold(
    served: number,
    burst: (index: number) => Promise<number>,
    others: () => Promise<number>[],
  ): Promise<[number, number[]]> {
    statuses = [];
    const client = stage.service().app.get(TokenBalancesClient);
    const read = client.readWallets.bind(client);
    const { promise: released, resolve: release } = Promise.withResolvers<null>();
    const reads = jest.spyOn(client, 'readWallets').mockImplementation(async (...query) => {
      await released;
      return read(...query);
    });
    const requests = Array.from({ length: served + BEYOND }, (_, index) => burst(index));
    try {
      await eventually(() => expect(statuses).toEqual(Array.from({ length: BEYOND }, () => 503)));
      await eventually(() => expect(reads).toHaveBeenCalledTimes(served));
      const further = others();
      await eventually(() => expect(reads).toHaveBeenCalledTimes(served + further.length));
      release(null);
      const answers = await Promise.all(requests);
      return [answers.filter((status) => status === 200).length, await Promise.all(further)];
    } finally {
      release(null);
      reads.mockRestore();
    }
  }

  it('is 503 beyond a number of one organisation, and not for another', async () => {
    const answers = hold(
      AT_A_TIME,
      () => ask(),
      () => [ask(OTHER_ORGANISATION)],
    );
    expect(await answers).toEqual([AT_A_TIME, [200]]);
  });

  it('lets one visitor fill its share only: others and the secret key go on', async () => {
    const stranger = () => ask(ORGANISATION, 'stranger');
    const answers = hold(OF_A_VISITOR, stranger, () => [ask(ORGANISATION, 'another'), ask()]);
    expect(await answers).toEqual([OF_A_VISITOR, [200, 200]]);
  });

  it('reserves a tenth for secret keys, however many visitors there are', async () => {
    const visitor = (index: number) => ask(ORGANISATION, `visitor ${index}`);
    const answers = hold(OF_PUBLISHABLE_KEYS, visitor, () => [ask()]);
    expect(await answers).toEqual([OF_PUBLISHABLE_KEYS, [200]]);
  });
});
