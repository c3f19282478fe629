import type { TokenIdentifier } from '@bascule/contracts';
import { converts, type BridgeLane, type RouteLeg } from './route.js';

/** Maximum number of endings that a token of the way keeps where a route passes through further chains. */
const MAX_ENDINGS = 64;

export interface Edges {
  chainOf(token: string): string | undefined;
  lanesBetween(origin: string, destination: string): readonly BridgeLane[];
  hasConversion(from: string, to: string): boolean;
}

/** Legs from a token to the end of a route, and their conversions and bridges. */
export interface Ending {
  legs: readonly RouteLeg[];
  steps: number;
}

/** Finds the legs of routes to one token. Each token of the way is searched once, however many routes pass it. */
export class LegSearch {
  private readonly found = new Map<string, readonly Ending[]>();

  /** @param hops chains that the routes pass through */
  constructor(
    private readonly edges: Edges,
    private readonly to: string,
    private readonly hops: readonly string[],
  ) {}

  /** Endings from a token, fewest steps first. */
  from(token: string): readonly Ending[] {
    const [origin, destination] = [this.edges.chainOf(token), this.edges.chainOf(this.to)];
    if (origin === undefined || destination === undefined) return [];
    const isOnOneChain = origin === destination && this.hops.length === 0;
    const way = isOnOneChain ? [origin] : [origin, ...this.hops, destination];
    return new Set(way).size < way.length ? [] : this.endings(token, way);
  }

  private endings(token: string, way: readonly string[]): readonly Ending[] {
    const key = `${way.length}/${token}`;
    const known = this.found.get(key);
    if (known) return known;
    const endings = this.search(token, way);
    this.found.set(key, endings);
    return endings;
  }

  private search(token: string, [chain = '', ...rest]: readonly string[]): readonly Ending[] {
    const [next] = rest;
    if (next === undefined) {
      return this.leg(chain, token, this.to, null).map((leg) => ({
        legs: [leg],
        steps: Number(converts(leg)),
      }));
    }
    const firsts = this.edges.lanesBetween(chain, next).flatMap((lane) =>
      this.leg(chain, token, lane.inputToken, lane).map((leg) => ({
        leg,
        steps: 1 + Number(converts(leg)),
        endings: this.endings(lane.outputToken, rest),
      })),
    );
    return fewestSteps(firsts, this.hops.length === 0 ? Infinity : MAX_ENDINGS);
  }

  /** One leg, or none where no venue of the chain converts. */
  private leg(chain: string, from: string, to: string, lane: BridgeLane | null): RouteLeg[] {
    if (from !== to && !this.edges.hasConversion(from, to)) return [];
    const [inputToken, outputToken] = [from as TokenIdentifier, to as TokenIdentifier];
    return [{ chain, inputToken, outputToken, lane }];
  }
}

interface First {
  leg: RouteLeg;
  steps: number;
  /** Fewest steps first. */
  endings: readonly Ending[];
}

/** Joins first legs with their endings, fewest steps first; builds no more than `max`. */
function fewestSteps(firsts: readonly First[], max: number): Ending[] {
  const joined: Ending[] = [];
  const most = firsts.reduce(
    (longest, { steps, endings }) => Math.max(longest, steps + (endings.at(-1)?.steps ?? 0)),
    0,
  );
  for (let wanted = 0; wanted <= most; wanted += 1) {
    for (const { leg, steps, endings } of firsts) {
      for (const ending of endings) {
        if (steps + ending.steps > wanted) break;
        if (steps + ending.steps < wanted) continue;
        joined.push({ legs: [leg, ...ending.legs], steps: wanted });
        if (joined.length >= max) return joined;
      }
    }
  }
  return joined;
}
