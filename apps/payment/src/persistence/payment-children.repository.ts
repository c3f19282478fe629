import type { EntityManager } from 'typeorm';
import type {
  Checkout,
  Deposit,
  Leg,
  PaymentRecord,
  Withdrawal,
} from '../life-cycle/payment-record.js';
import { toJson, transferToJson } from './payment-row.js';

/** Writes the changed parts of a payment; an unchanged part is the same object before and after. */
export async function writeChildren(
  manager: EntityManager,
  before: PaymentRecord,
  after: PaymentRecord,
): Promise<void> {
  const { id } = after;
  await deleteDeposits(manager, before, after);
  for (const deposit of added(before.deposits, after.deposits)) {
    if (deposit.sum === undefined) await writeDeposit(manager, id, deposit);
  }
  for (const leg of added(before.legs, after.legs)) await writeLeg(manager, leg);
  await deleteWithdrawals(manager, before, after);
  for (const withdrawal of added(before.withdrawals, after.withdrawals)) {
    await writeWithdrawal(manager, id, withdrawal);
  }
  if (after.checkout !== null && after.checkout !== before.checkout) {
    const isRescheduled = after.checkout.dueAt?.getTime() !== before.checkout?.dueAt?.getTime();
    await writeCheckout(manager, id, after.checkout, isRescheduled);
  }
}

const added = <T>(before: readonly T[], after: readonly T[]): T[] =>
  after.filter((item) => !before.includes(item));

async function deleteDeposits(
  manager: EntityManager,
  before: PaymentRecord,
  after: PaymentRecord,
): Promise<void> {
  const kept = new Set(after.deposits.map(({ id }) => id));
  const gone = before.deposits
    .filter(({ id, sum }) => sum === undefined && !kept.has(id))
    .map(({ id }) => id);
  if (gone.length > 0) await manager.query('DELETE FROM deposits WHERE id = ANY($1)', [gone]);
}

/** Deletes withdrawals known from the chain alone once the requested one has replaced them. */
async function deleteWithdrawals(
  manager: EntityManager,
  before: PaymentRecord,
  after: PaymentRecord,
): Promise<void> {
  const isKept = ({ chain, nonce }: Withdrawal): boolean =>
    after.withdrawals.some((other) => other.chain === chain && other.nonce === nonce);
  for (const { chain, nonce } of before.withdrawals.filter((it) => !isKept(it))) {
    await manager.query(
      'DELETE FROM withdrawals WHERE payment_id = $1 AND chain = $2 AND nonce = $3',
      [after.id, chain, nonce.toString()],
    );
  }
}

const writeDeposit = (manager: EntityManager, paymentId: string, deposit: Deposit) =>
  manager.query(
    `INSERT INTO deposits (id, payment_id, chain, token, amount, decimals, usd_price, sender,
       transaction_hash, position, block_number, block_hash, block_timestamp, confirmed)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
     ON CONFLICT (id) DO UPDATE SET confirmed = excluded.confirmed`,
    [
      deposit.id,
      paymentId,
      deposit.chain,
      deposit.token,
      deposit.amount.toString(),
      deposit.decimals,
      deposit.usdPrice,
      deposit.sender,
      deposit.transactionHash,
      deposit.position,
      deposit.blockNumber.toString(),
      deposit.blockHash,
      deposit.blockTimestamp,
      deposit.confirmed,
    ],
  );

const writeLeg = (manager: EntityManager, leg: Leg) =>
  manager.query(
    `UPDATE legs SET status = $2, attempts = $3, transaction_hash = $4, due_at = $5,
       settlement = $6, transfer = $7, failure = $8, conversion = $9
     WHERE id = $1`,
    [
      leg.id,
      leg.status,
      leg.attempts,
      leg.transactionHash,
      leg.dueAt,
      toJson(leg.settlement),
      transferToJson(leg.transfer),
      toJson(leg.failure),
      toJson(leg.conversion),
    ],
  );

const writeWithdrawal = (manager: EntityManager, paymentId: string, withdrawal: Withdrawal) =>
  manager.query(
    `INSERT INTO withdrawals (payment_id, chain, nonce, withdraw_id, token_amounts,
       recipient_address, accept_blame, submitted, status, transaction_hash, failure, version,
       landed, order_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
     ON CONFLICT (payment_id, chain, nonce) DO UPDATE SET
       withdraw_id = excluded.withdraw_id, token_amounts = excluded.token_amounts,
       recipient_address = excluded.recipient_address, accept_blame = excluded.accept_blame,
       submitted = excluded.submitted, status = excluded.status,
       transaction_hash = excluded.transaction_hash, failure = excluded.failure,
       version = excluded.version, landed = excluded.landed`,
    [
      paymentId,
      withdrawal.chain,
      withdrawal.nonce.toString(),
      withdrawal.withdrawId,
      toJson(withdrawal.tokenAmounts),
      withdrawal.recipientAddress,
      withdrawal.acceptBlame,
      withdrawal.submitted,
      withdrawal.status,
      withdrawal.transactionHash,
      withdrawal.failure,
      withdrawal.version,
      toJson(withdrawal.mined),
      withdrawal.transferId,
    ],
  );

/** Leaves `due_at` alone unless the change reschedules it: a callback sets it without the payment's lock. */
const writeCheckout = (
  manager: EntityManager,
  paymentId: string,
  checkout: Checkout,
  isRescheduled: boolean,
) =>
  manager.query(
    `INSERT INTO checkouts (payment_id, provider, method, checkout_id, url, url_expires_at, status,
       paid_at, transaction_hash, failure, polled_at, due_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
     ON CONFLICT (payment_id) DO UPDATE SET
       checkout_id = excluded.checkout_id, url = excluded.url,
       url_expires_at = excluded.url_expires_at, status = excluded.status,
       paid_at = excluded.paid_at, transaction_hash = excluded.transaction_hash,
       failure = excluded.failure, polled_at = excluded.polled_at,
       due_at = CASE WHEN $13 THEN excluded.due_at ELSE checkouts.due_at END`,
    [
      paymentId,
      checkout.provider,
      checkout.method,
      checkout.checkoutId,
      checkout.url,
      checkout.urlExpiresAt,
      checkout.status,
      checkout.paidAt,
      checkout.transactionHash,
      checkout.failure,
      checkout.polledAt,
      checkout.dueAt,
      isRescheduled,
    ],
  );
