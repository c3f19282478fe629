import type { TokenIdentifier } from '@bascule/contracts';
import fc from 'fast-check';
import { rampKey, type BridgeLane, type Conversion, type Ramp } from '../routes/route.js';
import type { RoutingInput } from '../routes/routing-graph.js';

export const token = (chain: string, digit: string): TokenIdentifier =>
  `${chain}:0x${digit.repeat(40)}`;
export const chainOf = (id: string): string => id.slice(0, id.indexOf(':'));
export const known = (...ids: TokenIdentifier[]) => ids.map((id) => ({ id, chain: chainOf(id) }));
export const ramp = (provider: string, fiat: string, bought: TokenIdentifier): Ramp => ({
  provider,
  method: 'SEPA',
  fiat,
  token: bought,
  limits: { min: '1', max: '100' },
  places: [],
});
export const lane = (
  inputToken: TokenIdentifier,
  outputToken: TokenIdentifier,
  bridge = 'intent_escrow',
): BridgeLane => ({ bridge, inputToken, outputToken });
/** Conversions between all pairs of tokens. */
export const eachToEach = (...ids: TokenIdentifier[]): Conversion[] =>
  ids.flatMap((inputToken) =>
    ids.flatMap((outputToken) => (inputToken === outputToken ? [] : [{ inputToken, outputToken }])),
  );

const CHAINS = ['alphanet', 'betanet', 'gammanet'];
export const WORLD_TOKENS = CHAINS.flatMap((chain) =>
  ['1', '2', '3'].map((digit) => token(chain, digit)),
);
export const WORLD_FIATS = ['usd', 'eur'];
export const WORLD_PROVIDERS = ['swift', 'thrift'];
export const aToken = fc.constantFrom(...WORLD_TOKENS);

const aRamp = fc
  .tuple(fc.constantFrom(...WORLD_PROVIDERS), fc.constantFrom(...WORLD_FIATS), aToken)
  .map(([provider, fiat, bought]) => ramp(provider, fiat, bought));
const aLane = fc
  .tuple(fc.constantFrom('one', 'two'), aToken, aToken)
  .filter(([, input, output]) => chainOf(input) !== chainOf(output))
  .map(([bridge, input, output]) => lane(input, output, bridge));
const aConversion = fc
  .tuple(aToken, aToken)
  .filter(([input, output]) => input !== output && chainOf(input) === chainOf(output))
  .map(([inputToken, outputToken]) => ({ inputToken, outputToken }));
const distinct = <T>(items: fc.Arbitrary<T>, minLength = 0) =>
  fc.uniqueArray(items, { selector: (item) => JSON.stringify(item), minLength, maxLength: 14 });

/** Random graph of few tokens: some unlisted, some unreachable, some with many routes. */
export const aWorld: fc.Arbitrary<RoutingInput> = fc.record({
  tokens: fc.subarray(WORLD_TOKENS).map((ids) => known(...ids)),
  ramps: distinct(aRamp),
  lanes: distinct(aLane),
  conversions: distinct(aConversion),
});

/** Random lanes and ramps between tokens that are all listed and convert into each other on their chain. */
export const aDenseWorld: fc.Arbitrary<RoutingInput> = fc.record({
  tokens: fc.constant(known(...WORLD_TOKENS)),
  ramps: distinct(aRamp),
  lanes: distinct(aLane, 6),
  conversions: fc.constant(
    CHAINS.flatMap((chain) => eachToEach(...WORLD_TOKENS.filter((id) => chainOf(id) === chain))),
  ),
});

export interface Walk {
  /** Key of the ramp, or `tokens`. */
  key: string;
  at: string;
  path: string[];
  steps: number;
  /** Crossed chains, the first one included. */
  chains: readonly string[];
  mayConvert: boolean;
}

interface Search {
  input: RoutingInput;
  /** Chains to cross to, in order; empty for one crossing at most. */
  way: readonly string[];
}

const crossings = ({ chains }: Walk): number => chains.length - 1;

const converted = (walk: Walk, { input }: Search): Walk[] =>
  (walk.mayConvert ? input.conversions : []).flatMap(({ inputToken, outputToken }) => {
    if (inputToken !== walk.at) return [];
    const path = [...walk.path, walk.at, 'convert'];
    return [{ ...walk, at: outputToken, path, steps: walk.steps + 1, mayConvert: false }];
  });

const carried = (walk: Walk, { input, way }: Search): Walk[] =>
  input.lanes.flatMap(({ bridge, inputToken, outputToken }) => {
    const next = chainOf(outputToken);
    const mayCross = way.length === 0 ? crossings(walk) === 0 : next === way[crossings(walk)];
    if (inputToken !== walk.at || !mayCross || walk.chains.includes(next)) return [];
    const path = [...walk.path, walk.at, bridge];
    const chains = [...walk.chains, next];
    return [{ ...walk, at: outputToken, path, chains, steps: walk.steps + 1, mayConvert: true }];
  });

/**
 * Exhaustive search: every walk with one conversion per chain at most, and one bridge, or with bridges to exactly these
 * chains in order.
 */
export function allWalks(
  input: RoutingInput,
  from: string,
  to: string,
  hops: readonly string[] = [],
): Walk[] {
  const search = { input, way: hops.length === 0 ? [] : [...hops, chainOf(to)] };
  const listed = new Set<string>(input.tokens.map(({ id }) => id));
  const start = (at: string) => ({ at, chains: [chainOf(at)], steps: 0, mayConvert: true });
  const queue: Walk[] = input.ramps
    .filter(({ fiat }) => fiat === from)
    .map((bought) => ({ ...start(bought.token), key: rampKey(bought), path: ['buy'] }));
  if (from.includes(':')) queue.push({ ...start(from), key: 'tokens', path: [] });
  const found: Walk[] = [];
  for (let walk = queue.pop(); walk; walk = queue.pop()) {
    if (!listed.has(walk.at)) continue;
    const isComplete = search.way.length === 0 || crossings(walk) === search.way.length;
    if (walk.at === to && isComplete) found.push({ ...walk, path: [...walk.path, walk.at] });
    queue.push(...converted(walk, search), ...carried(walk, search));
  }
  return found;
}
