import type { ParkedFundIssue, ParkedFundsResponse, Payment } from '@bascule/contracts';
import { rpcCall } from '@bascule/local-stack';
import { eventually } from '@bascule/testing';
import { describe, expect, it } from '@jest/globals';
import type { Address } from 'viem';
import { getPayment, quoteAndConfirm, reaches } from '../../../tools/first-payment/payments.js';
import { until } from '../../../tools/first-payment/polling.js';
import { raisePrices } from '../../../tools/first-payment/pool-price.js';
import { newTestUser, type Stage } from '../../../tools/first-payment/test-user.js';
import { sendWithFixedGas, unitsOf, usdcCall } from './crossings/crossing-stand.fixture.js';
import { depositTo } from './deposit-to.fixture.js';
import { Miner } from './miner.fixture.js';

/** Short waits; 5 and 12 dollars are dust, 20 and 25 are not. */
export const SHORT_WAITS = {
  DUST_USD: '15',
  STALLED_AFTER_MS: '1000',
  EXECUTION_PATIENCE_MS: '1500',
  EXECUTION_RETRY_MS: '300',
};

/** Reverts every call. */
export const REFUSING_CODE = '0x60006000fd';

type Account = 'SPW' | 'INTENT';
/** Classification, severity, amount, symbol, and the account that a withdrawal takes it from. */
type Expected = [
  ParkedFundIssue['classification'],
  ParkedFundIssue['severity'],
  string,
  string,
  (Account | null)?,
];

export interface Parked {
  payment: Payment;
  wallet: Address;
  destination: Address;
}

export async function confirmParked(
  { api, chain }: Stage,
  { amount = '40', symbol = 'USDC', minutes = 60 } = {},
): Promise<Parked> {
  const { owner, destination } = newTestUser();
  const { payment, depositAddress: wallet } = await quoteAndConfirm(api, {
    input: { asset: chain.token('USDC'), amount },
    output: chain.token(symbol),
    owner: owner.address,
    destination,
    expirationMinutes: minutes,
  });
  return { payment, wallet, destination };
}

/** Expects exactly these parked funds of the owner, from the payment and from its owner's list. */
export async function expectParked(
  { api, chain }: Stage,
  { payment }: Pick<Parked, 'payment'>,
  expected: readonly Expected[],
  on = chain,
): Promise<void> {
  const { payment_id, owner_address, destination_address, quoted } = payment;
  const wanted = await Promise.all(
    expected.map(async ([classification, severity, amount, symbol, account = 'SPW']) => ({
      kind: 'parked_fund',
      token: on.token(symbol),
      balance: { '#': (await unitsOf(on, symbol, amount)).toString() },
      classification,
      severity,
      payment_gist: {
        op: 'buy',
        destination_address,
        destination_token: quoted.output_amount.asset,
      },
      withdraw_from: account && {
        withdraw_type: 'PAYMENT',
        payment_id,
        withdraw_account: account,
      },
    })),
  );
  await eventually(
    async () => {
      const listed = await api.post<ParkedFundsResponse>('/payments/issues', { owner_address });
      expect(listed).toMatchObject({ unread_chains: [], next_pagination_key: null });
      expect(listed.issues).toEqual(wanted);
      const { issues } = await getPayment(api, payment_id);
      expect(issues.filter(({ kind }) => kind === 'parked_fund')).toEqual(wanted);
    },
    { timeoutMs: 90_000 },
  );
}

/** Waits for a block, and a moment, later than the payment's funding deadline. */
export const deadlinePasses = ({ chain }: Stage, { initiate_fund_by }: Payment) =>
  until(
    'a block after the funding deadline',
    async () => {
      const { timestamp } = await chain.client.getBlock();
      const deadline = Date.parse(initiate_fund_by);
      return Number(timestamp) * 1_000 > deadline && Date.now() > deadline ? true : null;
    },
    { timeoutMs: 120_000 },
  );

