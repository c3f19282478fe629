import type { Pause, PauseKind, SwitchesState } from '../events/switch-events.js';

/** Finds the switch of a subject; undefined where it is off. */
export const pauseOf = (
  { paused }: Pick<SwitchesState, 'paused'>,
  kind: PauseKind,
  subject: string | null = null,
): Pause | undefined => paused.find((each) => each.kind === kind && each.subject === subject);

/** Something that a switch may pause. */
export type PausableParty = readonly [kind: PauseKind, subject?: string | null];

/** Finds the first of these that is paused. */
export function firstPauseOf(
  switches: Pick<SwitchesState, 'paused'>,
  parties: readonly PausableParty[],
): Pause | undefined {
  for (const [kind, subject] of parties) {
    const pause = pauseOf(switches, kind, subject);
    if (pause !== undefined) return pause;
  }
  return undefined;
}

/** Subjects of a kind that are paused. */
export const pausedOf = (
  { paused }: Pick<SwitchesState, 'paused'>,
  kind: PauseKind,
): ReadonlySet<string> =>
  new Set(
    paused.flatMap((each) => (each.kind === kind && each.subject !== null ? each.subject : [])),
  );

/** Names a switch: `chain base`, `execution`. */
export const pauseName = ({ kind, subject }: Pick<Pause, 'kind' | 'subject'>): string =>
  subject === null ? kind : `${kind} ${subject}`;

/** Tells a client what is paused, and why. */
export function pauseMessage({ kind, subject, reason }: Pause): string {
  switch (kind) {
    case 'organisation':
      return `New quotes and payments of the organisation are paused: ${reason}`;
    case 'confirms':
      return `New payments are paused: ${reason}`;
    case 'execution':
      return `The execution of payments is paused: ${reason}`;
    default:
      return `${subject} is paused: ${reason}`;
  }
}
