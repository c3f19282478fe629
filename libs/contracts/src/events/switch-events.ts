import type { EventEnvelope, Versioned } from './envelope.js';

/** Kinds of switches; the last two have no subject. */
export const PAUSE_KINDS = [
  'chain',
  'venue',
  'bridge',
  'provider',
  'organisation',
  'confirms',
  'execution',
] as const;
export type PauseKind = (typeof PAUSE_KINDS)[number];

/** A switch that is on. */
export interface Pause {
  /** Kind of what is paused. */
  kind: PauseKind;
  /** Name of the chain, venue, bridge or provider, or id of the organisation; null for `confirms` and `execution`. */
  subject: string | null;
  /** Reason in the operator's words; clients see it. */
  reason: string;
  /** Time of the command that turned the switch on. */
  since: string;
}

/** All switches that are on, and their version, which each command increments. */
export interface SwitchesState extends Versioned {
  /** Switches that are on. */
  paused: readonly Pause[];
}

/** Key of the only record in the topic of switches. */
export const SWITCHES_KEY = 'switches';

export const SWITCH_EVENT_TYPES = ['switches.changed'] as const;
export type SwitchesEvent = EventEnvelope<(typeof SWITCH_EVENT_TYPES)[number], SwitchesState>;

/** State of a deployment whose operator has paused nothing yet. */
export const NO_SWITCHES: SwitchesState = { version: 0, paused: [] };
