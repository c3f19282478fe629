import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { OPT_IN_METHODS, PERMISSIONS } from '@bascule/contracts';
import type { ApiKey, KeyKind } from '../callers/api-key.js';
import { modeOf } from './mode-of.js';

interface Row {
  id: string;
  kind: KeyKind;
  organisation_id: string;
  live_organisation_id: string | null;
  permissions: string[];
  methods: string[];
  label: string;
  expires_at: Date | null;
  rate_limit: number | null;
  client_rate_limit: number | null;
  organisation_rate_limit: number | null;
  quotes_per_second: number | null;
  allowed_origins: string[] | null;
}

const FIND_USABLE = `
  SELECT k.id, k.kind, k.expires_at, s.organisation_id, s.label, s.permissions, s.methods,
    o.live_organisation_id,
    s.rate_limit, s.client_rate_limit, o.rate_limit AS organisation_rate_limit, o.allowed_origins,
    (o.quotas ->> 'quotes_per_second')::int AS quotes_per_second
  FROM api_keys k
  JOIN key_sets s ON s.id = k.key_set_id
  JOIN organisations o ON o.id = s.organisation_id
  WHERE k.hash = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())`;

@Injectable()
export class ApiKeysRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Finds a key that is neither revoked nor expired. */
  async findUsable(hash: string): Promise<ApiKey | null> {
    const [row]: Row[] = await this.dataSource.query(FIND_USABLE, [Buffer.from(hash, 'hex')]);
    if (row === undefined) return null;
    return {
      caller: {
        orgId: row.organisation_id,
        keyId: row.id,
        kind: row.kind,
        mode: modeOf(row.live_organisation_id),
        permissions: PERMISSIONS.filter((permission) => row.permissions.includes(permission)),
        methods: OPT_IN_METHODS.filter((method) => row.methods.includes(method)),
      },
      label: row.label,
      expiresAt: row.expires_at,
      rateLimit: row.rate_limit,
      clientRateLimit: row.client_rate_limit,
      organisationRateLimit: row.organisation_rate_limit,
      quotesPerSecond: row.quotes_per_second,
      allowedOrigins: row.allowed_origins,
    };
  }
}
