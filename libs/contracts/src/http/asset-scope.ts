import type { KeyMode } from './keys.js';

/** Chains whose assets a deployment shows by default: all, test and development chains, or live chains. */
export const ASSET_SCOPES = ['all', 'sandbox', 'live'] as const;
export type AssetScope = (typeof ASSET_SCOPES)[number];

/** Scope of one request; `none` for a test key that asks for live chains. */
export type RequestScope = AssetScope | 'none';

/** Live chains wherever there are any: test tokens have no value. */
export const defaultAssetScope = (chains: readonly { isTestnet: boolean }[]): AssetScope =>
  chains.some(({ isTestnet }) => !isTestnet) ? 'live' : 'all';

/**
 * Chains that a request sees. A test key sees test chains only.
 * @param sandbox the request's parameter
 * @param configured scope of requests without the parameter
 */
export function requestScope({
  mode,
  sandbox,
  configured,
}: {
  mode: KeyMode | undefined;
  sandbox: boolean | undefined;
  configured: AssetScope;
}): RequestScope {
  if (mode === 'test') return sandbox === false ? 'none' : 'sandbox';
  if (sandbox === undefined) return configured;
  return sandbox ? 'sandbox' : 'live';
}

/** Added to messages about unknown assets and chains for test keys. */
export const TEST_KEY_HINT = ' Test keys use test chains only.';

/** Whether a scope includes a chain. */
export const isInScope = (scope: RequestScope, isTestnet: boolean): boolean =>
  scope === 'all' || scope === (isTestnet ? 'sandbox' : 'live');