/** Tests of each classification with each severity that it can have; STALLED resolves by itself, so it is LOW. */
export function classifications(open: () => Stage): void {
  describe('money that is parked', () => {
    it('is UNDERFUNDED while it is too little, LOW as dust and HIGH beyond', async () => {
      const payment = await confirmParked(open());
      await expectParked(open(), payment, []);
      await depositTo(open().chain, payment.wallet, '5');
      await expectParked(open(), payment, [['UNDERFUNDED', 'LOW', '5', 'USDC']]);
      await depositTo(open().chain, payment.wallet, '15');
      await expectParked(open(), payment, [['UNDERFUNDED', 'HIGH', '20', 'USDC']]);
    });

    it('is MISSENT in another token, LOW as dust and HIGH beyond', async () => {
      const payment = await confirmParked(open());
      await depositTo(open().chain, payment.wallet, '5', 'USDT');
      await expectParked(open(), payment, [['MISSENT', 'LOW', '5', 'USDT']]);
      await depositTo(open().chain, payment.wallet, '15', 'USDT');
      await expectParked(open(), payment, [['MISSENT', 'HIGH', '20', 'USDT']]);
    });

    it('is EXTRA after the completion, LOW as dust and HIGH beyond', async () => {
      const payment = await confirmParked(open(), { amount: '25' });
      await depositTo(open().chain, payment.wallet, '30');
      await reaches(open().api, payment.payment.payment_id, 'COMPLETE');
      await expectParked(open(), payment, [['EXTRA', 'LOW', '5', 'USDC']]);
      await depositTo(open().chain, payment.wallet, '15');
      await expectParked(open(), payment, [['EXTRA', 'HIGH', '20', 'USDC']]);
    });

    it('is SLIPPED where a conversion misses its minimum, LOW as dust and HIGH beyond', async () => {
      const dust = await confirmParked(open(), { amount: '12', symbol: 'WETH' });
      const large = await confirmParked(open(), { amount: '25', symbol: 'WETH' });
      const restore = await raisePrices(open().chain);
      try {
        await depositTo(open().chain, dust.wallet, '12');
        await depositTo(open().chain, large.wallet, '25');
        await expectParked(open(), dust, [['SLIPPED', 'LOW', '12', 'USDC']]);
        await expectParked(open(), large, [['SLIPPED', 'HIGH', '25', 'USDC']]);
      } finally {
        await restore();
      }
      await reaches(open().api, large.payment.payment_id, 'FAILED');
    });

    it('is STUCK where a destination refuses it, LOW as dust and HIGH beyond', async () => {
      const { chain, stack } = open();
      const url = stack.chains['alphanet']?.rpc_url ?? '';
      const dust = await confirmParked(open(), { amount: '12', symbol: 'ETH' });
      const large = await confirmParked(open(), { amount: '25', symbol: 'ETH' });
      for (const { destination } of [dust, large]) {
        await rpcCall(url, 'anvil_setCode', [destination, REFUSING_CODE]);
      }
      await depositTo(chain, dust.wallet, '12');
      await depositTo(chain, large.wallet, '25');
      for (const { payment } of [dust, large]) {
        await reaches(open().api, payment.payment_id, 'FAILED');
      }
      await expectParked(open(), dust, [['STUCK', 'LOW', '12', 'USDC']]);
      await expectParked(open(), large, [['STUCK', 'HIGH', '25', 'USDC']]);
    });

    it('is STALLED and LOW while its leg is not mined', async () => {
      const { chain, stack, api } = open();
      const payment = await confirmParked(open(), { amount: '25' });
      const alphanet = new Miner(stack, 'alphanet');
      await alphanet.standStill();
      try {
        const call = usdcCall('transfer', payment.wallet, await unitsOf(chain, 'USDC', '25'));
        await sendWithFixedGas(chain, chain.faucet, call);
        await alphanet.mine(2);
        await alphanet.waiting(1);
        await expectParked(open(), payment, [['STALLED', 'LOW', '25', 'USDC']]);
      } finally {
        await alphanet.goOn();
      }
      await reaches(api, payment.payment.payment_id, 'COMPLETE');
      await expectParked(open(), payment, []);
    });
  });
}

/** Tests deposits after the deadline of a payment that was confirmed before. */
export function delayed(open: () => Stage, confirmed: () => Parked): void {
  it('money that arrives after the deadline is DELAYED, LOW as dust and HIGH beyond', async () => {
    const stage = open();
    const payment = confirmed();
    await deadlinePasses(stage, payment.payment);
    await reaches(stage.api, payment.payment.payment_id, 'EXPIRED');
    await depositTo(stage.chain, payment.wallet, '5');
    await expectParked(stage, payment, [['DELAYED', 'LOW', '5', 'USDC']]);
    await depositTo(stage.chain, payment.wallet, '20');
    await expectParked(stage, payment, [['DELAYED', 'HIGH', '25', 'USDC']]);
  }, 200_000);
}
