import { maxAmount } from '@bascule/amounts';
import { ZERO_ADDRESS, answerOf, answersOfNodes, witnessesNeeded } from '@bascule/chain';
import type { Chain, ChainView } from '@bascule/chain';
import { oneTimeWalletAbi } from '@bascule/solidity';
import { Injectable } from '@nestjs/common';
import { erc20Abi, multicall3Abi } from 'viem';
import type { Address } from 'viem';
import { ChainUnreadableError } from './chain-unreadable-error.js';
import { readChain } from './read-chain.client.js';

export interface BalanceQuery {
  owner: Address;
  /** The zero address is the native currency. */
  token: Address;
}

/** Balance from which an amount is taken; both in smallest units. */
export interface CoveringQuery extends BalanceQuery {
  amount: bigint;
  /** Rest that has consequences where it is lower. */
  kept: bigint;
}

/** Tokens of one wallet. */
export interface WalletQuery {
  wallet: Address;
  tokens: readonly Address[];
  /** Whether the fee depends on the wallet's code: it is not asked for other addresses, where nothing can be withdrawn. */
  isOwn: boolean;
}

export interface WalletReading {
  /** In the order of the tokens; null where only the token's own call failed. */
  units: (bigint | null)[];
  isDeployed: boolean;
}

const MULTICALL_BYTES = 64 * 1024;

@Injectable()
export class TokenBalancesClient {
  /**
   * Reads the newest balances: two of several nodes must say the same, or the only one that answers. Null where they do
   * not, or can read none.
   * @throws ChainUnreadableError
   */
  readNewest(
    chain: Chain,
    queries: readonly BalanceQuery[],
    ms: number,
  ): Promise<(bigint | null)[]> {
    const agreed = agreedBalances(chain, queries, (answered) =>
      Math.min(answered, witnessesNeeded(chain)),
    );
    return readChain(chain.name, ms, agreed);
  }

  /**
   * Reads the newest balances that amounts are taken from: two of several nodes must say that one is too low, or leaves
   * less than is kept; of two the higher balance counts. The only one that answers is believed that a balance is enough,
   * and for the rest. Null where no node can read a balance, or the only one that answers says that it is too low.
   * @throws ChainUnreadableError
   */
  readCovering(
    chain: Chain,
    queries: readonly CoveringQuery[],
    ms: number,
  ): Promise<(bigint | null)[]> {
    return readChain(chain.name, ms, coveringBalances(chain, queries));
  }

  /**
   * Reads the balances after a final block; null where no two of several nodes say the same.
   * @throws ChainUnreadableError
   */
  readFinal(
    chain: Chain,
    queries: readonly BalanceQuery[],
    ms: number,
    blockNumber: bigint,
  ): Promise<(bigint | null)[]> {
    const needed = () => witnessesNeeded(chain);
    return readChain(chain.name, ms, agreedBalances(chain, queries, needed, blockNumber));
  }

  /**
   * Reads the balances of many wallets, and which of them exist, in one call.
   * @throws ChainUnreadableError
   */
  async readWallets(
    chain: Chain,
    wallets: readonly WalletQuery[],
    ms: number,
  ): Promise<WalletReading[]> {
    const queries = wallets.flatMap(({ wallet: owner, tokens }) =>
      tokens.map((token) => ({ owner, token })),
    );
    const own = wallets.filter(({ isOwn }) => isOwn);
    const answers = await readChain(
      chain.name,
      ms,
      chain.anyNode.client.multicall({
        contracts: [
          ...queries.map((query) => balanceCall(chain, query)),
          ...own.map(({ wallet }) => nonceCall(wallet)),
        ],
        batchSize: MULTICALL_BYTES,
      }),
    );
    const units = unitsOf(chain, answers.slice(0, queries.length));
    const deployed = new Set(
      own.filter((_, index) => answers[queries.length + index]?.status === 'success'),
    );
    let next = 0;
    return wallets.map((query) => ({
      units: units.slice(next, (next += query.tokens.length)),
      isDeployed: deployed.has(query),
    }));
  }
}

async function coveringBalances(
  chain: Chain,
  queries: readonly CoveringQuery[],
): Promise<(bigint | null)[]> {
  if (chain.endpoints.length === 1) return balancesIn(chain.anyNode, queries);
  const first = await balancesIn(chain.anyNode, queries).catch(() => null);
  const isEnough = (units: bigint | null, { amount, kept }: CoveringQuery) =>
    units !== null && units >= amount + kept;
  if (first !== null && queries.every((query, index) => isEnough(first[index] ?? null, query))) {
    return first;
  }
  const said = await balancesOfNodes(chain, queries);
  return queries.map(({ amount, kept }, index) => {
    const units = [...(said[index] ?? [])].sort((a, b) => (a < b ? -1 : 1));
    const witnessed = units[witnessesNeeded(chain) - 1];
    if (witnessed !== undefined) return witnessed;
    const lone = units.find((balance) => balance >= amount);
    // No rest has consequences by the word of one node.
    return lone === undefined ? null : maxAmount(lone, amount + kept);
  });
}

/** Reads the balances by every node; of each query those that could be read. */
async function balancesOfNodes(
  chain: Chain,
  queries: readonly BalanceQuery[],
  blockNumber?: bigint,
): Promise<bigint[][]> {
  const answers = await answersOfNodes(chain, (view) => balancesIn(view, queries, blockNumber));
  return queries.map((_, index) => answers.flatMap((units) => units[index] ?? []));
}

/**
 * Reads the balances that enough nodes say alike; null where they do not.
 * @param needed number that is enough, of those that could read the balance
 */
async function agreedBalances(
  chain: Chain,
  queries: readonly BalanceQuery[],
  needed: (answered: number) => number,
  blockNumber?: bigint,
): Promise<(bigint | null)[]> {
  const said = await balancesOfNodes(chain, queries, blockNumber);
  return said.map((units) => answerOf(needed(units.length), units, String) ?? null);
}

async function balancesIn(
  view: ChainView,
  queries: readonly BalanceQuery[],
  blockNumber?: bigint,
): Promise<(bigint | null)[]> {
  const answers = await view.client.multicall({
    contracts: queries.map((query) => balanceCall(view, query)),
    batchSize: MULTICALL_BYTES,
    ...(blockNumber !== undefined && { blockNumber }),
  });
  return unitsOf(view, answers);
}

interface CallAnswer {
  status: 'success' | 'failure';
  result?: unknown;
  error?: unknown;
}

/** @throws ChainUnreadableError where every balance failed, so not by a token's own fault */
function unitsOf(chain: Pick<Chain, 'name'>, answers: readonly CallAnswer[]): (bigint | null)[] {
  if (answers.length > 0 && answers.every(({ status }) => status === 'failure')) {
    throw new ChainUnreadableError(chain.name, answers[0]?.error);
  }
  return answers.map(({ status, result }) =>
    status === 'success' && typeof result === 'bigint' ? result : null,
  );
}

const balanceCall = (chain: Pick<Chain, 'definition'>, { owner, token }: BalanceQuery) =>
  token === ZERO_ADDRESS
    ? ({
        address: chain.definition.contracts.multicall3,
        abi: multicall3Abi,
        functionName: 'getEthBalance',
        args: [owner],
      } as const)
    : ({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [owner] } as const);

/** Fails where the wallet does not exist. */
const nonceCall = (wallet: Address) =>
  ({ address: wallet, abi: oneTimeWalletAbi, functionName: 'nonceUsed', args: [0n] }) as const;
