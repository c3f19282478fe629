import {
  answerOf,
  answersOfNodes,
  Chain,
  parseChainsConfig,
  witnessesNeeded,
  type ChainView,
} from '@bascule/chain';
import { OperatorError } from '@bascule/operator-commands';
import { erc20Abi, type Address } from 'viem';
import type { TokenReading } from './operator-arguments.js';

export interface TokenFacts {
  name: string;
  symbol: string;
  decimals: number;
}

export interface TokenContract {
  /** Name of its chain. */
  chain: string;
  publicRpc: string;
  address: Address;
}

/** Far above the decimals of any token in use. */
const MAX_DECIMALS = 36;

/**
 * Reads name, symbol and decimals from the token contract: wrong decimals would misprice payments by powers of ten. Two
 * nodes must agree; the decimals that a single node returns must be those of the operator.
 * @throws OperatorError when the chain has no such token, nodes disagree, or the operator has to confirm the decimals
 */
export async function readToken(
  env: NodeJS.ProcessEnv,
  token: TokenContract,
  { rpcUrls, decimals }: TokenReading,
): Promise<TokenFacts> {
  const nodes = nodesOf(env, token, rpcUrls);
  const facts = await agreedFacts(nodes, token.address);
  if (facts.decimals > MAX_DECIMALS)
    throw new OperatorError(
      `the token has ${facts.decimals} decimals, at most ${MAX_DECIMALS} are supported`,
    );
  requireConfirmation(nodes, facts, decimals);
  return facts;
}

/** Returns the chain with each node once. */
function nodesOf(
  env: NodeJS.ProcessEnv,
  { chain, publicRpc }: TokenContract,
  rpcUrls: string | null,
): Chain {
  const variable = `RPC_URLS_${chain.toUpperCase()}`;
  const isConfigured = [variable, `${variable}_FILE`].some((name) => Boolean(env[name]));
  const asked = rpcUrls ?? (isConfigured ? null : publicRpc);
  const { chains } = parseChainsConfig(
    asked === null ? { ...env, CHAINS: chain } : { CHAINS: chain, [variable]: asked },
  );
  const [configured] = chains;
  if (configured === undefined) throw new OperatorError(`the deployment has no chain ${chain}`);
  return new Chain({
    ...configured,
    rpcUrls: [...new Set(configured.rpcUrls.map((url) => new URL(url).href))],
  });
}

async function agreedFacts(chain: Chain, address: Address): Promise<TokenFacts> {
  const { network } = chain.definition;
  const answers = await answersOfNodes(chain, (node) => factsOf(node, address)).catch(
    (error: unknown) => {
      if (error instanceof OperatorError) throw error;
      const message = `no token at ${address} on ${network}; use --rpc-url to query other nodes`;
      throw new OperatorError(message, { cause: error });
    },
  );
  const agreed = answerOf(witnessesNeeded(chain), answers, described);
  if (agreed !== undefined) return agreed;
  throw new OperatorError(
    `nodes of ${network} disagree about the token, or too few answered: expected two with the same answer, ` +
      `found ${answers.map(described).join('; ')}. Nothing was changed; use --rpc-url to query other nodes`,
  );
}

async function factsOf({ client, definition }: ChainView, address: Address): Promise<TokenFacts> {
  const contract = { address, abi: erc20Abi } as const;
  const [chainId, name, symbol, decimals] = await Promise.all([
    client.getChainId(),
    client.readContract({ ...contract, functionName: 'name' }),
    client.readContract({ ...contract, functionName: 'symbol' }),
    client.readContract({ ...contract, functionName: 'decimals' }),
  ]);
  if (chainId !== definition.chainId) {
    throw new OperatorError(
      `expected a node of ${definition.network}, found chain id ${chainId}; check --rpc-url`,
    );
  }
  return { name, symbol, decimals };
}

function requireConfirmation(
  { definition: { network }, endpoints }: Chain,
  facts: TokenFacts,
  decimals: number | null,
): void {
  const advice = `Check the token's documentation or an explorer; nothing was changed`;
  if (decimals === null && endpoints.length === 1) {
    throw new OperatorError(
      `only one node of ${network} was asked, found ${described(facts)}: ` +
        `confirm these decimals with --decimals, or give several nodes with --rpc-url. ${advice}`,
    );
  }
  if (decimals !== null && decimals !== facts.decimals) {
    throw new OperatorError(
      `expected ${decimals} decimals, found ${described(facts)} on ${network}. ${advice}`,
    );
  }
}

/** Quotes what a contract chose, which may hold control characters. */
export const described = ({ name, symbol, decimals }: TokenFacts): string =>
  `name ${JSON.stringify(name)}, symbol ${JSON.stringify(symbol)}, ${decimals} decimals`;
