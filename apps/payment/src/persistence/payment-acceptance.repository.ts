import { TOPICS } from '@bascule/contracts';
import type { VerificationReason } from '@bascule/contracts';
import { insertAnswerOf } from '@bascule/idempotency';
import type { SealedAnswer } from '@bascule/idempotency';
import { Outbox } from '@bascule/messaging';
import { isUniqueViolation } from '@bascule/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { PAYMENT_POLICY } from '../config/payment.config.js';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import type { PaymentPolicy } from '../life-cycle/policy.js';
import { confirmationEntries } from '../timeline/payment-entries.js';
import { place, ROOM } from '../timeline/room.js';
import { paymentState } from '../view/payment-view.js';
import { KeyedTurns } from './keyed-turns.js';
import { toJson } from './payment-row.js';
import { preparedQuery } from './prepared-query.repository.js';
import { entryRows, traceIdOf } from './timeline.repository.js';
import { UnfundedQuotaRepository } from './unfunded-quota.repository.js';
import type { QuotaHolder, Scarcity } from './unfunded-quota.repository.js';

/**
 * Hot statement: one round trip, and one commit while the quota is far. Every part selects from the inserted payment,
 * so the outbox row takes its id afterwards, a concurrent second confirm fails on the key, and a parent is locked after
 * its retry.
 */
const accept = (more = ''): string => `
WITH payment AS (
  INSERT INTO payments (id, org_id, status, funded, version, created_at, updated_at, due_at,
    initiate_fund_by, declaration_expires_at, owner_chain, owner_address, destination_address,
    wallet_address, declaration, declaration_hash, plan, quoted, quote_request, current_prices,
    price_currency, decimals, geolocation, client_redirect_url, client_redirect_after, traceparent,
    owner_chains, mode, timeline_length, visitor, published_version)
  VALUES ($1, $2, $3, false, $4, $5, $5, $6, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
    $17, $18, $19, $20, $21, $22, $23, $24, $25, jsonb_array_length($31::jsonb), $35, $4)
  RETURNING id
), leg AS (
  INSERT INTO legs (id, payment_id, leg_index, chain, status, bridge)
  SELECT l.id, payment.id, l.index, l.chain, l.status,
    $14::jsonb->'legs'->l.index::integer->'bridge'->>'name'
  FROM payment, jsonb_to_recordset($26::jsonb) AS l(id uuid, index smallint, chain text, status text)
), wallet AS (
  INSERT INTO watched_wallets (address, payment_id) SELECT $27, id FROM payment
), timeline AS (
  INSERT INTO timeline_entries (payment_id, sequence, recorded_at, type, trace_id, facts)
  SELECT payment.id, entry.sequence, $5, entry.type, $32, entry.facts
  FROM payment, jsonb_to_recordset($31::jsonb) AS entry(sequence integer, type text, facts jsonb)
), parent AS (
  UPDATE payments SET timeline_length = timeline_length + 1 FROM payment
  WHERE payments.id = $33 AND payments.org_id = $2 AND timeline_length < $34
  RETURNING payments.id, timeline_length
), retry AS (
  INSERT INTO timeline_entries (payment_id, sequence, recorded_at, type, trace_id, facts)
  SELECT parent.id, parent.timeline_length, clock_timestamp(), 'retry.confirmed', $32,
    jsonb_build_object('retry_payment_id', payment.id)
  FROM parent, payment
), omitted AS (
  INSERT INTO timeline_omitted AS known (payment_id, type, count, last_at)
  SELECT payments.id, 'retry.confirmed', 1, $5 FROM payments, payment
  WHERE payments.id = $33 AND payments.org_id = $2 AND timeline_length >= $34
  ON CONFLICT (payment_id, type) DO UPDATE
  SET count = known.count + 1, last_at = excluded.last_at
)${more}
INSERT INTO outbox (topic, key, envelope) SELECT $28, $29, $30 FROM payment`;

