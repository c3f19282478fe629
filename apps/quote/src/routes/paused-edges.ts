import {
  pausedOf,
  pauseMessage,
  type Pause,
  type PauseKind,
  type SwitchesState,
} from '@bascule/contracts';
import { RouteFailure, type TimedFailure } from './route-failure.js';
import type { RoutingInput } from './routing-graph.js';

type Switches = Pick<SwitchesState, 'paused'>;

/** Drops the tokens of paused chains, and the edges of paused providers, bridges and venues. */
export function withoutPaused(
  switches: Switches,
  { tokens, ramps, lanes, conversions }: RoutingInput,
): RoutingInput {
  const [chains, providers] = [pausedOf(switches, 'chain'), pausedOf(switches, 'provider')];
  const [bridges, venues] = [pausedOf(switches, 'bridge'), pausedOf(switches, 'venue')];
  return {
    tokens: tokens.filter(({ chain }) => !chains.has(chain)),
    ramps: ramps.filter(({ provider }) => !providers.has(provider)),
    lanes: lanes.filter(({ bridge }) => !bridges.has(bridge)),
    conversions: conversions.filter(({ venue }) => venue === undefined || !venues.has(venue)),
  };
}

/** Failures of the paused ones among the parties that a request may need. */
export const pausedFailures = (
  { paused }: Switches,
  needed: Readonly<Partial<Record<PauseKind, readonly string[]>>>,
): TimedFailure[] =>
  paused
    .filter(({ kind, subject }) => subject !== null && needed[kind]?.includes(subject))
    .map((pause) => ({ failure: pausedFailure(pause), latencyMs: 0 }));

/** Client-facing failure of a party that an operator has paused. */
export const pausedFailure = (pause: Pause): RouteFailure =>
  new RouteFailure(
    [pause.subject ?? pause.kind],
    [{ kind: pause.kind === 'chain' ? 'other' : 'provider', message: pauseMessage(pause) }],
  );
