import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** Record of an attempt; null when the schedule had ended before it. */
export interface AttemptRecord {
  url: string;
  outcome: string;
  durationMs: number;
  reason: string | null;
  statusCode: number | null;
  answerType: string | null;
  answer: Buffer | null;
}

export interface DeliveryResult {
  id: string;
  /** Lease of the claim, the fence of the write: a result of an older lease is dropped. */
  lease: string;
  /** Null when there is no next attempt. */
  delayMs: number | null;
  status: 'PENDING' | 'DELIVERED' | 'FAILED';
  attempt: AttemptRecord | null;
}

/** Writes many results at a time, since statements cost more than rows. */
const FINISH = `
  WITH result AS (
    SELECT * FROM unnest(
      $1::uuid[], $2::timestamptz[], $3::text[], $4::double precision[], $5::text[], $6::text[],
      $7::double precision[], $8::text[], $9::integer[], $10::text[], $11::bytea[]
    ) AS r (id, lease, status, delay_ms, url, outcome,
      duration_ms, reason, status_code, answer_type, answer)
  ), again AS (
    UPDATE webhook_deliveries d
    SET due_at = now() + r.delay_ms * interval '1 millisecond', claimed_at = NULL
    FROM result r, webhook_deliveries old
    WHERE d.id = r.id AND d.due_at = r.lease AND r.delay_ms IS NOT NULL AND old.id = d.id
    RETURNING d.id, d.earlier_attempts + d.attempts AS number, old.claimed_at
  ), ended AS (
    DELETE FROM webhook_deliveries d USING result r
    WHERE d.id = r.id AND d.due_at = r.lease AND r.delay_ms IS NULL
    RETURNING d.*, d.earlier_attempts + d.attempts AS number, r.status AS ended_as,
      (r.outcome IS NULL)::integer AS not_made
  ), logged AS (
    UPDATE webhook_delivery_log l
    SET status = e.ended_as, body = e.body, attempts = e.number - e.not_made, finished_at = now()
    FROM ended e
    WHERE l.workflow_id = e.workflow_id AND l.webhook_id = e.webhook_id
      AND l.event_type = e.event_type
  ), made AS (
    SELECT id, number, claimed_at FROM again
    UNION ALL SELECT id, number, claimed_at FROM ended
  ), attempted AS (
    INSERT INTO webhook_attempts (delivery_id, number, started_at, url, duration_ms, outcome,
      reason, status_code, answer_type, answer)
    SELECT m.id, m.number, m.claimed_at, r.url, r.duration_ms, r.outcome,
      r.reason, r.status_code, r.answer_type, r.answer
    FROM made m JOIN result r ON r.id = m.id
    WHERE r.outcome IS NOT NULL
  )
  SELECT id FROM made`;

@Injectable()
export class ResultsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Writes results; returns the deliveries whose lease was still valid. */
  async write(results: readonly DeliveryResult[]): Promise<Set<string>> {
    const attempts = results.map(({ attempt }) => attempt);
    const rows: { id: string }[] = await this.dataSource.query(FINISH, [
      results.map(({ id }) => id),
      results.map(({ lease }) => lease),
      results.map(({ status }) => status),
      results.map(({ delayMs }) => delayMs),
      attempts.map((attempt) => attempt?.url ?? null),
      attempts.map((attempt) => attempt?.outcome ?? null),
      attempts.map((attempt) => (attempt === null ? null : Math.round(attempt.durationMs))),
      attempts.map((attempt) => attempt?.reason ?? null),
      attempts.map((attempt) => attempt?.statusCode ?? null),
      attempts.map((attempt) => attempt?.answerType ?? null),
      attempts.map((attempt) => attempt?.answer ?? null),
    ]);
    return new Set(rows.map(({ id }) => id));
  }
}
