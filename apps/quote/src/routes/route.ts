import {
  tokenIdentifier,
  type AmountLimits,
  type PaymentMethod,
  type TokenIdentifier,
} from '@bascule/contracts';
import type { OnrampPlaces } from '@bascule/providers';
import { zeroAddress } from 'viem';

/** Purchase of a token with fiat at one provider by one payment method. */
export interface Ramp {
  provider: string;
  method: PaymentMethod;
  /** Lower-case fiat code. */
  fiat: string;
  token: TokenIdentifier;
  /** Limits in the fiat currency. */
  limits: AmountLimits;
  /** Restrictions on the customer's place; all of them apply. */
  places: readonly OnrampPlaces[];
}

/** Conversion between two tokens of one chain at its venues. */
export interface Conversion {
  inputToken: TokenIdentifier;
  outputToken: TokenIdentifier;
  /** Name of the venue; conversions of several venues are edges of their own. */
  venue?: string;
}

/** Transfer by a bridge: a token of one chain in, a token of another chain out. */
export interface BridgeLane {
  bridge: string;
  inputToken: TokenIdentifier;
  outputToken: TokenIdentifier;
}

/** Part of a route on one chain: a conversion where the tokens differ, then a payout or a bridge. */
export interface RouteLeg {
  chain: string;
  inputToken: TokenIdentifier;
  outputToken: TokenIdentifier;
  /** Bridge to the next leg; null on the last leg, which pays out. */
  lane: BridgeLane | null;
}

/** Path from the customer's asset to the output token. */
export interface Route {
  ramp: Ramp | null;
  /** At least one; each leg starts with the token that the previous one delivers. */
  legs: readonly RouteLeg[];
}

export const converts = ({ inputToken, outputToken }: RouteLeg): boolean =>
  inputToken !== outputToken;

/** Name of an asset's chain; undefined for fiat. */
export const chainNameOf = (asset: string): string | undefined => asset.split(':').at(-2);

export const chainOfToken = (token: TokenIdentifier): string => token.slice(0, token.indexOf(':'));

/** Counts conversions and bridges. */
export const countSteps = ({ legs }: Route): number =>
  legs.length - 1 + legs.filter((leg) => converts(leg)).length;

/** Counts the steps that may deliver less than quoted: onramp, conversions, bridges. */
export const slippageStepsOf = (route: Route): number =>
  Number(route.ramp !== null) + countSteps(route);

export const rampKey = (ramp: Pick<Ramp, 'provider' | 'method'> | null): string =>
  ramp ? `${ramp.provider}/${ramp.method}` : 'tokens';

/** Lists the assets whose prices a quote of these routes can need, native currencies (gas) included. */
export const assetsToPrice = (
  routes: readonly Route[],
  ...others: readonly string[]
): Set<string> =>
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
