import type { AmountLimits, PaymentMethod, TokenIdentifier } from '@bascule/contracts';

/** A way to buy a token with fiat: one provider, one payment method. */
export interface Ramp {
  provider: string;
  method: PaymentMethod;
  /** Lower-case fiat code. */
  fiat: string;
  token: TokenIdentifier;
  /** In the fiat. */
  limits: AmountLimits;
}

/** What happens on one chain: a transfer when both tokens are the same, otherwise a conversion. */
export interface RouteLeg {
  chain: string;
  inputToken: TokenIdentifier;
  outputToken: TokenIdentifier;
}

/** From the asset that a customer has to the token that arrives. */
export interface Route {
  ramp: Ramp | null;
  leg: RouteLeg;
}

export interface RoutingInput {
  tokens: readonly { id: TokenIdentifier; chain: string }[];
  ramps: readonly Ramp[];
  /** The chains that have a venue which converts tokens. */
  convertingChains: ReadonlySet<string>;
}

/** How many tokens of one provider and method are tried for the same output. */
const MAX_ROUTES_PER_METHOD = 4;

/** All ramps and tokens of the deployment, indexed by where they start; immutable, replaced when one of them changes. */
export class RoutingGraph {
  private readonly chainOf: ReadonlyMap<string, string>;
  private readonly rampsByFiat: ReadonlyMap<string, readonly Ramp[]>;

  constructor(private readonly input: RoutingInput) {
    this.chainOf = new Map(input.tokens.map(({ id, chain }) => [id, chain]));
    const ramps = new Map<string, Ramp[]>();
    for (const ramp of input.ramps) {
      ramps.set(ramp.fiat, [...(ramps.get(ramp.fiat) ?? []), ramp]);
    }
    this.rampsByFiat = ramps;
  }

  /** Every way from an asset (fiat code or token) to a token; empty when there is none. */
  routes(from: string, to: string): Route[] {
    const direct = this.leg(from, to);
    if (direct) return [{ ramp: null, leg: direct }];
    const routes = (this.rampsByFiat.get(from) ?? []).flatMap((ramp) => {
      const leg = this.leg(ramp.token, to);
      return leg ? [{ ramp, leg }] : [];
    });
    return fewestConversionsFirst(routes);
  }

  private leg(from: string, to: string): RouteLeg | null {
    const chain = this.chainOf.get(from);
    if (chain === undefined || chain !== this.chainOf.get(to)) return null;
    if (from !== to && !this.input.convertingChains.has(chain)) return null;
    return {
      chain,
      inputToken: from as TokenIdentifier,
      outputToken: to as TokenIdentifier,
    };
  }
}

export const isTransfer = ({ inputToken, outputToken }: RouteLeg): boolean =>
  inputToken === outputToken;

function fewestConversionsFirst(routes: readonly Route[]): Route[] {
  const taken = new Map<string, number>();
  const sorted = [...routes].sort((a, b) => Number(isTransfer(b.leg)) - Number(isTransfer(a.leg)));
  return sorted.filter(({ ramp }) => {
    const key = `${String(ramp?.provider)}/${String(ramp?.method)}`;
    const count = taken.get(key) ?? 0;
    taken.set(key, count + 1);
    return count < MAX_ROUTES_PER_METHOD;
  });
}