const ACCEPT = { name: 'accept-payment', text: accept() };

/** Also stores the answer to a request with an `Idempotency-Key`. */
const ACCEPT_ONCE = {
  name: 'accept-payment-once',
  text: accept(`, answer AS (
  ${insertAnswerOf('payment', '$36', '$37')}
)`),
};

interface Acceptance {
  /** Visitor that confirmed it with a publishable key; null for a secret key. */
  visitor?: string | null;
  /** Signatures that the owner gave for it. */
  verified?: readonly VerificationReason[];
  /** Answer to its request. */
  answer?: SealedAnswer | undefined;
}

@Injectable()
export class PaymentAcceptanceRepository {
  /** Queues contenders for a lock in this process, since one that waits in the database holds a connection. */
  private readonly turns = new KeyedTurns();

  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly quota: UnfundedQuotaRepository,
    @Inject(PAYMENT_POLICY) private readonly policy: PaymentPolicy,
  ) {}

  /**
   * Stores the payment and the answer to its request; false for a payment that exists already.
   * @throws ServiceError 429 where the quota of unfunded payments, or the caller's share of it, is used up
   */
  async accept(
    payment: PaymentRecord,
    { visitor = null, verified = [], answer }: Acceptance = {},
  ): Promise<boolean> {
    const { kept } = place(confirmationEntries(payment, verified), 0);
    const event = this.outbox.outboxRow({
      topic: TOPICS.payment,
      type: 'payment.confirmed',
      key: payment.id,
      data: paymentState(payment, this.policy, payment.createdAt),
    });
    const values = [
      ...columns(payment),
      event.topic,
      event.key,
      event.envelope,
      entryRows(kept),
      traceIdOf(payment.traceparent),
      payment.quoteRequest.parent_payment_id ?? null,
      ROOM,
      visitor,
      ...(answer === undefined ? [] : [answer.identity, answer.answer]),
    ];
    try {
      await this.withinQuota({ orgId: payment.orgId, visitor }, (source) =>
        preparedQuery(source, answer === undefined ? ACCEPT : ACCEPT_ONCE, values),
      );
    } catch (error) {
      if (isUniqueViolation(error, 'payments_pkey')) return false;
      throw error;
    }
    this.outbox.wakeAfterCommit();
    return true;
  }

  private async withinQuota(
    holder: QuotaHolder,
    store: (source: DataSource | EntityManager) => Promise<unknown>,
  ): Promise<void> {
    const scarcity = await this.quota.scarcityOf(holder);
    if (scarcity === null) {
      await store(this.dataSource);
      return;
    }
    await this.turns.run(contendedBy(holder, scarcity), () =>
      this.dataSource.transaction(async (manager) => {
        await this.quota.take(manager, holder, scarcity);
        await store(manager);
      }),
    );
  }
}

/** Holders that wait for each other. */
const contendedBy = ({ orgId, visitor }: QuotaHolder, { ofOrganisation }: Scarcity): string =>
  ofOrganisation ? orgId : `${orgId}:${visitor}`;

const columns = (payment: PaymentRecord): unknown[] => [
  payment.id,
  payment.orgId,
  payment.status,
  payment.version,
  payment.createdAt,
  payment.initiateFundBy,
  payment.declarationExpiresAt,
  payment.ownerChain,
  payment.ownerAddress,
  payment.destinationAddress,
  payment.walletAddress,
  toJson(payment.declaration),
  payment.declarationHash,
  toJson(payment.plan),
  toJson(payment.quoted),
  toJson(payment.quoteRequest),
  toJson(payment.currentPrices),
  payment.priceCurrency,
  toJson(payment.decimals),
  toJson(payment.geolocation),
  payment.clientRedirectUrl,
  payment.clientRedirectAfter,
  payment.traceparent,
  toJson(payment.ownerChains),
  payment.mode,
  toJson(payment.legs),
  payment.walletAddress.toLowerCase(),
];
