import { chainDefinitions, ZERO_ADDRESS } from '@bascule/chain';
import { tokenIdentifier, type TokenIdentifier } from '@bascule/contracts';

const CHAINS = new Map(Object.values(chainDefinitions).map((chain) => [chain.chainId, chain]));

/**
 * Identifier of a token that a provider names by chain and contract. Undefined on a chain that Bascule does not know, and
 * for what is no EVM address.
 */
export function tokenOnChain(chainId: number, contract: string): TokenIdentifier | undefined {
  const chain = CHAINS.get(chainId);
  if (!chain || !/^0x[0-9a-fA-F]{40}$/.test(contract)) return undefined;
  return tokenIdentifier(chain.name, contract);
}

/** Identifier of a chain's native currency; undefined where its symbol is another one. */
export function nativeOnChain(chainId: number, symbol: string): TokenIdentifier | undefined {
  const chain = CHAINS.get(chainId);
  if (chain?.nativeCurrency.symbol !== symbol.toUpperCase()) return undefined;
  return tokenIdentifier(chain.name, ZERO_ADDRESS);
}
