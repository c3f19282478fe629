import { nonceExpiresAt } from '@bascule/contracts';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { PaymentRecord, Withdrawal } from '../life-cycle/payment-record.js';

/** Withdrawals that are over, or not signed, that a payment is read with. */
export const READ_WITHDRAWALS = 50;

/**
 * Keeps withdrawals that a payment is read without: its owner can submit any number, and strangers can request any
 * number. The payment must be locked.
 */
@Injectable()
export class PastWithdrawalsRepository {
  /** Lets the payment be read with withdrawals again; true where it was not. */
  async recall(
    manager: EntityManager,
    paymentId: string,
    keys: readonly WithdrawalKey[],
  ): Promise<boolean> {
    const [, recalled]: [unknown, number] = await manager.query(
      `UPDATE withdrawals w SET is_past = false ${BY_KEY} AND w.is_past`,
      [paymentId, ...keyColumns(keys)],
    );
    return recalled > 0;
  }

  /** Lets the payment be read with the chain's withdrawals from a height on. */
  async recallFrom(
    manager: EntityManager,
    paymentId: string,
    chain: string,
    from: bigint,
  ): Promise<boolean> {
    const [, recalled]: [unknown, number] = await manager.query(
      `UPDATE withdrawals SET is_past = false
       WHERE payment_id = $1 AND chain = $2 AND is_past
         AND (landed->>'blockNumber')::bigint >= $3`,
      [paymentId, chain, from.toString()],
    );
    return recalled > 0;
  }

  /** Puts the oldest withdrawals away, beyond {@link READ_WITHDRAWALS}. */
  async putAway(manager: EntityManager, payment: PaymentRecord): Promise<void> {
    const old = pastWithdrawals(payment.withdrawals);
    if (old.length === 0) return;
    await manager.query(`UPDATE withdrawals w SET is_past = true ${BY_KEY}`, [
      payment.id,
      ...keyColumns(old),
    ]);
  }
}

type WithdrawalKey = Pick<Withdrawal, 'chain' | 'nonce'>;

/** Condition of an UPDATE of `withdrawals w`. `$1`: payment, `$2` and `$3`: {@link keyColumns}. */
const BY_KEY = `FROM unnest($2::text[], $3::numeric[]) AS key(chain, nonce)
  WHERE w.payment_id = $1 AND w.chain = key.chain AND w.nonce = key.nonce`;

const keyColumns = (keys: readonly WithdrawalKey[]): [string[], string[]] => [
  keys.map(({ chain }) => chain),
  keys.map(({ nonce }) => nonce.toString()),
];

/**
 * Withdrawals beyond the newest on which nothing depends: neither open ones nor mined refunds of transfers, nor the last
 * mined one of each chain, from which balances are counted, nor one that ended the executor's rights.
 */
export function pastWithdrawals(withdrawals: readonly Withdrawal[]): Withdrawal[] {
  const newestFirst = withdrawals
    .filter((it) => it.mined !== null || !it.submitted || isEnded(it))
    .sort((one, other) => timeOf(other) - timeOf(one));
  const needed = neededOf(newestFirst);
  return newestFirst.slice(READ_WITHDRAWALS).filter((withdrawal) => !needed.has(withdrawal));
}

const isEnded = ({ status }: Withdrawal): boolean => status === 'FAILED' || status === 'EXPIRED';

/** When it was mined, or else expires; nonces of strangers may lie beyond all times. */
const timeOf = ({ mined, nonce }: Withdrawal): number =>
  mined?.blockTimestamp.getTime() ?? Number(nonceExpiresAt(nonce)) * 1000;

function neededOf(newestFirst: readonly Withdrawal[]): ReadonlySet<Withdrawal> {
  const mined = newestFirst.filter((withdrawal) => withdrawal.mined !== null);
  const fromWallet = mined.filter(({ transferId }) => transferId === null);
  const lastOfChains = fromWallet.filter(
    ({ chain }, index) => fromWallet.findIndex((other) => other.chain === chain) === index,
  );
  const blamed = mined.find(({ acceptBlame }) => acceptBlame);
  const refunds = mined.filter(({ transferId }) => transferId !== null);
  return new Set([...lastOfChains, ...refunds, ...(blamed === undefined ? [] : [blamed])]);
}
