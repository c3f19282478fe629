import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { RunningService } from '@bascule/service-host';
import { developmentAddresses } from '@bascule/solidity';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { getAddress, numberToHex, zeroAddress } from 'viem';
import type { Hash } from 'viem';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { OWNER } from '../testing/a-payment.fixture.js';
import { USDC } from '../testing/a-quote.fixture.js';
import { PaymentStack } from '../testing/payment-stack.fixture.js';
import { SINGLE_DEPOSITS } from './deposit-room.js';
import { DepositsService } from './deposits.service.js';
import type { Arrival } from './payment-deposits.js';
import { PaymentRecorderService } from './payment-recorder.service.js';
import { PLAIN_POSITION } from './transfers.js';
import { UnwitnessedDepositsRepository } from './unwitnessed-deposits.repository.js';

const ONE_USDC = 1_000_000n;
const CHAIN = 'alphanet';
/** Higher than the scanner comes. */
const HEIGHT = 1_000_000n;
const UP_TO = 2n * HEIGHT;
const USDC_ADDRESS = developmentAddresses.usdc;

const hashOf = (number: bigint): Hash => numberToHex(number, { size: 32 });

describe('deposits that need a second node', () => {
  let stack: PaymentStack;
  let service: RunningService;
  let payment: PaymentRecord;
  let repository: UnwitnessedDepositsRepository;

  beforeAll(async () => {
    stack = await PaymentStack.start();
    service = await stack.startProcess();
    repository = service.app.get(UnwitnessedDepositsRepository);
  });
  beforeEach(async () => {
    const wish = { input: USDC, output: USDC, amount: 1_000n * ONE_USDC };
    payment = await stack.confirm(service, wish);
  });
  afterAll(() => stack.stop());

  const transaction = <T>(work: (manager: EntityManager) => Promise<T>): Promise<T> =>
    service.app.get(DataSource).transaction(work);

  /** Records a transfer in each block from the height on. */
  async function record(transfers: readonly Partial<Arrival>[]): Promise<void> {
    const found = transfers.map((transfer, index): Arrival => {
      const number = HEIGHT + BigInt(index);
      return {
        ...{ token: USDC_ADDRESS, from: OWNER, to: getAddress(payment.walletAddress) },
        ...{ chain: CHAIN, amount: 1n, transactionHash: hashOf(number), position: 'log:0' },
        block: { number, hash: hashOf(number), timestamp: new Date() },
        ...transfer,
      };
    });
    const arrivals = await service.app.get(DepositsService).describedArrivals(CHAIN, found);
    const recorder = service.app.get(PaymentRecorderService);
    await transaction((manager) => recorder.record(manager, payment.id, arrivals));
  }
  const find = () => repository.find(payment.id, CHAIN, UP_TO);
  const areLarge = (usd: string) =>
    repository.areLarge({ paymentId: payment.id, chain: CHAIN, upTo: UP_TO, usd });
  const confirm = (upTo: bigint) => {
    const recorder = service.app.get(PaymentRecorderService);
    return transaction((manager) => recorder.confirm(manager, payment.id, CHAIN, upTo));
  };
  const amountsOf = (transfers: readonly { amount: bigint }[]) =>
    transfers.map(({ amount }) => amount).toSorted((one, other) => Number(one - other));

  it('are asked about by the most valuable twenty blocks first, until the rest is small', async () => {
    const amounts = Array.from({ length: SINGLE_DEPOSITS + 30 }, (_, n) => ONE_USDC + BigInt(n));
    await record(amounts.map((amount) => ({ amount })));
    const { single, summed, rises } = await find();
    expect(rises).toEqual([]);
    expect(amountsOf(single)).toEqual(amounts.slice(30));
    const transfers = summed.flatMap((block) => block.transfers);
    expect(summed).toHaveLength(20);
    expect(amountsOf(transfers)).toEqual(amounts.slice(10, 30));
    expect(summed.map(({ hash, wallet }) => ({ hash, wallet }))).toEqual(
      transfers.map(({ blockHash: hash }) => ({ hash, wallet: payment.walletAddress })),
    );
    expect(await areLarge('20')).toBe(true);
    await repository.markWitnessed([...single, ...transfers].map(({ id }) => id));
    expect(await areLarge('20')).toBe(false);
    expect(await areLarge('9.99')).toBe(true);
    const rest = await find();
    expect(rest.single).toEqual([]);
    expect(amountsOf(rest.summed.flatMap((block) => block.transfers))).toEqual(
      amounts.slice(0, 10),
    );
  });

  it('come from few blocks at once where these hold thousands', async () => {
    const blocks = [9n, 8n, 7n].map((amount, index) => {
      const number = HEIGHT + BigInt(index);
      const block = { number, hash: hashOf(number), timestamp: new Date() };
      return Array.from({ length: 6_000 }, (_, n) => ({ amount, block, position: `log:${n}` }));
    });
    await record(blocks.flat());
    const { summed } = await find();
    expect(summed.map(({ number }) => number).toSorted()).toEqual([HEIGHT, HEIGHT + 1n]);
  });

  it('are first those of the plan without a price, then the most valuable ones', async () => {
    const filling = Array.from({ length: SINGLE_DEPOSITS }, () => ({ amount: 50n * ONE_USDC }));
    const summed = Array.from({ length: 22 }, (_, n) => ({ amount: BigInt(n + 1) }));
    await record([...filling, ...summed]);
    const unpriced = `UPDATE payment.deposits SET usd_price = NULL WHERE payment_id = $1 AND amount = 1`;
    await stack.sql(unpriced, [payment.id]);
    const { summed: found } = await find();
    expect(amountsOf(found.flatMap(({ transfers }) => transfers))).toEqual([
      1n,
      ...summed.slice(3).map(({ amount }) => amount),
    ]);
  });

  it('are the rise of each block where calls paid native currency, with all that was paid in it', async () => {
    const block = { number: HEIGHT, hash: hashOf(HEIGHT), timestamp: new Date() };
    const native = { token: zeroAddress, block };
    await record([
      { ...native, amount: 5n, position: `${PLAIN_POSITION}0` },
      { ...native, amount: 7n, position: PLAIN_POSITION },
      { token: zeroAddress, amount: 9n, position: PLAIN_POSITION },
      { token: zeroAddress, amount: 11n, position: 'call:1' },
      { amount: 13n },
    ]);
    const { single, rises, native: sums } = await find();
    expect(amountsOf(single)).toEqual([9n, 13n]);
    expect(
      rises.map(({ rise, ids, plain }) => ({
        ...{ amount: rise.amount, ids: ids.length, plain: plain?.transfers.length },
      })),
    ).toEqual([
      { amount: 12n, ids: 2, plain: 1 },
      { amount: 11n, ids: 1, plain: undefined },
    ]);
    expect(sums).toEqual({ unconfirmed: 32n, confirmed: 0n });
    await repository.markWitnessed(rises.flatMap(({ ids }) => ids));
    expect((await find()).rises).toEqual([]);
    await confirm(UP_TO);
    expect((await find()).native).toEqual({ unconfirmed: 0n, confirmed: 9n });
  });

  it('are the whole rise of a block again where a plain payment is recorded beside a witnessed call', async () => {
    const block = { number: HEIGHT, hash: hashOf(HEIGHT), timestamp: new Date() };
    await record([{ token: zeroAddress, block, amount: 5n, position: `${PLAIN_POSITION}7` }]);
    await repository.markWitnessed((await find()).rises.flatMap(({ ids }) => ids));
    await confirm(UP_TO);
    await record([{ token: zeroAddress, block, amount: 5n, position: PLAIN_POSITION }]);
    const { single, rises } = await find();
    expect(single).toEqual([]);
    expect(rises.map(({ rise, ids }) => [rise.amount, ids.length])).toEqual([[10n, 1]]);
  });

  it('are none once they are witnessed or confirmed', async () => {
    await record([{ amount: 500n * ONE_USDC }, { amount: 1n }]);
    await confirm(HEIGHT);
    const { single } = await find();
    expect(single.map(({ amount }) => amount)).toEqual([1n]);
    expect(await areLarge('100')).toBe(true);
    await repository.markWitnessed(single.map(({ id }) => id));
    expect(await areLarge('100')).toBe(false);
  });
});
