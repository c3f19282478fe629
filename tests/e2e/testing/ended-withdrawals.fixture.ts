import type { Payment } from '@bascule/contracts';
import { expect, it } from '@jest/globals';
import { reaches } from '../../../tools/first-payment/payments.js';
import { until } from '../../../tools/first-payment/polling.js';
import type { Stage } from '../../../tools/first-payment/test-user.js';
import {
  acceptsBlame,
  deposit,
  idOf,
  type Confirmed,
  type LifeCycleStand,
  type Signed,
} from './life-cycle-stand.fixture.js';
import { Miner } from './miner.fixture.js';

export interface EndedStage {
  stage: Stage;
  stand: LifeCycleStand;
}

/** Has a withdrawal land after the payment was seen to wait for it; its status is the same again afterwards. */
async function landsFrom(
  { stage, stand }: EndedStage,
  { of, withdrawal, status }: { of: Confirmed; withdrawal: Signed; status: Payment['status'] },
): Promise<void> {
  const miner = new Miner(stage.stack, of.on.name);
  await miner.standStill();
  try {
    expect((await stand.confirm(withdrawal, 0)).body).toMatchObject({ status: 'PENDING' });
    await stand.reachesStatuses(of, status, 'WITHDRAW_PENDING');
  } finally {
    await miner.goOn();
  }
  await stand.ends(withdrawal, 'SUCCESS');
  await stand.reachesStatuses(of, status, status);
}

/** Takes 10 of the 25 USDC of a payment that has ended, and returns it as it is then. */
export async function takePart(
  ended: EndedStage,
  of: Confirmed,
  status: 'EXPIRED' | 'FAILED',
): Promise<Payment> {
  const { stand } = ended;
  const token = of.on.token('USDC');
  const withdrawal = await stand.signed(of, token, '10');
  expect(acceptsBlame(withdrawal)).toBe(true);
  await landsFrom(ended, { of, withdrawal, status });
  const payment = await stand.show(of);
  expect(payment.withdrawals).toMatchObject([
    { status: 'SUCCESS', token_amounts: [{ token, amount: '10' }] },
  ]);
  expect(await of.on.balance(token, of.wallet)).toBe(await of.on.units(token, '15'));
  return payment;
}

/** Takes all USDC of a payment, which is `WITHDRAWN`. */
export async function takeAll({ stage, stand }: EndedStage, of: Confirmed): Promise<void> {
  const withdrawal = await stand.signed(of, of.on.token('USDC'));
  expect((await stand.confirm(withdrawal, 60_000)).status).toBe(200);
  await reaches(stage.api, idOf(of), 'WITHDRAWN');
}

/** Tests of withdrawals of payments that have ended; `expired` has 10 USDC. */
export function endedWithdrawals(open: () => EndedStage, expired: () => Confirmed): void {
  it('is WITHDRAWN once less than its min_withdrawal_amount is left, an issue of LOW severity, and EXPIRED before', async () => {
    const { stage, stand } = open();
    const of = expired();
    const token = of.on.token('USDC');
    const { amount, minWithdrawalAmount } = await stand.parked(of, token);
    const minimum = await of.on.units(token, minWithdrawalAmount);
    const [worthwhile, dust] = [3n * minimum, minimum / 2n];
    const rest = (await of.on.units(token, amount)) - worthwhile;
    const first = await stand.signed(of, token, await of.on.amount(token, rest));
    await landsFrom(open(), { of, withdrawal: first, status: 'EXPIRED' });
    expect(await of.on.balance(token, of.wallet)).toBe(worthwhile);

    const second = await stand.signed(of, token, await of.on.amount(token, worthwhile - dust));
    expect((await stand.confirm(second, 60_000)).status).toBe(200);
    const { withdrawals } = await reaches(stage.api, idOf(of), 'WITHDRAWN');
    expect(withdrawals).toHaveLength(2);
    expect(await of.on.balance(token, of.wallet)).toBe(dust);
    // Above DUST_USD, but a withdrawal costs more.
    const { issues } = await stand.show(of);
    expect(issues).toMatchObject([{ severity: 'LOW', balance: { '#': dust.toString() } }]);
    const owner_address = of.user.owner.address;
    const listed = await stage.api.post('/payments/issues', { owner_address });
    expect(listed).toMatchObject({ issues });
  }, 200_000);

  it('is WITHDRAW_PENDING and WITHDRAWN again when its owner withdraws a later deposit', async () => {
    const { stand } = open();
    const of = await stand.confirmed(60);
    await deposit(of, '10');
    await takeAll(open(), of);
    await deposit(of, '5');
    const token = of.on.token('USDC');
    await until('the later deposit', async () => {
      const { issues } = await stand.show(of);
      return issues.some(({ kind }) => kind === 'parked_fund') || null;
    });
    const withdrawal = await stand.signed(of, token);
    await landsFrom(open(), { of, withdrawal, status: 'WITHDRAWN' });
    expect((await stand.show(of)).withdrawals).toHaveLength(2);
    expect(await of.on.balance(token, of.wallet)).toBe(0n);
  }, 200_000);
}
