import type { UniswapV3Deployment } from '@bascule/chain';
import { encodeFunctionData } from 'viem';
import { aggregatedCalls } from '../aggregated-calls.js';
import { erc20Of, isNative } from '../erc20-of.js';
import type { PoolProtocol } from '../pool-venue.js';
import { quoterV2Abi } from './abi.js';
import { liquidPairs } from './liquid-pairs.js';
import { decodePathQuote } from './path-quote.js';
import { encodePath, reversed } from './paths.js';
import { swapCalls } from './swap-calls.js';

/** Gas of approvals, router and payments, without the pools' part from the quoter; measured, rounded up. */
const ROUTER_GAS = 40_000n;
/** Gas of wrapping or unwrapping native currency in the router. */
const NATIVE_GAS = 10_000n;

/** Uniswap V3: its quoter is asked about all fee tiers in one call. */
export const uniswapV3: PoolProtocol<UniswapV3Deployment, number> = {
  name: 'uniswap_v3',
  deploymentIn: (contracts) => contracts.uniswapV3,
  poolsOf: ({ feeTiers }) => feeTiers,
  formsOf: (contracts, token) => [erc20Of(contracts, token)],
  liquidPairs,
  async quotePaths(chain, { quoterV2 }, { paths, tokens, given, amount }) {
    const functionName = given === 'input' ? 'quoteExactInput' : 'quoteExactOutput';
    const answers = await aggregatedCalls(
      chain,
      paths.map((path) => ({
        target: quoterV2,
        callData: encodeFunctionData({
          abi: quoterV2Abi,
          functionName,
          args: [encodePath(given === 'input' ? path : reversed(path)), amount],
        }),
      })),
    );
    const otherGas = ROUTER_GAS + (isNative(tokens) ? NATIVE_GAS : 0n);
    return paths.flatMap((path, i) => {
      const answer = answers[i];
      const quote = answer && decodePathQuote(functionName, answer);
      return quote ? [{ path, amount: quote.amount, gas: quote.poolGas + otherGas }] : [];
    });
  },
  routeOf: encodePath,
  swapCalls: ({ deployment, ...swap }) => swapCalls({ ...swap, router: deployment.swapRouter02 }),
};
