import type { PaymentMethod } from './payment-methods.js';
import type { Permission } from './permissions.js';
import type { Timestamp, Uuid } from './wire.js';

/** A test key reaches test chains and sandbox parties only, and what belongs to its organisation's test keys. */
export const KEY_MODES = ['live', 'test'] as const;
/** Mode of an API key. */
export type KeyMode = (typeof KEY_MODES)[number];

/** Rights and limits of the API key of the request. */
export interface KeySelf {
  /** Id of the key. */
  key_id: Uuid;
  /** Organisation of the key and its payments: the test organisation for a test key. */
  org_id: Uuid;
  /** Label of the key set, which a secret and a publishable key share. */
  label: string;
  /** Kind of the key: `sk_…` or `pk_…`. */
  kind: 'secret' | 'publishable';
  /** Mode of the key, which does not change. */
  mode: KeyMode;
  /** Whether the mode is `test`. */
  test_mode: boolean;
  /** Permissions of the key. */
  permissions: Permission[];
  /** Payment methods that quotes may use. */
  onramp_methods: PaymentMethod[];
  /** Origins of pages that may use the key; null for any. */
  origins: string[] | null;
  /** Time of the expiry; null for a key that does not expire. */
  expires_at: Timestamp | null;
  /** Limits of the key. */
  limits: KeySelfLimits;
}

/** Rate limits in units per window; a light request costs one unit. */
export interface KeySelfLimits {
  /**
   * Length of a window in seconds.
   * @asType integer
   */
  window_seconds: number;
  /**
   * Limit of one client address with this key, at most half of what publishable keys have; publishable keys only.
   * @asType integer
   */
  client?: number;
  /**
   * Limit of this key.
   * @asType integer
   */
  key: number;
  /**
   * Limit of all publishable keys of the organisation together, nine tenths of its limit; publishable keys only.
   * @asType integer
   */
  publishable_keys?: number;
  /**
   * Limit of all keys of the organisation together.
   * @asType integer
   */
  organisation: number;
}
