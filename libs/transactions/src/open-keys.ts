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
 * Opens the keys of a service and reads their addresses, once at start.
 * @throws ConfigurationError for a key that is listed twice
 * @throws SignerUnavailableError when a key management service does not answer
 * @throws SignerRefusedError when it has no such key for us
 */
export async function openKeys(
  { keys, retiredKeys }: KeyLocations,
  env: SignerEnvironment,
): Promise<SignerConfig> {
  const open = async (location: string) => accountOf(await openSigner(location, env));
  const all = await Promise.all([...keys, ...retiredKeys].map(open));
  const addresses = all.map(({ address }) => address);
  const twice = addresses.find((address, index) => addresses.indexOf(address) !== index);
  if (twice !== undefined) {
    throw new ConfigurationError([`the key of ${twice} is configured twice; remove one of them`]);
  }
  return { keys: all.slice(0, keys.length), retired: all.slice(keys.length) };
}
