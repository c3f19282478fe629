import type { KeyMode } from '@bascule/contracts';
import { OperatorError } from '@bascule/operator-commands';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { AuditLogRepository } from '../persistence/audit-log.repository.js';
import { modeOf } from '../persistence/mode-of.js';
import { OrganisationEntity } from '../persistence/organisation.entity.js';

/**
 * Returns the organisation that owns the keys of a mode; the first test keys create the test organisation.
 * @param organisationId a live organisation, or a test organisation for test keys
 * @throws OperatorError for an unknown organisation, or live keys of a test organisation
 */
export async function organisationOfMode(
  manager: EntityManager,
  auditLog: AuditLogRepository,
  { organisationId, mode }: { organisationId: string; mode: KeyMode },
): Promise<string> {
  const found = await manager.findOneBy(OrganisationEntity, { id: organisationId });
  if (found === null) throw new OperatorError('organisation not found');
  if (modeOf(found.liveOrganisationId) === mode) return organisationId;
  if (mode === 'live') {
    throw new OperatorError('a test organisation has test keys only: add --test');
  }
  return testOrganisation(manager, auditLog, found);
}

async function testOrganisation(
  manager: EntityManager,
  auditLog: AuditLogRepository,
  live: OrganisationEntity,
): Promise<string> {
  const id = uuidv7();
  const name = `${live.name} (test)`;
  const created: { id: string }[] = await manager.query(
    `INSERT INTO organisations (id, name, live_organisation_id) VALUES ($1, $2, $3)
     ON CONFLICT (live_organisation_id) DO NOTHING RETURNING id`,
    [id, name, live.id],
  );
  if (created.length > 0) {
    const details = { name, live_organisation_id: live.id };
    await auditLog.append(manager, 'test_organisation.created', id, details);
    return id;
  }
  const existing = { liveOrganisationId: live.id };
  return (await manager.findOneByOrFail(OrganisationEntity, existing)).id;
}
