import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDataSource } from '@bascule/persistence';
import { seededNumbers } from '@bascule/testing';
import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { depositedInTime } from '../life-cycle/funding.js';
import { issuesOf } from '../life-cycle/issues.js';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { applyVerdicts } from '../life-cycle/sanctions.js';
import { holdings, recordedHoldings } from '../life-cycle/wallet-ledger.js';
import { aPolicy } from '../testing/a-payment.fixture.js';
import { USDC, USDT, WETH } from '../testing/a-quote.fixture.js';
import { PaymentStack } from '../testing/payment-stack.fixture.js';
import { DepositSumsRepository } from './deposit-sums.repository.js';
import { PaymentReaderRepository } from './payment-reader.repository.js';
import { depositOf } from './payment-row.js';

const UNPRICED = 'alphanet:0x00000000000000000000000000000000000000aa' as const;
const PRICES = new Map<string, string>([
  [USDC, '1'],
  [USDT, '0.9998'],
  [WETH, '3000'],
]);
const SENDERS = ['a', 'b', 'c', 'd'].map((digit) => `0x${digit.repeat(40)}`);

describe('sums of deposits', () => {
  let stack: PaymentStack;
  let dataSource: DataSource;
  let payment: PaymentRecord;
  const sums = new DepositSumsRepository();

  beforeAll(async () => {
    stack = await PaymentStack.start();
    const service = await stack.startProcess();
    payment = await stack.confirm(service, { input: USDC, output: USDC, amount: 100_000_000n });
    await stack.stopServices();
    const { database } = stack.database;
    dataSource = await createDataSource({ database, entities: [], migrations: [] }).initialize();
  });
  afterAll(async () => {
    await dataSource.destroy();
    await stack.stop();
  });

  async function store(random: () => number): Promise<void> {
    const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
    for (const table of ['deposits', 'withdrawals', 'sender_screenings']) {
      await dataSource.query(`DELETE FROM ${table} WHERE payment_id = $1`, [payment.id]);
    }
    for (let count = 0; count < 60; count += 1) {
      const token = pick([USDC, USDC, USDT, WETH, UNPRICED]);
      const time = pick([payment.createdAt, payment.initiateFundBy, payment.declarationExpiresAt]);
      await dataSource.query(
        `INSERT INTO deposits (id, payment_id, chain, token, amount, decimals, usd_price, sender,
           transaction_hash, position, block_number, block_hash, block_timestamp, confirmed)
         VALUES ($1, $2, 'alphanet', $3, $4, $5, $6, $7, $8, 'log:0', $9, '0x0', $10, $11)`,
        [
          uuidv7(),
          payment.id,
          token,
          Math.floor(random() * 3_000_000).toString(),
          token === WETH ? 18 : 6,
          PRICES.get(token) ?? null,
          pick(SENDERS),
          `0x${count}`,
          Math.ceil(random() * 20).toString(),
          new Date(time.getTime() + pick([-1_000, 1_000])),
          random() < 0.7,
        ],
      );
    }
    if (random() < 0.5) await storeWithdrawal(Math.ceil(random() * 20));
    for (const sender of SENDERS) {
      await dataSource.query(
        `INSERT INTO sender_screenings (id, payment_id, address, sanctioned) VALUES ($1, $2, $3, $4)`,
        [uuidv7(), payment.id, sender, pick([null, true, false, false])],
      );
    }
  }

  const storeWithdrawal = (block: number) =>
    dataSource.query(
      `INSERT INTO withdrawals (payment_id, chain, nonce, withdraw_id, token_amounts, accept_blame,
         submitted, status, version, landed)
       VALUES ($1, 'alphanet', 7, 'w', '[]', false, true, 'SUCCESS', 0, $2)`,
      [
        payment.id,
        {
          transactionHash: '0x1',
          blockNumber: block.toString(),
          blockTimestamp: new Date().toISOString(),
          remaining: [{ token: USDC, amount: '5', decimals: 6, usdPrice: '1' }],
        },
      ],
    );

  /** Everything that a payment's life takes from its deposits. */
  async function facts(record: PaymentRecord) {
    const rows: { address: string; sanctioned: boolean }[] = await dataSource.query(
      `SELECT address, sanctioned FROM sender_screenings
       WHERE payment_id = $1 AND sanctioned IS NOT NULL`,
      [payment.id],
    );
    const verdicts = new Map(rows.map(({ address, sanctioned }) => [address, sanctioned]));
    const judged = applyVerdicts(record, verdicts, aPolicy, payment.createdAt);
    const byToken = <T extends { token: string }>(all: readonly T[]) =>
      all.toSorted((one, other) => (one.token < other.token ? -1 : 1));
    return {
      held: byToken(holdings(record)),
      recorded: byToken(recordedHoldings(record)),
      inTime: depositedInTime(record),
      issues: issuesOf(record, () => aPolicy, payment.declarationExpiresAt)
        .map((issue) => JSON.stringify(issue))
        .sort(),
      senders: judged.senders,
      frozenTokens: judged.frozenTokens,
    };
  }

  it('have a transfer unchanged that is shown in another block, too', async () => {
    await store(seededNumbers(1));
    const reader = new PaymentReaderRepository(dataSource);
    const [deposit] = (await reader.find(payment.id))?.payment.deposits ?? [];
    if (deposit === undefined) throw new Error('no deposit');
    await sums.absorb(dataSource.manager, payment.id, [deposit]);
    const moved = { ...deposit, id: uuidv7(), amount: 7n, blockHash: '0x1', blockNumber: 99n };
    for (let times = 0; times < 2; times += 1) {
      await sums.add(dataSource.manager, payment.id, [moved]);
      const sql = `SELECT amount::text, block_hash FROM deposits
        WHERE payment_id = $1 AND transaction_hash = $2`;
      const stored: unknown[] = await dataSource.query(sql, [payment.id, deposit.transactionHash]);
      expect(stored).toHaveLength(2);
      expect(stored).toContainEqual({ amount: `${deposit.amount}`, block_hash: '0x0' });
      expect(stored).toContainEqual({ amount: '7', block_hash: '0x1' });
    }
  });

  it.each(Array.from({ length: 25 }, (_, index) => index + 1))(
    'change nothing that depends on deposits (seed %i)',
    async (seed) => {
      const random = seededNumbers(seed);
      await store(random);
      const reader = new PaymentReaderRepository(dataSource);
      const single = await reader.find(payment.id);
      if (single === null) throw new Error('no payment');
      await dataSource.query(
        `UPDATE deposits SET is_summed = true WHERE payment_id = $1 AND transaction_hash = ANY($2)`,
        [payment.id, Array.from({ length: 60 }, (_, n) => `0x${n}`).filter(() => random() < 0.7)],
      );
      const rest = await reader.find(payment.id);
      const summed = await sums.read(dataSource.manager, payment.id);
      expect(summed.length).toBeGreaterThan(0);
      const deposits = [...summed.map(depositOf), ...(rest?.payment.deposits ?? [])];
      expect(deposits.length).toBeLessThan(60);
      expect(await facts({ ...single.payment, deposits })).toEqual(await facts(single.payment));
    },
  );
});
