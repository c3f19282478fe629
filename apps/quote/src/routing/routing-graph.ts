import type { TokenIdentifier } from '@bascule/contracts';
import {
  rampKey,
  stepsOf,
  type BridgeLane,
  type Ramp,
  type Route,
  type RouteLeg,
} from './route.js';

export interface RoutingInput {
  tokens: readonly { id: TokenIdentifier; chain: string }[];
  ramps: readonly Ramp[];
  lanes: readonly BridgeLane[];
  /** The chains that have a venue which converts tokens. */
  convertingChains: ReadonlySet<string>;
}

/** How many routes of one provider and method, or of sent tokens, are tried for one request. */
export const MAX_ROUTES_PER_METHOD = 4;

/**
 * All tokens, ramps and bridges of the deployment, indexed by where they start; immutable, replaced when one of them
 * changes. A route crosses chains only when it has to, and once.
 */
export class RoutingGraph {
  private readonly chainOf: ReadonlyMap<string, string>;
  private readonly rampsByFiat: ReadonlyMap<string, readonly Ramp[]>;
  private readonly lanesByChains: ReadonlyMap<string, readonly BridgeLane[]>;

  constructor(private readonly input: RoutingInput) {
    this.chainOf = new Map(input.tokens.map(({ id, chain }) => [id, chain]));
    this.rampsByFiat = grouped(input.ramps, ({ fiat }) => fiat);
    this.lanesByChains = grouped(input.lanes, (lane) =>
      between(this.chainOf.get(lane.inputToken), this.chainOf.get(lane.outputToken)),
    );
  }

  /** The shortest ways from an asset (fiat code or token) to a token; empty when there is none. */
  routes(from: string, to: string): Route[] {
    const starts = this.chainOf.has(from)
      ? [{ ramp: null, token: from }]
      : (this.rampsByFiat.get(from) ?? []).map((ramp) => ({ ramp, token: ramp.token }));
    const routes = starts.flatMap(({ ramp, token }) =>
      this.ways(token, to).map((legs) => ({ ramp, legs })),
    );
    return fewestStepsFirst(routes);
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

  /** One, or none where the chain has nowhere to convert. */
  private leg(chain: string, from: string, to: string, lane: BridgeLane | null): RouteLeg[] {
    if (from !== to && !this.input.convertingChains.has(chain)) return [];
    const [inputToken, outputToken] = [from as TokenIdentifier, to as TokenIdentifier];
    return [{ chain, inputToken, outputToken, lane }];
  }
}

const between = (origin = '', destination = ''): string => `${origin}>${destination}`;

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

function fewestStepsFirst(routes: readonly Route[]): Route[] {
  const taken = new Map<string, number>();
  const sorted = [...routes].sort((a, b) => stepsOf(a) - stepsOf(b));
  return sorted.filter(({ ramp }) => {
    const count = taken.get(rampKey(ramp)) ?? 0;
    taken.set(rampKey(ramp), count + 1);
    return count < MAX_ROUTES_PER_METHOD;
  });
}
