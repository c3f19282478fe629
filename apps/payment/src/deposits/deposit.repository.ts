import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Transfer } from './transfers.js';
import type { ReportedHolding, ReportedTransfer } from './witness.client.js';

type Stored<T, Bigints extends keyof T> = Omit<T, Bigints> & Record<Bigints, string>;

/** Queries of the scanner. */
@Injectable()
export class DepositRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Transfers to watched wallets, by payment, by one query. */
  async toWallets<T extends Pick<Transfer, 'to'>>(
    transfers: readonly T[],
  ): Promise<Map<string, T[]>> {
    const byPayment = new Map<string, T[]>();
    if (transfers.length === 0) return byPayment;
    const addresses = [...new Set(transfers.map(({ to }) => to.toLowerCase()))];
    const payments = await this.paymentsOf(addresses);
    for (const transfer of transfers) {
      const paymentId = payments.get(transfer.to.toLowerCase());
      if (paymentId === undefined) continue;
      const found = byPayment.get(paymentId);
      if (found === undefined) byPayment.set(paymentId, [transfer]);
      else found.push(transfer);
    }
    return byPayment;
  }

  /** Payment ids by wallet, lower case. */
  async paymentsOf(addresses: readonly string[]): Promise<Map<string, string>> {
    const rows: { address: string; payment_id: string }[] = await this.dataSource.query(
      'SELECT address, payment_id FROM watched_wallets WHERE address = ANY($1)',
      [addresses],
    );
    return new Map(rows.map((row) => [row.address, row.payment_id]));
  }

  /** Payments with deposits at these heights in other blocks than the given ones. */
  async orphaned(
    chain: string,
    from: bigint,
    to: bigint,
    hashes: readonly string[],
  ): Promise<string[]> {
    const rows: { payment_id: string }[] = await this.dataSource.query(
      `SELECT DISTINCT payment_id FROM deposits
       WHERE chain = $1 AND block_number BETWEEN $2 AND $3 AND block_hash <> ALL($4)
       ORDER BY payment_id`,
      [chain, from.toString(), to.toString(), hashes],
    );
    return rows.map((row) => row.payment_id);
  }

  /** Payments with deposits or mined withdrawals above a height. */
  async above(chain: string, height: bigint): Promise<string[]> {
    const rows: { payment_id: string }[] = await this.dataSource.query(
      `SELECT payment_id FROM deposits WHERE chain = $1 AND block_number > $2
       UNION
       SELECT payment_id FROM withdrawals
       WHERE chain = $1 AND (landed->>'blockNumber')::bigint > $2
       ORDER BY payment_id`,
      [chain, height.toString()],
    );
    return rows.map((row) => row.payment_id);
  }

  /**
   * Payments whose unconfirmed deposits up to a height are worth at least so many dollars in sum. Those of the plan's
   * tokens without a price are, too.
   */
  async large(chain: string, upTo: bigint, usd: string): Promise<string[]> {
    const rows: { id: string }[] = await this.dataSource.query(
      `SELECT d.payment_id AS id FROM deposits d JOIN payments p ON p.id = d.payment_id
       WHERE d.chain = $1 AND d.block_number <= $2 AND NOT d.confirmed
       GROUP BY d.payment_id
       HAVING sum(d.amount * d.usd_price / 10::numeric ^ d.decimals) >= $3::numeric
         OR bool_or(d.usd_price IS NULL AND p.decimals ? d.token)`,
      [chain, upTo.toString(), usd],
    );
    return rows.map(({ id }) => id);
  }

  /** A payment's unconfirmed deposits up to a height: those that are told apart, and sums of the others by token. */
  async unwitnessed(
    paymentId: string,
    chain: string,
    upTo: bigint,
  ): Promise<{ single: ReportedTransfer[]; summed: ReportedHolding[] }> {
    const values = [paymentId, chain, upTo.toString()];
    const condition = `d.payment_id = $1 AND d.chain = $2 AND d.block_number <= $3 AND NOT d.confirmed`;
    const single: Stored<ReportedTransfer, 'amount' | 'blockNumber'>[] =
      await this.dataSource.query(
        `SELECT d.token, p.wallet_address AS wallet, d.amount::text AS amount,
         d.transaction_hash AS "transactionHash", d.position, d.block_hash AS "blockHash",
         d.block_number::text AS "blockNumber"
       FROM deposits d JOIN payments p ON p.id = d.payment_id WHERE ${condition} AND NOT d.is_summed`,
        values,
      );
    const summed: Stored<ReportedHolding, 'amount'>[] = await this.dataSource.query(
      `SELECT d.token, p.wallet_address AS wallet, sum(d.amount)::text AS amount
       FROM deposits d JOIN payments p ON p.id = d.payment_id WHERE ${condition} AND d.is_summed
       GROUP BY d.token, p.wallet_address`,
      values,
    );
    return {
      single: single.map(({ amount, blockNumber, ...row }) => ({
        ...row,
        amount: BigInt(amount),
        blockNumber: BigInt(blockNumber),
      })),
      summed: summed.map(({ amount, ...row }) => ({ ...row, amount: BigInt(amount) })),
    };
  }

  /** Heights of a payment's deposits on a chain, from one on. */
  async heightsFrom(paymentId: string, chain: string, from: bigint): Promise<bigint[]> {
    const rows: { height: string }[] = await this.dataSource.query(
      `SELECT DISTINCT block_number::text AS height FROM deposits
       WHERE payment_id = $1 AND chain = $2 AND block_number >= $3`,
      [paymentId, chain, from.toString()],
    );
    return rows.map(({ height }) => BigInt(height));
  }

  /** Chains other than this one with deposits of a payment. */
  async otherChainsOf(paymentId: string, chain: string): Promise<string[]> {
    const rows: { chain: string }[] = await this.dataSource.query(
      'SELECT DISTINCT chain FROM deposits WHERE payment_id = $1 AND chain <> $2 ORDER BY chain',
      [paymentId, chain],
    );
    return rows.map((row) => row.chain);
  }

  async unconfirmed(chain: string, upTo: bigint): Promise<string[]> {
    const rows: { payment_id: string }[] = await this.dataSource.query(
      `SELECT DISTINCT payment_id FROM deposits
       WHERE chain = $1 AND block_number <= $2 AND NOT confirmed ORDER BY payment_id`,
      [chain, upTo.toString()],
    );
    return rows.map((row) => row.payment_id);
  }
}
