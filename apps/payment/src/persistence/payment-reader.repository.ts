import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import type { PaymentRow } from './payment-row.js';
import { recordOfRow } from './payment-row.js';
import { preparedQuery } from './prepared-query.repository.js';

/**
 * Reads payments with their parts by one statement, each part by its index. One JSON column, since parsing forty
 * columns costs more than the rest of a look-up. Big integers travel as text.
 *
 * @param from the statement's rest, in which rows of `payments` are called `p`
 */
export const readPayments = (from: string): string => `
SELECT row_to_json(payment)::text AS payment FROM (SELECT
  clock_timestamp() AS now,
  p.id, p.org_id AS "orgId", p.mode, p.status, p.status_before_withdrawal AS "statusBeforeWithdrawal",
  p.funded, p.funded_in_full_at AS "fundedInFullAt", p.version, p.created_at AS "createdAt",
  p.updated_at AS "updatedAt", p.completed_at AS "completedAt", p.due_at AS "dueAt",
  p.initiate_fund_by AS "initiateFundBy", p.declaration_expires_at AS "declarationExpiresAt",
  p.owner_chain AS "ownerChain", p.owner_address AS "ownerAddress",
  p.owner_chains AS "ownerChains",
  p.destination_address AS "destinationAddress", p.wallet_address AS "walletAddress",
  p.declaration, p.declaration_hash AS "declarationHash", p.plan, p.quoted,
  p.quote_request AS "quoteRequest", p.current_prices AS "currentPrices",
  p.price_currency AS "priceCurrency", p.decimals, p.geolocation,
  p.client_redirect_url AS "clientRedirectUrl", p.client_redirect_after AS "clientRedirectAfter",
  p.traceparent, p.timeline_length AS "timelineLength", p.senders,
  p.frozen_tokens AS "frozenTokens", p.summed_deposits AS "summedDeposits",
  p.tainted_by AS "taintedBy",
  (SELECT coalesce(json_agg(json_build_object(
      'id', l.id, 'index', l.leg_index, 'chain', l.chain, 'status', l.status,
      'attempts', l.attempts, 'transactionHash', l.transaction_hash, 'dueAt', l.due_at,
      'conversion', l.conversion, 'settlement', l.settlement, 'transfer', l.transfer, 'failure', l.failure) ORDER BY l.leg_index), '[]')
    FROM legs l WHERE l.payment_id = p.id) AS legs,
  (SELECT coalesce(json_agg(json_build_object(
      'id', d.id, 'chain', d.chain, 'token', d.token, 'amount', d.amount::text,
      'decimals', d.decimals, 'usdPrice', d.usd_price::text, 'sender', d.sender,
      'transactionHash', d.transaction_hash, 'position', d.position,
      'blockNumber', d.block_number::text, 'blockHash', d.block_hash,
      'blockTimestamp', d.block_timestamp, 'confirmed', d.confirmed)
      ORDER BY d.block_timestamp, d.id), '[]')
    FROM deposits d WHERE d.payment_id = p.id AND NOT d.is_summed) AS deposits,
  (SELECT coalesce(json_agg(json_build_object(
      'withdrawId', w.withdraw_id, 'chain', w.chain, 'nonce', w.nonce::text,
      'transferId', w.order_id,
      'tokenAmounts', w.token_amounts, 'recipientAddress', w.recipient_address,
      'acceptBlame', w.accept_blame, 'submitted', w.submitted, 'status', w.status,
      'transactionHash', w.transaction_hash, 'failure', w.failure, 'version', w.version,
      'mined', w.landed) ORDER BY w.nonce), '[]')
    FROM withdrawals w WHERE w.payment_id = p.id AND NOT w.is_past) AS withdrawals,
  (SELECT json_build_object(
      'provider', c.provider, 'method', c.method, 'checkoutId', c.checkout_id, 'url', c.url,
      'urlExpiresAt', c.url_expires_at, 'status', c.status, 'paidAt', c.paid_at,
      'transactionHash', c.transaction_hash, 'failure', c.failure, 'polledAt', c.polled_at,
      'dueAt', c.due_at)
    FROM checkouts c WHERE c.payment_id = p.id) AS checkout
${from}) payment`;

export const READ_PAYMENT = readPayments('FROM payments p WHERE p.id = $1');

const STATEMENT = { name: 'read-payment', text: READ_PAYMENT };

/** Row of {@link readPayments}. */
export interface StoredJson {
  payment: string;
}

export interface FoundPayment {
  payment: PaymentRecord;
  /** Time by the database's clock. */
  now: Date;
  /** Entries of its timeline when it was read. */
  timelineLength: number;
  /** Some of its deposits are read as sums. */
  hasSums: boolean;
}

@Injectable()
export class PaymentReaderRepository {
  constructor(private readonly dataSource: DataSource) {}

  async find(paymentId: string, manager?: EntityManager): Promise<FoundPayment | null> {
    const rows = await preparedQuery(manager ?? this.dataSource, STATEMENT, [paymentId]);
    const [found] = rows as StoredJson[];
    return found === undefined ? null : foundPayment(found);
  }
}

export function foundPayment({ payment }: StoredJson): FoundPayment {
  const row = JSON.parse(payment) as PaymentRow;
  const { now, timelineLength, summedDeposits } = row;
  const hasSums = summedDeposits !== null;
  return { payment: recordOfRow(row), now: new Date(now), timelineLength, hasSums };
}
