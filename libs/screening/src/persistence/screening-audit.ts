import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { Injectable } from '@nestjs/common';
import type { Address } from 'viem';

export const SCREENING_PURPOSES = ['confirm', 'leg', 'deposit', 'withdrawal'] as const;

/** Why an address is screened. */
export interface ScreeningReason {
  purpose: (typeof SCREENING_PURPOSES)[number];
  /** Id of the payment or withdrawal. */
  reference: string;
}

export interface AuditedAnswer {
  source: string;
  address: Address;
  verdict: 'clear' | 'sanctioned' | 'unanswered';
}

/** A repeated answer is counted, so that work that is retried adds no rows. */
const RECORD = `
  INSERT INTO screenings (reference, purpose, address, source, verdict)
  SELECT $1, $2, answer.address, answer.source, answer.verdict
  FROM jsonb_to_recordset($3::jsonb) AS answer(address text, source text, verdict text)
  ORDER BY 3, 4, 5
  ON CONFLICT (reference, purpose, address, source, verdict)
  DO UPDATE SET last_at = now(), times = screenings.times + 1`;

@Injectable()
export class ScreeningAudit {
  constructor(private readonly dataSource: DataSource) {}

  /** @param effect runs in the same transaction */
  async record(
    { reference, purpose }: ScreeningReason,
    answers: readonly AuditedAnswer[],
    effect?: (manager: EntityManager) => Promise<void>,
  ): Promise<void> {
    const values = [reference, purpose, JSON.stringify(answers)];
    if (effect === undefined) {
      await this.dataSource.query(RECORD, values);
      return;
    }
    await this.dataSource.transaction(async (manager) => {
      await manager.query(RECORD, values);
      await effect(manager);
    });
  }
}
