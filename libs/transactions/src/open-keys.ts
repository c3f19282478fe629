import { ConfigurationError } from '@bascule/process';
import { accountOf, openSigner } from '@bascule/signers';
import type { SignerEnvironment } from '@bascule/signers';
import type { SignerConfig } from './signers.js';

/** Locations of the keys of a service. */
export interface KeyLocations {
  /** Keys that sign new transactions, at least one; a key belongs to one service only. */
  keys: readonly string[];
  /** Keys that only replace and cancel what they have signed. */
  retiredKeys: readonly string[];
}

/**
 * Opens the keys of a service and reads their addresses, once at start. A key whose location names its address may be
 * opened later.
 * @throws ConfigurationError for a key that is listed twice
 * @throws Error for a key that has another address than its location names, or cannot be read and names none
 */
export async function openKeys(
  { keys, retiredKeys }: KeyLocations,
  env: SignerEnvironment,
): Promise<SignerConfig> {
  const open = (location: string) => openSigner(location, env);
  const signers = await Promise.all([...keys, ...retiredKeys].map(open));
  const all = signers.map(accountOf);
  const addresses = all.map(({ address }) => address);
  const twice = addresses.find((address, index) => addresses.indexOf(address) !== index);
  if (twice !== undefined) {
    throw new ConfigurationError([`the key of ${twice} is configured twice; remove one of them`]);
  }
  const unopened = signers.flatMap(({ address, opening }) =>
    opening === undefined ? [] : [[address, opening] as const],
  );
  return {
    keys: all.slice(0, keys.length),
    retired: all.slice(keys.length),
    unopened: new Map(unopened),
  };
}
