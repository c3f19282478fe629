import type { TokenIdentifier } from '@bascule/contracts';
import { LegSearch, type Edges, type Ending } from './leg-search.js';
import { neighbours, reach, type Steps } from './reach.js';
import { rampKey, type BridgeLane, type Conversion, type Ramp, type Route } from './route.js';

export interface RoutingInput {
  tokens: readonly { id: TokenIdentifier; chain: string }[];
  ramps: readonly Ramp[];
  lanes: readonly BridgeLane[];
  conversions: readonly Conversion[];
}

/** Assets from which an output is reachable. */
export interface Inputs {
  fiats: Set<string>;
  tokens: Set<TokenIdentifier>;
}

type RampFilter = (ramp: Ramp) => boolean;

/** Maximum number of routes tried per provider and method, or for deposited tokens. */
export const MAX_ROUTES_PER_METHOD = 4;

/**
 * Immutable index of all tokens, ramps, conversions and lanes; replaced when one of them changes.
 * A route crosses chains at most once, and only where input and output are on different chains; with hops it crosses to
 * each of them in order, and no chain twice.
 */
export class RoutingGraph {
  private readonly chainOf: ReadonlyMap<string, string>;
  private readonly rampsByFiat: ReadonlyMap<string, readonly Ramp[]>;
  private readonly lanesByChains: ReadonlyMap<string, readonly BridgeLane[]>;
  private readonly conversions: ReadonlyMap<string, ReadonlySet<string>>;
  private readonly forwards: Steps;
  private readonly backwards: Steps;

  constructor({ tokens, ramps, lanes, conversions }: RoutingInput) {
    this.chainOf = new Map(tokens.map(({ id, chain }) => [id, chain]));
    const chains = (edge: Conversion): [string | undefined, string | undefined] => [
      this.chainOf.get(edge.inputToken),
      this.chainOf.get(edge.outputToken),
    ];
    const sold = ramps.filter(({ token }) => this.chainOf.has(token));
    const carried = lanes.filter((lane) => {
      const [origin, destination] = chains(lane);
      return origin !== undefined && destination !== undefined && origin !== destination;
    });
    const converted = conversions.filter((conversion) => {
      const [origin, destination] = chains(conversion);
      return origin !== undefined && origin === destination;
    });
    this.rampsByFiat = grouped(sold, ({ fiat }) => fiat);
    this.lanesByChains = grouped(carried, (lane) => between(...chains(lane)));
    const steps = (direction: 'forwards' | 'backwards'): Steps => ({
      converted: neighbours(converted, direction),
      carried: neighbours(carried, direction),
    });
    this.forwards = steps('forwards');
    this.backwards = steps('backwards');
    this.conversions = new Map(
      [...this.forwards.converted].map(([token, others]) => [token, new Set(others)]),
    );
  }

  /** Whether a bridge connects the two chains in this direction. */
  crosses(origin: string, destination: string): boolean {
    return this.lanesByChains.has(between(origin, destination));
  }

  /** Tokens reachable from an asset. */
  outputsOf(from: string, mayBuy: RampFilter): Set<TokenIdentifier> {
    if (this.isToken(from)) return reach([from], this.forwards);
    const bought = (this.rampsByFiat.get(from) ?? []).filter(mayBuy).map(({ token }) => token);
    return reach(bought, this.forwards);
  }

  /** Assets from which a token is reachable. */
  inputsOf(to: string, mayBuy: RampFilter): Inputs {
    if (!this.isToken(to)) return { fiats: new Set(), tokens: new Set() };
    const tokens = reach([to], this.backwards);
    const fiats = [...this.rampsByFiat].flatMap(([fiat, ramps]) =>
      ramps.some((ramp) => tokens.has(ramp.token) && mayBuy(ramp)) ? [fiat] : [],
    );
    return { fiats: new Set(fiats), tokens };
  }

  /** Ramps of a fiat currency that start a route to a token. */
  rampsTo(fiat: string, to: string): Ramp[] {
    const tokens = this.isToken(to) ? reach([to], this.backwards) : new Set();
    return (this.rampsByFiat.get(fiat) ?? []).filter(({ token }) => tokens.has(token));
  }

  /**
   * Finds the shortest routes from an asset (fiat code or token) to a token.
   * @param isPreferred other routes only fill the places that preferred ones leave
   * @param hops chains that the routes pass through
   */
  routes(
    from: string,
    to: string,
    isPreferred: (route: Route) => boolean = () => true,
    hops: readonly string[] = [],
  ): Route[] {
    const starts = this.chainOf.has(from)
      ? [{ ramp: null, token: from }]
      : (this.rampsByFiat.get(from) ?? []).map((ramp) => ({ ramp, token: ramp.token }));
    const search = new LegSearch(this.edges(), to, hops);
    const begun = starts.map(({ ramp, token }) => ({ ramp, endings: search.from(token) }));
    return fewestStepsFirst(begun, isPreferred);
  }

  private edges(): Edges {
    return {
      chainOf: (token) => this.chainOf.get(token),
      lanesBetween: (origin, destination) =>
        this.lanesByChains.get(between(origin, destination)) ?? [],
      hasConversion: (from, to) => this.conversions.get(from)?.has(to) ?? false,
    };
  }

  private isToken(asset: string): asset is TokenIdentifier {
    return this.chainOf.has(asset);
  }
}

const between = (origin = '', destination = ''): string => `${origin}>${destination}`;

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

interface BegunRoutes {
  ramp: Ramp | null;
  /** Fewest steps first. */
  endings: readonly Ending[];
}

/** Builds routes until each provider and method has its maximum, preferred ones first. */
function fewestStepsFirst(
  begun: readonly BegunRoutes[],
  isPreferred: (route: Route) => boolean,
): Route[] {
  const preferred = new LimitedRoutes();
  const others = new LimitedRoutes();
  const steps = new Set(begun.flatMap(({ endings }) => endings.map((ending) => ending.steps)));
  for (const wanted of [...steps].sort((a, b) => a - b)) {
    for (const { ramp, endings } of begun) {
      for (const { legs, steps } of endings) {
        if (steps > wanted || preferred.isFull(ramp)) break;
        if (steps < wanted) continue;
        const route = { ramp, legs };
        (isPreferred(route) ? preferred : others).add(route);
      }
    }
  }
  const all = new LimitedRoutes();
  for (const route of [...preferred.routes, ...others.routes]) all.add(route);
  return all.routes;
}

/** At most `MAX_ROUTES_PER_METHOD` routes of each provider and method. */
class LimitedRoutes {
  readonly routes: Route[] = [];
  private readonly counts = new Map<string, number>();

  isFull(ramp: Ramp | null): boolean {
    return (this.counts.get(rampKey(ramp)) ?? 0) >= MAX_ROUTES_PER_METHOD;
  }

  add(route: Route): void {
    if (this.isFull(route.ramp)) return;
    const key = rampKey(route.ramp);
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
    this.routes.push(route);
  }
}
