import { tokenIdentifier } from '@bascule/contracts';
import { zeroAddress } from 'viem';
import type { Route } from '../routes/route.js';

/** The assets whose prices quoting these routes can need, gas included. */
export const pricedAssets = (routes: readonly Route[], ...others: readonly string[]): Set<string> =>
  new Set([
    ...others,
    ...routes.flatMap(({ legs }) =>
      legs.flatMap(({ chain, inputToken, outputToken }) => [
        inputToken,
        outputToken,
        tokenIdentifier(chain, zeroAddress),
      ]),
    ),
  ]);
