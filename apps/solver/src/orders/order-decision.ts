import type { Order } from '@bascule/solidity';
import { isAddressEqual } from 'viem';
import type { Address } from 'viem';
import { outputFor } from '../assets/fee.js';
import { findRoute } from '../assets/route.js';
import type { Route } from '../assets/route.js';

/** Place where an order was found. */
interface Found {
  chainId: number;
  escrow: Address;
}

/** Route on which an order is filled, and the output of the fill. */
export interface FillDecision {
  route: Route;
  output: bigint;
}

type OrderDecision =
  FillDecision | { declined: 'unknown_route' | 'another_oracle' | 'too_small' | 'unpaid' };

/** Decides whether to fill an order; the output is the quote for its amount. */
export function orderDecision(order: Order, found: Found, routes: readonly Route[]): OrderDecision {
  const route = findRoute(routes, order);
  if (!route || BigInt(found.chainId) !== order.originChainId) return { declined: 'unknown_route' };
  if (!isAddressEqual(found.escrow, route.escrow)) return { declined: 'unknown_route' };
  // Another oracle's attesters may deny our fill.
  if (!isAddressEqual(order.oracle, route.oracle)) return { declined: 'another_oracle' };
  if (order.inputAmount < route.minAmount) return { declined: 'too_small' };
  const output = outputFor(order.inputAmount, route.fee);
  if (output === 0n || output < order.minimum) return { declined: 'unpaid' };
  return { route, output };
}
