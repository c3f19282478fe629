import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';

/** Appends the actions of one actor, each in the transaction of its change. */
export class AuditLogRepository {
  constructor(private readonly actor: string) {}

  async append(
    manager: EntityManager,
    action: string,
    subjectId: string,
    details: Record<string, unknown>,
  ): Promise<void> {
    await manager.query(
      'INSERT INTO audit_log (id, actor, action, subject_id, details) VALUES ($1, $2, $3, $4, $5)',
      [uuidv7(), this.actor, action, subjectId, JSON.stringify(details)],
    );
  }
}
