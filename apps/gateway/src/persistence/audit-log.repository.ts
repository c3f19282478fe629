import type { EntityManager } from 'typeorm';
import { NIL, v7 as uuidv7 } from 'uuid';
import { AuditEntryEntity } from './audit-entry.entity.js';
import type { AuditQuery } from './audit-query.js';

/** Subject of entries about the whole deployment. */
export const DEPLOYMENT = NIL;

/** Appends the actions of one actor, each in the transaction of its change, and lists those of all. */
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

  /** Lists entries, newest first. */
  async list(
    manager: EntityManager,
    { organisationId, subjectId, before, limit }: AuditQuery,
  ): Promise<AuditEntryEntity[]> {
    const query = manager
      .createQueryBuilder(AuditEntryEntity, 'entry')
      .orderBy('entry.id', 'DESC')
      .limit(limit);
    if (before !== null) query.andWhere('entry.id < :before', { before });
    if (subjectId !== null) query.andWhere('entry.subject_id = :subjectId', { subjectId });
    if (organisationId !== null)
      query.andWhere(`entry.subject_id IN (${OF_ORGANISATION})`, { organisationId });
    return query.getMany();
  }
}

const OF_ORGANISATION = `
  WITH both_modes AS (
    SELECT id FROM organisations WHERE :organisationId IN (id, live_organisation_id)
  )
  SELECT id FROM both_modes
  UNION ALL SELECT id FROM key_sets WHERE organisation_id IN (SELECT id FROM both_modes)
  UNION ALL SELECT k.id FROM api_keys k JOIN key_sets s ON s.id = k.key_set_id
    WHERE s.organisation_id IN (SELECT id FROM both_modes)`;
