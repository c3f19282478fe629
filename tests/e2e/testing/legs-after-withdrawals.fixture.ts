import type { Payment } from '@bascule/contracts';
import { developmentAccounts, rpcCall } from '@bascule/local-stack';
import { oneTimeWalletAbi } from '@bascule/solidity';
import { expect, it } from '@jest/globals';
import type { Hex } from 'viem';
import { reaches } from '../../../tools/first-payment/payments.js';
import { until } from '../../../tools/first-payment/polling.js';
import type { Stage } from '../../../tools/first-payment/test-user.js';
import { verifyCompleted } from '../../../tools/first-payment/verify-completed.js';
import type { EndedStage } from './ended-withdrawals.fixture.js';
import {
  acceptsBlame,
  deposit,
  idOf,
  type Confirmed,
  type Signed,
} from './life-cycle-stand.fixture.js';
import { strangersCall } from './strangers-call.fixture.js';
import { timelineOf } from './timeline.fixture.js';

const WANTED = '25';

/** Submits a withdrawal, and runs while the account that sends it can no longer pay for its gas. */
async function withoutRelayerGas(
  { stack, chain }: Stage,
  submit: () => Promise<void>,
  run: () => Promise<void>,
): Promise<void> {
  const relayer = developmentAccounts.find(({ role }) => role === 'relayer');
  if (!relayer) throw new Error('no relayer');
  const url = stack.chains[chain.name]?.rpc_url ?? '';
  const setBalance = (wei: bigint) =>
    rpcCall(url, 'anvil_setBalance', [relayer.address, `0x${wei.toString(16)}`]);
  const mineEvery = (seconds: number) => rpcCall(url, 'evm_setIntervalMining', [seconds]);
  const balance = await chain.client.getBalance({ address: relayer.address });
  try {
    await mineEvery(0);
    await submit();
    await setBalance(0n);
    await mineEvery(1);
    await run();
  } finally {
    await setBalance(balance);
    await mineEvery(1);
  }
}

/** Blocks in which the payment's wallet executed a leg. */
async function legBlocks({ wallet, on }: Confirmed): Promise<bigint[]> {
  const logs = await on.client.getContractEvents({
    address: wallet,
    abi: oneTimeWalletAbi,
    eventName: 'LegExecuted',
    fromBlock: 0n,
    strict: true,
  });
  return logs.map(({ blockNumber }) => blockNumber);
}

/** Timeline entries about legs, including attempts that sent nothing. */
async function legEntries({ api }: Stage, of: Confirmed) {
  const { entries } = await timelineOf(api, idOf(of));
  return entries.filter(({ type }) => type.startsWith('leg.'));
}

/** Deposits the full amount, and completes another payment that is funded later: by then a leg would have started. */
async function fundedAndOvertaken({ stage, stand }: EndedStage, of: Confirmed): Promise<void> {
  const finalDeposits = async () => {
    const { entries } = await timelineOf(stage.api, idOf(of));
    return entries.filter(({ type, amount }) => type === 'deposit.confirmed' && amount === WANTED)
      .length;
  };
  const before = await finalDeposits();
  await deposit(of, WANTED);
  await until('the full deposit', async () => ((await finalDeposits()) > before ? true : null));
  const control = await stand.confirmed(60);
  await deposit(control, WANTED);
  await verifyCompleted(stage.chain, await reaches(stage.api, idOf(control), 'COMPLETE'));
  expect(await legBlocks(control)).toHaveLength(1);
}

async function expectNoLeg({ stage, stand }: EndedStage, of: Confirmed): Promise<Payment> {
  expect(await legEntries(stage, of)).toEqual([]);
  expect(await legBlocks(of)).toEqual([]);
  const token = of.on.token('USDC');
  expect(await of.on.balance(token, of.user.destination)).toBe(0n);
  expect(await of.on.balance(token, of.wallet)).toBeGreaterThanOrEqual(
    await of.on.units(token, WANTED),
  );
  const payment = await stand.show(of);
  const step = payment.fulfilled.route.at(-1);
  expect(step?.type).toBe('ONCHAIN_STEP');
  expect(step).not.toHaveProperty('transaction_hash');
  return payment;
}

