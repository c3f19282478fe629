import { tokenIdentifier } from '@bascule/contracts';
import type { Route } from '../routing/routing-graph.js';

const NATIVE = '0x0000000000000000000000000000000000000000';

/** The assets whose prices quoting these routes can need, gas included. */
export const pricedAssets = (routes: readonly Route[], ...others: readonly string[]): Set<string> =>
  new Set([
    ...others,
    ...routes.flatMap(({ leg }) => [
      leg.inputToken,
      leg.outputToken,
      tokenIdentifier(leg.chain, NATIVE),
    ]),
  ]);
