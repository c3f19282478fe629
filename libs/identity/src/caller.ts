import type { KeyMode, OptInMethod, Permission } from '@bascule/contracts';

/** `secret` and `publishable` are API keys; `funding` holds the link of one payment, `return` the link back from its checkout; `provider` is a provider's callback. */
export const CALLER_KINDS = ['secret', 'publishable', 'funding', 'return', 'provider'] as const;
export type CallerKind = (typeof CALLER_KINDS)[number];

/** Caller of a request, as the gateway authenticated it. */
export interface Caller {
  /** Empty for a provider, which belongs to no organisation. */
  orgId: string;
  /** Empty where no API key was used. */
  keyId: string;
  kind: CallerKind;
  permissions: Permission[];
  /** Mode of the API key; `live` where absent. */
  mode?: KeyMode;
  /** Payment methods that an operator enabled for the key. */
  methods?: readonly OptInMethod[];
  /** The one payment that a caller with a link may see. */
  paymentId?: string;
  /** The provider that a callback is addressed to; its signature is still to be verified. */
  provider?: string;
  clientIp?: string;
  /** Keyed hash of the client's address block; with publishable keys only. */
  visitor?: string;
}

/** Visitor whose shares of the organisation's quotas a request uses up; null for secret keys. */
export const visitorOf = ({ kind, visitor }: Caller): string | null =>
  kind === 'publishable' ? (visitor ?? UNKNOWN_VISITOR) : null;

/** Visitor of all publishable requests without one. */
const UNKNOWN_VISITOR = 'unknown';
