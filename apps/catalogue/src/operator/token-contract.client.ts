import type { Chain } from '@bascule/contracts';
import { OperatorError } from '@bascule/operator-commands';
import { createPublicClient, erc20Abi, http, type Address } from 'viem';

export interface TokenFacts {
  name: string;
  symbol: string;
  decimals: number;
}

const TIMEOUT_MS = 10_000;
/** Far above the decimals of any token in use. */
const MAX_DECIMALS = 36;

/**
 * Reads name, symbol and decimals from the token contract: a mistyped decimals value would misprice payments by powers
 * of ten.
 * @throws OperatorError when the chain has no such token
 */
export async function readToken(
  rpcUrl: string,
  chain: Chain,
  address: Address,
): Promise<TokenFacts> {
  const client = createPublicClient({ transport: http(rpcUrl, { timeout: TIMEOUT_MS }) });
  const contract = { address, abi: erc20Abi } as const;
  try {
    const [chainId, name, symbol, decimals] = await Promise.all([
      client.getChainId(),
      client.readContract({ ...contract, functionName: 'name' }),
      client.readContract({ ...contract, functionName: 'symbol' }),
      client.readContract({ ...contract, functionName: 'decimals' }),
    ]);
    if (String(chainId) !== chain.chain_id['#']) {
      throw new OperatorError(
        `expected a node of ${chain.network}, found chain id ${chainId}; check --rpc-url`,
      );
    }
    if (decimals > MAX_DECIMALS)
      throw new OperatorError(
        `the token has ${decimals} decimals, at most ${MAX_DECIMALS} are supported`,
      );
    return { name, symbol, decimals };
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    const message = `no token at ${address} on ${chain.network}; use --rpc-url to query another node`;
    throw new OperatorError(message, { cause: error });
  }
}
