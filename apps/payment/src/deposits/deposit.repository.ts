import { ZERO_ADDRESS } from '@bascule/chain';
import { parseTokenIdentifier } from '@bascule/contracts';
import type { TokenIdentifier } from '@bascule/contracts';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { getAddress } from 'viem';
import type { Address } from 'viem';
import { HOLDS_FUNDS } from '../persistence/holds-funds.js';
import { IS_OPEN } from '../persistence/open-payments.js';
import type { Arrival } from './payment-deposits.js';
import type { Transfer } from './transfers.js';

/** Organisation of a payment, and its visitor, or null for a secret key. */
export interface PaymentSource {
  orgId: string;
  visitor: string | null;
}

/** A `Withdrawn` log of a payment. */
interface MinedLog {
  paymentId: string;
  nonce: bigint;
  transactionHash: string;
  blockNumber: bigint;
}

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
    if (addresses.length === 0) return new Map();
    const rows: { address: string; payment_id: string }[] = await this.dataSource.query(
      'SELECT address, payment_id FROM watched_wallets WHERE address = ANY($1)',
      [addresses],
    );
    return new Map(rows.map((row) => [row.address, row.payment_id]));
  }

  async walletOf(paymentId: string): Promise<Address> {
    const [row]: { address: Address }[] = await this.dataSource.query(
      'SELECT wallet_address AS address FROM payments WHERE id = $1',
      [paymentId],
    );
    if (row === undefined) throw new Error(`payment ${paymentId} not found`);
    return row.address;
  }

  /** All tokens of a chain that were ever listed: no other one is recorded. */
  async tokensOn(chain: string): Promise<Address[]> {
    const rows: { id: TokenIdentifier }[] = await this.dataSource.query(
      'SELECT id FROM assets WHERE chain = $1 ORDER BY id',
      [chain],
    );
    return rows
      .map(({ id }) => getAddress(parseTokenIdentifier(id).address))
      .filter((address) => address !== ZERO_ADDRESS);
  }

  /** Wallets of payments that are open or hold money. */
  async activeWallets(): Promise<Address[]> {
    const rows: { address: Address }[] = await this.dataSource.query(
      `SELECT wallet_address AS address FROM payments WHERE ${IS_OPEN}
       UNION SELECT wallet_address FROM payments WHERE ${HOLDS_FUNDS}`,
    );
    return rows.map(({ address }) => address);
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

  /** Heights of a payment's deposits on a chain, from one on. */
  async heightsFrom(
    manager: EntityManager,
    { paymentId, chain, from }: { paymentId: string; chain: string; from: bigint },
  ): Promise<bigint[]> {
    const rows: { height: string }[] = await manager.query(
      `SELECT DISTINCT block_number::text AS height FROM deposits
       WHERE payment_id = $1 AND chain = $2 AND block_number >= $3`,
      [paymentId, chain, from.toString()],
    );
    return rows.map(({ height }) => BigInt(height));
  }

  /** Keeps the tokens that are part of their payments' plans, as `<payment>/<token>`. */
  async plannedTokens(
    of: readonly { paymentId: string; token: TokenIdentifier }[],
  ): Promise<Set<string>> {
    const rows: { key: string }[] = await this.dataSource.query(
      `SELECT DISTINCT p.id || '/' || of.token AS key
       FROM unnest($1::uuid[], $2::text[]) AS of(payment_id, token)
       JOIN payments p ON p.id = of.payment_id AND jsonb_exists(p.decimals, of.token)`,
      [of.map(({ paymentId }) => paymentId), of.map(({ token }) => token)],
    );
    return new Set(rows.map(({ key }) => key));
  }

  /** Keeps of transfers to payments those that are not recorded. */
  async unrecorded(
    chain: string,
    sent: ReadonlyMap<string, readonly Arrival[]>,
  ): Promise<Map<string, Arrival[]>> {
    const all = [...sent].flatMap(([paymentId, found]) =>
      found.map((arrival) => ({ paymentId, arrival })),
    );
    const unknown = new Map<string, Arrival[]>();
    if (all.length === 0) return unknown;
    const rows: { index: number }[] = await this.dataSource.query(
      `SELECT sent.index::int - 1 AS index
       FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[])
         WITH ORDINALITY AS sent(payment_id, hash, position, block_hash, index)
       JOIN deposits d ON d.payment_id = sent.payment_id AND d.chain = $1
         AND d.transaction_hash = sent.hash AND d.position = sent.position
         AND d.block_hash = sent.block_hash`,
      [
        chain,
        all.map(({ paymentId }) => paymentId),
        all.map(({ arrival }) => arrival.transactionHash),
        all.map(({ arrival }) => arrival.position),
        all.map(({ arrival }) => arrival.block.hash),
      ],
    );
    const recorded = new Set(rows.map(({ index }) => index));
    for (const [index, { paymentId, arrival }] of all.entries()) {
      if (recorded.has(index)) continue;
      const found = unknown.get(paymentId);
      if (found === undefined) unknown.set(paymentId, [arrival]);
      else found.push(arrival);
    }
    return unknown;
  }

  async sourcesOf(paymentIds: readonly string[]): Promise<Map<string, PaymentSource>> {
    const rows: (PaymentSource & { id: string })[] = await this.dataSource.query(
      'SELECT id, org_id AS "orgId", visitor FROM payments WHERE id = ANY($1)',
      [paymentIds],
    );
    return new Map(rows.map(({ id, ...source }) => [id, source]));
  }

  /** Says of each withdrawal whether it is recorded as mined by this transaction. */
  async areWithdrawalsRecorded(chain: string, logs: readonly MinedLog[]): Promise<boolean[]> {
    if (logs.length === 0) return [];
    const rows: { index: number }[] = await this.dataSource.query(
      // Holdings of a block whose state is pruned were read at a later one.
      `SELECT log.index::int - 1 AS index
       FROM unnest($2::uuid[], $3::numeric[], $4::text[], $5::bigint[])
         WITH ORDINALITY AS log(payment_id, nonce, hash, height, index)
       JOIN withdrawals w ON w.payment_id = log.payment_id AND w.chain = $1 AND w.nonce = log.nonce
       WHERE w.landed->>'transactionHash' = log.hash
         AND (w.landed->>'blockNumber')::bigint >= log.height`,
      [
        chain,
        logs.map(({ paymentId }) => paymentId),
        logs.map(({ nonce }) => nonce.toString()),
        logs.map(({ transactionHash }) => transactionHash),
        logs.map(({ blockNumber }) => blockNumber.toString()),
      ],
    );
    const recorded = new Set(rows.map(({ index }) => index));
    return logs.map((_, index) => recorded.has(index));
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
