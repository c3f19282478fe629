import type { DataSource, EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { OperatorError } from '@bascule/operator-commands';
import { isUniqueViolation } from '@bascule/persistence';
import type { KeyMode, OptInMethod, Permission } from '@bascule/contracts';
import { hashOfKey, hintOfKey, newApiKey } from '../callers/api-key.js';
import type { KeyKind } from '../callers/api-key.js';
import type { AuditLogRepository } from '../persistence/audit-log.repository.js';
import type { AuditQuery } from '../persistence/audit-query.js';
import type { KeySetLimits } from './key-set-limits.js';
import type { AuditEntryEntity } from '../persistence/audit-entry.entity.js';
import { largestClientLimit } from '../limits/key-limits.js';
import { ApiKeyEntity } from '../persistence/api-key.entity.js';
import { KeySetEntity } from '../persistence/key-set.entity.js';
import { modeOf } from '../persistence/mode-of.js';
import { OrganisationEntity } from '../persistence/organisation.entity.js';
import { organisationOfMode } from './organisation-of-mode.service.js';

export interface NewKeySet {
  organisationId: string;
  /** `live` unless given. */
  mode?: KeyMode;
  label: string;
  permissions: Permission[];
  methods: OptInMethod[];
  expiresAt: Date | null;
  rateLimit: number | null;
  clientRateLimit: number | null;
}

export interface RotatedKey {
  /** The key that was replaced, which works until `retiresAt`. */
  retired: string;
  retiresAt: Date;
  id: string;
  /** Returned once: only its hash is stored. */
  key: string;
}

/** Key with its set and mode. */
export interface ListedKey extends ApiKeyEntity {
  set: KeySetEntity;
  mode: KeyMode;
}

/** Key that is neither revoked nor expired. */
interface UsableKey {
  id: string;
  kind: KeyKind;
  expires_at: Date | null;
}

export interface CreatedKeySet {
  keySetId: string;
  /** The test organisation for test keys. */
  organisationId: string;
  /** Returned once: only their hashes are stored. */
  publishable: string;
  secret: string;
}

/** Client limit of a key set that is larger than the largest that applies. */
export interface CappedClientLimit {
  id: string;
  label: string;
  set: number;
  largest: number;
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

  /** Lists keys, newest last, revoked and expired ones included; those of a live organisation with its test keys. */
  async keys(organisationId: string | null): Promise<ListedKey[]> {
    const { manager } = this.dataSource;
    const sets = await manager.find(KeySetEntity, {
      where:
        organisationId === null
          ? {}
          : [{ organisationId }, { organisation: { liveOrganisationId: organisationId } }],
      relations: { organisation: true },
      order: { id: 'ASC' },
    });
    const keys = await manager
      .createQueryBuilder(ApiKeyEntity, 'key')
      .where('key.key_set_id = ANY(:ids)', { ids: sets.map(({ id }) => id) })
      .orderBy('key.id')
      .getMany();
    return sets.flatMap((set) =>
      keys
        .filter(({ keySetId }) => keySetId === set.id)
        .map((key) => ({
          ...key,
          set,
          mode: modeOf(set.organisation?.liveOrganisationId ?? null),
        })),
    );
  }

  /** Sets limits of each key of a key set. */
  limit(keySetId: string, limits: KeySetLimits): Promise<void> {
    return this.dataSource.transaction(async (manager) => {
      const { affected } = await manager.update(KeySetEntity, keySetId, limits);
      if (affected === 0) throw new OperatorError('key set not found');
      await this.auditLog.append(manager, 'key_set.limited', keySetId, {
        ...(limits.rateLimit !== undefined && { rate_limit: limits.rateLimit }),
        ...(limits.clientRateLimit !== undefined && { client_rate_limit: limits.clientRateLimit }),
      });
    });
  }

  /** Client limits of a key set, or of those of an organisation, that the limits set beside them cap. */
  async cappedClientLimits(id: string): Promise<CappedClientLimit[]> {
    const sets: { id: string; label: string; set: number; smaller: number }[] =
      await this.dataSource.query(
        `SELECT s.id, s.label, s.client_rate_limit AS set,
           LEAST(s.rate_limit, o.rate_limit) AS smaller
         FROM key_sets s JOIN organisations o ON o.id = s.organisation_id
         WHERE (s.id = $1 OR o.id = $1) AND s.client_rate_limit IS NOT NULL
           AND LEAST(s.rate_limit, o.rate_limit) IS NOT NULL
         ORDER BY s.id`,
        [id],
      );
    return sets
      .map(({ smaller, ...set }) => ({ ...set, largest: largestClientLimit(smaller) }))
      .filter(({ set, largest }) => set > largest);
  }

  /** Sets the limit of an organisation's whole traffic. */
  limitOrganisation(organisationId: string, rateLimit: number | null): Promise<void> {
    return this.dataSource.transaction(async (manager) => {
      const { affected } = await manager.update(OrganisationEntity, organisationId, { rateLimit });
      if (affected === 0) throw new OperatorError('organisation not found');
      await this.auditLog.append(manager, 'organisation.limited', organisationId, {
        rate_limit: rateLimit,
      });
    });
  }

  /**
   * Replaces a key, or the newest usable key of each kind of a key set. The replaced ones work until `retiresAt`.
   * @param expiresAt expiry of the new keys
   */
  rotate(
    id: string,
    { retiresAt, expiresAt }: { retiresAt: Date; expiresAt: Date | null },
  ): Promise<RotatedKey[]> {
    return this.dataSource.transaction(async (manager) => {
      const set = await lockedKeySet(manager, id);
      const keys = await newestUsable(manager, set.keySetId, id);
      const rotated: RotatedKey[] = [];
      for (const old of keys) {
        if (old.expires_at !== null && expiresAt === null) {
          throw new OperatorError('the key expires: give the new one an expiry, --expires-at');
        }
        const created = await insertKey(manager, set, old.kind, expiresAt);
        const [[retired]]: [[{ expires_at: Date }], number] = await manager.query(
          `UPDATE api_keys SET expires_at = LEAST(expires_at, greatest($2::timestamptz, now()))
           WHERE id = $1 RETURNING expires_at`,
          [old.id, retiresAt],
        );
        await this.auditLog.append(manager, 'key.rotated', old.id, {
          replaced_by: created.id,
          retires_at: retired.expires_at.toISOString(),
          expires_at: expiresAt?.toISOString() ?? null,
        });
        rotated.push({ retired: old.id, retiresAt: retired.expires_at, ...created });
      }
      return rotated;
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

  /**
   * Revokes one key, or all of a key set, and returns the ids of those revoked now. The lock lets a running rotation end
   * first, whose new keys are then revoked too.
   */
  revoke(id: string): Promise<string[]> {
    return this.dataSource.transaction(async (manager) => {
      await lockedKeySet(manager, id);
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

  /** Lists changes of organisations and keys, newest first. */
  audit(query: AuditQuery): Promise<AuditEntryEntity[]> {
    return this.auditLog.list(this.dataSource.manager, query);
  }

  private async insertKeys(manager: EntityManager, set: NewKeySet): Promise<CreatedKeySet> {
    const {
      mode = 'live',
      label,
      permissions,
      methods,
      expiresAt,
      rateLimit,
      clientRateLimit,
    } = set;
    const organisationId = await organisationOfMode(manager, this.auditLog, { ...set, mode });
    const keySetId = uuidv7();
    await manager.insert(KeySetEntity, {
      id: keySetId,
      organisationId,
      label,
      permissions,
      methods,
      rateLimit,
      clientRateLimit,
    });
    const owner = { keySetId, mode };
    const { key: publishable } = await insertKey(manager, owner, 'publishable', expiresAt);
    const { key: secret } = await insertKey(manager, owner, 'secret', expiresAt);
    await this.auditLog.append(manager, 'key_set.created', keySetId, {
      organisation_id: organisationId,
      mode,
      label,
      permissions,
      methods,
      rate_limit: rateLimit,
      client_rate_limit: clientRateLimit,
      expires_at: expiresAt?.toISOString() ?? null,
    });
    return { keySetId, organisationId, publishable, secret };
  }
}

/** Key set of a new key. */
interface KeyOwner {
  keySetId: string;
  mode: KeyMode;
}

async function insertKey(
  manager: EntityManager,
  { keySetId, mode }: KeyOwner,
  kind: KeyKind,
  expiresAt: Date | null,
): Promise<{ id: string; key: string }> {
  const [id, key] = [uuidv7(), newApiKey(kind, mode)];
  const [hash, hint] = [Buffer.from(hashOfKey(key), 'hex'), hintOfKey(key)];
  await manager.insert(ApiKeyEntity, {
    id,
    keySetId,
    kind,
    hash,
    hint,
    expiresAt,
    revokedAt: null,
  });
  return { id, key };
}

/** Locks the key set with this id, or that of the key with this id, so that rotations and revocations follow each other. */
async function lockedKeySet(manager: EntityManager, id: string): Promise<KeyOwner> {
  const [set]: { id: string; live_organisation_id: string | null }[] = await manager.query(
    `SELECT s.id, o.live_organisation_id
     FROM key_sets s JOIN organisations o ON o.id = s.organisation_id
     WHERE s.id = COALESCE((SELECT key_set_id FROM api_keys WHERE id = $1), $1) FOR UPDATE OF s`,
    [id],
  );
  if (set === undefined) throw new OperatorError('key not found');
  return { keySetId: set.id, mode: modeOf(set.live_organisation_id) };
}

/** The key itself, or with the id of its set the newest key of each kind. */
async function newestUsable(
  manager: EntityManager,
  keySetId: string,
  id: string,
): Promise<UsableKey[]> {
  const keys: UsableKey[] = await manager.query(
    `SELECT DISTINCT ON (kind) id, kind, expires_at FROM api_keys
     WHERE key_set_id = $1 AND (id = $2 OR $1 = $2)
       AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
     ORDER BY kind, id DESC`,
    [keySetId, id],
  );
  if (keys.length === 0) throw new OperatorError('key already revoked or expired');
  return keys;
}