interface Withdrawn {
  symbol: string;
  classification: string;
  blame: boolean;
}

/** Token of the payment’s leg: its withdrawal ends the executor’s rights. */
const DEPOSIT_TOKEN: Withdrawn = { symbol: 'USDC', classification: 'UNDERFUNDED', blame: true };
/** Token that no leg needs: its withdrawal leaves the executor’s rights. */
const OTHER_TOKEN: Withdrawn = { symbol: 'USDT', classification: 'MISSENT', blame: false };

/** A payment that lacks money, with a signed withdrawal of all that it has. */
async function partlyFunded(
  { stand }: EndedStage,
  { symbol, classification, blame }: Withdrawn,
): Promise<{ of: Confirmed; withdrawal: Signed }> {
  const of = await stand.confirmed(60);
  await deposit(of, '10', symbol);
  await stand.withParked(of, classification);
  const withdrawal = await stand.signed(of, of.on.token(symbol));
  expect(acceptsBlame(withdrawal)).toBe(blame);
  return { of, withdrawal };
}

/** Submits a withdrawal, and has it mined after the payment received its full amount and no leg started. */
async function minedAfterFunding(opened: EndedStage, withdrawn: Withdrawn) {
  const { stage, stand } = opened;
  const { of, withdrawal } = await partlyFunded(opened, withdrawn);
  const submit = async () => {
    expect((await stand.confirm(withdrawal, 0)).body).toMatchObject({ status: 'PENDING' });
  };
  await withoutRelayerGas(stage, submit, async () => {
    await stand.reachesStatuses(of, 'PENDING', 'WITHDRAW_PENDING');
    await fundedAndOvertaken(opened, of);
    const payment = await expectNoLeg(opened, of);
    expect(payment).toMatchObject({ funded: true, withdrawals: [{ status: 'PENDING' }] });
    expect(await stand.statuses(of)).toEqual(['PENDING', 'WITHDRAW_PENDING']);
  });
  const { transaction_hash } = await stand.ends(withdrawal, 'SUCCESS');
  return { of, hash: transaction_hash as Hex };
}

/** Tests of payments that receive their full amount after a withdrawal was submitted. */
export function legsAfterWithdrawals(open: () => EndedStage): void {
  it('starts no leg once a withdrawal of its deposit is confirmed, before and after it is mined', async () => {
    const { of } = await minedAfterFunding(open(), DEPOSIT_TOKEN);
    await open().stand.reachesStatuses(of, 'EXPIRED', 'EXPIRED');
    await fundedAndOvertaken(open(), of);
    await expectNoLeg(open(), of);
  }, 200_000);

  it('starts no leg before a confirmed withdrawal of another token is mined', async () => {
    const { stage } = open();
    const { of, hash } = await minedAfterFunding(open(), OTHER_TOKEN);
    await verifyCompleted(stage.chain, await reaches(stage.api, idOf(of), 'COMPLETE'));
    const { blockNumber } = await stage.chain.client.getTransactionReceipt({ hash });
    const blocks = await legBlocks(of);
    expect(blocks).toHaveLength(1);
    expect(blocks[0]).toBeGreaterThan(blockNumber);
  }, 200_000);

  it.each([DEPOSIT_TOKEN, OTHER_TOKEN])(
    'starts no leg after a third party submits a withdrawal of its $symbol (accept_blame: $blame)',
    async (withdrawn) => {
      const { stage, stand } = open();
      const { of, withdrawal } = await partlyFunded(open(), withdrawn);
      const { answer, signature } = withdrawal;
      const payload = answer.withdraw_authorization;
      const call = strangersCall(of.payment, payload, signature as Hex, of.wallet);
      await stage.chain.send(stage.chain.faucet, call);
      await reaches(stage.api, idOf(of), 'WITHDRAWN');
      await fundedAndOvertaken(open(), of);
      const payment = await expectNoLeg(open(), of);
      expect(payment.withdrawals).toMatchObject([{ status: 'SUCCESS' }]);
      expect(await stand.statuses(of)).toEqual(['WITHDRAWN', 'WITHDRAWN']);
    },
    200_000,
  );
}
