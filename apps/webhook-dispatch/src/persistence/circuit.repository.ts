import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type CircuitChange, coolDownMs } from '../rules/circuit.js';

const STATEMENTS: Record<CircuitChange, string> = {
  open: `
    INSERT INTO webhook_circuits AS c (webhook_id, state, openings, not_before)
    VALUES ($1, 'OPEN', $2, now() + $3 * interval '1 millisecond')
    ON CONFLICT (webhook_id) DO UPDATE
    SET state = 'OPEN', openings = excluded.openings, not_before = excluded.not_before, since = now()
    WHERE c.state = 'RECOVERING'`,
  reopen: `
    UPDATE webhook_circuits SET openings = $2, not_before = now() + $3 * interval '1 millisecond'
    WHERE webhook_id = $1 AND state = 'OPEN'`,
  recover: `
    UPDATE webhook_circuits SET state = 'RECOVERING', since = now(), not_before = now()
    WHERE webhook_id = $1 AND state = 'OPEN'`,
};

/** Circuits that are not closed, shared by all processes. */
@Injectable()
export class CircuitRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** @param openings consecutive openings so far */
  async change(
    webhookId: string,
    change: CircuitChange,
    { openings, coolDown }: { openings: number; coolDown: number },
  ): Promise<void> {
    const parameters: unknown[] = [webhookId];
    if (change !== 'recover') parameters.push(openings + 1, coolDownMs(openings + 1, coolDown));
    await this.dataSource.query(STATEMENTS[change], parameters);
  }

  /** Closes circuits whose backlog has been sent. */
  async closeRecovered(): Promise<void> {
    await this.dataSource.query(`
      DELETE FROM webhook_circuits c WHERE state = 'RECOVERING' AND NOT EXISTS (
        SELECT FROM webhook_deliveries d WHERE d.webhook_id = c.webhook_id AND d.due_at <= c.since
      )`);
  }
}
