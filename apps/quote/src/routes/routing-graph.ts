import type { TokenIdentifier } from '@bascule/contracts';
import { neighbours, reach, type Steps } from './reach.js';
import {
  rampKey,
  converts,
  countSteps,
  type BridgeLane,
  type Conversion,
  type Ramp,
  type Route,
  type RouteLeg,
} from './route.js';

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

/** Maximum number of beginnings of routes that are followed across further chains. */
const MAX_BEGINNINGS = 256;

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
    const routes = starts.flatMap(({ ramp, token }) =>
      this.legsBetween(token, to, hops).map((legs) => ({ ramp, legs })),
    );
    return fewestStepsFirst(
      routes.filter((route) => isPreferred(route)),
      routes.filter((route) => !isPreferred(route)),
    );
  }

  private legsBetween(from: string, to: string, hops: readonly string[]): RouteLeg[][] {
    const [origin, destination] = [this.chainOf.get(from), this.chainOf.get(to)];
    if (origin === undefined || destination === undefined) return [];
    const isOnOneChain = origin === destination && hops.length === 0;
    const way = isOnOneChain ? [origin] : [origin, ...hops, destination];
    if (new Set(way).size < way.length) return [];
    let beginnings: Beginning[] = [{ legs: [], token: from }];
    for (const [index, next] of way.slice(1).entries()) {
      const chain = way[index] ?? origin;
      const longer = beginnings.flatMap((each) => this.across(each, chain, next));
      const isLast = index === hops.length;
      beginnings = isLast ? longer : longer.sort(fewerConversions).slice(0, MAX_BEGINNINGS);
    }
    return beginnings.flatMap(({ legs, token }) =>
      this.leg(destination, token, to, null).map((last) => [...legs, last]),
    );
  }

  /** Continues a beginning over every bridge between two chains. */
  private across({ legs, token }: Beginning, chain: string, next: string): Beginning[] {
    const lanes = this.lanesByChains.get(between(chain, next)) ?? [];
    return lanes.flatMap((lane) =>
      this.leg(chain, token, lane.inputToken, lane).map((leg) => ({
        legs: [...legs, leg],
        token: lane.outputToken,
      })),
    );
  }

  private isToken(asset: string): asset is TokenIdentifier {
    return this.chainOf.has(asset);
  }

  /** One leg, or none where no venue of the chain converts. */
  private leg(chain: string, from: string, to: string, lane: BridgeLane | null): RouteLeg[] {
    if (from !== to && !this.conversions.get(from)?.has(to)) return [];
    const [inputToken, outputToken] = [from as TokenIdentifier, to as TokenIdentifier];
    return [{ chain, inputToken, outputToken, lane }];
  }
}

/** Legs up to a chain, and the token that they deliver there. */
interface Beginning {
  legs: RouteLeg[];
  token: string;
}

const conversionsIn = ({ legs }: Beginning): number => legs.filter(converts).length;
const fewerConversions = (a: Beginning, b: Beginning): number =>
  conversionsIn(a) - conversionsIn(b);

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

function fewestStepsFirst(...groups: readonly Route[][]): Route[] {
  const taken = new Map<string, number>();
  const sorted = groups.flatMap((group) => group.sort((a, b) => countSteps(a) - countSteps(b)));
  return sorted.filter(({ ramp }) => {
    const count = taken.get(rampKey(ramp)) ?? 0;
    taken.set(rampKey(ramp), count + 1);
    return count < MAX_ROUTES_PER_METHOD;
  });
}
