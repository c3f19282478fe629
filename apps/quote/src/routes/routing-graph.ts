import type { TokenIdentifier } from '@bascule/contracts';
import { neighbours, reach, type Steps } from './reach.js';
import {
  rampKey,
  stepsOf,
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

/** What leads to an asset. */
export interface Inputs {
  fiats: Set<string>;
  tokens: Set<TokenIdentifier>;
}

type RampFilter = (ramp: Ramp) => boolean;

/** How many routes of one provider and method, or of sent tokens, are tried for one request. */
export const MAX_ROUTES_PER_METHOD = 4;

/**
 * All tokens, ramps, conversions and bridges of the deployment, indexed by where they start; immutable, replaced when one of them
 * changes. A route crosses chains only when it has to, and once.
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

  /** Whether any bridge goes from the one chain to the other. */
  crosses(origin: string, destination: string): boolean {
    return this.lanesByChains.has(between(origin, destination));
  }

  /** Every token that some route leads to from an asset. */
  outputsOf(from: string, mayBuy: RampFilter): Set<TokenIdentifier> {
    if (this.isToken(from)) return reach([from], this.forwards);
    const bought = (this.rampsByFiat.get(from) ?? []).filter(mayBuy).map(({ token }) => token);
    return reach(bought, this.forwards);
  }

  /** Every asset from which some route leads to a token. */
  inputsOf(to: string, mayBuy: RampFilter): Inputs {
    if (!this.isToken(to)) return { fiats: new Set(), tokens: new Set() };
    const tokens = reach([to], this.backwards);
    const fiats = [...this.rampsByFiat].flatMap(([fiat, ramps]) =>
      ramps.some((ramp) => tokens.has(ramp.token) && mayBuy(ramp)) ? [fiat] : [],
    );
    return { fiats: new Set(fiats), tokens };
  }

  /** The ramps of a fiat currency with which some route to a token begins. */
  rampsTo(fiat: string, to: string): Ramp[] {
    const tokens = this.isToken(to) ? reach([to], this.backwards) : new Set();
    return (this.rampsByFiat.get(fiat) ?? []).filter(({ token }) => tokens.has(token));
  }

  /**
   * The shortest ways from an asset (fiat code or token) to a token; empty when there is none.
   * @param isPromising others are taken only where too few are
   */
  routes(from: string, to: string, isPromising: (route: Route) => boolean = () => true): Route[] {
    const starts = this.chainOf.has(from)
      ? [{ ramp: null, token: from }]
      : (this.rampsByFiat.get(from) ?? []).map((ramp) => ({ ramp, token: ramp.token }));
    const routes = starts.flatMap(({ ramp, token }) =>
      this.ways(token, to).map((legs) => ({ ramp, legs })),
    );
    return fewestStepsFirst(
      routes.filter((route) => isPromising(route)),
      routes.filter((route) => !isPromising(route)),
    );
  }

  private ways(from: string, to: string): RouteLeg[][] {
    const [origin, destination] = [this.chainOf.get(from), this.chainOf.get(to)];
    if (origin === undefined || destination === undefined) return [];
    if (origin === destination) return this.leg(origin, from, to, null).map((leg) => [leg]);
    const lanes = this.lanesByChains.get(between(origin, destination)) ?? [];
    return lanes.flatMap((lane) =>
      this.leg(origin, from, lane.inputToken, lane).flatMap((first) =>
        this.leg(destination, lane.outputToken, to, null).map((last) => [first, last]),
      ),
    );
  }

  private isToken(asset: string): asset is TokenIdentifier {
    return this.chainOf.has(asset);
  }

  /** One, or none where the chain has nowhere to convert. */
  private leg(chain: string, from: string, to: string, lane: BridgeLane | null): RouteLeg[] {
    if (from !== to && !this.conversions.get(from)?.has(to)) return [];
    const [inputToken, outputToken] = [from as TokenIdentifier, to as TokenIdentifier];
    return [{ chain, inputToken, outputToken, lane }];
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

function fewestStepsFirst(...groups: readonly Route[][]): Route[] {
  const taken = new Map<string, number>();
  const sorted = groups.flatMap((group) => group.sort((a, b) => stepsOf(a) - stepsOf(b)));
  return sorted.filter(({ ramp }) => {
    const count = taken.get(rampKey(ramp)) ?? 0;
    taken.set(rampKey(ramp), count + 1);
    return count < MAX_ROUTES_PER_METHOD;
  });
}
