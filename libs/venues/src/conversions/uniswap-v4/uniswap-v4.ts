import type { UniswapV4Deployment, UniswapV4PoolKind } from '@bascule/chain';
import { isAddressEqual, zeroAddress } from 'viem';
import { aggregatedCalls } from '../aggregated-calls.js';
import type { PoolProtocol } from '../pool-venue.js';
import { decodePathQuote, encodePathQuote } from './path-quote.js';
import { liquidPairs, routeOf } from './pools.js';
import { formChangeCount, swapCalls } from './swap-calls.js';

/** Gas of transfers and router, without the pools' part from the quoter; measured, rounded up. */
const ROUTER_GAS = 70_000n;
/** Gas of wrapping or unwrapping native currency in the router. */
const NATIVE_GAS = 20_000n;
/** Amounts of a swap are signed 128-bit numbers. */
const MAX_AMOUNT = 2n ** 127n - 1n;

/** Uniswap V4: its quoter is asked about all pools without hooks in one call. */
export const uniswapV4: PoolProtocol<UniswapV4Deployment, UniswapV4PoolKind> = {
  name: 'uniswap_v4',
  deploymentIn: (contracts) => contracts.uniswapV4,
  poolsOf: ({ pools }) => pools,
  // Native currency is one of its own beside its wrapped form.
  formsOf: ({ wrappedNative }, token) =>
    token === zeroAddress || isAddressEqual(token, wrappedNative)
      ? [zeroAddress, wrappedNative]
      : [token],
  liquidPairs,
  async quotePaths(chain, { quoter }, { paths, tokens, given, amount }) {
    if (amount > MAX_AMOUNT) return [];
    const functionName = given === 'input' ? 'quoteExactInput' : 'quoteExactOutput';
    const answers = await aggregatedCalls(
      chain,
      paths.map((path) => ({
        target: quoter,
        callData: encodePathQuote(functionName, path, amount),
      })),
    );
    return paths.flatMap((path, i) => {
      const answer = answers[i];
      const quote = answer && decodePathQuote(functionName, answer);
      if (!quote) return [];
      const changes = formChangeCount({ request: tokens, path });
      const gas = quote.poolGas + ROUTER_GAS + NATIVE_GAS * changes;
      return [{ path, amount: quote.amount, gas }];
    });
  },
  routeOf,
  swapCalls: ({ deployment, ...swap }) =>
    swapCalls({ ...swap, router: deployment.universalRouter }),
};
