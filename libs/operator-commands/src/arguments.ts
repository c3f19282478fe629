import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { UsageError } from './operator-error.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Node's `parseArgs` with positionals.
 * @throws UsageError for unknown flags and missing values
 */
export function parseArguments<const Options extends ParseArgsOptionsConfig>(
  argv: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** Options of `parseArguments` for flags that take a text. */
export const textFlags = <Flag extends string>(
  ...flags: readonly Flag[]
): Record<Flag, { type: 'string' }> =>
  Object.fromEntries(flags.map((flag) => [flag, { type: 'string' }])) as Record<
    Flag,
    { type: 'string' }
  >;

/** @throws UsageError where the flag is absent or blank */
export function requiredFlag<Flag extends string>(
  flags: Readonly<Partial<Record<Flag, string>>>,
  flag: Flag,
): string {
  const value = flags[flag]?.trim();
  if (value === undefined || value === '') throw new UsageError(`--${flag} is missing`);
  return value;
}

/** @throws UsageError with `message` for anything but a UUID */
export function uuidArgument(text: string | undefined, message: string): string {
  if (text === undefined || !UUID.test(text)) throw new UsageError(message);
  return text;
}

/** @throws UsageError for anything but one of `choices` */
export function oneOf<Choice extends string>(text: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((each) => each === text);
  if (choice === undefined)
    throw new UsageError(`expected one of ${choices.join(', ')}, got ${text}`);
  return choice;
}
