import { chainDefinitions, ZERO_ADDRESS } from '@bascule/chain';
import { tokenIdentifier, type TokenIdentifier } from '@bascule/contracts';

const NAMES: ReadonlyMap<number, string> = new Map(
  Object.values(chainDefinitions).map(({ chainId, name }) => [chainId, name]),
);

/**
 * Identifier of a token that a provider names by chain and contract; null is the native currency. Undefined on a chain
 * that Bascule does not know, or for what is no EVM address.
 */
export function tokenOnChain(
  chainId: number,
  contract: string | null,
): TokenIdentifier | undefined {
  const name = NAMES.get(chainId);
  const address = contract ?? ZERO_ADDRESS;
  if (name === undefined || !/^0x[0-9a-fA-F]{40}$/.test(address)) return undefined;
  return tokenIdentifier(name, address);
}
