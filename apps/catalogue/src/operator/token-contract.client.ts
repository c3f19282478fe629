import type { Chain } from '@bascule/contracts';
import { OperatorError } from '@bascule/operator-commands';
import { createPublicClient, erc20Abi, http, type Address } from 'viem';

export interface TokenFacts {
  name: string;
  symbol: string;
  decimals: number;
}

const TIMEOUT_MS = 10_000;
/** More than any token that is used has; amounts are exact, however many. */
const MOST_DECIMALS = 36;

/**
 * What the contract says of itself: an operator who mistypes the decimals would misprice every payment by powers of
 * ten.
 * @throws OperatorError when that chain's node has no such token
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
      throw new OperatorError(`the node is of chain ${chainId}, not of ${chain.network}`);
    }
    if (decimals > MOST_DECIMALS) throw new OperatorError(`the token has ${decimals} decimals`);
    return { name, symbol, decimals };
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    const message = `there is no token at ${address}, as a node of ${chain.network} says (--rpc-url asks another)`;
    throw new OperatorError(message, { cause: error });
  }
}
