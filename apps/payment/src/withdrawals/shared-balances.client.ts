import type { ChainClient } from '@bascule/chain';
import { parseTokenIdentifier } from '@bascule/contracts';
import { erc20Abi, multicall3Abi, zeroAddress } from 'viem';
import type { Address } from 'viem';
import type { TokenFacts } from '../projections/asset-directory.repository.js';

export type BalanceReader = Pick<ChainClient, 'multicall'>;

export interface WalletTokens {
  wallet: Address;
  tokens: readonly TokenFacts[];
}

/** Balances of one request: about 5 million gas, and 110 KB. */
const BALANCES_AT_ONCE = 500;

/** Undefined where the call failed. */
type BalanceOf = (wallet: Address, token: Address) => bigint | undefined;

/** Asks each node once for the balances of several wallets after a block, by one call for each 500 of them. */
export class SharedBalancesClient {
  private readonly reads = new WeakMap<BalanceReader, Map<bigint, Promise<BalanceOf>>>();

  constructor(
    private readonly multicall3: Address,
    private readonly wallets: readonly WalletTokens[],
  ) {}

  at(node: BalanceReader, blockNumber: bigint): Promise<BalanceOf> {
    const ofNode = this.reads.get(node) ?? new Map<bigint, Promise<BalanceOf>>();
    this.reads.set(node, ofNode);
    const read = ofNode.get(blockNumber) ?? this.read(node, blockNumber);
    ofNode.set(blockNumber, read);
    return read;
  }

  private async read(node: BalanceReader, blockNumber: bigint): Promise<BalanceOf> {
    const asked = this.wallets.flatMap(({ wallet, tokens }) =>
      [zeroAddress, ...tokens.map(addressOf)].map((token) => ({ wallet, token })),
    );
    const found = new Map<string, bigint>();
    for (let start = 0; start < asked.length; start += BALANCES_AT_ONCE) {
      const part = asked.slice(start, start + BALANCES_AT_ONCE);
      const answers = await node.multicall({
        contracts: part.map((it) => this.call(it)),
        allowFailure: true,
        batchSize: 0,
        blockNumber,
        multicallAddress: this.multicall3,
      });
      part.forEach(({ wallet, token }, index) => {
        const result: unknown = answers[index]?.result;
        if (typeof result === 'bigint') found.set(keyOf(wallet, token), result);
      });
    }
    return (wallet, token) => found.get(keyOf(wallet, token));
  }

  private call({ wallet, token }: { wallet: Address; token: Address }) {
    return token === zeroAddress
      ? ({
          address: this.multicall3,
          abi: multicall3Abi,
          functionName: 'getEthBalance',
          args: [wallet],
        } as const)
      : ({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [wallet] } as const);
  }
}

export const addressOf = ({ token }: TokenFacts): Address => parseTokenIdentifier(token).address;

const keyOf = (wallet: Address, token: Address): string => `${wallet} ${token}`;
