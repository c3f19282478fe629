import { ZERO_ADDRESS } from '@bascule/chain';
import { tokenIdentifier } from '@bascule/contracts';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { NIL } from 'uuid';
import type { Address } from 'viem';
import { lockPayment } from '../persistence/payment-lock.repository.js';
import { EXPECTS_NATIVE, IS_OPEN } from '../persistence/open-payments.js';
import type { NativeLedger } from './native-ledger.js';
import type { WalletEnd } from './scanned-chain.js';

/** Wallet of an open payment that expects native currency. */
export interface NativeWallet extends WalletEnd {
  address: Address;
  /** End of its funding, to the millisecond. */
  endsAt: Date;
  /** Smallest units that fund the payment. */
  required: string;
  /** Whether a search holds the end of the payment. */
  isHeld: boolean;
  /** Money that the newest search could not explain, in smallest units. */
  residue: string;
}

interface LedgerRow {
  paymentId: string;
  block: string | null;
  remaining: string | null;
}

interface SumRow {
  paymentId: string;
  block: string;
  amount: string;
}

const nativeOf = (chain: string): string => tokenIdentifier(chain, ZERO_ADDRESS);

/** Wallets that expect native currency, and what is recorded about it. */
@Injectable()
export class NativeWalletsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Wallets after another one whose funding ends before a time, those whose funding ends first. */
  async list(
    chain: string,
    { after, before }: { after: WalletEnd | null; before?: Date },
    limit: number,
  ): Promise<NativeWallet[]> {
    return this.dataSource.query(
      `${SELECT_WALLETS} AND (initiate_fund_by, id) > ($3, $4)
         AND initiate_fund_by < $5
       ORDER BY initiate_fund_by, id LIMIT $6`,
      [
        ...[nativeOf(chain), chain, after?.fundBy ?? '-infinity', after?.paymentId ?? NIL],
        ...[before ?? 'infinity', limit],
      ],
    );
  }

  /**
   * Recorded facts up to a height, by payment. Payments are left out that have ended, whose leg has started, or whose newest
   * withdrawal is above the height: what left their wallets is not certain.
   */
  async ledgers(
    chain: string,
    paymentIds: readonly string[],
    height: bigint,
    manager: EntityManager | DataSource = this.dataSource,
  ): Promise<Map<string, NativeLedger>> {
    const rows: LedgerRow[] = await manager.query(SELECT_LEDGERS, [
      paymentIds,
      chain,
      nativeOf(chain),
      height.toString(),
    ]);
    const sums: SumRow[] = await manager.query(
      `SELECT payment_id AS "paymentId", block_number::text AS block, sum(amount)::text AS amount
       FROM deposits
       WHERE payment_id = ANY($1) AND chain = $2 AND token = $3 AND block_number <= $4
       GROUP BY payment_id, block_number ORDER BY block_number`,
      [rows.map(({ paymentId }) => paymentId), chain, nativeOf(chain), height.toString()],
    );
    const byPayment = Object.groupBy(sums, ({ paymentId }) => paymentId);
    return new Map(
      rows.map(({ paymentId, block, remaining }) => [
        paymentId,
        {
          since:
            block === null ? null : { block: BigInt(block), remaining: BigInt(remaining ?? 0) },
          deposits: (byPayment[paymentId] ?? []).map((sum) => ({
            block: BigInt(sum.block),
            amount: BigInt(sum.amount),
          })),
        },
      ]),
    );
  }

  /**
   * As {@link ledgers} for one payment, which it locks until the transaction ends. None for one that is set aside, whose facts
   * are not complete.
   */
  async lockedLedger(
    manager: EntityManager,
    chain: string,
    paymentId: string,
    height: bigint,
  ): Promise<NativeLedger | undefined> {
    await lockPayment(manager, paymentId);
    const aside: unknown[] = await manager.query(
      'SELECT 1 FROM set_aside_payments WHERE payment_id = $1 AND chain = $2',
      [paymentId, chain],
    );
    if (aside.length > 0) return undefined;
    return (await this.ledgers(chain, [paymentId], height, manager)).get(paymentId);
  }

  /** Recorded transfers of a block, as `<transaction>/<position>`. */
  async recordedIn(paymentId: string, chain: string, block: bigint): Promise<Set<string>> {
    const rows: { key: string }[] = await this.dataSource.query(
      `SELECT transaction_hash || '/' || position AS key FROM deposits
       WHERE payment_id = $1 AND chain = $2 AND block_number = $3`,
      [paymentId, chain, block.toString()],
    );
    return new Set(rows.map(({ key }) => key));
  }
}

const SELECT_WALLETS = `
SELECT id AS "paymentId", wallet_address AS address, initiate_fund_by::text AS "fundBy",
  initiate_fund_by AS "endsAt", plan #>> '{deposit,required_amount}' AS required,
  coalesce(s.holds, false) AS "isHeld", coalesce(s.residue, 0)::text AS residue
FROM payments LEFT JOIN native_searches s ON s.payment_id = payments.id AND s.chain = $2
WHERE ${EXPECTS_NATIVE} AND plan #>> '{deposit,token}' = $1`;

const SELECT_LEDGERS = `
SELECT p.id AS "paymentId", w.block::text AS block,
  (SELECT holding->>'amount' FROM jsonb_array_elements(w.remaining) AS holding
   WHERE holding->>'token' = $3 LIMIT 1) AS remaining
FROM payments p LEFT JOIN LATERAL (
  SELECT (landed->>'blockNumber')::bigint AS block, landed->'remaining' AS remaining
  FROM withdrawals
  WHERE payment_id = p.id AND chain = $2 AND landed IS NOT NULL AND order_id IS NULL
  ORDER BY 1 DESC LIMIT 1
) w ON true
WHERE p.id = ANY($1) AND ${IS_OPEN} AND coalesce(w.block, 0) <= $4::bigint
  AND NOT EXISTS (
    SELECT FROM legs WHERE payment_id = p.id
      AND (settlement IS NOT NULL OR status NOT IN ('PENDING', 'ATTEMPT_FAILED')))`;
