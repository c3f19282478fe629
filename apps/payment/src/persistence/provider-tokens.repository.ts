import { randomUUID } from 'node:crypto';
import type { SharedToken, SharedTokens, SharedTokenStore } from '@bascule/providers';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

interface Row {
  version: number;
  sealed: string | null;
  expires_at: Date | null;
  former: { sealed: string; expires_at: string }[];
  is_claimed: boolean;
}

const READ = `
SELECT version, sealed, expires_at, former,
  claim_id IS NOT NULL AND claimable_at > clock_timestamp() AS is_claimed
FROM provider_tokens WHERE provider = $1`;

/**
 * Seconds until the next claim: a minute, and twice as long after each token that was replaced within two hours. Claims
 * that bring no token, such as during an outage of the provider, do not lengthen it.
 */
const PAUSE = { firstSeconds: 60, maxSeconds: 3_600 };
/** Longer than the longest pause, else the pause would start over after it. */
const SHORT_LIVED = `
CASE WHEN kept.obtained_at > clock_timestamp() - interval '2 hours'
  THEN least(kept.short_lived + 1, 10) ELSE 0 END`;

/** One statement, so that of two replicas at the same time the second one sees the claim of the first. */
const CLAIM = `
INSERT INTO provider_tokens AS kept (provider, version, claim_id, claimable_at)
VALUES ($1, $2, $3, clock_timestamp() + make_interval(secs => $4))
ON CONFLICT (provider) DO UPDATE SET
  claim_id = excluded.claim_id,
  claimable_at = clock_timestamp()
    + make_interval(secs => least($4 * power(2, ${SHORT_LIVED}), $5))
WHERE kept.version = $2 AND kept.claimable_at <= clock_timestamp()
RETURNING 1`;

const FORMER = { count: 3, keptFor: '1 day' };

const REPLACE = `
UPDATE provider_tokens AS kept SET
  version = version + 1, sealed = $3, expires_at = $4, obtained_at = clock_timestamp(),
  claim_id = NULL, short_lived = ${SHORT_LIVED},
  former = (
    SELECT coalesce(jsonb_agg(token ORDER BY place), '[]') FROM (
      SELECT token, place FROM jsonb_array_elements(
        jsonb_build_array(jsonb_build_object(
          'sealed', sealed, 'expires_at', clock_timestamp() + $5::interval
        )) || former
      ) WITH ORDINALITY AS tokens (token, place)
      WHERE token->>'sealed' IS NOT NULL
        AND (token->>'expires_at')::timestamptz > clock_timestamp()
      ORDER BY place LIMIT $6
    ) AS newest
  )
WHERE provider = $1 AND claim_id = $2
RETURNING version`;

const EMPTY: SharedTokens = { version: 0, current: null, former: [], isClaimed: false };

/** Access tokens of providers in the service's database, by which its replicas share them. */
@Injectable()
export class ProviderTokensRepository implements SharedTokenStore {
  constructor(private readonly dataSource: DataSource) {}

  async read(provider: string): Promise<SharedTokens> {
    const [row]: Row[] = await this.dataSource.query(READ, [provider]);
    if (row === undefined) return EMPTY;
    const { version, sealed, expires_at: expiresAt, former, is_claimed: isClaimed } = row;
    return {
      version,
      current: sealed !== null && expiresAt !== null ? { sealed, expiresAt } : null,
      former: former.map((token) => ({
        sealed: token.sealed,
        expiresAt: new Date(token.expires_at),
      })),
      isClaimed,
    };
  }

  async claim(provider: string, version: number): Promise<string | undefined> {
    const claimId = randomUUID();
    const { firstSeconds, maxSeconds } = PAUSE;
    const claimed: unknown[] = await this.dataSource.query(CLAIM, [
      provider,
      version,
      claimId,
      firstSeconds,
      maxSeconds,
    ]);
    return claimed.length === 0 ? undefined : claimId;
  }

  async replace(
    provider: string,
    claimId: string,
    { sealed, expiresAt }: SharedToken,
  ): Promise<number | undefined> {
    const { count, keptFor } = FORMER;
    const [[stored]]: [{ version: number }[], number] = await this.dataSource.query(REPLACE, [
      provider,
      claimId,
      sealed,
      expiresAt,
      keptFor,
      count,
    ]);
    return stored?.version;
  }

  async release(provider: string, claimId: string): Promise<void> {
    await this.dataSource.query(
      'UPDATE provider_tokens SET claim_id = NULL WHERE provider = $1 AND claim_id = $2',
      [provider, claimId],
    );
  }
}
