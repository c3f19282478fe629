import type { DataSource, EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { OperatorError } from '@bascule/operator-commands';
import { isUniqueViolation } from '@bascule/persistence';
import type { OptInMethod, Permission } from '@bascule/contracts';
import { hashOfKey, hintOfKey, newApiKey } from '../callers/api-key.js';
import type { KeyKind } from '../callers/api-key.js';
import type { AuditLogRepository } from '../persistence/audit-log.repository.js';
import { ApiKeyEntity } from '../persistence/api-key.entity.js';
import { KeySetEntity } from '../persistence/key-set.entity.js';
import { OrganisationEntity } from '../persistence/organisation.entity.js';

export interface NewKeySet {
  organisationId: string;
  label: string;
  permissions: Permission[];
  methods: OptInMethod[];
  expiresAt: Date | null;
  rateLimit: number | null;
}

export interface CreatedKeySet {
  keySetId: string;
  /** Returned once: only their hashes are stored. */
  publishable: string;
  secret: string;
}

/** Manages organisations and keys; each change commits with its audit entry. */
export class KeyManagementService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly auditLog: AuditLogRepository,
  ) {}

  createOrganisation(name: string): Promise<string> {
    return this.dataSource.transaction(async (manager) => {
      const id = uuidv7();
      await manager.insert(OrganisationEntity, { id, name, allowedOrigins: null });
      await this.auditLog.append(manager, 'organisation.created', id, { name });
      return id;
    });
  }

  organisations(): Promise<OrganisationEntity[]> {
    return this.dataSource.manager.find(OrganisationEntity, { order: { createdAt: 'ASC' } });
  }

  restrictOrigins(organisationId: string, origins: string[] | null): Promise<void> {
    return this.dataSource.transaction(async (manager) => {
      const change = { allowedOrigins: origins };
      const { affected } = await manager.update(OrganisationEntity, organisationId, change);
      if (affected === 0) throw new OperatorError('organisation not found');
      await this.auditLog.append(manager, 'organisation.origins_restricted', organisationId, {
        origins,
      });
    });
  }

  async createKeys(set: NewKeySet): Promise<CreatedKeySet> {
    try {
      return await this.dataSource.transaction((manager) => this.insertKeys(manager, set));
    } catch (error) {
      if (!isUniqueViolation(error, 'key_sets_label')) throw error;
      throw new OperatorError('the organisation already has a key set with this label', {
        cause: error,
      });
    }
  }

  /** Lists keys, newest last, revoked and expired ones included. */
  async keys(organisationId: string | null): Promise<(ApiKeyEntity & { set: KeySetEntity })[]> {
    const { manager } = this.dataSource;
    const sets = await manager.find(KeySetEntity, {
      where: organisationId === null ? {} : { organisationId },
      order: { id: 'ASC' },
    });
    const keys = await manager
      .createQueryBuilder(ApiKeyEntity, 'key')
      .where('key.key_set_id = ANY(:ids)', { ids: sets.map(({ id }) => id) })
      .orderBy('key.id')
      .getMany();
    return sets.flatMap((set) =>
      keys.filter(({ keySetId }) => keySetId === set.id).map((key) => ({ ...key, set })),
    );
  }

  limit(keySetId: string, rateLimit: number | null): Promise<void> {
    return this.dataSource.transaction(async (manager) => {
      const { affected } = await manager.update(KeySetEntity, keySetId, { rateLimit });
      if (affected === 0) throw new OperatorError('key set not found');
      await this.auditLog.append(manager, 'key_set.limited', keySetId, { rate_limit: rateLimit });
    });
  }

  /** Sets the opt-in payment methods of a key set. */
  enableMethods(keySetId: string, methods: OptInMethod[]): Promise<void> {
    return this.dataSource.transaction(async (manager) => {
      const { affected } = await manager.update(KeySetEntity, keySetId, { methods });
      if (affected === 0) throw new OperatorError('key set not found');
      await this.auditLog.append(manager, 'key_set.methods_enabled', keySetId, { methods });
    });
  }

  /** Revokes one key, or all of a key set, and returns the ids of those revoked now. */
  revoke(id: string): Promise<string[]> {
    return this.dataSource.transaction(async (manager) => {
      const [revoked]: [{ id: string }[], number] = await manager.query(
        `UPDATE api_keys SET revoked_at = now()
         WHERE (id = $1 OR key_set_id = $1) AND revoked_at IS NULL RETURNING id`,
        [id],
      );
      if (revoked.length === 0) throw new OperatorError('key not found or already revoked');
      for (const key of revoked) await this.auditLog.append(manager, 'key.revoked', key.id, {});
      return revoked.map((key) => key.id);
    });
  }

  private async insertKeys(manager: EntityManager, set: NewKeySet): Promise<CreatedKeySet> {
    const { organisationId, label, permissions, methods, expiresAt, rateLimit } = set;
    if (!(await manager.existsBy(OrganisationEntity, { id: organisationId }))) {
      throw new OperatorError('organisation not found');
    }
    const keySetId = uuidv7();
    await manager.insert(KeySetEntity, {
      id: keySetId,
      organisationId,
      label,
      permissions,
      methods,
      rateLimit,
    });
    const publishable = await insertKey(manager, keySetId, 'publishable', expiresAt);
    const secret = await insertKey(manager, keySetId, 'secret', expiresAt);
    await this.auditLog.append(manager, 'key_set.created', keySetId, {
      organisation_id: organisationId,
      label,
      permissions,
      methods,
      rate_limit: rateLimit,
      expires_at: expiresAt?.toISOString() ?? null,
    });
    return { keySetId, publishable, secret };
  }
}

async function insertKey(
  manager: EntityManager,
  keySetId: string,
  kind: KeyKind,
  expiresAt: Date | null,
): Promise<string> {
  const key = newApiKey(kind);
  const [hash, hint] = [Buffer.from(hashOfKey(key), 'hex'), hintOfKey(key)];
  await manager.insert(ApiKeyEntity, {
    id: uuidv7(),
    keySetId,
    kind,
    hash,
    hint,
    expiresAt,
    revokedAt: null,
  });
  return key;
}
