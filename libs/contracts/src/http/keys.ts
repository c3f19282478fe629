import type { PaymentMethod } from './payment-methods.js';
import type { Permission } from './permissions.js';

/** Answer of `GET /orgs/keys/self`: what the API key of the request may do. */
export interface KeySelf {
  key_id: string;
  org_id: string;
  /** Label of the key set, which a secret and a publishable key share. */
  label: string;
  kind: 'secret' | 'publishable';
  mode: 'live';
  permissions: Permission[];
  /** Payment methods that quotes may use. */
  onramp_methods: PaymentMethod[];
  /** Origins of pages that may use the key; null for any. */
  origins: string[] | null;
  /** ISO 8601; null for a key that does not expire. */
  expires_at: string | null;
  limits: KeySelfLimits;
}

/** Rate limits in units per window; a light request costs one unit. */
export interface KeySelfLimits {
  window_seconds: number;
  /** Limit of one client address with this key; publishable keys only. */
  client?: number;
  /** Limit of this key. */
  key: number;
  /** Limit of all keys of the organisation together. */
  organisation: number;
}
