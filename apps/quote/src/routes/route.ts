import type { AmountLimits, PaymentMethod, TokenIdentifier } from '@bascule/contracts';
import type { OnrampPlaces } from '@bascule/providers';

/** A way to buy a token with fiat: one provider, one payment method. */
export interface Ramp {
  provider: string;
  method: PaymentMethod;
  /** Lower-case fiat code. */
  fiat: string;
  token: TokenIdentifier;
  /** In the fiat. */
  limits: AmountLimits;
  /** Each of them restricts where customers may be. */
  places: readonly OnrampPlaces[];
}

/** What the venues of a chain do: one token into another. */
export interface Conversion {
  inputToken: TokenIdentifier;
  outputToken: TokenIdentifier;
}

/** What a bridge carries: a token of one chain, which arrives as a token of another. */
export interface BridgeLane {
  bridge: string;
  inputToken: TokenIdentifier;
  outputToken: TokenIdentifier;
}

/** What happens on one chain: a conversion where the tokens differ, and the way on to the next chain. */
export interface RouteLeg {
  chain: string;
  inputToken: TokenIdentifier;
  outputToken: TokenIdentifier;
  /** Carries the output to the next leg; null on the last one, which pays out. */
  lane: BridgeLane | null;
}

/** From the asset that a customer has to the token that arrives. */
export interface Route {
  ramp: Ramp | null;
  /** At least one; each starts where the one before it delivers. */
  legs: readonly RouteLeg[];
}

export const converts = ({ inputToken, outputToken }: RouteLeg): boolean =>
  inputToken !== outputToken;

export const chainOfToken = (token: TokenIdentifier): string => token.slice(0, token.indexOf(':'));

/** How many conversions and bridges it takes. */
export const stepsOf = ({ legs }: Route): number =>
  legs.length - 1 + legs.filter((leg) => converts(leg)).length;

export const rampKey = (ramp: Pick<Ramp, 'provider' | 'method'> | null): string =>
  ramp ? `${ramp.provider}/${ramp.method}` : 'tokens';
