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
const distinct = <T>(items: fc.Arbitrary<T>) =>
  fc.uniqueArray(items, { selector: (item) => JSON.stringify(item), maxLength: 14 });

/** Random graph of few tokens: some unlisted, some unreachable, some with many routes. */
export const aWorld: fc.Arbitrary<RoutingInput> = fc.record({
  tokens: fc.subarray(WORLD_TOKENS).map((ids) => known(...ids)),
  ramps: distinct(aRamp),
  lanes: distinct(aLane),
  conversions: distinct(aConversion),
});

export interface Walk {
  /** Key of the ramp, or `tokens`. */
  key: string;
  at: string;
  path: string[];
  steps: number;
  bridges: number;
  mayConvert: boolean;
}

/** Exhaustive search: every walk with at most one bridge and one conversion per chain. */
export function allWalks(input: RoutingInput, from: string, to: string): Walk[] {
  const listed = new Set<string>(input.tokens.map(({ id }) => id));
  const still = { steps: 0, bridges: 0, mayConvert: true };
  const queue: Walk[] = input.ramps
    .filter(({ fiat }) => fiat === from)
    .map((bought) => ({ ...still, key: rampKey(bought), at: bought.token, path: ['buy'] }));
  if (from.includes(':')) queue.push({ ...still, key: 'tokens', at: from, path: [] });
  const found: Walk[] = [];
  for (let walk = queue.pop(); walk; walk = queue.pop()) {
    const { at, path, steps } = walk;
    if (!listed.has(at)) continue;
    if (at === to) found.push({ ...walk, path: [...path, at] });
    for (const { inputToken, outputToken } of walk.mayConvert ? input.conversions : []) {
      if (inputToken !== at) continue;
      const convert = [...path, at, 'convert'];
      queue.push({ ...walk, at: outputToken, path: convert, steps: steps + 1, mayConvert: false });
    }
    for (const { bridge, inputToken, outputToken } of input.lanes) {
      if (inputToken !== at || walk.bridges > 0) continue;
      const over = [...path, at, bridge];
      const crossed = { at: outputToken, path: over, steps: steps + 1, bridges: 1 };
      queue.push({ ...walk, ...crossed, mayConvert: true });
    }
  }
  return found;
}
