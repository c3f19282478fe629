import { PAUSE_KINDS, type Pause, type PauseKind } from '@bascule/contracts';
import {
  oneOf,
  parseArguments,
  requiredFlag,
  UsageError,
  uuidArgument,
} from '@bascule/operator-commands';

/** Command on the switches. */
export type SwitchCommand =
  | { name: 'pauses list' }
  | { name: 'pause'; about: Pick<Pause, 'kind' | 'subject'>; reason: string }
  | { name: 'resume'; about: Pick<Pause, 'kind' | 'subject'> };

/** Names that a switch may have, by its kind; a kind without names is configuration of other services. */
export type KnownSubjects = Readonly<
  Record<'chain' | 'venue' | 'bridge' | 'provider', readonly string[]>
>;

/** Longest reason; clients see it. */
const MAX_REASON_LENGTH = 200;
const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** Groups of commands that are about switches. */
export const isSwitchGroup = (group: string | undefined): boolean =>
  group === 'pause' || group === 'resume' || group === 'pauses';

function reasonOf(text: string): string {
  if (text.length <= MAX_REASON_LENGTH && /^[^\p{Cc}]+$/u.test(text)) return text;
  throw new UsageError(`--reason must be one line of at most ${MAX_REASON_LENGTH} characters`);
}

/** Finds a known name, in any letter case and with `-` for `_`. */
function named(
  kind: keyof KnownSubjects,
  text: string,
  { known, isUnlisted }: { known: KnownSubjects; isUnlisted: boolean },
): string {
  const name = text.toLowerCase();
  const spellings = [name, name.replaceAll('-', '_')];
  const listed = known[kind].find((each) => spellings.includes(each));
  if (listed !== undefined) return listed;
  if (isUnlisted && NAME.test(name)) return name;
  const names = known[kind].join(', ') || 'none';
  throw new UsageError(
    `Unknown ${kind} ${text}. Known: ${names}. With --unlisted any name is taken as it is.`,
  );
}

function subjectOf(
  kind: PauseKind,
  text: string | undefined,
  context: { known: KnownSubjects; isUnlisted: boolean },
): string | null {
  if (kind === 'confirms' || kind === 'execution') {
    if (text === undefined) return null;
    throw new UsageError(`${kind} takes no name, got ${text}`);
  }
  if (text === undefined) throw new UsageError(`the name of the ${kind} is missing`);
  if (kind === 'organisation') {
    return uuidArgument(text, `organisation takes an id, got ${text}`).toLowerCase();
  }
  return named(kind, text, context);
}

/** @throws UsageError */
export function parseSwitchCommand(argv: readonly string[], known: KnownSubjects): SwitchCommand {
  const { values, positionals } = parseArguments(argv, {
    reason: { type: 'string' },
    unlisted: { type: 'boolean' },
  });
  const [name, what = '', subject, ...more] = positionals;
  if (positionals.join(' ') === 'pauses list') return { name: 'pauses list' };
  if ((name !== 'pause' && name !== 'resume') || more.length > 0) {
    throw new UsageError(`unknown command: ${positionals.join(' ')}`);
  }
  const kind = oneOf(what, PAUSE_KINDS);
  const context = { known, isUnlisted: values.unlisted === true };
  const about = { kind, subject: subjectOf(kind, subject, context) };
  if (name === 'resume') return { name, about };
  return { name, about, reason: reasonOf(requiredFlag({ reason: values.reason }, 'reason')) };
}
