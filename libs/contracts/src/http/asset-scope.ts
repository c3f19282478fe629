import type { KeyMode } from './keys.js';

/** Chains and providers that live keys use: all, test chains and sandbox providers, or live ones. */
export const ASSET_SCOPES = ['all', 'sandbox', 'live'] as const;
export type AssetScope = (typeof ASSET_SCOPES)[number];

/** Scope of one request; `none` for a test key that asks for live chains. */
export type RequestScope = AssetScope | 'none';

/** Live chains wherever there are any: test tokens have no value. */
export const defaultAssetScope = (chains: readonly { isTestnet: boolean }[]): AssetScope =>
  chains.some(({ isTestnet }) => !isTestnet) ? 'live' : 'all';

/** Chains and providers that a key uses in a deployment of the configured scope. */
export const keyScope = (mode: KeyMode | undefined, configured: AssetScope): AssetScope =>
  mode === 'test' ? 'sandbox' : configured;

/**
 * Chains that a list of a request shows; a test key sees test chains only.
 * @param sandbox the request's parameter
 * @param configured scope of live keys
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
  if (sandbox === undefined) return keyScope(mode, configured);
  return sandbox ? 'sandbox' : 'live';
}

/** Added to messages about unknown assets and chains for test keys. */
export const TEST_KEY_HINT = ' Test keys use test chains only.';

/** Added to messages about unknown assets: the chains of the key, where it does not use all. */
export function keyScopeHint(mode: KeyMode | undefined, configured: AssetScope): string {
  if (mode === 'test') return TEST_KEY_HINT;
  return configured === 'live' ? ' Live keys use live chains only.' : '';
}

/** Whether a scope includes a chain. */
export const isInScope = (scope: RequestScope, isTestnet: boolean): boolean =>
  scope === 'all' || scope === (isTestnet ? 'sandbox' : 'live');
