import type { UniswapV2Deployment } from '@bascule/chain';
import { concat } from 'viem';
import { erc20Of, isNative } from '../erc20-of.js';
import type { PoolProtocol } from '../pool-venue.js';
import { inputOfPath, outputOfPath } from './amounts.js';
import { liquidPairs } from './liquid-pairs.js';
import { reservesOfPaths } from './reserves.js';
import { swapCalls } from './swap-calls.js';

/** Gas of approvals, router and payments, without the pairs' part; measured, rounded up. */
const ROUTER_GAS = 60_000n;
/** Gas of a swap in a pair. */
const PAIR_GAS = 70_000n;
/** Gas of wrapping or unwrapping native currency in the router. */
const NATIVE_GAS = 20_000n;

/** Uniswap V2: amounts are computed from the pairs' reserves, read in one call. */
export const uniswapV2: PoolProtocol<UniswapV2Deployment, null> = {
  name: 'uniswap_v2',
  deploymentIn: (contracts) => contracts.uniswapV2,
  poolsOf: () => [null],
  formsOf: (contracts, token) => [erc20Of(contracts, token)],
  liquidPairs,
  async quotePaths(chain, deployment, { paths, tokens, given, amount }) {
    const reserves = await reservesOfPaths(chain, deployment, paths);
    const amountOf = given === 'input' ? outputOfPath : inputOfPath;
    const otherGas = ROUTER_GAS + (isNative(tokens) ? NATIVE_GAS : 0n);
    return paths.flatMap((path, i) => {
      const pairs = reserves[i];
      const reached = pairs && amountOf(amount, pairs, deployment.fee);
      const gas = PAIR_GAS * BigInt(path.pools.length) + otherGas;
      return reached ? [{ path, amount: reached, gas }] : [];
    });
  },
  routeOf: ({ tokens }) => concat(tokens).toLowerCase(),
  swapCalls: ({ path, deployment, ...swap }) =>
    swapCalls({ ...swap, tokens: path.tokens, router: deployment.router02 }),
};
