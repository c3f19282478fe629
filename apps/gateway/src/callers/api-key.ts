import { hash, randomBytes } from 'node:crypto';
import type { KeyMode, OptInMethod, Permission } from '@bascule/contracts';

export type KeyKind = 'secret' | 'publishable';

const PREFIXES: Record<KeyMode, Record<KeyKind, string>> = {
  live: { secret: 'sk_', publishable: 'pk_' },
  test: { secret: 'sk_test_', publishable: 'pk_test_' },
};
const RANDOM_BYTES = 32;
const KEY = /^[ps]k_(test_)?[A-Za-z0-9_-]{43}$/;
const BEARER = /^Bearer +(\S+) *$/i;

/** Caller and limits of a valid API key. */
export interface ApiKey {
  caller: {
    orgId: string;
    keyId: string;
    kind: KeyKind;
    mode: KeyMode;
    permissions: Permission[];
    methods: OptInMethod[];
  };
  /** Label of its key set. */
  label: string;
  expiresAt: Date | null;
  /** Units per window, where the key set has its own limit. */
  rateLimit: number | null;
  /** Units per window of one client address with the publishable key, where the key set has its own limit. */
  clientRateLimit: number | null;
  /** Units per window of all keys of the organisation, where it has its own limit. */
  organisationRateLimit: number | null;
  /** Quota of its organisation, where an operator set one. */
  quotesPerSecond: number | null;
  /** Origins that browsers of this organisation may call from; null for any. */
  allowedOrigins: string[] | null;
}

/** Start of the keys of a kind and mode. */
export const prefixOfKey = (kind: KeyKind, mode: KeyMode): string => PREFIXES[mode][kind];

export const newApiKey = (kind: KeyKind, mode: KeyMode = 'live'): string =>
  prefixOfKey(kind, mode) + randomBytes(RANDOM_BYTES).toString('base64url');

/** Hash of a key. Keys are 256 random bits, so a fast hash is as safe as a slow one and can be indexed. */
export const hashOfKey = (key: string): string => hash('sha256', key, 'hex');

/** Last characters of a key, which distinguish keys. */
export const hintOfKey = (key: string): string => key.slice(-4);

/** Reads the key of an `Authorization` header; undefined when missing or malformed. */
export function bearerKey(authorization: string | undefined): string | undefined {
  const key = BEARER.exec(authorization ?? '')?.[1];
  return key !== undefined && KEY.test(key) ? key : undefined;
}
