import { OPT_IN_METHODS, PERMISSIONS } from '@bascule/contracts';
import type { OptInMethod, Permission } from '@bascule/contracts';
import type { JWTPayload } from 'jose';
import { CALLER_KINDS } from './caller.js';
import type { Caller, CallerKind } from './caller.js';

export const INTERNAL_TOKEN_HEADER = 'x-internal-token';
/** Beside the token, since a token is reused for all clients of a key. */
export const CLIENT_IP_HEADER = 'x-client-ip';
/** Beside the token, as the address. */
export const VISITOR_HEADER = 'x-visitor';

export const INTERNAL_TOKEN_ISSUER = 'gateway';
export const INTERNAL_TOKEN_AUDIENCE = 'services';
export const INTERNAL_TOKEN_LIFE_SECONDS = 60;
export const INTERNAL_TOKEN_SKEW_SECONDS = 30;
export const SIGNATURE_ALGORITHM = 'EdDSA';

export const claimsOf = (caller: Caller): JWTPayload => ({
  sub: caller.keyId,
  org_id: caller.orgId,
  kind: caller.kind,
  permissions: caller.permissions,
  ...(caller.mode === 'test' && { mode: caller.mode }),
  ...(caller.methods?.length && { methods: caller.methods }),
  ...(caller.paymentId !== undefined && { payment_id: caller.paymentId }),
  ...(caller.provider !== undefined && { provider: caller.provider }),
});

const text = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;
const isPermission = (value: unknown): value is Permission =>
  PERMISSIONS.some((permission) => permission === value);
const isOptInMethod = (value: unknown): value is OptInMethod =>
  OPT_IN_METHODS.some((method) => method === value);
const isKind = (value: unknown): value is CallerKind => CALLER_KINDS.some((kind) => kind === value);

/** The inverse of {@link claimsOf}; undefined when the claims are not a caller's. */
export function callerOf(claims: JWTPayload): Caller | undefined {
  const orgId = text(claims.org_id);
  const { kind, sub, permissions, methods, mode } = claims;
  if (orgId === undefined || sub === undefined || !isKind(kind) || !Array.isArray(permissions)) {
    return undefined;
  }
  const paymentId = text(claims.payment_id);
  const provider = text(claims.provider);
  return {
    orgId,
    keyId: sub,
    kind,
    // Permissions of a newer gateway are ignored: no route of this service requires them.
    permissions: permissions.filter(isPermission),
    ...(mode === 'test' && { mode }),
    ...(Array.isArray(methods) && { methods: methods.filter(isOptInMethod) }),
    ...(paymentId !== undefined && { paymentId }),
    ...(provider !== undefined && { provider }),
  };
}
