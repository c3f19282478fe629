import { ALL_BPS, basisPoints } from '@bascule/amounts';
import type {
  AmountLimits,
  Fees,
  PaymentMethod,
  RouteChange,
  TokenIdentifier,
} from '@bascule/contracts';
import type { Amount } from './amount.js';
import type { BusinessFee } from './revenue-share.js';

export interface TokenAmount extends Amount {
  asset: TokenIdentifier;
}

export interface QuotedOnramp {
  provider: string;
  method: PaymentMethod;
  providerQuoteId: string;
  latencySeconds: number;
}

export interface QuotedBridge {
  name: string;
  /** Adapter contract on the leg's chain that takes the leg's output. */
  adapter: string;
  /** Delivery on the next leg's chain. */
  delivered: TokenAmount;
  /** Delivery when only the leg's declared minimum is sent. */
  minDelivered: bigint;
  latencySeconds: number;
  /** Limits of the bridge, in the asset of the request. */
  limits: AmountLimits;
}

/** Custom actions of the last leg, as they are shown and paid for. */
export interface QuotedActions {
  /** Contracts that are called. */
  targets: readonly string[];
  /** Allowances and other effects, all of them produced. */
  effects: readonly RouteChange[];
}

/** Quoted part of a route on one chain. */
export interface QuotedLeg {
  chain: string;
  input: TokenAmount;
  /** In the input token; deducted before the rest is converted, bridged or paid out. */
  networkFee: bigint;
  /** Revenue shares, deducted like the network fee. */
  businessFees: readonly BusinessFee[];
  /** Gas that the network fee pays for. */
  gas: bigint;
  /** Cost that the network fee repays, in the smallest unit of the chain's native currency. */
  gasCost: bigint;
  /** Most gas that the leg's transaction may use. */
  gasLimit: bigint;
  /** Converting venue; null where input and output are the same token. */
  venue: string | null;
  output: TokenAmount;
  /** Bridge to the next leg; null on the last leg. */
  bridge: QuotedBridge | null;
  /** On the last leg of a payment with custom actions. */
  custom?: QuotedActions;
}

/** Route with the amounts quoted by its provider, venues, bridges and chains. */
export interface QuotedRoute {
  /** Amount that the customer gives. */
  input: Amount;
  /** Null when the customer deposits tokens. */
  onramp: QuotedOnramp | null;
  /** At least one; the input of each leg is the delivery of the previous one. */
  legs: readonly QuotedLeg[];
  /** Output that the request fixes: the declared minimum of the last leg. */
  fixedOutput?: bigint;
}

/** Quoted route with its fees in the price currency. */
export interface PricedRoute extends QuotedRoute {
  fees: Fees;
}

function present<T>(leg: T | undefined): T {
  if (leg === undefined) throw new Error('a route has at least one leg');
  return leg;
}

/** Sum of the fees of a leg, in its input token. */
export const feesOf = ({
  networkFee,
  businessFees,
}: Pick<QuotedLeg, 'networkFee' | 'businessFees'>): bigint =>
  businessFees.reduce((sum, { units }) => sum + units, networkFee);

/** Amount at the deposit address; equals the input when the customer deposits tokens. */
export const depositOf = ({ legs }: QuotedRoute): TokenAmount => present(legs.at(0)).input;

/** Amount that the destination receives. */
export const outputOf = ({ legs }: QuotedRoute): TokenAmount => present(legs.at(-1)).output;

/** Counts the steps of a leg (conversion, bridge) that may deliver less than quoted. */
export const slippageStepsIn = ({ venue, bridge }: QuotedLeg): number =>
  Number(venue !== null) + Number(bridge !== null);

/** Latency of onramp and bridges in seconds, without the chains' own. */
export const externalLatency = ({ onramp, legs }: QuotedRoute): number =>
  legs.reduce(
    (sum, { bridge }) => sum + (bridge?.latencySeconds ?? 0),
    onramp?.latencySeconds ?? 0,
  );

/** Minimum of `units` after `steps` that may each deliver less by the slippage; at least 1. */
export function minAfterSlippage(units: bigint, steps: number, slippageBps: number): bigint {
  const bps = Math.min(slippageBps * steps, ALL_BPS);
  const least = units - basisPoints(units, bps, 'down');
  return least > 0n ? least : 1n;
}

/** Least amount of which `minAfterSlippage` is at least `min`. */
export function leastBeforeSlippage(min: bigint, steps: number, slippageBps: number): bigint {
  const kept = BigInt(ALL_BPS - Math.min(slippageBps * steps, ALL_BPS - 1));
  return ((min - 1n) * BigInt(ALL_BPS)) / kept + 1n;
}
